import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { strangeIn, unseenIn } from '../../src/domain/strange-characters.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

const FIELDS = 'name,amount,currency,rail,account_number,national_clearing_code,bic,reference';

/** The digits from 0 to 9 of a script, from its zero. */
function digitsOf(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

const ZEROS = {
  'Arabic-Indic': 0x660,
  Persian: 0x6f0,
  Devanagari: 0x966,
  Bengali: 0x9e6,
  Thai: 0xe50,
  'full width': 0xff10,
  'mathematical bold': 0x1d7ce,
  'mathematical monospace': 0x1d7f6,
} as const;

describe('an amount', () => {
  it.each(Object.entries(ZEROS))('in %s digits is named, and suggested in plain ones', async (_script, zero) => {
    const { problems, payouts } = await readAll(`${HEADER}\n${npp('Ann', digitsOf('1250.75', zero))}\n`);
    const code = `U+${(zero + 1).toString(16).toUpperCase().padStart(4, '0')}`;
    expect(problems).toMatchObject([{ code: 'amount_not_a_number', cell: 'B2', suggestion: '1250.75' }]);
    expect(problems[0]?.message).toContain(`Character 1 of the cell is “${String.fromCodePoint(zero + 1)}” (${code})`);
    expect(problems[0]?.remedy).toBe('Write 1250.75 in plain letters and digits.');
    expect(payouts).toBe(0);
  });

  it.each([
    ['12\u200b50.00', '1250.00', 'Character 3 of the cell is U+200B, which cannot be seen.'],
    ['\u20661250.00\u2069', '1250.00', 'Character 1 of the cell is U+2066, which cannot be seen.'],
    ['١٬٢٥٠٫٧٥', '1250.75', 'Character 1 of the cell is “١” (U+0661), a digit of another script for 1.'],
    ['1٬250٫75', '1250.75', 'Character 2 of the cell is “٬” (U+066C), another form of “,”.'],
    ['AUD\u200b 5', '5', 'Character 4 of the cell is U+200B, which cannot be seen.'],
  ])('%j is named, and suggested as %s', async (amount, suggestion, words) => {
    const { problems } = await readAll(`${HEADER}\n${npp('Ann', amount)}\n`);
    expect(problems).toMatchObject([{ code: 'amount_not_a_number', suggestion }]);
    expect(problems[0]?.message).toContain(words);
  });

  it.each(['-\u200b5', '١٬٢٥٠٫٧٥٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٫١', '12²', 'EUR\u200b 5', '5\u200b%'])(
    '%j is not suggested',
    async (amount) => {
      const { problems } = await readAll(`${HEADER}\n${npp('Ann', amount)}\n`);
      expect(problems).toMatchObject([{ code: 'amount_not_a_number' }]);
      expect(problems[0]?.suggestion).toBeUndefined();
    },
  );

  it('is suggested with the decimal comma of its column, and not at all where that could be two', async () => {
    const comma = await readAll(`${HEADER}\n${npp('Ann', '١٢٥٠٫٧٥')}\n${npp('Ben', '"1.250,75"', '87654321')}\n`);
    expect(comma.problems).toMatchObject([{ cell: 'B2', suggestion: '1250,75' }]);
    const either = await readAll(`${HEADER}\n${npp('Ann', '"１,２５０"')}\n`);
    expect(either.problems).toMatchObject([{ cell: 'B2', code: 'amount_not_a_number' }]);
    expect(either.problems[0]?.suggestion).toBeUndefined();
  });
});

describe('an identifier', () => {
  it.each([
    ['GBP', 'GBP_FPS', '٣١٩٢٦٨١٩', '601613', 'account_number_characters', '31926819'],
    ['GBP', 'GBP_FPS', '31926819', '६०-१६-१३', 'sort_code_characters', '60-16-13'],
    ['AUD', 'AUD_NPP', '12345678', '๐๖๒-๐๐๐', 'bsb_characters', '062-000'],
    ['EUR', 'EUR_SEPA', 'DE٨٩370400440532013000', '', 'iban_characters', 'DE89370400440532013000'],
    ['EUR', 'EUR_SEPA', 'DE8９370400440532013000', '', 'iban_characters', 'DE89370400440532013000'],
    ['INR', 'INR_IMPS', '12345678901', 'SBIN০001234', 'ifsc_invalid', 'SBIN0001234'],
    ['MXN', 'MXN_SPEI', '０32180000118359719', '', 'clabe_characters', '032180000118359719'],
  ])(
    '%s: digits of another script are named, and suggested',
    async (currency, rail, account, clearing, code, plain) => {
      const result = await readAll(`${FIELDS}\nAna,1,${currency},${rail},${account},${clearing},,\n`);
      const errors = result.problems.filter(({ severity }) => severity === 'error');
      expect(errors).toMatchObject([{ code, suggestion: plain.replaceAll('-', '') }]);
      expect(errors[0]?.message).toMatch(
        /Character \d+ of the cell is “.” \(U\+[0-9A-F]{4}\), a digit of another script for \d\./u,
      );
      expect(errors[0]?.remedy).toBe(`Write ${plain.replaceAll('-', '')} in plain letters and digits.`);
      expect(result.payouts).toBe(0);
    },
  );

  it('with a mark of a footnote is not taken for one with a digit more', async () => {
    const result = await readAll(`${HEADER}\n${npp('Ann', '1', '1234567²')}\n`);
    expect(result.problems).toMatchObject([{ code: 'account_number_characters' }]);
    expect(result.problems[0]?.suggestion).toBeUndefined();
  });
});

describe('a character that does not show', () => {
  it('is one of those that Unicode says do not, at any place in a text', () => {
    const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const characters = codes.map((code) => String.fromCodePoint(code));
    const isUnseen = (character: string) => /\p{Default_Ignorable_Code_Point}/u.test(character);
    expect(characters.filter((each) => unseenIn(`Zoë${each}é`) !== null)).toEqual(characters.filter(isUnseen));
    const isStrange = (character: string) =>
      /[\p{Default_Ignorable_Code_Point}\p{Cc}\uff01-\uff5e\u{1d400}-\u{1d7ff}\u066b\u066c]|(?![0-9])\p{Nd}/u.test(
        character,
      );
    expect(characters.filter((each) => strangeIn(`Zoë${each}é`) !== null)).toEqual(characters.filter(isStrange));
  });

  const UNSEEN = [
    '\u00ad',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u2060',
    '\u202e',
    '\u2066',
    '\u3164',
    '\ufe0f',
    '\u{e0061}',
  ];

  it.each(UNSEEN)('%j in a name or a reference is an error that names it, with the cell without it', async (unseen) => {
    const code = `U+${unseen.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    const row = `Jo${unseen}hn Smith,1,AUD,AUD_NPP,12345678,062-000,,Pay${unseen} July\n`;
    const result = await readAll(`${FIELDS}\n${row}`);
    expect(placesOf(result)).toEqual(['A2 control_character', 'H2 control_character']);
    expect(result.problems.map(({ suggestion }) => suggestion)).toEqual(['John Smith', 'Pay July']);
    expect(result.problems[0]?.message).toContain(`Character 3 of the cell is ${code}, which cannot be seen.`);
    expect(result.problems[0]?.remedy).toContain('Write only John Smith');
    expect(result.payouts).toBe(0);
  });

  it.each([
    ['Persian', 'علی‌رضا رضایی'],
    ['Sinhala', 'ශ්‍රී'],
    ['old Malayalam', 'മോഹന്‍ കുമാര്‍'],
    ['Japanese', '渡邉\u{e0101} 太郎'],
    ['of a family', 'Ann 👩‍👧 ❤️ 1️⃣'],
  ])('is a part of %s', async (_what, name) => {
    const result = await readAll(`${HEADER}\n${npp(name, '1')}\n`);
    expect(result.problems).toEqual([]);
    expect(result.runRows[0]?.order?.payee.name).toBe(name);
  });

  it('alone is no name', async () => {
    const result = await readAll(`${HEADER}\n${npp('\u3164', '1')}\n`);
    expect(result.problems).toMatchObject([{ code: 'control_character' }, { code: 'name_without_letters' }]);
    expect(result.problems[0]?.suggestion).toBeUndefined();
  });

  it('in a payee ID makes no other payee', async () => {
    const result = await readAll(`${HEADER},payee_id\n${npp('Ann', '1')},E\u200b17\n`);
    expect(result.problems).toMatchObject([{ code: 'control_character', cell: 'G2', suggestion: 'E17' }]);
  });

  it('is left out by --fix alone, which does not pay', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'payroll.csv'), `${HEADER}\n${npp('Jo\u200bhn Smith', '١٢٥٠', '１２３４５６７８')}\n`);
    const before = await payrun(['check', 'payroll.csv', '--fix', 'fixed.csv'], { cwd });
    expect(before.exit).toBe(3);
    const after = await payrun(['check', 'fixed.csv'], { cwd });
    expect([after.exit, after.stdout]).toEqual([0, expect.stringContaining('1,250.00')]);
  });
});

describe('a zero byte', () => {
  it('is named with its place in the cell and in the file', async () => {
    const text = `${HEADER},notes\n${npp('Ann', '1')},\0\n${npp('Be\0n', '1')},\n${npp('Cy', '1', '1234\x005678')},\n`;
    const result = await readAll(`\ufeff${text}`, {}, 7);
    const bytes = Buffer.from(`\ufeff${text}`);
    const second = bytes.indexOf(0, bytes.indexOf(0) + 1);
    expect(placesOf(result).slice(0, 2)).toEqual(['A3 control_character', 'E4 account_number_characters']);
    expect(result.problems[0]?.message).toContain(
      `Character 3 of the cell, byte ${second} of the file, is U+0000, which cannot be seen.`,
    );
    expect(result.problems[1]?.message).toContain(
      `Character 5 of the cell, byte ${bytes.indexOf(0, second + 1)} of the file, is U+0000`,
    );
  });

  it('more than four make no text, and the first places are named', async () => {
    const result = await readAll(`${HEADER}\n\0\0\0\0\0\0\0\n`);
    const first = HEADER.length + 1;
    expect(placesOf(result)).toEqual(['file not_text']);
    expect(result.problems[0]?.message).toContain(
      `the first at ${first}, ${first + 1}, ${first + 2}, ${first + 3} and ${first + 4} (bytes of the file, from 0)`,
    );
  });
});
