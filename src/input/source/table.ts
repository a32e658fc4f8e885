import type { InputEdit } from '../../domain/entries/edits.ts';
import type { Problem } from '../../domain/problem.ts';
import type { PlaceOf, RowFacts } from '../cells/cell-facts.ts';
import type { BankFormat } from './bank/bank-kind.ts';
import type { Delimiter } from './csv.ts';
import type { Encoding } from './encoding/encodings.ts';
import type { FileFault } from './file-problem.ts';

/** Some whole rows, or the reason why no more can be read. Rows are numbered as a spreadsheet program numbers them. */
export type TablePart =
  /** `facts[n]` is of `records[n]`. */
  | { kind: 'records'; firstRow: number; records: string[][]; facts?: readonly (RowFacts | null)[] }
  | { kind: 'fault'; code: FileFault; row: number | null };

/** What a bank file has besides, in order with its rows. */
export type BankPart =
  | TablePart
  /** An error makes that nothing of the file is paid; behind the last no more can be read. */
  | { kind: 'problem'; problem: Problem; isLast: boolean }
  /** What the rows of a bank file come to, by its own count. */
  | { kind: 'figures'; figures: FileFigures };

/** How many payments a file has, and their sums in minor units by currency; no sums where an amount cannot be read. */
export type FileFigures = { count: number; totals: ReadonlyMap<string, bigint> };

/** What is known of a bank file, which has a header of ours, and payments alone below it. */
export type BankTable = {
  format: BankFormat;
  /** Canonical columns, and what is carried to the report. */
  header: readonly string[];
  /** About so many payments are in it. */
  paymentsExpected: number;
  placeOf: PlaceOf;
  /** The parts of the table with all that is found between them. */
  parts(): AsyncIterable<BankPart>;
};

/**
 * One table of an input, of text cells: a text file, or one sheet of a workbook. A number's text is a plain decimal of at
 * most 15 significant digits, a date's is ISO 8601, a formula's is that of its cached value.
 */
export type Table = {
  /** The sheet's name; null where the file is text. */
  sheet: string | null;
  /** Of the file's bytes; where people edited its rows, of both together. */
  sha256: string;
  /** Where people edited its rows: the hash of the file's bytes, and what they changed. */
  edited?: { fileSha256: string; edits: readonly InputEdit[] };
  bytes: number;
  /** Null for workbooks. */
  encoding: Encoding | null;
  /** Whether that is what somebody gave for an earlier file with these headers. */
  isEncodingRemembered?: boolean;
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
  /** Of a bank file, whose rows have no header above them. */
  bank?: BankTable;
  /**
   * The rows, from the first; each call gives the same again. Ends after a fault. Throws a Refusal (kind `input`) where
   * the file was changed meanwhile.
   */
  parts(): AsyncIterable<TablePart>;
};
