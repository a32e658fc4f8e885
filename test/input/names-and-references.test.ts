import { describe, expect, it } from 'vitest';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

describe('a name', () => {
  it.each([
    'Test Test',
    'N.N.',
    'n. n.',
    'T.B.D.',
    'xxx',
    'To be confirmed',
    'Max Mustermann',
    'PRUEBA',
    'Nom Prénom',
    'desconhecido',
    'Nieznany',
    'тест',
    'テスト',
    '未知',
    'test_user',
  ])('%s is that of nobody, and a warning', async (name) => {
    const result = await readAll(`${HEADER}\n${npp(name, '1')}\n`);
    expect(placesOf(result)).toContain('A2 name_like_placeholder');
    expect([result.payouts, result.problemCounts.errors]).toEqual([1, 0]);
  });

  it.each(['Testa Rossa', 'Nina Nowak', 'Xin Xu', 'N. N. Rao', 'Anna Offen', 'Tan', 'Ng'])(
    '%s is one',
    async (name) => {
      expect(placesOf(await readAll(`${HEADER}\n${npp(name, '1')}\n`))).not.toContain('A2 name_like_placeholder');
    },
  );

  it.each([
    ['Jоhn Smith', 'The о in “Jоhn” is a Cyrillic letter'],
    ['Mary Αnn', 'The Α in “Αnn” is a Greek letter'],
  ])('%s mixes alphabets, and the letter is named', async (name, words) => {
    const result = await readAll(`${HEADER}\n${npp(name, '1')}\n`);
    const [problem] = result.problems.filter(({ code }) => code === 'name_mixed_alphabets');
    expect(problem?.message).toContain(words);
  });
});

describe('a reference that its rail does not carry', () => {
  const file = (references: readonly string[]) =>
    `name,amount,currency,rail,account_number,reference\n${references
      .map((reference, at) => `Ana ${'ABCDEF'[at]},${at + 1},EUR,EUR_SEPA,DE89370400440532013000,${reference}\n`)
      .join('')}`;

  it('is an error that names the way to have them all written so', async () => {
    const result = await readAll(file(['Nómina', 'Julho']));
    expect(placesOf(result)).toContain('F2 reference_characters');
    const [problem] = result.problems.filter(({ code }) => code === 'reference_characters');
    expect(problem?.remedy).toContain('“Nomina”');
    expect(problem?.remedy).toContain('--fold-references');
    expect(result.payouts).toBe(1);
  });

  it('is written as the rail does, with a warning, where a person wants that', async () => {
    const result = await readAll(file(['Nómina Müller', 'Julho', '給与']), { foldReferences: true });
    expect(result.runRows.map(({ order }) => order?.reference)).toEqual(['Nomina Mueller', 'Julho', undefined]);
    expect(placesOf(result).filter((place) => place.includes('reference'))).toEqual([
      'F2 reference_folded',
      'F4 reference_characters',
    ]);
  });
});
