import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, fingerprintText } from '../../src/domain/rails/fingerprint.ts';
import { NO_FIELDS, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf, supportedRails } from '../../src/domain/rails/registry.ts';
import { clabeOf, ibanOf, walletOf } from '../support/generate-payroll.ts';

function errors(name: RailName, fields: Partial<RailFields>): string[] {
  const rail = railOf(name);
  if (rail === null) throw new Error(`${name} is not supported`);
  const found = rail.check(rail.normalise({ ...NO_FIELDS, ...fields }));
  return found.filter((finding) => finding.severity === 'error').map((finding) => finding.code);
}

const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((list) => list.join(''));

/** The text with the digit at one place changed into another one. */
const oneDigitChanged = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: 9 }))
    .filter(([at]) => /\d/.test(text[at] ?? ''))
    .map(([at, by]) => text.slice(0, at) + ((Number(text[at]) + by) % 10) + text.slice(at + 1));

function abaOf(first8: string): string {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(first8[at]), 0);
  return `${first8}${(10 - (sum % 10)) % 10}`;
}

/** A valid text and the same with one digit changed. */
const mistyped = (valid: fc.Arbitrary<string>) =>
  valid.chain((right) => oneDigitChanged(right).map((wrong) => ({ right, wrong })));

describe('checksums', () => {
  it('of a routing number catch every single wrong digit', () => {
    const aba = digits(8)
      .map(abaOf)
      .filter((number) => number !== '000000000');
    fc.assert(
      fc.property(mistyped(aba), ({ right, wrong }) => {
        const account_number = '12345678';
        expect(errors('USD_WIRE', { account_number, national_clearing_code: right })).toEqual([]);
        expect(errors('USD_WIRE', { account_number, national_clearing_code: wrong })).toEqual(['aba_checksum']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of an IBAN catch every single wrong digit', () => {
    const iban = digits(18).map((national) => ibanOf('DE', national));
    fc.assert(
      fc.property(mistyped(iban), ({ right, wrong }) => {
        expect(errors('EUR_SEPA', { account_number: right })).toEqual([]);
        expect(errors('EUR_SEPA', { account_number: wrong })).toEqual(['iban_checksum']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a CLABE catch every single wrong digit', () => {
    const clabe = digits(11).map((account) => clabeOf('012180', account));
    fc.assert(
      fc.property(mistyped(clabe), ({ right, wrong }) => {
        expect(errors('MXN_SPEI', { account_number: right })).toEqual([]);
        expect(errors('MXN_SPEI', { account_number: wrong })).toEqual(['clabe_checksum']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a wallet address accept its mixed case and catch the inverse', () => {
    const hex = fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
      .map((a) => a.join(''));
    fc.assert(
      fc.property(
        hex.filter((text) => /[a-f].*[a-f]/.test(text)),
        (text) => {
          const wallet_address = walletOf(text);
          expect(errors('WEB3', { wallet_address, chain: 'polygon' })).toEqual([]);
          const swapped = [...wallet_address.slice(2)].map((c) =>
            c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
          );
          const inverse = `0x${swapped.join('')}`;
          const isOneCase =
            inverse.slice(2) === inverse.slice(2).toLowerCase() || inverse.slice(2) === inverse.slice(2).toUpperCase();
          if (!isOneCase)
            expect(errors('WEB3', { wallet_address: inverse, chain: 'polygon' })).toEqual(['wallet_address_checksum']);
        },
      ),
    );
  });
});

describe('every rail', () => {
  const fields = fc.record({
    account_number: fc.string({ unit: 'grapheme' }),
    national_clearing_code: fc.string(),
    bic: fc.string(),
    account_type: fc.string(),
    wallet_address: fc.string(),
    chain: fc.constantFrom('', 'polygon', 'toString', '__proto__'),
  });

  it.each(supportedRails().map((rail) => rail.name))('%s normalises once and for all, and never throws', (name) => {
    const rail = railOf(name);
    if (rail === null) throw new Error('not supported');
    fc.assert(
      fc.property(fields, fc.string({ unit: 'binary' }), (input, reference) => {
        const normal = rail.normalise(input);
        expect(rail.normalise(normal)).toEqual(normal);
        for (const finding of [...rail.check(normal), ...rail.checkReference(reference)]) {
          expect(finding.code).toMatch(/^[a-z_0-9]+$/);
          expect(finding.message).toMatch(/\.$/);
          expect(finding.remedy).toMatch(/\.$/);
        }
      }),
    );
  });
});

describe('fingerprint', () => {
  const account: RailFields = {
    ...NO_FIELDS,
    account_number: 'de89 3704-0044',
    national_clearing_code: '062-000',
    bic: 'coba deff',
  };

  it('is made of type, clearing code, account and BIC, upper-cased, without blanks and hyphens', () => {
    expect(fingerprintText('EUR_SEPA', account)).toBe('EUR_SEPA|062000|DE8937040044|COBADEFF');
  });

  it('is made of chain and address for a wallet', () => {
    const wallet = { ...NO_FIELDS, wallet_address: '0xabCD', chain: 'polygon' };
    expect(fingerprintText('WEB3', wallet)).toBe('WEB3|POLYGON|0XABCD');
  });

  it('is the SHA-256 of that text in hexadecimal', () => {
    const expected = createHash('sha256').update('EUR_SEPA|062000|DE8937040044|COBADEFF').digest('hex');
    expect(fingerprint('EUR_SEPA', account)).toBe(expected);
  });

  it('does not see how an account is written, and sees every other difference', () => {
    fc.assert(
      fc.property(digits(8), digits(8), (a, b) => {
        const plain = { ...NO_FIELDS, account_number: a };
        const grouped = { ...NO_FIELDS, account_number: ` ${a.slice(0, 4)}-${a.slice(4)}` };
        expect(fingerprint('GBP_FPS', grouped)).toBe(fingerprint('GBP_FPS', plain));
        const other = { ...NO_FIELDS, account_number: b };
        expect(fingerprint('GBP_FPS', other) === fingerprint('GBP_FPS', plain)).toBe(a === b);
      }),
    );
  });
});
