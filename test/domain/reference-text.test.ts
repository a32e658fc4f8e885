import { describe, expect, it } from 'vitest';
import type { RailName } from '../../src/domain/rails/rail.ts';
import { RAILS, railOf } from '../../src/domain/rails/registry.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';

const SWIFT_LABEL = "unaccented letters, digits, blanks and / - ? : ( ) . , ' +, not beginning with - or :";

function findingsOf(name: RailName, reference: string) {
  return railOf(name)
    .checkReference(reference)
    .map(({ params, ...finding }) => ({ ...finding, ...problemWords({ ...finding, params }, 'page') }));
}

function suggestionOf(name: RailName, reference: string): string | undefined {
  return findingsOf(name, reference)[0]?.suggestion;
}

describe('a reference that is too long', () => {
  it('is shown as it would arrive, in whole characters', () => {
    expect(findingsOf('USD_ACH', 'SALARY JULY')).toEqual([
      {
        severity: 'error',
        code: 'reference_too_long',
        field: 'reference',
        message: 'The reference has 11 characters; USD_ACH carries 10, so the payee would see “SALARY JUL”.',
        remedy: 'Shorten the reference to 10 characters.',
      },
    ]);
    expect(findingsOf('GBP_FPS', `${'😀'.repeat(18)}x`)[0]?.message).toContain(`“${'😀'.repeat(18)}”`);
  });

  it('is shown as older Australian banks cut it', () => {
    expect(findingsOf('AUD_NPP', 'Salary for the whole of July')).toEqual([
      {
        severity: 'warning',
        code: 'reference_may_be_cut',
        field: 'reference',
        message: 'Some Australian banks show only the first 18 characters of the reference: “Salary for the who”.',
        remedy: 'Put what matters in the first 18 characters.',
      },
    ]);
  });

  it('shows what would turn the text around as its number', () => {
    expect(findingsOf('USD_ACH', `\u202eabc\u00a0 ${'x'.repeat(9)}`)[0]?.message).toContain('“U+202EabcU+00A0 xxxx”');
  });

  it('has no suggestion, because what to leave out is for a person to say', () => {
    expect(findingsOf('EUR_SEPA', 'ü'.repeat(141)).map(({ code, suggestion }) => [code, suggestion])).toEqual([
      ['reference_too_long', undefined],
      ['reference_characters', undefined],
    ]);
    // 140 characters, but more than that when they are written out.
    expect(suggestionOf('EUR_SEPA', 'ü'.repeat(140))).toBeUndefined();
    expect(suggestionOf('EUR_SEPA', 'ü'.repeat(70))).toBe('ue'.repeat(70));
  });
});

describe('a reference with characters that the rail does not carry', () => {
  it('names them, once each and ten at most, and shows what to write', () => {
    expect(findingsOf('EUR_SEPA', 'Löhne für März & mehr')).toEqual([
      {
        severity: 'error',
        code: 'reference_characters',
        field: 'reference',
        message: 'The reference has characters (ö ü ä &) that EUR_SEPA does not carry.',
        remedy: `Use only ${SWIFT_LABEL}. For example: “Loehne fuer Maerz + mehr”. Or have all references of the file written so, under “File settings”.`,
        suggestion: 'Loehne fuer Maerz + mehr',
      },
    ]);
    expect(findingsOf('EUR_SEPA', 'абвгдежзийкл абв')[0]?.message).toContain('(а б в г д е ж з и й)');
    expect(findingsOf('EUR_SEPA', 'a\u200bb')[0]?.message).toContain('(U+200B)');
    expect(findingsOf('USD_WIRE', '-1')[0]).toMatchObject({
      message: 'The reference has a - at its begin that USD_WIRE does not carry.',
      suggestion: '1',
    });
  });

  it('is warned of where only some banks change them', () => {
    expect(findingsOf('GBP_FPS', 'Café #1')).toEqual([
      {
        severity: 'warning',
        code: 'reference_may_change',
        field: 'reference',
        message: 'The reference has characters (é #) that some banks replace or drop.',
        remedy: 'To be sure of what the payee sees, use only unaccented letters, digits, blanks and . & / -.',
      },
    ]);
    expect(suggestionOf('GBP_FPS', 'Café 1')).toBe('Cafe 1');
    expect(suggestionOf('USD_ACH', 'Nómina—7')).toBe('Nomina-7');
    // What the rail does not carry at all is mended by what every bank shows.
    expect(suggestionOf('USD_ACH', 'Zł “1”')).toBe('Zl "1"');
  });

  it.each<[RailName, string, string]>([
    ['EUR_SEPA', 'Straße GROẞ', 'Strasse GROSS'],
    ['EUR_SEPA', 'Ärzte ÄRZTE Ä', 'Aerzte AERZTE Ae'],
    ['EUR_SEPA', 'Über A-Ü', 'Ueber A-Ue'],
    ['EUR_SEPA', 'Zażółć gęślą jaźń Łódź', 'Zazolc gesla jazn Lodz'],
    ['EUR_SEPA', 'Ærø Øst œuvre Þór Guðrún', 'Aero Ost oeuvre Thor Gudrun'],
    ['EUR_SEPA', 'Đorđe, Ħal, ıŋŧĸ', 'Dorde, Hal, intk'],
    ['EUR_SEPA', 'Nguyễn Văn Ước', 'Nguyen Van Uoc'],
    ['EUR_SEPA', 'Agüero, PINGÜÍ, pingüino', 'Aguero, PINGUI, pinguino'],
    ['EUR_SEPA', 'gäi gün müe gü', 'gaei guen muee gue'],
    ['EUR_SEPA', 'de\u0301compose\u0301', 'decompose'],
    ['EUR_SEPA', '‘a’ “b” „c‟ «d» "e" `f´', "'a' 'b' 'c' 'd' 'e' 'f'"],
    ['EUR_SEPA', 'a–b—c−d_e~f', 'a-b-c-d-e-f'],
    ['EUR_SEPA', 'a\u00a0b\u202fc\u2009\u2003d\u2002e\tf', 'a b c d e f'],
    ['EUR_SEPA', 'a\u00adb\u200bc\ufeffd', 'abcd'],
    ['EUR_SEPA', 'a\\b|c [d] {e}; f…', 'a/b/c (d) (e), f...'],
    ['EUR_SEPA', 'Nº 5, №6, 2ª, ½', ''],
    ['EUR_SEPA', 'Nº 5, №6, 2ª, x²', 'No 5, No6, 2a, x2'],
    ['EUR_SEPA', '--: (1_2)', '(1-2)'],
    ['EUR_SEPA', 'ﬁn ǆ', 'fin dz'],
    // Cities, as maps write them.
    ['EUR_SEPA', 'Санкт-Петербург, Нижний Новгород', 'Sankt-Peterburg, Nizhniy Novgorod'],
    ['EUR_SEPA', 'Хабаровск, Челябинск, Уфа, Шахты', 'Khabarovsk, Chelyabinsk, Ufa, Shakhty'],
    ['EUR_SEPA', 'Йошкар-Ола, Элиста, Мытищи, Тверь', 'Yoshkar-Ola, Elista, Mytishchi, Tver'],
    ['EUR_SEPA', 'Щукин Ёлка ЮЛИЯ подъезд', 'Shchukin Elka YULIYA podezd'],
    ['EUR_SEPA', 'Київ Львів Єва ґанок Магілёў', 'Kiyiv Lviv Yeva ganok Magileu'],
    ['EUR_SEPA', 'Љубица Ђорђе Ѓ Јањић Џамија', 'Ljubitsa Djordje G Janjic Dzamija'],
    ['EUR_SEPA', 'Ќуприја Ѕвезда', 'Kuprija Dzvezda'],
    ['EUR_SEPA', 'Ἀθῆναι ΆΘΗΝΑ Θεός Ψυχή', 'Athinai ATHINA Theos Psychi'],
    ['EUR_SEPA', 'Βόλος Γρεβενά Δράμα Ζάκυνθος Σέρρες', 'Volos Grevena Drama Zakynthos Serres'],
    ['EUR_SEPA', 'Ξάνθη Πειραιάς Φλώρινα Τρίκαλα', 'Xanthi Peiraias Florina Trikala'],
    ['MXN_SPEI', 'Nómina-07/2026 (Ñ), “x”', 'Nomina 07 2026 N x'],
    ['MXN_SPEI', 'O’Hara a“b 1–2 c\\d e[f]g h;i j…k', 'O Hara a b 1 2 c d e f g h i j k'],
    ['MXN_SPEI', 'A & B', ''],
    ['EUR_SEPA', '工资', ''],
    ['EUR_SEPA', 'Lohn 😀', ''],
    ['EUR_SEPA', 'a@b', ''],
    ['EUR_SEPA', 'שכר', ''],
    ['EUR_SEPA', 'Ա', ''],
    ['EUR_SEPA', 'x\u0302', ''],
    ['EUR_SEPA', '-', ''],
    ['EUR_SEPA', '_', ''],
    ['EUR_SEPA', 'ь', ''],
  ])('%s: for %j write %j', (name, reference, suggestion) => {
    expect(findingsOf(name, reference)).toHaveLength(1);
    expect(suggestionOf(name, reference)).toBe(suggestion === '' ? undefined : suggestion);
  });
});

describe('a suggestion', () => {
  it('leaves alone what the rail carries', () => {
    for (const { name, checkReference } of RAILS) {
      const found = checkReference('Salary 07 2026 ü').find(({ suggestion }) => suggestion !== undefined);
      if (found !== undefined) expect([name, found.suggestion]).toEqual([name, 'Salary 07 2026 ue']);
    }
  });
});
