import type { RunRow } from '../domain/entry.ts';
import type { LimitCount } from '../domain/limits.ts';
import type { Fault, Problem } from '../domain/problem.ts';
import type { ModulusTable } from '../domain/rails/fields/gbp-modulus.ts';
import type { DefaultRails } from './cells/rail-cells.ts';
import type { ControlFigures } from './checks/control-figures.ts';
import type { PayeeHistory } from './checks/payee-history.ts';
import { type ColumnMemory, givenBeside } from './header/column-memory.ts';
import type { ExplicitColumn } from './header/columns.ts';
import type { ColumnMapper } from './header/header-search.ts';
import type { ColumnName } from './header/synonyms.ts';
import type { Encoding } from './source/encoding/encodings.ts';

/** A row as it is read: the order unless it has problems, else the first of them. */
export type ReadRow = Omit<RunRow, 'problem'> & { problem: Fault | null };

/** How an input is read. */
export type ReadOptions = {
  /** The decimal separator where the job names it; otherwise the amounts of the whole column must prove it. */
  decimal?: '.' | ',';
  /** What must be paid: if the file differs, none of its rows is paid. */
  expected?: ControlFigures;
  /** The rail of rows that name none, by currency; otherwise the only one that a row's fields fit. */
  defaultRails?: DefaultRails;
  /** Whether references are written in the characters that their rails carry; otherwise others are errors. */
  foldReferences?: boolean;
  /** The encoding of a text that does not show it; otherwise that is an error. */
  encoding?: Encoding;
  /** Where it is given. */
  encodingSource?: 'option' | 'job';
  /** The sheet of a workbook; otherwise the one with our columns. */
  sheet?: string;
  /** The mapping of this command. */
  columns?: readonly ExplicitColumn[];
  /** The mapping of the job. */
  jobColumns?: readonly ExplicitColumn[];
  /** The currency of rows that name none, of this command and of the job. */
  currency?: string | undefined;
  jobCurrency?: string | undefined;
  /** The mappings of earlier commands. */
  memory?: Pick<ColumnMemory, 'recall'>;
  /** Called for each row that is not blank, in order. The next row is read when a promise it returns has resolved. */
  onRow?: (row: ReadRow) => void | Promise<void>;
  /** Called for each problem, those too that are only counted in the result. */
  onProblem?: (problem: Problem) => void;
  /** What was paid before, with which the rows and the totals are compared. */
  history?: PayeeHistory;
  /** The problems of rows that correct those of a run. Their totals are compared with no other run's. */
  corrects?: CorrectionProblems;
  /** What the job allows, counted as the rows are read; what exceeds it is an error. */
  limits?: LimitCount;
  /** By which accounts in the UK are checked; without it they are not. */
  modulus?: ModulusTable;
};

/** When every row was read: those that correct none. */
export type CorrectionProblems = (table: {
  sheet: string | null;
  columns: readonly (ColumnName | null)[];
}) => Problem[];

/** What is given beside a row's cells, were it the header, by the options, the job and memory. */
export function mapperOf({ columns = [], jobColumns = [], currency, jobCurrency, memory }: ReadOptions): ColumnMapper {
  const given = { options: { columns, currency }, job: { columns: jobColumns, currency: jobCurrency } };
  return (cells) => givenBeside(cells, given, memory ?? null);
}
