import { extname } from 'node:path';
import { z } from 'zod';
import { inputEdit } from '../../domain/entries/edits.ts';
import { paidCurrencies } from '../../input/header/proposed-currency.ts';
import { ASKED_NAMES, type AskedEncoding, LEGACY_NAMES } from '../../input/source/encoding/encodings.ts';
import { FILE_KINDS, type FileKind, kindOf, OTHER_SPREADSHEETS } from '../../input/source/file-kinds.ts';

/** What a person chooses on how a file is to be read. */
export const reading = z.object({
  sheet: z.string().nullable().default(null),
  decimal: z.enum(['.', ',']).nullable().default(null),
  /** Of a text that does not show it. */
  encoding: z.enum(ASKED_NAMES).nullable().default(null),
  /** The currency of rows that name none. */
  currency: z.string().nullable().default(null),
  /** Whether references are written in the characters that their rails carry. */
  foldReferences: z.boolean().default(false),
  /** The rail of rows that name none, by currency. */
  rails: z.record(z.string(), z.string()).default({}),
  /** What headers mean; empty where one is ignored. */
  columns: z.record(z.string(), z.string()).default({}),
});

export type Reading = z.output<typeof reading>;

/** A file that is parsed, as one process names it to another. */
export const fileOrder = z.object({
  path: z.string(),
  /** What people call it. */
  name: z.string(),
  /** The file of the job that it is for. */
  job: z.string().nullable(),
  reading,
  /** What people changed in its rows. */
  edits: z.array(inputEdit).optional(),
  /** The run whose rows it corrects. */
  corrects: z.string().nullable(),
  /** The file of what is remembered of headers; null for that of the data directory. */
  memory: z.string().nullable(),
});

export type FileOrder = z.output<typeof fileOrder>;

export type { AskedEncoding, FileKind };
export { ASKED_NAMES, LEGACY_NAMES, paidCurrencies };

/** The endings of the files that are read. */
export const FILE_ENDINGS: readonly string[] = FILE_KINDS;

/** The kind of a file, by its name; else whether it is of another spreadsheet program, which can save it as one that is read. */
export function fileKind(name: string): { kind: FileKind } | { kind: null; isSpreadsheet: boolean } {
  const kind = kindOf(name);
  return kind === null ? { kind, isSpreadsheet: OTHER_SPREADSHEETS.has(extname(name).toLowerCase()) } : { kind };
}
