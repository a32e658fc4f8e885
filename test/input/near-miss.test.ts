import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterDistance } from '../../src/domain/misspelling.ts';
import { columnOf } from '../../src/input/header/columns.ts';
import { headerIdentity, headerKey } from '../../src/input/header/header-key.ts';
import { nearestColumnName, nearMisses } from '../../src/input/header/near-miss.ts';
import { COLUMN_NAMES } from '../../src/input/header/synonyms.ts';
import { synonymsOf } from '../../src/input/header/vocabulary.ts';
import { cases } from '../support/cases.ts';

const near = (header: string) => nearMisses(header).map(({ column, likeness }) => `${column} ${likeness}`);

describe('a header that is nearly one of ours', () => {
  it.each([
    ['Acount number', 'account_number misspelt'],
    ['Account nubmer', 'account_number misspelt'],
    ['Number of account', null],
    ['Number Account', 'account_number misspelt'],
    ['Amuont', 'amount misspelt'],
    ['Ammount', 'amount misspelt'],
    ['Curency', 'currency misspelt'],
    ['Nmae', 'name misspelt'],
    ['Names', 'name misspelt'],
    ['Beneficary Name', 'name misspelt'],
    ['IBANs', 'account_number misspelt'],
    ['Sortcde', 'national_clearing_code misspelt'],
    ['Auszahlungbetrag', 'amount misspelt'],
    ['Verwendungzweck', 'reference misspelt'],
    ['Berwendungszwecx', 'reference misspelt'],
    ['Bénéficaire', 'name misspelt'],
    ['Kwotta', 'amount misspelt'],
    ['Amount (AUD)', 'amount added'],
    ['Betrag in EUR', 'amount added'],
    ['Amount €', null],
    ['GBP amount', 'amount added'],
    ['Routing Number (ABA)', 'national_clearing_code added'],
    ['Konto', 'account_number unsure'],
    ['Netto', 'amount unsure'],
    ['Payment method', 'rail unsure'],
  ])('%j: %s', (header, expected) => {
    expect(near(header)).toEqual(expected === null ? [] : [expected]);
  });

  it('may be equally near to several columns', () => {
    expect(near('Countr')).toEqual(['state misspelt', 'country misspelt']);
  });

  it.each([
    'Department|Cost centre|Cost code|Tax code|Job title|Hours|Rate|Gross|Gross pay|Tax|Status|Bonus|Days|Period|Title',
    'Team|Manager|Location|Start date|End date|Pay date|Date|Invoice no|Contract no|Office|Division|Bank|Bank name|Note',
    'Notes|Comments|Remarks|Deductions|Pension|Overtime|Annual salary|Week|Month|Year|Branch|Branch code|Due date|Fax',
    'Employer name|Employer account number|Payer name|Debtor IBAN|Debit account|Employee rate|Account ID|Account manager',
    'Kostenstelle|Abteilung|Brutto|Steuerklasse|Geburtsdatum|Eintritt|Austritt|Datum|Lohnart|Stunden|Auftraggeber IBAN',
    'Centre de coût|Service|Brut|Poste|Date de naissance|Departamento|Puesto|Fecha|Bruto|Reparto|Data|Lordo|Afdeling',
    'Dział|Stanowisko|Vorname|Nachname|First name|Prénom|Apellidos|Cognome|Imię|Nazwisko|BIN|BCI|PAX|X|1|#|%|Address 3|Address3|',
  ])('none of %s', (headers) => {
    for (const header of headers.split('|'))
      expect([header, columnOf(header), near(header)]).toEqual([header, null, []]);
  });

  it.each(['name', 'IBAN', 'Empfänger', 'Empfaenger', 'EMPFANGER', 'Numéro de compte', 'Kwota przelewu', 'n° compte'])(
    'is not %j, which is ours',
    (header) => {
      expect(columnOf(header)).not.toBeNull();
      expect(near(header)).toEqual([]);
    },
  );

  it('costs nothing where it is as long as a page', () => {
    expect(near('acount number '.repeat(10_000))).toEqual([]);
  });
});

it.each([
  ['acount_number', 'account_number'],
  ['IBAN', 'account_number'],
  ['amuont', 'amount'],
  ['departement', null],
])('the mistyped column %j is %s', (text, column) => {
  expect(nearestColumnName(text)).toBe(column);
});

describe('what a slip of the fingers makes', () => {
  const words = COLUMN_NAMES.flatMap((column) => [column, ...synonymsOf(column)]).filter(
    (word) => headerKey(word).length >= 7 && /^(?:[a-z]{4,}[_ ]?)+$/i.test(word),
  );
  const slip = fc
    .tuple(fc.constantFrom(...words), fc.nat(), fc.constantFrom('leave', 'double', 'swap'))
    .map(([word, random, kind]) => {
      const at = random % (word.length - 1);
      const pair = word.slice(at, at + 2);
      const made = kind === 'leave' ? pair.slice(1) : kind === 'double' ? pair[0] + pair : `${pair[1]}${pair[0]}`;
      return { word, slipped: word.slice(0, at) + made + word.slice(at + 2) };
    });

  it('of a word of ours is nearly always that column, seldom none, hardly ever another', () => {
    const found = { right: 0, none: 0, wrong: 0 };
    fc.assert(
      fc.property(slip, ({ word, slipped }) => {
        if (columnOf(slipped) !== null || OTHER.test(slipped)) return;
        const columns = nearMisses(slipped).map(({ column }) => column);
        found[
          columns.length === 0 ? 'none' : columns.some((column) => column === columnOf(word)) ? 'right' : 'wrong'
        ]++;
      }),
      { numRuns: cases(500, 2_000) },
    );
    expect(found.none).toBeLessThan(found.right / 4);
    expect(found.wrong).toBeLessThan(found.right / 50);
  });

  /** Headers about another party are never near to ours. */
  const OTHER = /pay[eo]r|debit|debtor|send|order/i;
});

describe('the distance of letters', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 8 });

  it.each([
    ['', '', 0],
    ['name', 'nmae', 1],
    ['name', 'names', 1],
    ['name', 'same', 1],
    ['amount', 'ammuont', 2],
    ['abc', 'cba', 2],
    ['ca', 'abc', 3],
  ])('%j to %j is %i', (a, b, distance) => {
    expect(letterDistance(a, b, 9)).toBe(distance);
  });

  it('is the same both ways, nothing only to itself, and never more than the longer word', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = letterDistance(a, b, 99);
        expect(letterDistance(b, a, 99)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        for (const max of [0, 1, 2, 3]) expect(letterDistance(a, b, max)).toBe(Math.min(distance, max + 1));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a header as it is compared', () => {
  it.each([
    ['Straße', 'strasse'],
    ['Numéro de compte', 'numerodecompte'],
    ['Właściciel', 'wlasciciel'],
    ['Employee #', 'employeeno'],
    ['n° compte', 'nocompte'],
    ['Nº de cuenta', 'nodecuenta'],
    ['IBAN (Pflichtfeld)', 'iban'],
    ['Amount [required]', 'amount'],
    ['Amount (AUD)', 'amountaud'],
    ['口座番号', '口座番号'],
    ['---', ''],
  ])('%j is %j', (header, key) => {
    expect(headerKey(header)).toBe(key);
  });

  it('is the same for what it is compared with', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(headerIdentity(headerIdentity(text))).toBe(headerIdentity(text));
        expect(headerKey(text.toUpperCase().toLowerCase())).toBe(
          headerKey(headerKey(text.toUpperCase().toLowerCase())),
        );
      }),
    );
  });
});
