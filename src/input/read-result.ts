import type { InputEdit } from '../domain/entries/edits.ts';
import type { InputFile } from '../domain/entry.ts';
import type { Problem, ProblemGroup } from '../domain/problem.ts';
import type { UnnamedRail } from './cells/rail-cells.ts';
import type { AmountSums, CurrencyTotal } from './checks/control-figures.ts';
import type { GivenCurrency, GivenEncoding, MappedColumn } from './header/columns.ts';
import type { ColumnName } from './header/synonyms.ts';
import type { BankFormat } from './source/bank/bank-kind.ts';
import type { Delimiter } from './source/csv.ts';
import type { Encoding } from './source/encoding/encodings.ts';

export type ReadResult = {
  input: InputFile;
  /** What people changed in its rows. */
  edits: readonly InputEdit[];
  /** The sheet that was read; null where the file is text. */
  sheet: string | null;
  /** Of a bank file; null for tables. */
  format: BankFormat | null;
  /** Null for workbooks and bank files. */
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  /** Rows under the header that are not blank. */
  rows: number;
  /** Rows that can be paid: those with an order. */
  payouts: number;
  /** Of the payouts, in order of first appearance. */
  totals: CurrencyTotal[];
  /** Of all rows, those with problems too; null where no row was read. */
  sums: AmountSums | null;
  /** The rails of payouts whose rows name none: those that follow from the fields, and those of `defaultRails`. */
  inferredRails: UnnamedRail[];
  defaultRails: UnnamedRail[];
  /** At most 1,000, by row. */
  problems: Problem[];
  /** All of them. */
  problemCounts: { errors: number; warnings: number };
  /** All of them by code and column, in order of first appearance. */
  problemGroups: readonly ProblemGroup[];
  /** How many of them their suggestion corrects. */
  suggestionCount: number;
  /** Null where the file has none. */
  headerRow: number | null;
  /** Whether the header leaves nothing open. */
  isHeaderClear: boolean;
  /** What each header was taken for; null where its column is only carried to the report. */
  columns: readonly (ColumnName | null)[];
  /** The explicit mappings of the headers, of this command and of earlier ones. */
  mapping: MappedColumn[];
  /** The currency of rows that name none. */
  givenCurrency: GivenCurrency | null;
  /** The encoding that was given, where the text does not show it. */
  givenEncoding: GivenEncoding | null;
  /**
   * False where the file could not be read to its end, its header is not clear, or its own total line or the expected
   * figures contradict it: then no row of it may be paid.
   */
  isWhole: boolean;
};
