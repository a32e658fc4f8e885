import { describe, expect, it } from 'vitest';
import { UNREAD, UNREAD_ENCODINGS, type Unread } from '../../../src/input/source/encoding/unread.ts';
import { HEADER, npp, placesOf, readAll } from '../reading.ts';

function bytesOf(text: string, encoding: Unread): Buffer {
  const { letters } = UNREAD_ENCODINGS[encoding];
  return Buffer.from(
    Array.from(text, (letter) => (letter < '\x80' ? letter.charCodeAt(0) : 128 + letters.indexOf(letter))),
  );
}

describe('a file of DOS or of an old Mac', () => {
  it('has 128 characters in each table', () => {
    for (const encoding of UNREAD) expect(UNREAD_ENCODINGS[encoding].letters, encoding).toHaveLength(128);
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
