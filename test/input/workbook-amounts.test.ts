import { describe, expect, it } from 'vitest';
import { marksOfFormat } from '../../src/input/cells/amounts/currency-signs.ts';
import { readInput } from '../../src/input/input.ts';
import { shownNumber } from '../../src/input/source/xlsx/number-format.ts';
import { rowsOf, type WorkbookXml, workbookOf } from '../support/workbook.ts';
import { placesOf, sourceOf } from './reading.ts';

const HEADERS = ['name', 'amount', 'currency', 'external_account_id'];
const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

/** A sheet of payees with these amounts: numbers, texts, or cells. */
async function read(
  amounts: (string | number)[],
  {
    currency = 'AUD',
    below = [],
    ...rest
  }: { currency?: string; below?: (string | number | null)[][] } & Partial<WorkbookXml> = {},
) {
  const rows = amounts.map((amount, at) => [`Payee ${at}`, amount, currency, `acc_${at}`]);
  const sheets = [{ name: 'Pay', rows: rowsOf([HEADERS, ...rows, ...below]) }];
  const minors: (string | null)[] = [];
  const source = { ...sourceOf(workbookOf({ sheets, ...rest })), name: 'pay.xlsx', path: 'pay.xlsx' };
  const result = await readInput(source, {
    onRow: (row) => {
      minors.push(row.order?.amount_minor ?? row.problem?.code ?? null);
    },
  });
  return { ...result, minors };
}

describe('a number cell', () => {
  it('is read as it is, whatever the column proves', async () => {
    expect((await read([1234.5, '0,50', '1.234'])).minors).toEqual(['123450', '50', '123400']);
    expect((await read([1.234, '0,50'])).minors).toEqual(['amount_too_many_decimals', '50']);
    expect((await read([1.234], { currency: 'KWD' })).minors).toEqual(['1234']);
  });

  it('proves nothing of the texts', async () => {
    expect((await read([1234.5, '1,234'])).minors).toEqual(['123450', 'amount_ambiguous']);
  });

  it('below zero is not paid', async () => {
    const { minors, problems } = await read([-5.25]);
    expect(minors).toEqual(['amount_not_positive']);
    expect(problems[0]?.params).toEqual({ amount: '-5.25' });
  });

  it('that shows another currency than the one of its row is paid with a warning', async () => {
    const formats = ['#,##0.00 [$€-407]'];
    const { problems, payouts } = await read([number('12.5', 1), '3'], { formats });
    expect(problems).toMatchObject([{ severity: 'warning', code: 'amount_shown_in_other_currency', cell: 'B2' }]);
    expect(problems[0]?.params).toEqual({ mark: { text: '€', codes: ['EUR'] }, currency: 'AUD' });
    expect(payouts).toBe(2);
    expect((await read([number('12.5', 1)], { formats, currency: 'EUR' })).problems).toEqual([]);
  });

  it('under the table is a total line', async () => {
    const result = await read([1000.5, 234], {
      below: [
        ['Total', number('1234.5')],
        [null, null, null, null, 'checked'],
      ],
    });
    expect(placesOf(result)).toEqual(['B4 total_line', 'row 5 footer_line']);
    expect(result.problems[0]).toMatchObject({ severity: 'warning', sheet: 'Pay' });
    expect([result.rows, result.payouts]).toEqual([2, 2]);
    const differs = await read([1000.5, 234], { below: [['Total', 1234]] });
    expect(placesOf(differs)).toEqual(['B4 total_line_differs']);
    expect(differs.isWhole).toBe(false);
  });
});

describe('a number format', () => {
  it.each([
    ['#,##0.00', []],
    ['0.00%', []],
    ['#,##0.00 [$€-407]', ['€']],
    ['[$$-409]#,##0.00', ['$']],
    ['[$USD] #,##0.00', ['USD']],
    ['[$-409]#,##0.00', []],
    ['"£"#,##0.00;[Red]-"€"#,##0.00', ['£']],
    ['_-"€"* #,##0.00_-', ['€']],
    ['#,##0.00\\ "zł"', ['zł']],
    ['$#,##0.00_);($#,##0.00)', ['$']],
    ['0.00 "hours"', []],
  ])('%s shows %j', (format, marks) => {
    expect(marksOfFormat(format)).toEqual(marks);
  });

  it.each([
    ['0.00', false, false, 2],
    ['#,##0', false, false, 0],
    ['0.0%', true, false, 1],
    ['#,##0.00 "€ 50%"', false, false, 2],
    ['0.00\\%', false, false, 2],
    ['[$$-409]#,##0.00;[Red]-0%', false, false, 2],
    ['_-* #,##0.00_-;-* #,##0.00_-', false, false, 2],
    ['#,##0,"k"', false, true, 0],
    ['0.0,,', false, true, 1],
    ['General', false, false, null],
    ['@', false, false, null],
    ['0.00E+00', false, false, null],
    ['# ?/?', false, false, null],
  ])('%s shows a percentage: %s, thousands: %s, and %s decimals', (format, isPercentage, isCut, decimals) => {
    expect(shownNumber(format)).toEqual({ isPercentage, isCut, decimals });
  });

  it.each([
    ['0%', 0.5, ['error B2 amount_is_percentage']],
    ['#,##0', 980.4, ['warning B2 amount_shown_rounded']],
    ['0.0', 980.4, []],
    ['#,##0,"k"', 1200, ['warning B2 amount_shown_rounded']],
    ['#,##0', 980.404, ['error B2 amount_too_many_decimals']],
  ])('%s of %d is told where the sheet shows another amount', async (format, value, expected) => {
    const { problems } = await read([number(String(value), 1)], { formats: [format] });
    expect(problems.map(({ severity, cell, code }) => `${severity} ${cell} ${code}`)).toEqual(expected);
  });
});
