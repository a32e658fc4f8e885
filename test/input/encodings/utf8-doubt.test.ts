import { describe, expect, it } from 'vitest';
import type { LegacyEncoding } from '../../../src/input/source/encoding/encodings.ts';
import { UNREAD, type Unread } from '../../../src/input/source/encoding/unread.ts';
import { surveyBytes } from '../../../src/input/source/sniff.ts';
import { HEADER, npp, placesOf, readAll, sourceOf } from '../reading.ts';
import { bytesInDos, namesOfTheWorld, namesValidByChance } from './by-chance.ts';
import { encoded } from './encode.ts';
import { allNames } from './payroll-files.ts';

/** A file of one payout to a name in an encoding. */
function fileOf(name: string, encoding: LegacyEncoding | Unread): Buffer {
  const text = `${HEADER}\n${npp(name, '1.00')}\n`;
  const isUnread = UNREAD.includes(encoding as Unread);
  const bytes = isUnread ? bytesInDos(text, encoding as Unread) : encoded(text, encoding as LegacyEncoding);
  expect(bytes?.toString('utf8')).not.toContain('\ufffd');
  return bytes ?? Buffer.of();
}

describe('a text that is valid UTF-8 by chance', () => {
  it.each<[LegacyEncoding, string]>([
    ['windows-1250', 'JÓŹWIAK'],
    ['windows-1250', 'SPÓŁKA'],
    ['windows-1250', 'BĂŞESCU'],
    ['windows-1250', 'RŮŽENA'],
    ['iso-8859-2', 'KSIĘŻAK'],
    ['iso-8859-15', 'MATÚŠ'],
    ['macintosh', 'L’Équipe'],
    ['gb18030', '韦伟'],
    ['gb18030', '谢雪'],
  ])('in %s is asked about, and read as a person says: %s', async (encoding, name) => {
    const file = fileOf(name, encoding);
    const asked = await readAll(file);
    expect(placesOf(asked)).toContain('file encoding_undecided');
    expect(asked.isWhole).toBe(false);
    const question = asked.problems.find(({ code }) => code === 'encoding_undecided');
    expect(question?.message).toContain(`“${name}” in`);
    expect(question?.message).toContain('in utf-8 (Unicode)');
    const answered = await readAll(file, { encoding });
    expect(answered.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([answered.encoding, answered.runRows[0]?.order?.payee.name]).toEqual([encoding, name]);
  });

  it('is named in an encoding that payrun does not read', async () => {
    const asked = await readAll(fileOf('HAVLÍČEK', 'cp852'));
    expect(asked.problems[0]?.message).toContain(
      '“HAVLÍČEK” in cp852 (DOS, Central Europe), which payrun does not read',
    );
  });

  it('is UTF-8 where a person says so', async () => {
    const file = fileOf('JÓŹWIAK', 'windows-1250');
    const { encoding, runRows } = await readAll(file, { encoding: 'utf-8' });
    expect([encoding, runRows[0]?.cells[0]]).toEqual(['utf-8', 'JӏWIAK']);
  });

  it('is read as in earlier files with such headers', async () => {
    const memory = { recall: () => ({ columns: [], encoding: 'windows-1250' as const }) };
    const { problems, runRows } = await readAll(fileOf('JÓŹWIAK', 'windows-1250'), { memory });
    expect([problems, runRows[0]?.order?.payee.name]).toEqual([[], 'JÓŹWIAK']);
  });

  it('is found wherever chunks cut it', async () => {
    const file = fileOf('JÓŹWIAK', 'windows-1250');
    for (const chunkBytes of [1, 2, 3, 7, 1_000])
      expect((await surveyBytes(() => sourceOf(file, chunkBytes).open())).readings.length).toBeGreaterThan(1);
  });

  it('is asked about nearly always, of all names that we have', async () => {
    const found = namesValidByChance(allNames());
    expect(found.length).toBeGreaterThan(250);
    let asked = 0;
    for (const { bytes } of found) {
      const { readings } = await surveyBytes(() => sourceOf(bytes).open());
      if (readings.length > 0) asked++;
    }
    expect(asked / found.length).toBeGreaterThan(0.95);
  });
});

describe('a text of UTF-8 with one name', () => {
  it.each([
    ...['Łukasz', 'ŁUKASZ', 'José', 'Zoë', 'Ýmir', 'Nguyễn', 'Ελένη', 'Иван', 'Ян', 'Ӱ', 'Əliyev', 'İlham', 'Ștefan'],
    ...[
      'محمد',
      'דוד',
      'בר',
      '王小明',
      '王',
      '山田',
      'ﾔﾏﾀﾞ',
      'ﾊﾝ',
      '長岡サービス',
      'センター',
      'ＡＢＣ',
      '６０１６１３',
      '٨٩',
      'DE۸۹',
      '12\u00a0\u00a0',
      '🎉🎉',
      '👍🏽 ★★★',
      '김민준',
      'สมชาย',
      'প্রিয়া',
      'Արամ',
      'გიორგი',
      'O’Brien',
      '€',
      '£',
      '№',
    ],
    ...['Jоhn', 'Ηelen', 'Müller–Schmidt', 'Ærø', 'A·B', 'Sz\u0151cs', 'Ren\u0065\u0301'],
  ])('is read as it is: %s', async (name) => {
    const { readings, encoding } = await surveyBytes(() => sourceOf(`name,amount\n${name},1\n`).open());
    expect([encoding, readings]).toEqual(['utf-8', []]);
  });

  it('is hardly ever asked about, in any language', async () => {
    const names = namesOfTheWorld().filter((_, at) => at % 7 === 0);
    let asked = 0;
    for (const name of names) {
      const { readings } = await surveyBytes(() => sourceOf(`${name}\n`).open());
      if (readings.length > 0) asked++;
    }
    expect(names.length).toBeGreaterThan(3_000);
    expect(asked / names.length).toBeLessThan(0.001);
  });
});

describe('an encoding that is given for a text of UTF-8', () => {
  it.each(['windows-1252', 'windows-1250', 'windows-1251', 'macintosh', 'gb18030', 'shift_jis'] as const)(
    '%s is not used where names are right in UTF-8 alone, which is a warning',
    async (encoding) => {
      const rows = [npp('José Muñoz', '1.00'), npp('Jiří Dvořák', '2.00', '12345679')];
      const result = await readAll(`${HEADER}\n${rows.join('\n')}\n`, { encoding });
      expect([result.encoding, placesOf(result)]).toEqual(['utf-8', ['file encoding_contradicted']]);
      expect(result.problems[0]?.message).toMatch(
        /“José Muñoz”.* in utf-8 \(Unicode\), and .*which was given and is not used/,
      );
      expect(result.runRows.map(({ order }) => order?.payee.name)).toEqual(['José Muñoz', 'Jiří Dvořák']);
    },
  );

  it('is used where the names may be either, with a warning that shows both', async () => {
    const result = await readAll(`${HEADER}\n${npp('žqw', '1.00')}\n`, { encoding: 'windows-1250' });
    expect([result.encoding, placesOf(result)]).toEqual(['windows-1250', ['file encoding_contradicted']]);
    expect(result.problems[0]?.message).toBe(
      'With the chosen encoding the names read “Ĺľqw” in windows-1250 (Central Europe); they may be meant as “žqw” in utf-8 (Unicode).',
    );
  });

  it('is silent where the text is ASCII', async () => {
    const result = await readAll(`${HEADER}\n${npp('Ann', '1.00')}\n`, { encoding: 'windows-1250' });
    expect([result.encoding, result.problems]).toEqual(['utf-8', []]);
  });
});
