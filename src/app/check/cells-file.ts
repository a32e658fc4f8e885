import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import type { WordedProblem } from '../../domain/problem.ts';
import { ProblemsToWrite } from '../../input/corrections/problem-marks.ts';
import type { InputSource } from '../../input/source/file.ts';
import { openTable } from '../../input/source/open-table.ts';
import { messages } from '../../messages/messages.ts';
import type { Audience } from '../../messages/problems/words.ts';
import { type Database, openDatabase } from '../../platform/sqlite.ts';
import { placeOfCell } from '../../platform/xlsx/cell-names.ts';
import type { Copy } from './copies.ts';

/** Longer texts are cut: nobody reads them in a cell. */
const CELL_LETTERS_MAX = 300;

/** Wider rows are cut: the page shows no more columns. */
const CELLS_OF_A_ROW_MAX = 64;

/** `cells` is a JSON array of texts. Rows and columns are numbered as spreadsheet programs do, column A as 0. */
const SCHEMA = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE sheet_row (n integer PRIMARY KEY, cells text NOT NULL) STRICT;
CREATE TABLE mark (
  id integer PRIMARY KEY,
  n integer NOT NULL,
  -- Null where it is about the whole row.
  at integer,
  severity text NOT NULL,
  message text NOT NULL,
  remedy text NOT NULL
) STRICT;
`;

/**
 * The cells of an input with their problems, as an SQLite file from which any hundred rows are read at once: for the page,
 * which shows the sheet. It takes the place of an earlier one only when it is whole.
 */
export function cellsCopy(source: InputSource, out: string, audience: Audience): Copy {
  const problems = new ProblemsToWrite();
  return {
    onProblem: (problem) => problems.add(messages.problems.worded(problem, audience)),
    make: async ({ sheet, input, encoding }) => {
      const made = `${out}.new`;
      rmSync(made, { force: true });
      // Account numbers are in it.
      closeSync(openSync(made, 'wx', 0o600));
      const database = openDatabase(made);
      try {
        database.exec(`${SCHEMA}BEGIN`);
        const table = await openTable(source, { encoding, ...(sheet !== null && { sheet }) });
        const rows = table.sha256 === input.sha256 ? await writeRows(database, table.parts()) : 0;
        writeMarks(database, problems.all, sheet);
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
  const insert = database.prepare('INSERT INTO sheet_row VALUES (?, ?)');
  let last = 0;
  for await (const part of parts) {
    if (part.kind === 'fault') break;
    for (const [at, cells] of part.records.entries()) {
      last = part.firstRow + at;
      insert.run(last, JSON.stringify(cells.slice(0, CELLS_OF_A_ROW_MAX).map(shortened)));
    }
  }
  return last;
}

function shortened(text: string): string {
  return text.length > CELL_LETTERS_MAX ? `${text.slice(0, CELL_LETTERS_MAX)}…` : text;
}

function writeMarks(database: Database, problems: readonly WordedProblem[], sheet: string | null): void {
  const insert = database.prepare('INSERT INTO mark (n, at, severity, message, remedy) VALUES (?, ?, ?, ?, ?)');
  for (const { row, cell, severity, message, remedy, sheet: of } of problems) {
    if (row === null || (sheet !== null && of !== null && of !== sheet)) continue;
    insert.run(row, cell === null ? null : (placeOfCell(cell)?.column ?? null), severity, message, remedy);
  }
}
