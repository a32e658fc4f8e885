import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fiat } from '../../src/domain/currencies.ts';
import { formatMajor, parseMajor } from '../../src/domain/money.ts';
import { amountTextOf, type DecimalConvention, readAmount } from '../../src/input/cells/amounts/amount.ts';
import { ConventionProof } from '../../src/input/cells/amounts/amount-convention.ts';
import { currenciesOfMark, currenciesOfMarks } from '../../src/input/cells/amounts/currency-signs.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

/** The reading of a text in a convention as a plain decimal, or null where it is refused. */
function read(text: string, convention: DecimalConvention): string | null {
  const amount = amountTextOf(text);
  if (amount === null) return null;
  const reading = readAmount(amount.number, amount.shape, convention);
  return reading.ok ? `${amount.isNegative ? '-' : ''}${reading.plain}` : null;
}

/** The convention that one amount proves. */
function provenBy(...texts: string[]): DecimalConvention {
  const proof = new ConventionProof();
  for (const text of texts) proof.add(text);
  return proof.convention;
}

describe('an amount as people write it', () => {
  it.each<[string, string]>([
    ["1'234.50", '1234.50'],
    ['1\u2019234\u2019567.5', '1234567.5'],
    ["1'234", '1234'],
    ["1'234,50", '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u00a0234,50', '1234.50'],
    ['12\u202f345\u202f678,9', '12345678.9'],
    ['1 234', '1234'],
    ['1 234.567', '1234.567'],
    ['1,23,456.00', '123456.00'],
    ['€ 1.234,50', '1234.50'],
    ['1,234.50 USD', '1234.50'],
    ['1.234,50€', '1234.50'],
    ['AUD1234.5', '1234.5'],
    ['aud 1234.5', '1234.5'],
    ['R$ 10,00', '10.00'],
    ['US$5', '5'],
    ['US $ 5.25', '5.25'],
    ['$1,234.50 AUD', '1234.50'],
    ['A$12.50', '12.50'],
    ['₹1,23,456.00', '123456.00'],
    ['Rs. 500', '500'],
    ['10,00 zł', '10.00'],
    ['1 234,50\u00a0kr.', '1234.50'],
    ["CHF 1'234.50", '1234.50'],
    ['￥1200', '1200'],
    ['(1,234.50)', '-1234.50'],
    ['($1,234.50)', '-1234.50'],
    ['$(1,234.50)', '-1234.50'],
    ['( 12.50 ) USD', '-12.50'],
    ['1234.50-', '-1234.50'],
    ['1.234,50 -', '-1234.50'],
    ['\u22121234.50', '-1234.50'],
    ['\u201312.50', '-12.50'],
    ['-$5', '-5'],
    ['$-5', '-5'],
    ['5.00- EUR', '-5.00'],
  ])('%j is %s', (text, plain) => {
    expect(read(text, provenBy(text))).toBe(plain);
  });

  it.each([
    ['five'],
    ['12 345 6'],
    ['12 50'],
    ['1  234'],
    ['01 234'],
    ["1'23"],
    ["1'234 567"],
    ["1'234,567.50"],
    ['1 234.567,8'],
    ['12.50 13.50'],
    ['12.50/13.50'],
    ['100-200'],
    ['5 x 20'],
    ['10%'],
    ['5K'],
    ['1.5m'],
    ['12 XYZ'],
    ['AUD'],
    ['-'],
    ['-(5)'],
    ['--5'],
    ['-5-'],
    ['(5'],
    ['5)'],
    [')5('],
    ['$.50'],
    ['12,-'],
    ['12.-'],
    ['12,- €'],
    ['1,234.50.'],
    ['+5'],
    ['25.11.2026'],
    ['2026-11-25'],
    ['1e3'],
    ['€1E+05'],
    ['EUR5USD'.repeat(20)],
    [`${'9'.repeat(90)} EUR`],
  ])('%j is no number', (text) => {
    expect(amountTextOf(text)).toBeNull();
  });

  it('is proven by blanks and apostrophes not to be grouped by the other separator', () => {
    expect(provenBy("1'234.50", '1,234')).toBe('mixed');
    expect(provenBy('1.234', '1 234,50')).toBe('mixed');
    expect(provenBy("1'234", '1,234')).toBe('unproven');
    expect(provenBy("1'234.50", '1.234')).toBe('point');
    expect(provenBy('1,234.50', '1,234')).toBe('point');
  });
});

const CONVENTIONS = {
  plain: (whole: string, fraction: string) => `${whole}.${fraction}`,
  english: (whole: string, fraction: string) => `${grouped(whole, ',')}.${fraction}`,
  german: (whole: string, fraction: string) => `${grouped(whole, '.')},${fraction}`,
  swiss: (whole: string, fraction: string) => `${grouped(whole, '’')}.${fraction}`,
  typewriter: (whole: string, fraction: string) => `${grouped(whole, "'")}.${fraction}`,
  polish: (whole: string, fraction: string) => `${grouped(whole, '\u00a0')},${fraction}`,
  french: (whole: string, fraction: string) => `${grouped(whole, '\u202f')},${fraction}`,
  scientific: (whole: string, fraction: string) => `${grouped(whole, ' ')}.${fraction}`,
  indian: (whole: string, fraction: string) => {
    const head = whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',');
    return `${head === '' ? '' : `${head},`}${whole.slice(-3)}.${fraction}`;
  },
};

function grouped(whole: string, mark: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, mark);
}

const AROUND: ((text: string) => string)[] = [
  (text) => text,
  (text) => `€${text}`,
  (text) => `EUR ${text}`,
  (text) => `${text}\u00a0€`,
  (text) => `${text} eur`,
];

describe('what is written in a convention', () => {
  it('reads back as the same amount, and says the same currency and sign', () => {
    const cases = fc.record({
      minor: fc.bigInt(1n, 10n ** 15n),
      write: fc.constantFrom(...Object.values(CONVENTIONS)),
      wrap: fc.constantFrom(...AROUND),
      negative: fc.constantFrom<(text: string) => string>(
        (text) => `(${text})`,
        (text) => `${text}-`,
        (text) => `\u2212${text}`,
        (text) => `-${text}`,
      ),
    });
    fc.assert(
      fc.property(cases, ({ minor, write, wrap, negative }) => {
        const [whole = '', fraction = ''] = formatMajor(minor, 2).split('.');
        const text = wrap(write(whole, fraction));
        const plain = read(text, provenBy(text));
        expect(parseMajor(plain ?? '', 2)).toEqual({ ok: true, minor });
        expect(read(negative(text), provenBy(negative(text)))).toBe(`-${plain}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads back as Intl writes it, in the locales of the world', () => {
    const locales =
      'en-AU en-US en-IN de-DE de-CH de-AT fr-FR fr-CH es-ES es-MX pt-BR pt-PT it-IT nl-NL pl-PL sv-SE da-DK nb-NO cs-CZ hu-HU ja-JP zh-CN ko-KR id-ID tr-TR ru-RU uk-UA';
    const codes = 'AUD USD GBP EUR INR MXN COP BRL CNY SGD HKD AED CHF PLN SEK CZK JPY KWD'.split(' ');
    const cases = fc.record({
      locale: fc.constantFrom(...locales.split(' ')),
      code: fc.constantFrom(...codes),
      currencyDisplay: fc.constantFrom<'symbol' | 'narrowSymbol' | 'code'>('symbol', 'narrowSymbol', 'code'),
      minor: fc.bigInt(1n, 10n ** 14n),
      isNegative: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ locale, code, currencyDisplay, minor, isNegative }) => {
        const decimals = fiat(code)?.decimals ?? 0;
        const format = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency: code,
          currencyDisplay,
          currencySign: 'accounting',
          minimumFractionDigits: decimals,
        });
        const written = format.format(`${isNegative ? '-' : ''}${formatMajor(minor, decimals)}` as `${number}`);
        const text = written.replace(/[\u200e\u200f]/g, '').trim();
        const amount = amountTextOf(text);
        expect(amount, text).not.toBeNull();
        expect(currenciesOfMarks(amount?.marks ?? []), text).toContain(code);
        // An amount of three decimals and no other can be read in two ways: then the column, or a person, must say.
        const proven = provenBy(text);
        const separator = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
        const convention = proven === 'unproven' ? (separator === ',' ? 'comma' : 'point') : proven;
        expect(parseMajor(read(text, convention) ?? '', decimals), text).toEqual({
          ok: true,
          minor: isNegative ? -minor : minor,
        });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('no text is read in two ways', () => {
  it('where nothing but the text itself proves its convention', () => {
    const character = fc.constantFrom(...'0123456789.,.,  -()$€', "'", '\u00a0', 'U', 'S', 'D');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (text) => {
        const trimmed = text.trim();
        const point = read(trimmed, 'point');
        const comma = read(trimmed, 'comma');
        const alone = read(trimmed, provenBy(trimmed));
        if (point !== null && comma !== null && point !== comma) expect(alone).toBeNull();
        else if (alone !== null) expect(alone).toBe(point ?? comma);
        // Whatever is read has the digits of the text, all of them and in order.
        for (const plain of [point, comma])
          if (plain !== null) expect(plain.replace(/\D/g, '')).toBe(trimmed.replace(/\D/g, ''));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('signs of currencies', () => {
  it('are known as Intl writes them in the languages of our headers', () => {
    const unknown = new Set<string>();
    for (const locale of ['en', 'de', 'fr', 'fr-CA', 'es', 'pt', 'it', 'nl', 'pl'])
      for (const currency of Intl.supportedValuesOf('currency'))
        for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
          if (fiat(currency) === null) continue;
          const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
          const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '';
          if (/\p{Sc}/u.test(sign) && !currenciesOfMark(sign)?.includes(currency)) unknown.add(`${currency} ${sign}`);
        }
    expect([...unknown]).toEqual([]);
  });

  it('mean currencies that payrun knows, and no code means another currency', () => {
    for (const sign of ['$', '£', '¥', 'kr', 'Rs', '﷼', 'R$', 'zł', 'dhs'])
      for (const code of currenciesOfMark(sign) ?? ['?']) expect(fiat(code), `${sign} ${code}`).not.toBeNull();
    for (const code of Intl.supportedValuesOf('currency'))
      if (fiat(code) !== null) expect(currenciesOfMark(code)).toEqual([code]);
  });
});

describe('a sign or code in the amount cell', () => {
  const read = (amount: string, currency: string) =>
    readAll(`name,amount,currency,external_account_id\nAna,"${amount}",${currency},acc_1`);

  it.each([
    ['$12.50', 'AUD', '1250'],
    ['$12.50', 'USD', '1250'],
    ['A$12.50', 'aud', '1250'],
    ['AUD 12.50', 'AUD', '1250'],
    ['$12.50 AUD', 'AUD', '1250'],
    ['¥1200', 'JPY', '1200'],
    ['¥1200', 'CNY', '120000'],
    ["'12.50", 'AUD', '1250'],
  ])('%s agrees with %s', async (amount, currency, minor) => {
    const { runRows, problemCounts } = await read(amount, currency);
    expect(runRows[0]?.order?.amount_minor).toBe(minor);
    expect(problemCounts.errors).toBe(0);
  });

  it.each([
    ['€12.50', 'AUD', 'The amount is in € (EUR), and the currency of the row is AUD.'],
    ['12.50 USD', 'AUD', 'The amount is in USD, and the currency of the row is AUD.'],
    ['US$12.50', 'AUD', 'The amount is in US$ (USD), and the currency of the row is AUD.'],
    ['¥1200', 'EUR', 'The amount is in ¥ (JPY or CNY), and the currency of the row is EUR.'],
    ['$12.50', 'EUR', 'The amount is in $ (USD, AUD, CAD and others), and the currency of the row is EUR.'],
    ['$12.50 USD', 'AUD', 'The amount is in USD, and the currency of the row is AUD.'],
  ])('%s contradicts %s', async (amount, currency, message) => {
    const { problems, payouts } = await read(amount, currency);
    expect(problems.map((problem) => [problem.code, problem.cell, problem.message])).toEqual([
      ['amount_currency_differs', 'B2', message],
    ]);
    expect(payouts).toBe(0);
  });

  it('is said where the currency is missing, and does not replace it', async () => {
    const { problems, payouts } = await read('€12.50', '');
    expect(problems).toMatchObject([{ code: 'currency_missing', cell: 'C2', suggestion: 'EUR' }]);
    expect(problems[0]?.remedy).toContain('€ (EUR)');
    expect(payouts).toBe(0);
  });

  it('is said once where the column is missing', async () => {
    const result = await readAll('name,amount,external_account_id\nAna,€5,acc_1\nBob,€6,acc_2');
    expect(placesOf(result)).toEqual(['row 1 currency column_missing', 'B2 currency_only_in_amount']);
    expect(result.problems[1]?.remedy).toContain('such as EUR');
    expect(result.payouts).toBe(0);
  });

  it('leaves a dropped apostrophe as a warning', async () => {
    const result = await read("'12.50", 'AUD');
    expect(placesOf(result)).toEqual(['B2 leading_apostrophe']);
    expect(result.problems[0]?.suggestion).toBe('12.50');
  });
});

describe('a negative amount', () => {
  it.each([
    ['(1,234.50)', '-1234.50'],
    ['1234.50-', '-1234.50'],
    ['\u22121234.50', '-1234.50'],
    ['-1234.50', '-1234.50'],
  ])('%s is shown as it is read', async (amount, plain) => {
    const { problems } = await readAll(`${HEADER}\n${npp('Ana', `"${amount}"`)}`);
    expect(problems).toMatchObject([{ code: 'amount_not_positive', cell: 'B2', value: amount }]);
    expect(problems[0]?.message).toContain(plain);
  });
});
