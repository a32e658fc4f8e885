import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type BankPlace, type Problem, problemPlace } from '../../domain/problem.ts';
import { ProblemsToWrite } from '../../input/corrections/problem-marks.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { InputSource } from '../../input/source/file.ts';
import { openTable } from '../../input/source/open-table.ts';
import type { BankTable } from '../../input/source/table.ts';
import { messages } from '../../messages/messages.ts';
import { type Database, openDatabase } from '../../platform/sqlite.ts';
import { placeOfCell } from '../../platform/xlsx/cell-names.ts';
import type { Copy } from './copies.ts';

/** A problem as it is kept beside the cells. It gets its words where somebody reads it. */
export const keptMark = z
  .object({
    /** Its column, from 0; null where it is about the whole row. */
    at: z.number().nullable(),
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    params: z.string().transform((json) => z.looseObject({}).parse(JSON.parse(json))),
    place: z.string().nullable(),
    suggestion: z.string().nullable(),
  })
  .transform((mark) => {
    const worded = messages.problems.worded(mark, 'page');
    return { ...worded, short: messages.problems.shortReason(mark) ?? worded.message };
  });

export type ShownMark = z.output<typeof keptMark>;

/** Longer texts are cut: nobody reads them in a cell. */
export const CELL_LETTERS_MAX = 300;

/** Wider rows are cut: the page shows no more columns. */
export const CELLS_OF_A_ROW_MAX = 64;

/** `cells` is a JSON array of texts. Rows and columns are numbered as spreadsheet programs do, column A as 0. */
const SCHEMA = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE sheet_row (n integer PRIMARY KEY, cells text NOT NULL, is_blank integer NOT NULL) STRICT;
CREATE TABLE mark (
  id integer PRIMARY KEY,
  n integer NOT NULL,
  -- Null where it is about the whole row.
  at integer,
  severity text NOT NULL,
  -- JSON, what the words of its code are filled with.
  params text NOT NULL,
  -- Of a bank file, where it stands in that.
  place text,
  code text NOT NULL,
  -- The canonical column.
  field text,
  suggestion text
) STRICT;
`;

/**
 * The cells of an input with their problems, as an SQLite file from which any hundred rows are read at once: for the page,
 * which shows the sheet. It takes the place of an earlier one only when it is whole.
 */
export function cellsCopy(source: InputSource, out: string): Copy {
  const problems = new ProblemsToWrite<Problem>();
  return {
    onProblem: (problem) => problems.add(problem),
    make: async ({ sheet, input, encoding, columns }) => {
      const made = `${out}.new`;
      rmSync(made, { force: true });
      // Account numbers are in it.
      closeSync(openSync(made, 'wx', 0o600));
      const database = openDatabase(made);
      try {
        database.exec(`${SCHEMA}BEGIN`);
        const table = await openTable(source, { encoding, ...(sheet !== null && { sheet }) });
        const rows = table.sha256 === input.sha256 ? await writeRows(database, table.parts()) : 0;
        writeMarks(database, problems.all, { sheet, columns, bank: table.bank ?? null });
        database.exec('CREATE INDEX mark_row ON mark (n); COMMIT');
        database.close();
        renameSync(made, out);
        return { outcome: 'cells', rows };
      } catch (error) {
        rmSync(made, { force: true });
        throw error;
      }
    },
  };
}

async function writeRows(
  database: Database,
  parts: ReturnType<Awaited<ReturnType<typeof openTable>>['parts']>,
): Promise<number> {
  const insert = database.prepare('INSERT INTO sheet_row VALUES (?, ?, ?)');
  let last = 0;
  for await (const part of parts) {
    if (part.kind === 'fault') break;
    for (const [at, cells] of part.records.entries()) {
      last = part.firstRow + at;
      const isBlank = cells.every((text) => text.trim() === '');
      insert.run(last, JSON.stringify(cells.slice(0, CELLS_OF_A_ROW_MAX).map(shortened)), isBlank ? 1 : 0);
    }
  }
  return last;
}

function shortened(text: string): string {
  return text.length > CELL_LETTERS_MAX ? `${text.slice(0, CELL_LETTERS_MAX)}…` : text;
}

/** Whether a text that was read from there is only the begin of the cell's. */
export function isShortened(text: string): boolean {
  return text.length > CELL_LETTERS_MAX;
}

type Marked = Pick<ReadResult, 'sheet' | 'columns'> & { bank: BankTable | null };

function writeMarks(database: Database, problems: readonly Problem[], { sheet, columns, bank }: Marked): void {
  const insert = database.prepare(
    'INSERT INTO mark (n, at, severity, params, place, code, field, suggestion) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const problem of problems) {
    const { row, cell, severity, params, sheet: of, code, column: field, suggestion = null } = problem;
    if (row === null || (sheet !== null && of !== null && of !== sheet)) continue;
    const at = bank === null ? columnOfCell(cell) : columnInBankFile(problem, columns, bank);
    const place = bank === null ? null : problemPlace(problem);
    insert.run(row, at, severity, JSON.stringify(params), place, code, field, suggestion);
  }
}

function columnOfCell(cell: string | null): number | null {
  return cell === null ? null : (placeOfCell(cell)?.column ?? null);
}

/** The column of the field or element that a problem is about; null where it is about the whole payment. */
function columnInBankFile(
  { row, column, place }: Problem,
  columns: Marked['columns'],
  { header, placeOf }: BankTable,
): number | null {
  const own = columns.findIndex((each) => each !== null && each === column);
  if (own !== -1) return own;
  if (row === null || place === undefined) return null;
  const places = header.map((_, at) => placeOf(row, at, null));
  const found = [isSame, isWithin].map((isThere) => places.findIndex((each) => isThere(place, each)));
  return found.find((at) => at !== -1) ?? null;
}

function isSame(place: BankPlace, of: BankPlace): boolean {
  if (place.in === 'record' && of.in === 'record')
    return of.positions !== null && isDeepStrictEqual(place.positions, of.positions);
  return place.in === 'payment' && of.in === 'payment' && of.element !== null && place.element === of.element;
}

/** Whether a place is a part of another: some positions of a field, an element below another. */
function isWithin(place: BankPlace, of: BankPlace): boolean {
  if (place.in === 'record' && of.in === 'record') {
    const [[from, to], [first, last]] = [place.positions ?? [0, 0], of.positions ?? [1, 0]];
    return from >= first && to <= last;
  }
  return place.in === 'payment' && of.in === 'payment' && place.element?.startsWith(`${of.element}/`) === true;
}
