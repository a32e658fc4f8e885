import type { Problem } from '../../domain/problem.ts';
import type { RowFacts } from '../cells/cell-facts.ts';
import type { Delimiter } from './csv.ts';
import type { Encoding } from './encoding/encodings.ts';
import type { FileFault } from './file-problem.ts';

/** Some whole rows, or the reason why no more can be read. Rows are numbered as a spreadsheet program numbers them. */
export type TablePart =
  /** `facts[n]` is of `records[n]`. */
  | { kind: 'records'; firstRow: number; records: string[][]; facts?: readonly (RowFacts | null)[] }
  | { kind: 'fault'; code: FileFault; row: number | null };

/**
 * One table of an input, of text cells: a text file, or one sheet of a workbook. A number's text is a plain decimal of at
 * most 15 significant digits, a date's is ISO 8601, a formula's is that of its cached value.
 */
export type Table = {
  /** The sheet's name; null where the file is text. */
  sheet: string | null;
  /** Of the file's bytes. */
  sha256: string;
  bytes: number;
  /** Null for workbooks. */
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  /** What is wrong with the file as a whole. */
  faults: readonly FileFault[];
  /** Its other problems, each with its place. */
  problems: readonly Problem[];
  /** Columns (0 is A) that the sheet hides. */
  hiddenColumns: ReadonlySet<number>;
  /** Whether there are rows to be read at all. */
  isReadable: boolean;
  /** Whether it is the annotated copy of a text file, in which a cell too many is as wrong as it was there. */
  isCopyOfText?: boolean;
  /**
   * The rows, from the first; each call gives the same again. Ends after a fault. Throws a Refusal (kind `input`) where
   * the file was changed meanwhile.
   */
  parts(): AsyncIterable<TablePart>;
};
