import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDoubtful, ungarbled } from '../../src/input/source/garbled-text.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

const decoded = (encoding: string, text: string) => new TextDecoder(encoding).decode(Buffer.from(text));

describe('UTF-8 that was read as another encoding', () => {
  it.each([
    'José Núñez',
    'Jürgen Müller',
    'Łucja Wiśniewska',
    'Nguyễn',
    'Øyvind Åse',
    'Ærø',
    'Citroën – “Œuvre”',
    '王小明',
  ])('is known: %s', (name) => {
    expect(ungarbled(decoded('windows-1252', name))).toBe(name);
  });

  it.each(['Łucja Wiśniewska', 'Dvořák Jiří', 'Żak Grażyna'])('is known as windows-1250: %s', (name) => {
    expect(ungarbled(decoded('windows-1250', name))).toBe(name);
  });

  it.each([
    'José Núñez',
    'JOÃO “SÃO” MAÇÃ',
    'IRMÃ ÂNGELA',
    'BĂŞESCU',
    'ĂŞTEFAN',
    'Łódź',
    'Đặng Thị Ánh',
    'Ångström Ærø',
    'Ana',
    'ŽĎÁR',
    'MATÚŠ',
    'Ÿves Â',
  ])('is not seen in %s', (name) => {
    expect(ungarbled(name)).toBeNull();
  });

  it('is never what letters of Western Europe say, one accent a word', () => {
    const accented = fc.constantFrom(...'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿÀÉÖÜÑÇÃÂ');
    const word = fc.tuple(accented, fc.stringMatching(/^[a-z]{1,8}$/)).map(([accent, rest]) => `${accent}${rest}`);
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), (words) => ungarbled(words.join(' ')) === null));
  });
});

describe('a name with letters of another encoding', () => {
  it.each([
    ['ibm850', 'N£¤ez', true],
    ['windows-1251 as windows-1252', 'Èâàí Ïåòðîâ', true],
    ['Shift JIS as windows-1252', '“c’†‘¾˜Y', true],
    ['ISO 8859-2 as UTF-8', 'KSIʯAK', true],
    ['windows-1250 as UTF-8', 'BêESCU', true],
    ['none', 'GROßMANN ıŞIK', false],
    ['none', 'Əliyev Məmməd', false],
    ['none', 'Kɔfi Ɛsi Ɖzigbodi', false],
    ['none', 'McÉwan DeÉA', false],
    ['none', 'Seán O’Brien', false],
    ['none', 'Col·legi d´Angelo N°1 Müller–Schmidt Foo®Bar 3M™Shop 1ª', false],
    ['none', 'Éloïse Créée-Noël', false],
    ['none', '¿Qué? Ltd', false],
  ])('%s: %s', (_what, name, isSo) => {
    expect(isDoubtful(name)).toBe(isSo);
  });

  it('is refused with what it was, or warned of', async () => {
    const rows = [npp('JosÃ© NÃºÃ±ez', '1'), npp('N£¤ez', '2', '999888777')];
    const result = await readAll(`${[HEADER, ...rows].join('\n')}\n`);
    expect(placesOf(result)).toEqual(['A2 garbled_text', 'A3 letters_doubtful']);
    expect(result.problems).toMatchObject([{ severity: 'error', suggestion: 'José Núñez' }, { severity: 'warning' }]);
  });
});
