import { describe, expect, it } from 'vitest';
import { parseModulusSubstitutions, parseModulusWeights } from '../../src/input/cells/modulus-table.ts';
import { MODULUS_SUBSTITUTIONS, MODULUS_WEIGHTS } from '../support/modulus.ts';
import { refusedText } from '../support/refused.ts';
import { readAll } from './reading.ts';

const WEIGHTS = '0 0 0 0 0 0 7 1 3 7 1 3 7 1';

function messageOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    const { kind, message } = refusedText(error);
    return `${kind} ${message}`;
  }
  return 'read';
}

describe('the table of weights', () => {
  it('is read by sort codes, with the one or two checks of each', () => {
    const text = `\r\n090000 090005 MOD10 ${WEIGHTS}\r\n080000  089999\tMOD11 ${WEIGHTS}   12\r\n080000 089999 DBLAL ${WEIGHTS.replace('1', '-1')} 13  \r\n`;
    const weights = [0, 0, 0, 0, 0, 0, 7, 1, 3, 7, 1, 3, 7, 1];
    expect(parseModulusWeights(text, 'valacdos.txt')).toEqual([
      {
        first: 80_000,
        last: 89_999,
        checks: [
          { method: 'MOD11', weights, exception: 12 },
          { method: 'DBLAL', weights: weights.with(7, -1), exception: 13 },
        ],
      },
      { first: 90_000, last: 90_005, checks: [{ method: 'MOD10', weights, exception: 0 }] },
    ]);
  });

  it.each([
    ['', 'v.txt:1: The file is empty.'],
    ['\n \n', 'v.txt:1: The file is empty.'],
    [`089999 089999 MOD10 ${WEIGHTS}\n089999 MOD10 ${WEIGHTS}`, 'v.txt:2: This is no line of weights'],
    [`089999 089999 MOD12 ${WEIGHTS}`, 'v.txt:1: This is no line of weights'],
    [`08999 089999 MOD10 ${WEIGHTS}`, 'v.txt:1: This is no line of weights'],
    [`089999 08999x MOD10 ${WEIGHTS}`, 'v.txt:1: This is no line of weights'],
    [`089999 080000 MOD10 ${WEIGHTS}`, 'v.txt:1: This is no line of weights'],
    ['089999 089999 MOD10 0 0 0 0 0 0 7 1 3 7 1 3 7', 'v.txt:1: This is no line of weights'],
    [`089999 089999 MOD10 ${WEIGHTS} 1 1`, 'v.txt:1: This is no line of weights'],
    [`089999 089999 MOD10 ${WEIGHTS} -1`, 'v.txt:1: This is no line of weights'],
    ['089999 089999 MOD10 0 0 0 0 0 0 7 1 3 7 1 3 7 1.5', 'v.txt:1: This is no line of weights'],
    ['<!DOCTYPE html>', 'v.txt:1: This is no line of weights'],
    [
      `089999 089999 MOD10 ${WEIGHTS}\n089999 089999 MOD11 ${WEIGHTS}\n\n089999 089999 MOD11 ${WEIGHTS}`,
      'v.txt:4: These sort codes have 2 checks already, from line 1 on.',
    ],
    [
      `089000 089999 MOD10 ${WEIGHTS}\n080000 089000 MOD11 ${WEIGHTS}`,
      'v.txt:1: Some of these sort codes are among those of line 2 too.',
    ],
  ])('%j is none', (text, message) => {
    expect(messageOf(() => parseModulusWeights(text, 'v.txt'))).toContain(`usage ${message}`);
  });
});

describe('the table of substitutions', () => {
  it('is read', () => {
    const substitutions = parseModulusSubstitutions(MODULUS_SUBSTITUTIONS, 's.txt');
    expect([...substitutions]).toEqual([
      ['938600', '938611'],
      ['938608', '938424'],
    ]);
  });

  it.each([
    ['', 's.txt:1: The file is empty.'],
    ['938600 938611\n938600', 's.txt:2: This is no substitution'],
    ['938600 938611 938611', 's.txt:1: This is no substitution'],
    ['938600 93861', 's.txt:1: This is no substitution'],
    ['938600 938611\n938600 938424', 's.txt:2: The sort code 938600 has a substitution already.'],
  ])('%j is none', (text, message) => {
    expect(messageOf(() => parseModulusSubstitutions(text, 's.txt'))).toContain(`usage ${message}`);
  });
});

describe('the accounts of a file', () => {
  const modulus = { ranges: parseModulusWeights(MODULUS_WEIGHTS, 'v.txt'), substitutions: null };
  const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';
  const problemsOf = async (rows: string[], options = { modulus }) => {
    const { problems, payouts } = await readAll([HEADER, ...rows].join('\n'), options);
    return { payouts, problems: problems.map(({ severity, code, cell }) => `${severity} ${cell} ${code}`) };
  };

  it('that do not pass are warnings, and are payable', async () => {
    const rows = [
      'Ana,1,GBP,GBP_FPS,66374958,08-99-99',
      'Ben,1,GBP,,6637 4959,089999',
      'Cai,1,GBP,GBP_FPS,66374959,111111',
    ];
    expect(await problemsOf(rows)).toEqual({ payouts: 3, problems: ['warning E3 account_modulus'] });
    const [problem] = (await readAll([HEADER, ...rows].join('\n'), { modulus })).problems;
    expect(problem).toMatchObject({
      value: '6637 4959',
      message: "The sort code and the account number do not belong together by the UK's modulus check.",
      remedy: 'Ask the payee to confirm both.',
    });
    expect((await readAll([HEADER, ...rows].join('\n'))).problems).toEqual([]);
  });

  it('that are not as long as they must be, or are no accounts of the UK, are not compared', async () => {
    const rows = [
      'Ana,1,GBP,GBP_FPS,6637495,089999',
      'Ben,1,GBP,GBP_FPS,66374959,08999',
      'Cai,1,AUD,AUD_NPP,66374959,089999',
      'Dan,1,GBP,GBP_FPS,,089999',
    ];
    expect((await problemsOf(rows)).problems).toEqual([
      'error E2 account_number_leading_zero',
      'error F3 sort_code_leading_zero',
      'error E5 account_number_missing',
    ]);
  });

  it('say so where a table cannot tell', async () => {
    const row = 'Ana,1,GBP,GBP_FPS,15764273,938063';
    expect((await problemsOf([row])).problems).toEqual(['warning E2 account_modulus_unchecked']);
    const remedyOf = async (table: typeof modulus) =>
      (await readAll(`${HEADER}\n${row}`, { modulus: table })).problems[0]?.remedy;
    expect(await remedyOf(modulus)).toContain('--modulus-substitutions scsubtab.txt');
    const later = parseModulusWeights(MODULUS_WEIGHTS.replaceAll('   5\n', '  15\n'), 'v.txt');
    const withBoth = { ranges: later, substitutions: new Map<string, string>() };
    expect((await readAll(`${HEADER}\n${row}`, { modulus: withBoth })).problems[0]?.remedy).toContain('does not know');
  });

  it('are compared where another cell of the row is wrong too', async () => {
    expect((await problemsOf(['Ana,x,GBP,GBP_FPS,66374959,089999'])).problems).toEqual([
      'error B2 amount_not_a_number',
      'warning E2 account_modulus',
    ]);
  });
});
