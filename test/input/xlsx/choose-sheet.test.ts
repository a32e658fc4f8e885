import { describe, expect, it } from 'vitest';
import { readExplicitColumns } from '../../../src/compose/named-input.ts';
import { readInput } from '../../../src/input/input.ts';
import type { ReadOptions } from '../../../src/input/read-options.ts';
import { type Candidate, chooseSheet } from '../../../src/input/source/xlsx/choose-sheet.ts';
import { rowsOf, type SheetXml, workbookOf } from '../../support/workbook.ts';
import { HEADER, sourceOf } from '../reading.ts';

/** `Name` has payouts, `name 3` three of our columns, `(Name)` is hidden, `-` is empty. */
function candidate(text: string): Candidate {
  const name = text.replace(/[()]/g, '');
  const columns = Number(/\d+$/.exec(name)?.[0] ?? 0);
  const isPayouts = /^[A-Z]/.test(name);
  const look = { headerRow: 1, columns: isPayouts ? 6 : columns, isPayouts };
  return { name, isHidden: text.startsWith('('), look, isEmpty: name === '-' };
}

describe('the sheet that is read', () => {
  it.each<[sheets: string, wanted: string | null, expected: string]>([
    ['Pay', null, 'Pay'],
    ['notes 1|Pay', null, 'Pay'],
    ['Pay|(Old)', null, 'Pay, beside Old'],
    ['Pay|Old', null, 'ambiguous: Pay, Old'],
    ['notes 1|(Pay)', null, 'only_hidden: Pay'],
    ['-|notes 1|lists 2', null, 'lists 2'],
    ['-|notes 2|lists 2', null, 'notes 2'],
    ['-|(notes 2)', null, 'none'],
    ['', null, 'none'],
    ['Pay|Old', 'Old', 'Old, beside Pay'],
    ['Pay|(Old)', 'old ', 'Old, beside Pay'],
    ['Pay|pay 0', 'pay 0', 'pay 0, beside Pay'],
    ['Pay|PAY', 'pay', 'unknown: Pay, PAY'],
    ['Pay', 'Old', 'unknown: Pay'],
  ])('of %s, asked for %s, is %s', (sheets, wanted, expected) => {
    const candidates = sheets === '' ? [] : sheets.split('|').map(candidate);
    const choice = chooseSheet(candidates, wanted);
    if (choice.kind === 'chosen') {
      const others = choice.others.length === 0 ? '' : `, beside ${choice.others.join(', ')}`;
      expect(`${candidates[choice.index]?.name}${others}`).toBe(expected);
    } else expect(choice.kind === 'none' ? 'none' : `${choice.kind}: ${choice.names.join(', ')}`).toBe(expected);
  });

  it('is also known by what a person says of its headers', async () => {
    const header = HEADER.replace('name', 'Thingy').replace('amount', 'Wotsit').split(',');
    const sheets = [
      { name: 'People', rows: rowsOf([['name', 'account_number', 'currency']]) },
      { name: 'July', rows: rowsOf([header, ['Ana', 2, 'AUD', 'AUD_NPP', '12345678', '062-000']]) },
    ];
    const source = { ...sourceOf(workbookOf({ sheets })), name: 'pay.xlsx' };
    const columns = [
      { header: 'Wotsit', column: 'amount' as const },
      { header: 'thingy', column: 'name' as const },
    ];
    const result = await readInput(source, { columns });
    expect([result.sheet, result.payouts, result.problems]).toEqual(['July', 1, []]);
  });

  describe('with headers that payrun does not know', () => {
    const header = ['Wer', 'Wieviel', 'Geld', 'Weg', 'Wohin', 'Bank'];
    const columns = readExplicitColumns(
      ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'].map(
        (column, at) => `${header[at]}=${column}`,
      ),
    );
    const row = ['Ana', 2, 'AUD', 'AUD_NPP', '12345678', '062-000'];
    const other = { name: 'Stamm', rows: rowsOf([['name', 'account_number'], ['Ana']]) };
    const juli = { name: 'Juli', rows: rowsOf([['Lauf 7'], header, row]) };
    const read = (sheets: SheetXml[], options: ReadOptions) =>
      readInput({ ...sourceOf(workbookOf({ sheets })), name: 'pay.xlsx' }, options);
    const remembered = (headers: readonly string[]) => ({ columns: headers.length === header.length ? columns : [] });

    it('is the one that fits by what is remembered of them', async () => {
      const { sheet, payouts, mapping } = await read([other, juli], { memory: { recall: remembered } });
      expect([sheet, payouts, mapping[0]?.source]).toEqual(['Juli', 1, 'remembered']);
    });

    it('is the one whose headers are remembered, where another has others', async () => {
      const juni = { name: 'Juni', rows: rowsOf([[...header, 'Notiz'], row]) };
      const { sheet, payouts } = await read([juni, juli], { memory: { recall: remembered } });
      expect([sheet, payouts]).toEqual(['Juli', 1]);
    });

    it.each([
      ['what is said', { columns }],
      ['what is remembered', { memory: { recall: remembered } }],
    ])('is asked for where two fit by %s', async (_, options: ReadOptions) => {
      const { sheet, problems } = await read([{ ...juli, name: 'Juni' }, other, juli], options);
      expect([sheet, problems.map(({ code }) => code)]).toEqual([null, ['sheet_ambiguous']]);
    });
  });
});
