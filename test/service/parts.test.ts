import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASSETS, dollarsOf, usdWorth } from '../../src/service/accounts/assets.ts';
import { maskNumber } from '../../src/service/accounts/external-accounts.ts';
import { parseStrictJson } from '../../src/service/gateway/strict-json.ts';
import { createStamps } from '../../src/service/identifiers.ts';
import { foldText, searchWords } from '../../src/service/listing.ts';
import { endingOf } from '../../src/service/transfers/transfer.ts';
import { machineClock, randomness } from './harness.ts';

describe('strict JSON', () => {
  const parse = (text: string) => parseStrictJson(Buffer.from(text));

  it('reads what JSON.parse reads, where no name stands twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('refuses a name twice wherever it stands, however it is written', () => {
    const keys = fc.string({ maxLength: 8 }).filter((key) => key.isWellFormed());
    const escaped = (key: string) =>
      `"${[...key].map((unit) => [...Array(unit.length).keys()].map((at) => `\\u${unit.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')).join('')}"`;
    fc.assert(
      fc.property(keys, fc.boolean(), fc.boolean(), (key, escapes, inside) => {
        const object = `{${JSON.stringify(key)}:1, "between":[{"a":"}"}] ,${escapes ? escaped(key) : JSON.stringify(key)} :2}`;
        expect(parse(inside ? `[{"x":${object}}]` : object).ok).toBe(false);
      }),
    );
  });

  it('lets the same name stand in different objects, and be a value', () => {
    expect(parse('{"a":{"a":"a"},"b":[{"a":1},{"a":":"}]}').ok).toBe(true);
  });
});

describe('identifiers', () => {
  it('are in the order of their time, and their time never goes back', () => {
    let nowMs = 1_700_000_000_000;
    const stamps = createStamps({ ...machineClock, wallMs: () => nowMs }, randomness, 1_700_000_000_500);
    expect(stamps.nowMs()).toBe(1_700_000_000_501);
    nowMs += 1_000;
    const times = [stamps.nowMs()];
    nowMs -= 800;
    times.push(stamps.nowMs());
    expect(times).toEqual([1_700_000_001_000, 1_700_000_001_000]);
    fc.assert(
      fc.property(fc.nat(281_474_976_710_655), fc.nat(281_474_976_710_655), (a, b) => {
        fc.pre(a < b);
        expect(stamps.id('txn', a) < stamps.id('txn', b)).toBe(true);
      }),
    );
  });

  it('do not repeat', () => {
    const stamps = createStamps(machineClock, randomness, 0);
    const made = new Set(Array.from({ length: 20_000 }, () => stamps.id('txn', 1)));
    expect(made.size).toBe(20_000);
    expect([...made].every((id) => /^txn_[0-9a-hjkmnp-tv-z]{20}$/.test(id))).toBe(true);
  });

  it('are in the order in which they were made within one millisecond too', () => {
    const stamps = createStamps(machineClock, randomness, 0);
    const made = Array.from({ length: 20_000 }, () => stamps.id('txn', 1));
    expect(made).toEqual([...made].sort());
    expect(new Set(made.slice(0, 100).map((id) => id.slice(-5))).size).toBeGreaterThan(90);
  });
});

describe('names, numbers, words', () => {
  it.each([
    ['12345678', '••••5678'],
    ['1234', '••••'],
    ['12', '••••'],
    ['', ''],
  ])('masks %s as %s', (number, masked) => expect(maskNumber(number)).toBe(masked));

  it.each([
    ['REHEARSE_KYB', null, 'KYB'],
    ['REHEARSE_RETURN of June', null, 'RETURN'],
    ['Bob', 'REHEARSE_STUCK', 'STUCK'],
    ['REHEARSE_CLOSED', 'REHEARSE_STUCK', 'CLOSED'],
    ['REHEARSE_COMPLETE', null, 'COMPLETE'],
    ['REHEARSE_KYBER', null, 'COMPLETE'],
    ['', null, 'COMPLETE'],
  ])('%s and %s end %s', (account, recipient, ending) => expect(endingOf(account, recipient)).toBe(ending));

  it('folds text to a form that folding leaves alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  it('leaves out words that others imply', () => {
    expect(searchWords(' ab  abc AB x ')).toEqual(['abc', 'x']);
    expect(searchWords('')).toEqual([]);
  });
});

describe('assets', () => {
  it('are the thirteen fiat currencies and eight crypto assets of the decisions', () => {
    expect(ASSETS.filter(({ currency }) => currency.chain === null)).toHaveLength(13);
    expect(ASSETS.filter(({ currency }) => currency.chain !== null)).toHaveLength(8);
  });

  it('are worth whole cents, rounded down, and never more than the sums can hold', () => {
    const worth = (amountMinor: bigint, code: string) => {
      const asset = ASSETS.find(({ currency }) => currency.code === code) ?? expect.fail();
      return usdWorth(amountMinor, asset.currency, asset.usdNanos * 10n ** 9n);
    };
    expect(worth(100n, 'GBP')).toEqual({ cents: 132, rest: 0 });
    expect(worth(33n, 'GBP')).toEqual({ cents: 43, rest: 560_000_000 });
    expect(worth(10n ** 18n, 'ETH')).toEqual({ cents: 300_000, rest: 0 });
    expect(worth(10n ** 38n - 1n, 'ETH')).toEqual({ cents: 1_000_000_000_000, rest: 0 });
  });

  it('is rounded over a sum, and not before', () => {
    expect([dollarsOf(43n, 560_000_000n), dollarsOf(43n, 499_999_999n), dollarsOf(43n, 500_000_000n)]).toEqual([
      0.44, 0.43, 0.44,
    ]);
    expect(dollarsOf(100n * 43n, 100n * 560_000_000n)).toBe(43.56);
    expect(dollarsOf(0n, 0n)).toBe(0);
  });
});
