import { describe, expect, it } from 'vitest';
import type { CoolingRow } from '../../src/app/compare/cooling-off.ts';
import { askRows, rowsFrom } from '../../src/cli/questions/approving.ts';
import type { Io } from '../../src/cli/terminal.ts';
import { sampleRow } from '../journal/samples.ts';

/** A person who gives these answers, and then closes the terminal; what they were asked. */
function person(...answers: string[]): { io: Io; asked: string[] } {
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    return Promise.resolve(answers.shift() ?? null);
  };
  return { io: { stdout() {}, stderr() {}, isInteractive: true, colour: false, ask }, asked };
}

const cooling = new Map<number, CoolingRow>(
  [2, 3, 4].map((row) => {
    const { order } = sampleRow(row);
    if (order === null) throw new Error('a sample without an order');
    return [row, { order, why: { why: 'never_paid', payee: null, account: '••••5678' } }];
  }),
);

describe('an approver is asked about each row', () => {
  it('in words, and approves those to which the answer is yes', async () => {
    const { io, asked } = person(' Yes ', 'no', 'yes');
    expect(await askRows(cooling, io)).toEqual([2, 4]);
    expect(asked[0]).toBe(
      'Row 2: Zoë Näme (E2) gets 12.34 AUD on ••••5678. Nobody was ever paid to ••••5678, according to this journal.\nType yes to approve this row, or all for all 3: ',
    );
    expect(asked[2]).toMatch(/\nType yes to approve this row: $/);
  });

  it.each([
    [
      ['no', 'all'],
      [3, 4],
    ],
    [['y', '', 'all'], []],
    [['yes'], [2]],
    [[], []],
  ])('and those that are left where it is all: %j', async (answers, rows) => {
    expect(await askRows(cooling, person(...answers).io)).toEqual(rows);
  });
});

describe('--rows', () => {
  it.each([
    ['all', [2, 3, 4]],
    ['none', []],
    ['4, 2 4', [2, 4]],
  ])('%s', (said, rows) => {
    expect(rowsFrom(said, 'R1', [2, 3, 4], person().io)).toEqual(rows);
  });

  it('names rows that wait, and nothing else', () => {
    for (const said of ['5', '2,x', '02', '', '2-4'])
      expect(() => rowsFrom(said, 'R1', [2, 3, 4], person().io), said).toThrow('row_not_waiting');
    expect(() => rowsFrom('2', 'R1', [], person().io)).toThrow('row_not_waiting');
  });

  it('need not be given where no row waits, or where somebody can be asked', () => {
    expect(rowsFrom(undefined, 'R1', [], { ...person().io, isInteractive: false })).toEqual([]);
    expect(rowsFrom(undefined, 'R1', [2], person().io)).toBeNull();
    expect(() => rowsFrom(undefined, 'R1', [2], { ...person().io, isInteractive: false })).toThrow('rows_not_given');
  });
});
