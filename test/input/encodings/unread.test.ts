import { describe, expect, it } from 'vitest';
import { UNREAD, UNREAD_ENCODINGS, type Unread } from '../../../src/input/source/encoding/unread.ts';
import { surveyBytes } from '../../../src/input/source/sniff.ts';
import { HEADER, npp, placesOf, readAll, sourceOf } from '../reading.ts';
import { allNames, payrollText, randomFrom } from './payroll-files.ts';

function bytesOf(text: string, encoding: Unread): Buffer {
  const { letters } = UNREAD_ENCODINGS[encoding];
  const codeOf = (letter: string) => (letter < '\x80' ? letter.charCodeAt(0) : 128 + (letters ?? '').indexOf(letter));
  return Buffer.from(Array.from(text, codeOf));
}

describe('a file of DOS or of an old Mac', () => {
  it('has 128 characters in each table', () => {
    const tables = UNREAD.map((encoding) => UNREAD_ENCODINGS[encoding].letters).filter((letters) => letters !== null);
    expect(tables.map(({ length }) => length)).toEqual(tables.map(() => 128));
  });

  it.each([
    ['cp437', 'Michele Krückert'],
    ['cp850', 'Marleen Stöckert'],
    ['cp850', 'Britt Grønn'],
    ['cp852', 'Anna Wiśniewska'],
    ['cp857', 'Defne Yıldız'],
    ['mac-centraleurope', 'Gréta Őrsi'],
  ] as const)('in %s (%s) is asked about and never read as other names', async (encoding, name) => {
    const result = await readAll(bytesOf(`${HEADER}\n${npp(name, '1.00')}\n`, encoding));
    expect(placesOf(result)).toContain('file encoding_undecided');
    expect(result.isWhole).toBe(false);
    expect(result.problems[0]?.remedy).toContain('Save it as CSV UTF-8');
  });

  it('is named with its names', async () => {
    const result = await readAll(bytesOf(`${HEADER}\n${npp('Michele Krückert', '1.00')}\n`, 'cp437'));
    expect(result.problems[0]?.message).toMatch(
      /; or “Michele Krückert” in cp\d+ \(DOS.*\), which payrun does not read\.$/,
    );
  });
});

describe('a file of one name in another encoding of East Asia', () => {
  const NAMES = allNames();
  const LANGUAGES = { big5: 'tw', 'euc-kr': 'ko', 'euc-jp': 'ja' } as const;

  it.each(Object.entries(LANGUAGES))(
    'in %s is asked about, and never read as another name',
    async (encoding, language) => {
      const table = charactersOf(encoding);
      const random = randomFrom(1);
      for (let files = 0; files < 200; ) {
        const text = payrollText({ language, encoding: 'utf-8' }, { size: 1, foreign: 0, capitals: 0 }, NAMES, random);
        const bytes = Array.from(text, (character) => table.get(character));
        if (bytes.includes(undefined)) continue;
        files++;
        const survey = await surveyBytes(() => sourceOf(Buffer.from(bytes.join(''), 'latin1')).open());
        expect(survey.readings.length + survey.unread.length, text).toBeGreaterThan(0);
      }
    },
  );

  it('is named with its names', async () => {
    const table = charactersOf('euc-kr');
    const bytes = Array.from(`${HEADER}\n${npp('김순자', '1.00')}\n`, (character) => table.get(character) ?? '');
    const result = await readAll(Buffer.from(bytes.join(''), 'latin1'));
    expect(placesOf(result)).toContain('file encoding_undecided');
    expect(result.problems[0]?.message).toContain('“김순자” in euc-kr (Korean), which payrun does not read');
  });

  /** The bytes of each character of one or two bytes, as Latin-1 shows them. */
  function charactersOf(encoding: string): Map<string, string> {
    const decoder = new TextDecoder(encoding);
    const table = new Map(
      Array.from({ length: 128 }, (_, code) => [String.fromCharCode(code), String.fromCharCode(code)]),
    );
    for (let first = 0xa1; first <= 0xfe; first++)
      for (let second = 0x40; second <= 0xfe; second++)
        table.set(decoder.decode(Uint8Array.of(first, second)), String.fromCharCode(first, second));
    return table;
  }
});

describe('a web page', () => {
  const page = (charset: string, name: Buffer) => {
    const [head, tail] = [
      `<html><head><meta charset="${charset}"></head><table><tr><td>name</td><td>amount</td><td>currency</td><td>external_account_id</td></tr><tr><td>`,
      '</td><td>1.00</td><td>EUR</td><td>acc_1</td></tr></table></html>',
    ];
    return Buffer.concat([Buffer.from(head), name, Buffer.from(tail)]);
  };
  const IVAN = Buffer.of(0xe9, 0xd7, 0xc1, 0xce);

  it.each(['koi8-r', 'ibm866', 'x-unknown'])('that says %s is an error that names it', async (charset) => {
    const result = await readAll(page(charset, IVAN));
    expect(result.problems).toMatchObject([{ code: 'charset_not_read', severity: 'error' }]);
    expect(result.problems[0]?.message).toContain(`its encoding is ${charset}, which payrun does not read`);
    expect(result.isWhole).toBe(false);
  });

  it('is read by --encoding, and where its bytes are Unicode whatever it says', async () => {
    const cyrillic = await readAll(page('koi8-r', Buffer.of(0xc8, 0xe2, 0xe0, 0xed)), { encoding: 'windows-1251' });
    expect([cyrillic.isWhole, cyrillic.runRows[0]?.order?.payee.name]).toEqual([true, 'Иван']);
    expect((await readAll(page('koi8-r', Buffer.from('Иван')))).isWhole).toBe(true);
  });
});
