import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, fingerprintText } from '../../src/domain/rails/fingerprint.ts';
import { NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import { clabeOf, ibanOf, walletOf } from '../support/generate-payroll.ts';

function errors(name: RailName, fields: Partial<RailFields>): string[] {
  const rail = railOf(name);
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

/** The text with the two check digits of a Brazilian register, by the weights of the first as they are published. */
function withCheckDigits(text: string, weights: number[]): string {
  const digit = (of: string, by: number[]) => {
    const sum = [...of].reduce((total, character, at) => total + (character.charCodeAt(0) - 48) * (by[at] ?? 0), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = text + digit(text, weights);
  return first + digit(first, [(weights[0] ?? 0) + 1, ...weights]);
}

const CPF_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2];

/** A valid PIX key is accepted, and with one digit changed it is not, unless the digit is one of `blind` places. */
function expectCaught(keys: fc.Arbitrary<string>, blind: number[], code: string): void {
  let unseen = 0;
  const cases = mistyped(keys.filter((key) => errors('BRL_PIX', { account_number: key }).length === 0));
  fc.assert(
    fc.property(cases, ({ right, wrong }) => {
      const found = errors('BRL_PIX', { account_number: wrong });
      if (found.length === 0) {
        unseen++;
        expect(blind).toContain([...right].findIndex((character, at) => character !== wrong[at]));
      } else expect([code, 'pix_key_phone_prefix', 'pix_key_ambiguous']).toContain(found[0]);
    }),
    { numRuns: 2_000 },
  );
  // Of a hundred changes in a blind place about two are not seen.
  expect(unseen).toBeLessThan(20);
}

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

  it('of an IBAN catch every single wrong digit by every rail that takes one', () => {
    const iban = fc.constantFrom(
      ['EUR_SWIFT', 'SA0380000000608010167519'] as const,
      ['BRL_SWIFT', 'BR1800360305000010009795493C1'] as const,
      ['AED_SWIFT', 'AE070331234567890123456'] as const,
      ['USD_SWIFT', 'GB29NWBK60161331926819'] as const,
      ['SGD_SWIFT', 'CH9300762011623852957'] as const,
      ['HKD_SWIFT', 'NL91ABNA0417164300'] as const,
      ['CNY_SWIFT', 'LU280019400644750000'] as const,
    );
    const bic = 'COBADEFF';
    const cases = iban.chain(([name, right]) => oneDigitChanged(right).map((wrong) => ({ name, right, wrong })));
    fc.assert(
      fc.property(cases, ({ name, right, wrong }) => {
        expect(errors(name, { account_number: right, bic })).toEqual([]);
        expect(errors(name, { account_number: wrong, bic })).toEqual(['iban_checksum']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a CPF catch every single wrong digit, but for what modulo 11 cannot see in the first and sixth', () => {
    const cpf = digits(9).map((first9) => withCheckDigits(first9, CPF_WEIGHTS));
    expectCaught(cpf, [0, 5], 'cpf_checksum');
  });

  it('of a CNPJ, with letters or without, the same in the first, fifth and ninth character', () => {
    const letter = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const withLetters = fc.array(letter, { minLength: 12, maxLength: 12 }).map((list) => list.join(''));
    const cnpj = fc
      .oneof(digits(12), withLetters)
      .map((first12) => withCheckDigits(first12, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]));
    expectCaught(cnpj, [0, 4, 8], 'cnpj_checksum');
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

describe('a PIX key of eleven digits', () => {
  const areaCode = fc.integer({ min: 11, max: 99 });
  const phone = fc.tuple(areaCode, digits(8)).map(([area, rest]) => `${area}9${rest}`);

  it('is taken only where it is a CPF and no phone', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          digits(11),
          phone,
          phone.map((text) => withCheckDigits(text.slice(0, 9), CPF_WEIGHTS)),
        ),
        (key) => {
          const isCpf = withCheckDigits(key.slice(0, 9), CPF_WEIGHTS) === key && !/^(\d)\1+$/.test(key);
          const isPhone = errors('BRL_PIX', { account_number: `+55${key}` }).length === 0;
          const expected = isPhone
            ? [isCpf ? 'pix_key_ambiguous' : 'pix_key_phone_prefix']
            : isCpf
              ? []
              : ['cpf_checksum'];
          expect(errors('BRL_PIX', { account_number: key })).toEqual(expected);
          const written = `${key.slice(0, 3)}.${key.slice(3, 6)}.${key.slice(6, 9)}-${key.slice(9)}`;
          expect(errors('BRL_PIX', { account_number: written })).toEqual(isCpf ? [] : ['cpf_checksum']);
        },
      ),
      { numRuns: 2_000 },
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

  it.each(RAIL_NAMES)('%s normalises once and for all, and never throws', (name) => {
    const rail = railOf(name);
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

  it('keeps the hyphens of an e-mail address, which tell two apart', () => {
    const pix = (account_number: string) => fingerprintText('BRL_PIX', { ...NO_FIELDS, account_number });
    expect(pix('ana-maria@example.com')).toBe('BRL_PIX||ANA-MARIA@EXAMPLE.COM|');
    expect(pix('anamaria@example.com')).not.toBe(pix('ana-maria@example.com'));
    expect(pix('123e4567-e89b-42d3-a456-426614174000')).toBe('BRL_PIX||123E4567E89B42D3A456426614174000|');
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
