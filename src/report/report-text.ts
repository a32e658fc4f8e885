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
