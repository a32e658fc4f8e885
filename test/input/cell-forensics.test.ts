import { describe, expect, it } from 'vitest';
import type { WordedProblem } from '../../src/domain/problem.ts';
import { readInput } from '../../src/input/input.ts';
import type { ReadRow } from '../../src/input/read-options.ts';
import type { ReadResult } from '../../src/input/read-result.ts';
import { worded } from '../../src/messages/problems/problem-words.ts';
import { rowOf, rowsOf, type WorkbookXml, workbookOf } from '../support/workbook.ts';
import { HEADER, placesOf, sourceOf } from './reading.ts';

type Cells = readonly (string | number | null)[];

const HEADERS = [...HEADER.split(','), 'payee_id', 'reference', 'bic', 'Team'];

/** A row of an Australian payee, in which a test changes what it is about. */
function npp(changes: Partial<Record<string, string | number | null>> = {}): Cells {
  const good: Record<string, string | number | null> = {
    name: 'Ana',
    amount: 1234.5,
    currency: 'AUD',
    rail: 'AUD_NPP',
    account_number: '12345678',
    national_clearing_code: '062-000',
    payee_id: 'E1',
    reference: 'July',
  };
  return HEADERS.map((header) => ({ ...good, ...changes })[header] ?? null);
}

async function read(
  workbook: WorkbookXml,
  sheet?: string,
): Promise<Omit<ReadResult, 'problems'> & { problems: WordedProblem[]; runRows: ReadRow[] }> {
  const runRows: ReadRow[] = [];
  const source = { ...sourceOf(workbookOf(workbook)), name: 'pay.xlsx', path: 'pay.xlsx' };
  const result = await readInput(source, {
    ...(sheet !== undefined && { sheet }),
    onRow: (row) => {
      runRows.push(row);
    },
  });
  return { ...result, problems: result.problems.map((problem) => worded(problem, 'command_line')), runRows };
}

function readRow(cells: Cells, rest: Partial<WorkbookXml> = {}) {
  return read({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, cells]) }], ...rest });
}

const number = (value: string | number, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
const date = number(46351, 1);
const DATES = { formats: ['yyyy-mm-dd'] };

describe('a clean row', () => {
  it('has no problems, is paid, and keeps its own cells as texts', async () => {
    const { problems, runRows, sheet } = await readRow(npp({ Team: 7 }));
    expect(problems).toEqual([]);
    expect(sheet).toBe('Pay');
    expect(runRows[0]?.cells).toEqual([
      ...['Ana', '1234.5', 'AUD', 'AUD_NPP', '12345678', '062-000', 'E1', 'July', '', '7'],
    ]);
    expect(runRows[0]?.order).toMatchObject({ amount_minor: '123450', reference: 'July' });
  });
});

describe('numbers where digits are names', () => {
  it('of 15 digits and more are an error, whatever the check digit says', async () => {
    // Of 646180110400000007: its end is lost, and what is left of it passes the check digit of a CLABE.
    const clabe = { rail: 'MXN_SPEI', currency: 'MXN', national_clearing_code: null };
    const passing = await readRow(npp({ ...clabe, account_number: '646180110400000007' }));
    expect(placesOf(passing)).toEqual([]);
    const { problems, runRows } = await readRow(npp({ ...clabe, account_number: number('646180110400000007') }));
    expect(problems).toMatchObject([
      {
        severity: 'error',
        code: 'identifier_digits_lost',
        sheet: 'Pay',
        row: 2,
        column: 'account_number',
        cell: 'E2',
        value: '646180110400000000',
      },
    ]);
    expect(runRows[0]?.order).toBeNull();
    const fifteen = await readRow(npp({ payee_id: number('123456789012345') }));
    expect(placesOf(fifteen)).toEqual(['G2 identifier_digits_lost']);
    const fourteen = await readRow(npp({ payee_id: number('12345678901234') }));
    expect(placesOf(fourteen)).toEqual([]);
  });

  it('have the zeros back that their own format shows', async () => {
    const cells = npp({
      currency: 'GBP',
      rail: 'GBP_FPS',
      account_number: number(1234567, 1),
      national_clearing_code: number(40004, 2),
    });
    const { problems, runRows } = await readRow(cells, { formats: ['00000000', '00-00-00'] });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(runRows[0]?.order?.destination).toMatchObject({
      fields: { account_number: '01234567', national_clearing_code: '040004' },
    });
  });

  it('without such a format show the padded value, and are an error', async () => {
    const cells = npp({
      currency: 'GBP',
      rail: 'GBP_FPS',
      account_number: number(1234567),
      national_clearing_code: number(40004, 1),
    });
    const result = await readRow(cells, { formats: ['#,##0'] });
    expect(placesOf(result)).toEqual(['E2 account_number_leading_zero', 'F2 sort_code_leading_zero']);
    expect(result.problems.map(({ remedy }) => remedy).join()).toMatch(/01234567.*040004/);
    expect(result.payouts).toBe(0);
  });

  it('are doubtful where accounts have many lengths, unless the format shows zeros', async () => {
    const doubtful = await readRow(npp({ account_number: 12345678 }));
    expect(placesOf(doubtful)).toEqual(['E2 identifier_number']);
    expect(doubtful.payouts).toBe(1);
    const padded = await readRow(npp({ account_number: number(12345678, 1) }), { formats: ['000000000'] });
    expect(placesOf(padded)).toEqual([]);
    expect(padded.runRows[0]?.order?.destination).toMatchObject({ fields: { account_number: '012345678' } });
    const long = await readRow(npp({ payee_id: number(123456789, 1) }), { formats: ['0'.repeat(18)] });
    expect([placesOf(long), long.runRows[0]?.order?.payee.payee_id]).toEqual([[], '000000000123456789']);
    const payee = await readRow(npp({ payee_id: number(42, 1) }), { formats: ['0000'] });
    expect([placesOf(payee), payee.runRows[0]?.order?.payee.payee_id]).toEqual([[], '0042']);
  });
});

describe('a number for an account number', () => {
  const inr = (account: number, ifsc: string) =>
    ({ currency: 'INR', rail: 'INR_IMPS', account_number: account, national_clearing_code: ifsc }) as const;
  const usd = { currency: 'USD', rail: 'USD_WIRE', national_clearing_code: '021000021' };
  const gbp = { currency: 'GBP', rail: 'GBP_FPS', national_clearing_code: '60-16-13' };

  it.each([
    ['of a length between the shortest and the longest', { account_number: 12345678 }],
    ['with letters elsewhere', { ...usd, account_number: 12345678 }],
    ['one shorter than a bank has', inr(1234567890123, 'HDFC0000123')],
    ['whose rail is inferred', { account_number: 123456, rail: null }],
    ['beside another cell that is wrong', { account_number: 123456, national_clearing_code: '6200' }],
  ])('is doubtful: %s', async (_what, changes) => {
    expect(placesOf(await readRow(npp(changes)))).toContain('E2 identifier_number');
  });

  it('is not where its format shows what is in front', async () => {
    const shown = await readRow(npp({ account_number: number(123456, 1) }), { formats: ['0000000'] });
    expect([placesOf(shown), shown.payouts]).toEqual([[], 1]);
  });

  it.each([
    ['the longest there is', { account_number: 123456789 }, []],
    ['the only length of the rail', { ...gbp, account_number: 31926819 }, []],
    ['the only length of the bank', inr(12345678901234, 'HDFC0000123'), []],
    ['a PIX key', { currency: 'BRL', rail: 'BRL_PIX', account_number: 52998224725, national_clearing_code: null }, []],
    ['too short, which is said', { account_number: 123 }, ['E2 account_number_length']],
    ['not long enough, which is said', { ...gbp, account_number: 1926819 }, ['E2 account_number_leading_zero']],
    ['of no known rail', { account_number: 12345678, rail: 'x' }, ['D2 rail_unknown']],
  ])('is not: %s', async (_what, changes, expected) => {
    expect(placesOf(await readRow(npp(changes)))).toEqual(expected);
  });
});

describe('an amount', () => {
  it.each([
    ['1234.567', 'amount_too_many_decimals'],
    ['1234567890123456', 'amount_digits_lost'],
    ['-5', 'amount_not_positive'],
  ])('of the number %s is %s', async (value, code) => {
    expect(placesOf(await readRow(npp({ amount: number(value) })))).toEqual([`B2 ${code}`]);
  });

  it('that is a number needs no convention and proves none', async () => {
    const rows = rowsOf([HEADERS, npp({ amount: number('12.345'), currency: 'BHD' }), npp({ amount: '1,234' })]);
    const mixed = await read({ sheets: [{ name: 'Pay', rows }] });
    expect(placesOf(mixed).filter((place) => place.startsWith('B'))).toEqual(['B3 amount_ambiguous']);
    const alone = await readRow(npp({ amount: number('125.125') }));
    expect(placesOf(alone)).toEqual(['B2 amount_too_many_decimals']);
  });
});

describe('what a cell holds and no text tells', () => {
  it.each<[what: string, changes: Record<string, string>, places: string[], payouts: number]>([
    ['a date for a sort code', { national_clearing_code: date }, ['F2 cell_is_date'], 0],
    ['a date for an amount', { amount: date }, ['B2 cell_is_date'], 0],
    ['a date in a reference', { reference: date }, ['H2 cell_is_date'], 1],
    ['a yes for a name', { name: '<c t="b"><v>1</v></c>' }, ['A2 cell_is_boolean'], 0],
    ['a yes in a reference', { reference: '<c t="b"><v>1</v></c>' }, [], 1],
    ['an error for an amount', { amount: '<c t="e"><v>#N/A</v></c>' }, ['B2 cell_error'], 0],
    ['an error in a reference', { reference: '<c t="e"><v>#REF!</v></c>' }, ['H2 cell_error'], 0],
    ['an error in a column of their own', { Team: '<c t="e"><v>#REF!</v></c>' }, [], 1],
    ['a formula without result', { reference: '<c><f>A1</f></c>' }, ['H2 formula_without_value'], 1],
    [
      'the same where it is needed',
      { amount: '<c><f>A1</f></c>' },
      ['B2 amount_missing', 'B2 formula_without_value'],
      0,
    ],
  ])('%s', async (_, changes, places, payouts) => {
    const result = await readRow(npp(changes), DATES);
    expect(placesOf(result)).toEqual(places);
    expect(result.payouts).toBe(payouts);
  });

  it('of a date is said as it shows', async () => {
    const { problems } = await readRow(npp({ national_clearing_code: number(46351, 1) }), { formats: ['dd-mm-yy'] });
    expect(problems[0]?.message).toContain('a date, shown as 25-11-26');
    const iso = await readRow(npp({ reference: date }), DATES);
    expect(iso.problems[0]?.message).toBe('The cell holds a date; it is read as 2026-11-25.');
  });

  it('of a row of formulas without results is not taken for a blank row', async () => {
    const result = await readRow(HEADERS.map(() => '<c><f>A1</f><v></v></c>'));
    expect(result.rows).toBe(1);
    expect(placesOf(result)).toContain('A2 name_missing');
    expect(result.payouts).toBe(0);
  });

  it('of a row of formulas without results is not taken for a sum either', async () => {
    const formulas = HEADERS.map(() => '<c><f>A1</f></c>');
    const result = await read({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, npp(), formulas]) }] });
    expect([result.rows, result.payouts]).toEqual([2, 1]);
    expect(placesOf(result)).toContain('A3 name_missing');
  });
});

describe('what a sheet hides', () => {
  it('rows are errors, unless they are blank', async () => {
    const rows = [
      rowOf(1, HEADERS),
      rowOf(2, npp()),
      rowOf(3, npp({ payee_id: 'E2', account_number: '87654321' }), ' hidden="1"'),
      rowOf(4, [' '], ' hidden="1"'),
    ].join('');
    const result = await read({ sheets: [{ name: 'Pay', rows }] });
    expect(placesOf(result)).toEqual(['row 3 row_hidden']);
    expect([result.payouts, result.runRows[1]?.order]).toEqual([1, null]);
  });

  it('columns that feed payouts are warned of, others are not', async () => {
    const before = '<cols><col min="2" max="2" hidden="1"/><col min="10" max="10" hidden="1"/></cols>';
    const result = await read({ sheets: [{ name: 'Pay', rows: rowsOf([HEADERS, npp()]), before }] });
    expect(placesOf(result)).toEqual(['B1 column_hidden']);
    expect(result.payouts).toBe(1);
  });

  it('cells beside the table are none of it', async () => {
    const result = await readRow([...npp(), null, 'a note', 7]);
    expect(placesOf(result)).toEqual(['L2 cells_beside_table']);
    expect([result.payouts, result.runRows[0]?.cells.length]).toEqual([1, HEADERS.length]);
  });

  it('a row that goes on right beside the table is not paid: its cells may be shifted', async () => {
    const result = await readRow([...npp(), 'a note']);
    expect(placesOf(result)).toEqual(['K2 row_too_many_cells']);
    expect([result.payouts, result.runRows[0]?.order]).toEqual([0, null]);
  });
});
