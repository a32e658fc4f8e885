import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkModulus, type ModulusCheck } from '../../src/domain/rails/fields/gbp-modulus.ts';
import { parseModulusSubstitutions, parseModulusWeights } from '../../src/input/cells/modulus-table.ts';
import { MODULUS_SUBSTITUTIONS, MODULUS_WEIGHTS } from '../support/modulus.ts';

const TABLE = {
  ranges: parseModulusWeights(MODULUS_WEIGHTS, 'valacdos.txt'),
  substitutions: parseModulusSubstitutions(MODULUS_SUBSTITUTIONS, 'scsubtab.txt'),
};

/** One sort code with one check. */
function only(check: Partial<ModulusCheck>) {
  const weights = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  const checks = [{ method: 'MOD10' as const, weights, exception: 0, ...check }];
  return { ranges: [{ first: 100_000, last: 100_000, checks }], substitutions: null };
}

describe('the examples of the specification', () => {
  it.each([
    ['modulus 10', '089999', '66374958'],
    ['modulus 11', '107999', '88837491'],
    ['modulus 11 and double alternate', '202959', '63748472'],
    ['10 and 11, of which the first check passes', '871427', '46238510'],
    ['10 and 11, of which the second check passes', '872427', '46238510'],
    ['10, where the account begins with 09 and its seventh digit is 9', '871427', '09123496'],
    ['10, where the account begins with 99 and its seventh digit is 9', '871427', '99123496'],
    ['3, where the third digit is 6', '820000', '73688637'],
    ['3, where the third digit is 9', '827999', '73988638'],
    ['3, where the third digit is another, and both checks pass', '827101', '28748352'],
    ['4', '134020', '63849203'],
    ['1', '118765', '64371389'],
    ['6, an account in a foreign currency', '200915', '41011166'],
    ['5', '938611', '07806039'],
    ['5, with a substitution', '938600', '42368003'],
    ['5, where both remainders are 0', '938063', '55065200'],
    ['7', '772798', '99345694'],
    ['8', '086090', '06774744'],
    ['2 and 9, of which the first check passes', '309070', '02355688'],
    ['2 and 9, of which the second check passes', '309070', '12345668'],
    ['2, where the first digit is not 0', '309070', '12345677'],
    ['2, where the first digit is not 0 and the seventh is 9', '309070', '99345694'],
    ['12 and 13, of which the first check passes', '074456', '12345112'],
    ['12 and 13, of which both checks pass', '070116', '34012583'],
    ['12 and 13, of which the second check passes', '074456', '11104102'],
    ['14', '180002', '00000190'],
  ])('pass: %s', (_what, sortCode, account) => {
    expect(checkModulus(TABLE, sortCode, account)).toBe('passes');
  });

  it.each([
    ['modulus 10', '089999', '66374959'],
    ['modulus 11', '107999', '88837493'],
    ['double alternate, of two checks', '203099', '66831036'],
    ['modulus 11, of two checks', '203099', '58716970'],
    ['1', '118765', '64371388'],
    ['5, the second check digit', '938063', '15764273'],
    ['5, the first check digit', '938063', '15764264'],
    ['5, a first remainder of 1', '938063', '15763217'],
  ])('fail: %s', (_what, sortCode, account) => {
    expect(checkModulus(TABLE, sortCode, account)).toBe('fails');
  });
});

describe('the modulus check', () => {
  it.each([
    ['4, whose check digits are a number of two digits', '134020', '63849230'],
    ['14, whose last digit is not one that may be left out', '180002', '00000192'],
    ['14, where the account without its last digit fails too', '180002', '00000180'],
    ['6, whose first digit is of no foreign currency', '200915', '31011166'],
    ['6, whose last digits differ', '200915', '41011165'],
    ['10 and 11, where both fail', '871427', '46238511'],
    ['12 and 13, where both fail', '074456', '11104105'],
    ['2 and 9, where both fail', '309070', '12345678'],
    ['2 and 9, where both fail and the seventh digit is 9', '309070', '99345691'],
    ['3, where the third digit is another and only the first check passes', '827101', '28748336'],
  ])('fails: exception %s', (_what, sortCode, account) => {
    expect(checkModulus(TABLE, sortCode, account)).toBe('fails');
  });

  it('passes what it has no weights for', () => {
    for (const sortCode of ['000000', '070115', '070117', '108000', '828000', '999999'])
      expect(checkModulus(TABLE, sortCode, '12345678')).toBe('passes');
    expect(checkModulus({ ranges: [], substitutions: null }, '089999', '66374959')).toBe('passes');
  });

  it('does not judge by exceptions that it does not know, or without the substitutions that one needs', () => {
    expect(checkModulus({ ...TABLE, substitutions: null }, '938063', '15764273')).toBe('not covered');
    expect(checkModulus({ ...TABLE, substitutions: null }, '089999', '66374959')).toBe('fails');
    expect(checkModulus(only({ exception: 15 }), '100000', '00000001')).toBe('not covered');
  });

  it('adds the digits of products, not the products, where the method is double alternate', () => {
    const weights = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 1];
    // 64 × 7 is 448, whose digits add up to 16.
    expect(checkModulus(only({ method: 'DBLAL', weights }), '100000', '00000074')).toBe('passes');
    expect(checkModulus(only({ method: 'MOD10', weights }), '100000', '00000072')).toBe('passes');
  });

  it('takes a sum below zero for what is left of it', () => {
    const weights = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1];
    for (const account of ['00000011', '00000000', '00000099'])
      expect(checkModulus(only({ method: 'MOD11', weights }), '100000', account)).toBe('passes');
    expect(checkModulus(only({ method: 'MOD11', weights }), '100000', '00000012')).toBe('fails');
    const ofSixth = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0];
    expect(checkModulus(only({ method: 'MOD11', weights: ofSixth, exception: 4 }), '100000', '00000902')).toBe(
      'passes',
    );
  });

  it('checks another sort code in place of one of exception 8', () => {
    const weights = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1];
    expect(checkModulus(only({ exception: 8, weights }), '100000', '00000004')).toBe('passes');
    expect(checkModulus(only({ weights }), '100000', '00000004')).toBe('fails');
  });

  it.each([7, 10])(
    'leaves out the sort code and two digits, by exception %i, only where the seventh digit is 9',
    (exception) => {
      const table = only({ exception, weights: [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1] });
      expect(checkModulus(table, '100000', '99000000')).toBe('passes');
      expect(checkModulus(table, '100000', '99000090')).toBe('passes');
      expect(checkModulus(table, '100000', '99000001')).toBe('fails');
      expect(checkModulus(table, '100000', '99000091')).toBe('fails');
      expect(checkModulus(table, '100000', '98000001')).toBe('passes');
      expect(checkModulus(table, '100000', '98000091')).toBe(exception === 7 ? 'fails' : 'passes');
    },
  );

  it.each(['089999', '107999', '118765'])('finds every digit of an account of %s that is typed wrong', (sortCode) => {
    const weighed = TABLE.ranges.find(({ first }) => first === Number(sortCode))?.checks[0]?.weights ?? [];
    const positions = [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => weighed[6 + at] !== 0);
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{8}$/),
        fc.constantFrom(...positions),
        fc.integer({ min: 1, max: 9 }),
        (account, at, by) => {
          fc.pre(checkModulus(TABLE, sortCode, account) === 'passes');
          const wrong = String((Number(account[at]) + by) % 10);
          const typed = account.slice(0, at) + wrong + account.slice(at + 1);
          expect(checkModulus(TABLE, sortCode, typed)).toBe('fails');
        },
      ),
    );
  });
});
