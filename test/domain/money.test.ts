import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Currency,
  chainsOf,
  crypto,
  currency,
  fiat,
  isCrypto,
  sameCurrency,
} from '../../src/domain/currencies.ts';
import { currencyKey, formatForPeople, formatMajor, parseMajor } from '../../src/domain/money.ts';

const USD = { code: 'USD', chain: null, decimals: 2 } as const;
const USDC = { code: 'USDC', chain: 'ethereum', decimals: 6 } as const;
const USDC_ON_POLYGON = { code: 'USDC', chain: 'polygon', decimals: 6 } as const;

const anyDecimals = fc.integer({ min: 0, max: 18 });
const anyMinor = fc.oneof(
  fc.bigInt(),
  fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
  fc.constantFrom(0n, 1n, -1n, 99n, 100n, -100n, 2n ** 53n, 2n ** 64n),
);

describe('the text of an amount', () => {
  test('is read back as the same amount, for any amount and any decimals', () => {
    fc.assert(
      fc.property(anyMinor, anyDecimals, (minor, decimals) => {
        const text = formatMajor(minor, decimals);
        expect(text).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
        const read = parseMajor(text, decimals);
        if (text.length > 40) expect(read).toEqual({ ok: false, code: 'amount_too_long' });
        else expect(read).toEqual({ ok: true, minor });
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads the same with zeros at its ends and without a needless point', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), anyDecimals, fc.nat(5), (minor, decimals, zeros) => {
        const text = formatMajor(minor, decimals);
        const longer = `${'0'.repeat(zeros)}${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        const shorter = text.includes('.') ? text.replace(/0+$/, '') : text;
        for (const other of [longer, shorter]) {
          if (other.length <= 40) expect(parseMajor(other, decimals)).toEqual({ ok: true, minor });
        }
      }),
    );
  });

  test.each<[text: string, decimals: number, minor: bigint]>([
    ['0', 0, 0n],
    ['0.00', 2, 0n],
    ['-0.01', 2, -1n],
    ['1234.5', 2, 123_450n],
    ['1.', 2, 100n],
    ['1000', 0, 1_000n],
    ['1.000', 0, 1n],
    ['0.000000000000000001', 18, 1n],
    ['99999999999999999999.99', 2, 9_999_999_999_999_999_999_999n],
  ])('%s with %i decimals is %s', (text, decimals, minor) => {
    expect(parseMajor(text, decimals)).toEqual({ ok: true, minor });
  });

  test.each([
    ['1.005', 2],
    ['0.1', 0],
    ['1.0000001', 6],
  ])('%s is refused with %i decimals: nothing is rounded away', (text, decimals) => {
    expect(parseMajor(text, decimals)).toEqual({ ok: false, code: 'amount_too_many_decimals' });
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '.5',
    '+1',
    '--1',
    '1e3',
    '0x10',
    '1,000',
    '1.2.3',
    '١٢',
    '１',
    'NaN',
    'Infinity',
    '1_000',
    '-',
  ])('"%s" is no amount', (text) => {
    expect(parseMajor(text, 2)).toEqual({ ok: false, code: 'amount_not_a_number' });
  });

  test('any text either is a plain decimal or is refused', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789.-,e ') }),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(anyText, anyDecimals, (text, decimals) => {
        const read = parseMajor(text, decimals);
        if (read.ok) expect(text).toMatch(/^-?\d+(\.\d*)?$/);
      }),
    );
  });

  test('for people has groups of three and names its currency', () => {
    fc.assert(
      fc.property(anyMinor, (minor) => {
        const text = formatForPeople({ minor: minor, currency: USDC_ON_POLYGON });
        expect(text.replaceAll(',', '')).toBe(`${formatMajor(minor, 6)} USDC on polygon`);
        expect(text).toMatch(/^-?\d{1,3}(,\d{3})*\.\d{6} /);
      }),
    );
    expect(formatForPeople({ minor: -123_456_789n, currency: USD })).toBe('-1,234,567.89 USD');
    expect(formatForPeople({ minor: 1_000n, currency: { code: 'JPY', chain: null, decimals: 0 } })).toBe('1,000 JPY');
  });
});

test.each<[Currency, Currency]>([
  [USDC, USDC_ON_POLYGON],
  [USD, { code: 'USD', chain: null, decimals: 3 }],
  [USDC, { code: 'USDC', chain: null, decimals: 6 }],
])('%o and %o are two currencies', (a, b) => {
  expect(sameCurrency(a, b)).toBe(false);
});

describe('currencies', () => {
  test.each<[code: string, decimals: number]>([
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['VND', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    ['UYW', 4],
    // CLDR, and so Intl, gives these none.
    ['IDR', 2],
    ['COP', 2],
    ['HUF', 2],
    ['PKR', 2],
    ['USD', 2],
    ['INR', 2],
    ['MXN', 2],
  ])('%s has %i decimals by ISO 4217', (code, decimals) => {
    expect(fiat(code)).toEqual({ code, chain: null, decimals });
  });

  test.each(['', 'usd', 'XAU', 'XDR', 'XXX', 'USDC', 'ETH', '__proto__', 'constructor', 'toString'])(
    '%s is no fiat currency',
    (code) => {
      expect(fiat(code)).toBeNull();
      expect(currency(code, null)).toBeNull();
    },
  );

  test.each<[code: string, chain: string, decimals: number | null]>([
    ['USDC', 'ethereum', 6],
    ['USDC', 'polygon', 6],
    ['USDT', 'arbitrum', 6],
    ['ETH', 'ethereum', 18],
    ['ETH', 'arbitrum', 18],
    ['ETH', 'polygon', null],
    ['USDC', 'Ethereum', null],
    ['USDC', 'bitcoin', null],
    ['USD', 'ethereum', null],
    ['constructor', 'ethereum', null],
    ['__proto__', 'ethereum', null],
  ])('%s on %s', (code, chain, decimals) => {
    const expected = decimals === null ? null : { code, chain, decimals };
    expect(crypto(code, chain)).toEqual(expected);
    expect(currency(code, chain)).toEqual(expected);
    expect(chainsOf(code).includes(chain)).toBe(decimals !== null);
  });

  test('what is crypto needs a chain, and what is fiat has none', () => {
    expect(['USDC', 'USDT', 'ETH'].map(isCrypto)).toEqual([true, true, true]);
    expect(['USD', 'usdc', '__proto__', 'constructor'].map(isCrypto)).toEqual([false, false, false, false]);
    expect([currencyKey(USD), currencyKey(USDC_ON_POLYGON)]).toEqual(['USD', 'USDC|polygon']);
  });
});
