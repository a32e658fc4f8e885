import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import type { InputEdit } from '../../src/domain/entries/edits.ts';
import { annotate } from '../../src/input/corrections/annotate.ts';
import { ProblemsToWrite } from '../../src/input/corrections/problem-marks.ts';
import { readInput } from '../../src/input/input.ts';
import { hashOf, type InputSource } from '../../src/input/source/file.ts';
import { messages } from '../../src/messages/messages.ts';
import { worded } from '../../src/messages/problems/problem-words.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';
import { HEADER, npp, sourceOf } from './reading.ts';

const ANA = { sheet: null, by: 'Ana Novak', at: 1_764_000_000_000 };
const cell = (row: number, column: number, old: string, now: string): InputEdit => ({
  kind: 'cell',
  row,
  column,
  old,
  new: now,
  ...ANA,
});

/** Row 2 has an amount that is none, row 3 is not to be paid, and somebody is missing. */
const EDITS: readonly InputEdit[] = [
  cell(2, 1, '=1+1', '10.50'),
  { kind: 'row_deleted', row: 3, old: npp('Ben', 'x').split(','), ...ANA },
  { kind: 'row_added', row: 5, ...ANA },
  ...['Dora', '7.25', 'AUD', 'AUD_NPP', '12345679', '062-000'].map((text, column) => cell(5, column, '', text)),
];

const RECORDS = [HEADER, npp('Ana', '=1+1'), npp('Ben', 'x'), npp('Cleo', '20.00', '87654321')];

async function read(source: InputSource) {
  const problems = new ProblemsToWrite();
  const orders: unknown[] = [];
  const result = await readInput(source, {
    onProblem: (problem) => problems.add(worded(problem, 'page_copy')),
    onRow: ({ row, order }) => void orders.push([row, order?.payee.name, order?.amount_minor]),
  });
  return { result, problems, orders };
}

const PAID = [
  [2, 'Ana', '1050'],
  [4, 'Cleo', '2000'],
  [5, 'Dora', '725'],
];

test('a file is read as it was edited, its rows keep their numbers, and both hashes are known', async () => {
  const file = sourceOf(`${RECORDS.join('\n')}\n`);
  const { result, orders } = await read({ ...file, edits: EDITS });
  expect([orders, result.problemCounts]).toEqual([PAID, { errors: 0, warnings: 0 }]);
  expect(result.input.file_sha256).toBe(await hashOf(file));
  expect(result.input.sha256).not.toBe(result.input.file_sha256);

  // Who edited, and when, makes no other input; what they edited does.
  const byOthers = EDITS.map((edit) => ({ ...edit, by: 'Ben', at: 1 })).reverse();
  expect((await read({ ...file, edits: byOthers })).result.input.sha256).toBe(result.input.sha256);
  const fewer = (await read({ ...file, edits: EDITS.slice(0, 2) })).result.input.sha256;
  expect([fewer === result.input.sha256, fewer === result.input.file_sha256]).toEqual([false, false]);
  expect((await read(file)).result.input).not.toHaveProperty('file_sha256');
});

test('a workbook is read as it was edited: what it knew of a cell goes with the text', async () => {
  const rows = rowsOf(RECORDS.map((record) => record.split(',')));
  const file = sourceOf(workbookOf({ sheets: [{ name: 'July', rows }] }));
  const ofJuly = [...EDITS, cell(4, 1, '20.00', 'twenty')].map((edit) => ({ ...edit, sheet: 'July' }));
  const struck = { ...file, edits: ofJuly };
  const { result, problems, orders } = await read(struck);
  expect([orders.slice(0, 1), result.problemCounts.errors]).toEqual([PAID.slice(0, 1), 1]);

  // Another sheet has edits of its own.
  expect((await read({ ...file, edits: EDITS })).result.input).not.toHaveProperty('file_sha256');

  // The copy with the problems marked has the edits too.
  const { workbook } = await annotate(struck, result, problems, messages.problems.markWords());
  const { sheets } = await readXlsx(workbook);
  const july = sheets.find(({ name }) => name === 'July')?.rows ?? [];
  expect([july[1]?.[1], july[2]?.every((value) => value === '' || value === null), july[3]?.[1], july[4]?.[0]]).toEqual(
    ['10.50', true, 'twenty', 'Dora'],
  );
});
