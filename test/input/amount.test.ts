import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmountShape, amountShape, needsConvention, readAmount } from '../../src/input/cells/amounts/amount.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

describe('the shape of an amount', () => {
  it.each<[string, AmountShape]>([
    ['0', 'plain'],
    ['1234', 'plain'],
    ['-5', 'plain'],
    ['1234.5', 'decimal_point'],
    ['12.50', 'decimal_point'],
    ['5.', 'decimal_point'],
    ['0.125', 'decimal_point'],
    ['1234.567', 'decimal_point'],
    ['1.2345', 'decimal_point'],
    ['1,234.50', 'grouped_point'],
    ['1,234,567', 'grouped_point'],
    ['12,345,678.9', 'grouped_point'],
    ['12,50', 'comma'],
    ['0,125', 'comma'],
    ['1234,567', 'comma'],
    ['1.234,50', 'comma'],
    ['1.234.567', 'comma'],
    ['1,234', 'either'],
    ['1.234', 'either'],
    ['999.999', 'either'],
    ['-1,234', 'either'],
    ['', 'none'],
    ['-', 'none'],
    ['.5', 'none'],
    [',5', 'none'],
    ['1,23,456', 'grouped_point'],
    ['12,34,567.5', 'grouped_point'],
    ['1,2,345', 'none'],
    ['123,45,678', 'none'],
    ['1.23.456', 'none'],
    ['1,2345.5', 'none'],
    ['1.2.3', 'none'],
    ['1,234.567,8', 'none'],
    ['1 234.50', 'none'],
    ["1'234.50", 'none'],
    ['$12', 'none'],
    ['12 AUD', 'none'],
    ['1e3', 'none'],
    ['(12)', 'none'],
    ['+12', 'none'],
    ['١٢', 'none'],
  ])('%j is %s', (text, shape) => {
    expect(amountShape(text)).toBe(shape);
  });

  it('is never one that a convention would have to settle for a plain decimal as programs write it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(99), (major, cents) => {
        const text = `${major}.${String(cents).padStart(2, '0')}`;
        expect(needsConvention(amountShape(text))).toBe(false);
        expect(readAmount(text, amountShape(text), 'unproven')).toEqual({ ok: true, plain: text });
      }),
    );
  });

  it('gives the same amount back in both grouped ways', () => {
    const grouped = (major: number, mark: string) => String(major).replace(/\B(?=(\d{3})+$)/g, mark);
    fc.assert(
      fc.property(fc.nat(), fc.nat(99), (major, cents) => {
        const fraction = String(cents).padStart(2, '0');
        const point = `${grouped(major, ',')}.${fraction}`;
        const comma = `${grouped(major, '.')},${fraction}`;
        const plain = { ok: true, plain: `${major}.${fraction}` };
        expect(readAmount(point, amountShape(point), 'point')).toEqual(plain);
        expect(readAmount(comma, amountShape(comma), 'comma')).toEqual(plain);
      }),
    );
  });
});

/** A file with these amounts, quoted, each to an account of its own. */
function fileOf(amounts: string[]): string {
  const rows = amounts.map((amount, at) => npp(`Payee ${at}`, `"${amount}"`, String(10_000_000 + at)));
  return [HEADER, ...rows].join('\n');
}

async function minors(amounts: string[], decimal?: '.' | ','): Promise<(string | null)[]> {
  const { runRows } = await readAll(fileOf(amounts), decimal === undefined ? {} : { decimal });
  return runRows.map((row) => row.order?.amount_minor ?? row.problem?.code ?? null);
}

describe('a column of amounts', () => {
  it.each<[string, string[], (string | null)[]]>([
    ['of plain ones needs no proof', ['1234', '12.5', '0.01'], ['123400', '1250', '1']],
    ['is proven by one grouped amount', ['1,234', '1,234.50'], ['123400', '123450']],
    [
      'is proven by an amount far below',
      ['1,234', ...Array(50).fill('7'), '12.50'],
      ['123400', ...Array(50).fill('700'), '1250'],
    ],
    ['with decimal commas', ['1.234,50', '12,5', '7'], ['123450', '1250', '700']],
    ['reads a point as grouping where commas are decimal', ['1.234', '0,50'], ['123400', '50']],
    ['that could be read both ways is refused', ['1,234', '5,678'], ['amount_ambiguous', 'amount_ambiguous']],
    ['so is a point with three digits', ['1.234', '7'], ['amount_ambiguous', '700']],
    [
      'that mixes conventions is refused where it matters',
      ['12.50', '12,50', '1,234', '7'],
      ['1250', 'amount_separators_mixed', 'amount_separators_mixed', '700'],
    ],
    ['is not proven by what is no number', ['1,234', '12.50x'], ['amount_ambiguous', 'amount_not_a_number']],
  ])('%s', async (_, amounts, expected) => {
    expect(await minors(amounts)).toEqual(expected);
  });

  it('is read as the job says', async () => {
    expect(await minors(['1,234', '1.5'], '.')).toEqual(['123400', '150']);
    expect(await minors(['1.234', '1,5'], ',')).toEqual(['123400', '150']);
    expect(await minors(['1,5'], '.')).toEqual(['amount_wrong_separator']);
    expect(await minors(['1.5'], ',')).toEqual(['amount_wrong_separator']);
  });

  it('gives the same amounts wherever the proof stands', async () => {
    const amounts = fc.array(fc.constantFrom('7', '12.50', '1,234', '1.234', '12,50', '1,234.50', '1.234,50', 'x'), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(amounts, async (list) => {
        const forward = await minors(list);
        const backward = await minors([...list].reverse());
        expect(backward.reverse()).toEqual(forward);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an amount that cannot be paid', () => {
  it.each([
    ['', 'amount_missing'],
    ['0', 'amount_not_positive'],
    ['0.00', 'amount_not_positive'],
    ['-12.50', 'amount_not_positive'],
    ['12.5055', 'amount_too_many_decimals'],
    ['12.505', 'amount_ambiguous'],
    ['€12.50', 'amount_currency_differs'],
    ['12.50 13.50', 'amount_not_a_number'],
    ['(12.50)', 'amount_not_positive'],
    ['12.50-', 'amount_not_positive'],
    ['\u221212.50', 'amount_not_positive'],
    ['1E+05', 'amount_scientific'],
    ['9'.repeat(41), 'amount_too_large'],
    ['9'.repeat(37), 'amount_too_large'],
    ['#N/A', 'amount_not_a_number'],
  ])('%j: %s', async (amount, code) => {
    const result = await readAll(fileOf([amount]));
    expect(placesOf(result)).toEqual([`B2 ${code}`]);
    expect(result.payouts).toBe(0);
  });

  it('keeps to the decimals of the currency', async () => {
    const header = 'name,amount,currency,rail,wallet_address,chain';
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,polygon';
    const { runRows } = await readAll(`${header}\nA,1.2345678,USDC,WEB3,${wallet}\nB,1.23456,USDC,WEB3,${wallet}`);
    expect(runRows[0]?.problem?.code).toBe('amount_too_many_decimals');
    expect(runRows[1]?.order?.amount_minor).toBe('1234560');
  });

  it('allows zeros beyond the decimals of the currency', async () => {
    expect(await minors(['12.5000'])).toEqual(['1250']);
  });
});
