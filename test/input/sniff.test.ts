import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delimiter } from '../../src/input/source/csv.ts';
import { sniffDelimiter } from '../../src/input/source/csv-table.ts';
import { decodedText, HEAD_BYTES, surveyBytes } from '../../src/input/source/sniff.ts';
import { sourceOf } from './reading.ts';

const TEXT = 'name,amount\nZoë Müller – „Spaß“ 5 €,12.50\n';

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : Buffer.from(bytes).swap16();
}

/** Windows-1252 of what Latin-1 has and the signs that tests use. */
function windows1252(text: string): Buffer {
  const special: Record<string, number> = { '€': 0x80, '„': 0x84, '–': 0x96, '“': 0x93, '”': 0x94, ž: 0x9e };
  return Buffer.from([...text].map((character) => special[character] ?? character.charCodeAt(0)));
}

async function decode(
  bytes: Uint8Array,
  chunkBytes = 1_000,
): Promise<{ encoding: string; fault: string | null; text: string }> {
  const source = sourceOf(bytes, chunkBytes);
  const survey = await surveyBytes(() => source.open());
  let text = '';
  for await (const part of decodedText(source.open(), survey)) text += part;
  return { encoding: survey.encoding, fault: survey.fault, text };
}

describe('the encoding', () => {
  const mark = '\ufeff';
  const plain = 'name,amount\nZoë Müller,12.50\n';
  it.each<[string, Uint8Array, string, string]>([
    ['ASCII', Buffer.from('name,amount\n'), 'utf-8', 'name,amount\n'],
    ['UTF-8', Buffer.from(TEXT), 'utf-8', TEXT],
    ['UTF-8 with a mark', Buffer.from(mark + TEXT), 'utf-8', TEXT],
    ['UTF-16LE with a mark', utf16(mark + TEXT, 'le'), 'utf-16le', TEXT],
    ['UTF-16BE with a mark', utf16(mark + TEXT, 'be'), 'utf-16be', TEXT],
    ['UTF-16LE without a mark', utf16(TEXT, 'le'), 'utf-16le', TEXT],
    ['UTF-16BE without a mark', utf16(TEXT, 'be'), 'utf-16be', TEXT],
    ['windows-1252', windows1252(plain), 'windows-1252', plain],
    ['windows-1252 with its own signs', windows1252('„Zoë” – 5 €'), 'windows-1252', '„Zoë” – 5 €'],
  ])('%s', async (_, bytes, encoding, text) => {
    for (const chunkBytes of [1, 2, 3, 5, 1_000])
      expect(await decode(bytes, chunkBytes)).toEqual({ encoding, fault: null, text });
  });

  it('is told by the last byte where everything before is ASCII', async () => {
    const ascii = 'name,amount\n'.repeat(HEAD_BYTES / 4);
    const bytes = Buffer.concat([Buffer.from(ascii), windows1252('Zoë')]);
    expect(bytes.length).toBeGreaterThan(2 * HEAD_BYTES);
    expect(await decode(bytes, 4_096)).toEqual({ encoding: 'windows-1252', fault: null, text: `${ascii}Zoë` });
    const utf8 = Buffer.from(`${ascii}Zoë`);
    expect(await decode(utf8, 4_096)).toEqual({ encoding: 'utf-8', fault: null, text: `${ascii}Zoë` });
  });

  it('is mixed where valid characters of several bytes stand beside bytes that are none', async () => {
    const bytes = Buffer.concat([Buffer.from('Müller\n'), windows1252('Zoë\n'), Buffer.from('José')]);
    for (const chunkBytes of [1, 2, 5, 1_000])
      expect(await decode(bytes, chunkBytes)).toMatchObject({ encoding: 'utf-8', fault: 'mixed_encodings' });
  });

  it('is mixed where a character is cut off at the end', async () => {
    const bytes = Buffer.from('Müller, Zoë').subarray(0, -1);
    expect(await decode(bytes)).toMatchObject({ fault: 'mixed_encodings' });
  });

  it.each([
    ['zeros that are no UTF-16', Buffer.from('PK\x03\x04\0\0\0\0data\0\0\0\0\0\0')],
    ['UTF-32 with a mark', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
  ])('is none with %s', async (_, bytes) => {
    expect((await surveyBytes(() => sourceOf(bytes).open())).fault).toBe('not_text');
  });

  it('does not depend on how the bytes are cut', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 3 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 40 }), async (list, chunkBytes) => {
        const bytes = Buffer.concat(list);
        const whole = await surveyBytes(() => sourceOf(bytes).open());
        const cut = await surveyBytes(() => sourceOf(bytes, chunkBytes).open());
        expect(cut).toEqual(whole);
        expect(whole.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
        if (whole.fault === null && whole.encoding === 'utf-8')
          expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe('the delimiter', () => {
  it.each<[string, Delimiter]>([
    ['name,amount\nA,1\n', ','],
    ['name;amount\nA;1,50\nB;2,50\n', ';'],
    ['name\tamount\nA, B\t1\n', '\t'],
    ['name|amount\nA;B;C|1\n', '|'],
    ['"name, first";amount;currency\n"a,b,c";1,5;AUD', ';'],
    ['iban\nDE89370400440532013000\n', ','],
    ['', ','],
    ['a;b\n"x;y;z";2\n', ';'],
    ['a,b|c|d\n1,2|3|4\n', '|'],
    ['note,name;amount;currency\nx', ';'],
    ['name;amount;town, country\nA;1,50;x\nB;2,50;y;z\n', ';'],
    ['"name\n";"amount"\n"a,\nb";"1"\n', ';'],
  ])('of %j is %j', (text, delimiter) => {
    expect(sniffDelimiter(text)).toEqual({ delimiter, hasSeparatorLine: false });
  });

  it('is told by the line that Excel writes for itself', () => {
    expect(sniffDelimiter('sep=;\r\nname,x;amount\n')).toEqual({ delimiter: ';', hasSeparatorLine: true });
  });
});
