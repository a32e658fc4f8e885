import { open } from 'node:fs/promises';
import type { ReportRow } from './model/rows.ts';

/**
 * A report's text in one format, made piece by piece: `start`, each row in order, `end`. All formats of a report are so
 * written in one pass over the rows, and none is ever one text in memory.
 */
export type ReportText = {
  /** In pieces: a run may have many doubts, and they stand before the rows. */
  start(): Iterable<string>;
  row(row: ReportRow): string;
  readonly end: string;
};

/** A file of a report while it is written. `write` may be called once the call before has resolved. */
export type DraftFile = {
  write(text: string): Promise<void>;
  /** What is left, durably. */
  finish(): Promise<void>;
  /** After `finish`, or in place of it where something went wrong. */
  close(): Promise<void>;
};

/** For their owner only: reports hold names and salaries. */
export const OWNER_ONLY = 0o600;

/** The text as it is. */
export async function openTextFile(path: string): Promise<DraftFile> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  return {
    write: (text) => handle.writeFile(text),
    finish: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** The files of a report that a run leaves, by the endings of their names. */
export const REPORT_FORMATS = ['csv', 'html', 'json', 'xlsx'] as const;

/** Messages of ISO 20022 to a payer, which are written where they are asked for. */
export const BANK_FORMATS = ['pain002', 'camt054'] as const;

export type ReportFormat = (typeof REPORT_FORMATS | typeof BANK_FORMATS)[number];

/** What the file of a format is called. */
export function reportFileName(format: ReportFormat): string {
  return (BANK_FORMATS as readonly string[]).includes(format) ? `report.${format}.xml` : `report.${format}`;
}
