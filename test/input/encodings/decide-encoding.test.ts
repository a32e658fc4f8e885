import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODING_NAMES, type Encoding } from '../../../src/input/source/encoding/encodings.ts';
import { surveyBytes } from '../../../src/input/source/sniff.ts';
import { HEADER, npp, placesOf, readAll, sourceOf } from '../reading.ts';
import { encoded } from './encode.ts';
import { allNames, answerTo, CASES, payrollText, randomFrom } from './payroll-files.ts';

const NAMES = allNames();

async function found(text: string, encoding: Encoding) {
  const bytes = encoded(text, encoding) ?? Buffer.of();
  const survey = await surveyBytes(() => sourceOf(bytes).open());
  return { ...survey, text: new TextDecoder(survey.encoding).decode(bytes) };
}

describe('a file of names', () => {
  it.each(CASES)('of $language in $encoding is read as it was written, or asked about', async (each) => {
    const random = randomFrom(1);
    for (const shape of [
      { size: 150, foreign: 0, capitals: 0.25, files: 3 },
      { size: 3, foreign: 0.2, capitals: 0.25, files: 30 },
    ])
      for (let file = 0; file < shape.files; file++) {
        const text = payrollText(each, shape, NAMES, random);
        expect(await answerTo(text, each.encoding), text).not.toBe('wrong');
      }
  });

  it('is nearly always read where it has a hundred of them', async () => {
    const random = randomFrom(2);
    let right = 0;
    for (const each of CASES)
      if (
        (await answerTo(payrollText(each, { size: 100, foreign: 0, capitals: 0.25 }, NAMES, random), each.encoding)) ===
        'right'
      )
        right++;
    expect(right).toBeGreaterThan(CASES.length * 0.97);
  });

  it('is read as it was written where it is decided, whatever the names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CASES),
        fc.integer(),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        async (each, seed, size, foreign) => {
          const text = payrollText(each, { size, foreign, capitals: 0.3 }, NAMES, randomFrom(seed));
          expect(await answerTo(text, each.encoding)).not.toBe('wrong');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a name that could be another one', () => {
  it.each<[Encoding, string, string[]]>([
    ['windows-1250', 'Gergő Varga', ['Gergő Varga', 'Gergõ Varga']],
    ['windows-1250', 'Jiří Novák', ['Jiří Novák', 'Jiøí Novák']],
    ['windows-1252', 'Søren Holm', ['Søren Holm', 'Sřren Holm']],
    ['windows-1254', 'Ayşe Kaya', ['Ayşe Kaya', 'Ayþe Kaya']],
  ])('in %s is asked about where it is alone: %s', async (encoding, name, shown) => {
    const { readings } = await found(`name,amount\n${name},1\n`, encoding);
    expect(readings.flatMap(({ names }) => names)).toEqual(expect.arrayContaining(shown));
  });

  it('is shown with up to four others, in both readings', async () => {
    const words = ['Gergő', 'Jenő', 'Ernő', 'Søren', 'Bjørn', 'Jørn', 'Dezső', 'Rezső'];
    const bytes = words.map((word) => encoded(word, 'windows-1250') ?? encoded(word, 'windows-1252') ?? Buffer.of());
    const file = Buffer.concat(bytes.flatMap((name) => [name, Buffer.from('\n')]));
    const { readings } = await surveyBytes(() => sourceOf(file).open());
    expect(readings.length).toBeGreaterThan(1);
    for (const { names } of readings) expect(names).toHaveLength(5);
    const texts = readings.map(({ names }) => names.join());
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('a text that no name is like', () => {
  it.each<[string, Encoding, string]>([
    [
      'Russian',
      'windows-1251',
      'Иван Петров,Мария Сидорова,Алексей Кузнецов,Ольга Смирнова,Дмитрий Соколов,Юлия Морозова',
    ],
    ['Greek', 'windows-1253', 'Γιώργος Παπαδόπουλος,Μαρία Νικολάου,Δημήτρης Γεωργίου,Ελένη Παππά,Κώστας Οικονόμου'],
  ])('is asked about: %s', async (_, encoding, names) => {
    const text = `name,amount\n${names.split(',').join(',1\n')},1\n`;
    expect((await found(text, encoding)).readings).not.toEqual([]);
    const bytes = encoded(text, encoding) ?? Buffer.of();
    const told = await surveyBytes(() => sourceOf(bytes).open(), encoding);
    expect([told.encoding, told.readings]).toEqual([encoding, []]);
  });
});

describe('a text that is not Unicode, with two bytes that UTF-8 has', () => {
  it.each<[Encoding, string]>([
    ['windows-1250', 'RŮŽENA DVOŘÁKOVÁ\nJIŘÍ ŠŤASTNÝ\nŽOFIE PROCHÁZKOVÁ\nLUKÁŠ ČERNÝ\n'],
    ['gb18030', '收款人姓名,金额\n王伟,1\n李娜,2\n刘洋,3\n陈静,4\n杨帆,5\n'],
  ])('is not mixed: %s', async (encoding, text) => {
    expect(await found(text, encoding)).toMatchObject({ encoding, fault: null, readings: [], text });
  });

  it('is mixed where they are a word', async () => {
    const legacy = encoded('Jiří Černý\nRůžena Dvořáková\n', 'windows-1250') ?? Buffer.of();
    for (const word of ['Müller', 'Łódź', 'Иванов']) {
      const bytes = Buffer.concat([legacy, Buffer.from(`${word}\n`)]);
      expect(await surveyBytes(() => sourceOf(bytes).open())).toMatchObject({ fault: 'mixed_encodings' });
    }
  });
});

describe('an encoding that is named', () => {
  const texts: Partial<Record<Encoding, string>> = { gb18030: '王小明', shift_jis: '山田太郎' };

  it.each(ENCODING_NAMES)('%s is that of the file', async (encoding) => {
    const name = texts[encoding] ?? 'Andre Muller';
    const bytes = encoded(`${HEADER}\n${npp(name, '1.00')}\n`, encoding) ?? Buffer.of();
    const result = await readAll(bytes, { encoding });
    expect(result.problemCounts.errors).toBe(0);
    expect(result.runRows[0]?.order?.payee.name).toBe(name);
  });

  it.each(['gb18030', 'shift_jis'] as const)('%s is refused for bytes that it has not', async (encoding) => {
    const bytes = encoded(`${HEADER}\n${npp('José', '1.00')}\n`, 'windows-1252') ?? Buffer.of();
    expect(placesOf(await readAll(bytes, { encoding }))).toContain('file undecodable');
  });

  it('utf-8 is refused for bytes that are none', async () => {
    const bytes = encoded(`${HEADER}\n${npp('José', '1.00')}\n`, 'windows-1252') ?? Buffer.of();
    expect(placesOf(await readAll(bytes, { encoding: 'utf-8' }))).toContain('file mixed_encodings');
  });
});

const LAYOUTS = join(import.meta.dirname, '../../../../shared/vectors/layouts/more');

describe.skipIf(!existsSync(LAYOUTS))('layouts of other countries', () => {
  it.each<[string, Encoding, string]>([
    ['cn_common_settlement.csv', 'gb18030', '收款人姓名'],
    ['jp_sogo_furikomi.csv', 'shift_jis', 'ﾔﾏﾀﾞ ﾀﾛｳ'],
    ['cz_vyplaty.csv', 'windows-1250', 'Růžena Dvořáková'],
    ['es_nominas.csv', 'windows-1252', 'Íñigo Muñoz'],
  ])('%s is %s', async (file, encoding, text) => {
    const bytes = readFileSync(join(LAYOUTS, file));
    const survey = await surveyBytes(() => sourceOf(bytes).open());
    expect([survey.encoding, survey.readings, survey.fault]).toEqual([encoding, [], null]);
    expect(new TextDecoder(encoding).decode(bytes)).toContain(text);
  });
});
