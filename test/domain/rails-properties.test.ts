import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/domain/rails/fields/digits.ts';
import { NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { inferRail } from '../../src/domain/rails/rail-inference.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
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

/** Those of a Federal Reserve district or a thrift. */
const ROUTING_NUMBERS = fc
  .tuple(fc.constantFrom('01', '06', '12', '21', '32', '61', '72', '80'), digits(6))
  .map(([prefix, rest]) => abaOf(prefix + rest));

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
const CNPJ_WEIGHTS = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** A valid PIX key is accepted, and with one digit changed it is not, unless the digit is one of `blind` places. */
function expectCaught(keys: fc.Arbitrary<string>, blind: number[], code: string): void {
  let unseen = 0;
  fc.assert(
    fc.property(mistyped(keys), ({ right, wrong }) => {
      expect(errors('BRL_PIX', { account_number: right })).toEqual([]);
      const found = errors('BRL_PIX', { account_number: wrong });
      if (found.length === 0) {
        unseen++;
        expect(blind).toContain([...right].findIndex((character, at) => character !== wrong[at]));
      } else expect(found).toEqual([code]);
    }),
    { numRuns: 2_000 },
  );
  // Of a hundred changes in a blind place about two are not seen.
  expect(unseen).toBeLessThan(20);
}

describe('checksums', () => {
  it('of a routing number catch every single wrong digit', () => {
    fc.assert(
      fc.property(mistyped(ROUTING_NUMBERS), ({ right, wrong }) => {
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
    // With its punctuation, so that it is no phone.
    const cpf = digits(9)
      .filter((first9) => !/^(\d)\1+$/.test(first9))
      .map((first9) => withCheckDigits(first9, CPF_WEIGHTS).replace(/^(...)(...)(...)/, '$1.$2.$3-'));
    expectCaught(cpf, [0, 6], 'cpf_checksum');
  });

  it('of a CNPJ, with letters or without, the same in the first, fifth and ninth character', () => {
    const letter = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const withLetters = fc.array(letter, { minLength: 12, maxLength: 12 }).map((list) => list.join(''));
    const cnpj = fc
      .oneof(digits(12), withLetters)
      .filter((first12) => first12 !== '000000000000')
      .map((first12) => withCheckDigits(first12, CNPJ_WEIGHTS));
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

describe('one character changed', () => {
  const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 }).map((a) => a.join(''));
  const isLetter = (character: string) => /[a-z]/i.test(character);

  const DIGITS_AND_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

  /** A valid text and the same with one of its characters changed into another digit or letter. */
  const changedAnywhere = (valid: fc.Arbitrary<string>) =>
    fc
      .tuple(valid, fc.nat(), fc.constantFrom(...DIGITS_AND_LETTERS))
      .map(([right, anywhere, other]) => ({ right, at: anywhere % right.length, other }))
      .filter(({ right, at, other }) => right[at] !== other)
      .map(({ right, at, other }) => ({ right, at, wrong: right.slice(0, at) + other + right.slice(at + 1) }));

  it.each<[string, RailName, (text: string) => Partial<RailFields>, fc.Arbitrary<string>]>([
    [
      'a routing number',
      'USD_WIRE',
      (text) => ({ account_number: '12345678', national_clearing_code: text }),
      ROUTING_NUMBERS,
    ],
    ['a CLABE', 'MXN_SPEI', (text) => ({ account_number: text }), digits(11).map((text) => clabeOf('012180', text))],
  ])('in %s is always caught', (_what, name, fieldsOf, valid) => {
    fc.assert(
      fc.property(changedAnywhere(valid), ({ wrong }) => {
        expect(errors(name, fieldsOf(wrong))).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('in a CNPJ passes where both count the same, and else only as its check digits let it', () => {
    const characters = fc.array(fc.constantFrom(...DIGITS_AND_LETTERS), { minLength: 12, maxLength: 12 });
    const cnpj = characters.map((list) => withCheckDigits(list.join(''), CNPJ_WEIGHTS));
    let unseen = 0;
    fc.assert(
      fc.property(changedAnywhere(cnpj), ({ right, at, wrong }) => {
        expect(errors('BRL_PIX', { account_number: right })).toEqual([]);
        const passes = errors('BRL_PIX', { account_number: wrong }).length === 0;
        // A and L are 17 and 28, and modulo 11 that is one and the same.
        const isSame = (right.charCodeAt(at) - wrong.charCodeAt(at)) % 11 === 0;
        if (isSame && at < 12) expect(passes).toBe(true);
        else if (passes) {
          unseen++;
          expect([0, 4, 8]).toContain(at);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(unseen).toBeLessThan(40);
  });

  const IBANS = [
    ...['GB29NWBK60161331926819', 'FR1420041010050500013M02606', 'MT84MALT011000012345MTLCAST001S'],
    ...['BR1500000000000010932840814P2', 'SC18SSCB11010000000000001497USD', 'LC55HEMM000100010012001200023015'],
  ];

  it('in an IBAN passes no oftener than one time in 97', () => {
    let accepted = 0;
    const cases = fc.sample(changedAnywhere(fc.constantFrom(...IBANS)), { numRuns: 5_000, seed: 97 });
    for (const { wrong } of cases)
      if (errors('EUR_SWIFT', { account_number: wrong, bic: 'COBADEFF' }).length === 0) accepted++;
    expect(accepted).toBeLessThanOrEqual(cases.length / 97);
  });

  it('in an IBAN, a letter into a letter or a digit into a digit, is always caught', () => {
    const iban = fc.constantFrom(...IBANS);
    const changed = iban.chain((right) =>
      fc.tuple(fc.nat(right.length - 1), fc.nat(35)).map(([at, by]) => {
        const alphabet = isLetter(right[at] ?? '') ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : '0123456789';
        const other = alphabet.replace(right[at] ?? '', '');
        return { right, wrong: right.slice(0, at) + other[by % other.length] + right.slice(at + 1) };
      }),
    );
    fc.assert(
      fc.property(changed, ({ right, wrong }) => {
        expect(errors('EUR_SWIFT', { account_number: right, bic: 'COBADEFF' })).toEqual([]);
        expect(errors('EUR_SWIFT', { account_number: wrong, bic: 'COBADEFF' })).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  /** Of `tries` addresses with one character changed, those that pass without an error. */
  function passed(tries: number, change: (address: string, at: number, by: number) => string | null): number {
    let accepted = 0;
    const cases = fc.sample(fc.tuple(hex, fc.nat(39), fc.nat(14)), { numRuns: tries, seed: 55 });
    for (const [digitsOfIt, at, by] of cases) {
      const changed = change(walletOf(digitsOfIt).slice(2), at, by);
      if (changed !== null && errors('WEB3', { wallet_address: `0x${changed}`, chain: 'polygon' }).length === 0)
        accepted++;
    }
    return accepted;
  }

  it('in the case of a letter of a wallet address is always caught', () => {
    const accepted = passed(2_000, (address, at) => {
      const letter = address[at] ?? '';
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      return isLetter(letter) ? address.slice(0, at) + other + address.slice(at + 1) : null;
    });
    expect(accepted).toBe(0);
  });

  it('in a wallet address into another digit passes as seldom as EIP-55 promises', () => {
    const accepted = passed(4_000, (address, at, by) => {
      const character = '0123456789abcdef'.replace((address[at] ?? '').toLowerCase(), '')[by] ?? '';
      return address.slice(0, at) + (by % 2 === 0 ? character : character.toUpperCase()) + address.slice(at + 1);
    });
    // 0.0247 % by the proposal itself: of 4,000 about one.
    expect(accepted).toBeLessThan(6);
  });
});

describe('a Brazilian phone', () => {
  const text = fc.oneof(
    digits(10),
    digits(11),
    fc.tuple(digits(2), digits(8)).map(([area, rest]) => `${area}9${rest}`),
    fc.tuple(fc.constantFrom('11', '21', '61', '85'), fc.nat(9), digits(7)).map((parts) => parts.join('')),
  );

  it('is one where libphonenumber says so', () => {
    fc.assert(
      fc.property(text, (national) => {
        const parsed = parsePhoneNumberFromString(`+55${national}`);
        const isPhone =
          parsed?.country === 'BR' &&
          parsed.nationalNumber === national &&
          ['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(parsed.getType() ?? '');
        expect(errors('BRL_PIX', { account_number: `+55${national}` })).toEqual(isPhone ? [] : ['pix_key_phone']);
      }),
      { numRuns: 3_000 },
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

/** Test data that others wrote; it is not part of this repository. */
const NAUGHTY = join(import.meta.dirname, '../../../shared/vectors/naughty-strings.json');
const isThere = existsSync(NAUGHTY);
if (!isThere) console.warn('SKIPPED: ../shared/vectors is not here, so no rail was given the naughty strings');

/** What must hold of a rail whatever is written. */
function expectSound(name: RailName, input: RailFields, reference: string): void {
  const rail = railOf(name);
  const normal = rail.normalise(input);
  expect(rail.normalise(normal)).toEqual(normal);
  const found = rail.check(normal);
  for (const finding of [...found, ...rail.checkReference(reference)]) {
    const { message, remedy } = problemWords(finding, 'command_line');
    expect(finding.code).toMatch(/^[a-z_0-9]+$/);
    expect(message).toMatch(/^[A-Z].*\.$/su);
    expect(remedy).toMatch(/^[A-Z].*\.$/su);
  }
  // What is suggested is right: written into the field it leaves no error there.
  for (const { field, suggestion } of found) {
    if (suggestion === undefined || field === 'reference') continue;
    const mended = rail.check(rail.normalise({ ...normal, [field]: suggestion }));
    expect(mended.filter((finding) => finding.field === field && finding.severity === 'error')).toEqual([]);
  }
}

describe('every rail', () => {
  /** Texts that are nearly right are where a rule could stumble. */
  const nearly = fc
    .constantFrom(
      ...['DE89370400440532013000', '032180000118359719', '021000021', '11144477735', '12ABC34501DE35', 'HDFCO000123'],
      ...[
        'IBANGB29NWBK60161331926819',
        'IBAN: AE070331234567890123456',
        '4',
        '24',
        '062-000',
        '60-16-13',
        '+5511987654321',
        'ana@example.com',
      ],
      ...['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '123e4567-e89b-42d3-a456-426614174000', '6.46180E+17'],
    )
    .chain((text) =>
      fc
        .tuple(fc.nat(text.length), fc.constantFrom('', ' ', '-', '0', 'O', '٣', '.', 'é'), fc.boolean())
        .map(([at, extra, isCut]) => text.slice(0, at) + extra + text.slice(isCut ? at + 1 : at)),
    );
  const text = fc.oneof(nearly, fc.string(), fc.string({ unit: 'binary' }));
  const fields = fc.record({
    account_number: text,
    national_clearing_code: text,
    bic: text,
    account_type: fc.string(),
    wallet_address: text,
    chain: fc.constantFrom('', 'polygon', 'toString', '__proto__'),
  });

  it.each(RAIL_NAMES)('%s normalises once and for all, never throws, and suggests what is right', (name) => {
    fc.assert(
      fc.property(fields, fc.string({ unit: 'binary' }), (input, reference) => expectSound(name, input, reference)),
      { numRuns: 300 },
    );
  });

  it.skipIf(!isThere).each(RAIL_NAMES)('%s takes every naughty string in every field', (name) => {
    const strings: string[] = JSON.parse(readFileSync(NAUGHTY, 'utf8'));
    expect(strings.length).toBeGreaterThan(500);
    for (const text of strings) {
      const input = Object.fromEntries(Object.keys(NO_FIELDS).map((field) => [field, text])) as RailFields;
      expectSound(name, input, text);
      inferRail(text, input);
      inferRail('USD', input);
    }
  });
});

describe('every suggestion for a reference', () => {
  const letters = 'äöüßæøłđéńÄÖÜẞÆØŁĐ‘’“”«»–—_~&;…№ºª абвгґїщюяАЩЮα-ωάΨ/\\[]{}()\'"-:.,Aaz09😀工@#';
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...letters), { maxLength: 45 }).map((list) => list.join('')),
    fc.string({ unit: 'grapheme', maxLength: 150 }),
    fc.string({ unit: 'binary' }),
  );

  it.each(RAIL_NAMES)('%s: has nothing wrong with it, and is the same when asked again', (name) => {
    fc.assert(
      fc.property(texts, (reference) => {
        for (const { suggestion } of railOf(name).checkReference(reference)) {
          if (suggestion === undefined) continue;
          expect(suggestion).not.toBe(reference);
          expect(
            railOf(name)
              .checkReference(suggestion)
              .filter(({ code }) => code !== 'reference_line_start'),
          ).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('fingerprint', () => {
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
