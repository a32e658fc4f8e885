import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/domain/countries.ts';
import {
  ALPHA_3_CODES,
  COUNTRY_LANGUAGES,
  countriesNear,
  countryCodeOf,
  OTHER_COUNTRY_NAMES,
  SHARED_NAMES,
} from '../../src/input/cells/country-text.ts';
import { headerKey, keysOf } from '../../src/input/header/header-key.ts';
import { readAll } from './reading.ts';

const SHARED = new Set(Object.keys(SHARED_NAMES).map(headerKey));

/** The countries, with their alpha-3 codes and what they are called. */
const ENTRIES = ALPHA_3_CODES.trim()
  .split(/\s+/)
  .map((pair) => {
    const code = pair.slice(0, 2);
    const known = COUNTRY_LANGUAGES.map(
      (language) => new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? '',
    );
    const others = OTHER_COUNTRY_NAMES[code]?.split('|') ?? [];
    return {
      code,
      alpha3: pair.slice(2),
      names: [...new Set([...known, ...others])].filter((name) => !SHARED.has(headerKey(name))),
    };
  });

describe('the table of countries', () => {
  it('has the countries of ISO 3166-1, each with an alpha-3 code of its own and its names', () => {
    expect(ENTRIES.map(({ code }) => code)).toEqual(COUNTRY_CODES);
    expect(new Set(ENTRIES.map(({ alpha3 }) => alpha3)).size).toBe(COUNTRY_CODES.length);
    for (const { alpha3, names } of ENTRIES) {
      expect(alpha3).toMatch(/^[A-Z]{3}$/);
      for (const name of names) expect([name, name.trim(), headerKey(name).length > 1]).toEqual([name, name, true]);
    }
  });

  it('gives no name to two countries, and none that is the code of another', () => {
    const codes = new Map(ENTRIES.flatMap(({ code, alpha3 }) => [code, alpha3].map((each) => [headerKey(each), code])));
    const owners = new Map<string, string>();
    for (const { code, names } of ENTRIES)
      for (const key of names.flatMap(keysOf)) {
        expect([key, owners.get(key) ?? code, codes.get(key) ?? code]).toEqual([key, code, code]);
        owners.set(key, code);
      }
    for (const name of Object.keys(SHARED_NAMES)) expect([name, countryCodeOf(name)]).toEqual([name, null]);
  });
});

describe('a country', () => {
  it('is read by its codes and by each of its names, in any case and with or without accents', () => {
    const cases = ENTRIES.flatMap(({ code, alpha3, names }) =>
      [code, alpha3, ...names].map((text) => ({ code, text })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.boolean(), fc.boolean(), ({ code, text }, isUpper, isPlain) => {
        const plain = isPlain ? text.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : text;
        expect(countryCodeOf(isUpper ? plain.toUpperCase() : plain.toLowerCase())).toBe(code);
      }),
    );
    for (const { code, text } of cases) expect([text, countryCodeOf(text)]).toEqual([text, code]);
  });

  it.each([
    ['Deutschland', 'DE'],
    ['DEU', 'DE'],
    ['Germany', 'DE'],
    ['Allemagne', 'DE'],
    ['United Kingdom', 'GB'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['Great Britain', 'GB'],
    ['GBR', 'GB'],
    ['España', 'ES'],
    ['ESPANA', 'ES'],
    ['Österreich', 'AT'],
    ['Oesterreich', 'AT'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['The Netherlands', 'NL'],
    ['Szwajcaria', 'CH'],
    ['Países Baixos', 'NL'],
    ['Czech Republic', 'CZ'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Saint Lucia', 'LC'],
    ['Antigua and Barbuda', 'AG'],
    ['Hong Kong', 'HK'],
    ['Turkey', 'TR'],
    ['Guinea', 'GN'],
    ['Ireland', 'IE'],
    ['RU', 'RU'],
    ['US', 'US'],
  ])('%s is %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code);
  });

  it.each([
    'SU',
    'ZZ',
    'XK',
    'EU',
    'XX',
    'SUN',
    'EUR',
    'R.U.',
    'É.-U.',
    'Europe',
    'World',
    'Congo',
    'Korea',
    'Germny',
    'München',
    '-',
    '276',
  ])('is not %s', (text) => {
    expect(countryCodeOf(text)).toBeNull();
  });
});

describe('a country that is not known', () => {
  it.each([
    ['Germny', ['DE Germany']],
    ['Deutchland', ['DE Germany']],
    ['Grmany', ['DE Germany']],
    ['Untied Kingdom', ['GB United Kingdom']],
    ['Congo', ['CD Congo - Kinshasa', 'CG Congo - Brazzaville']],
    ['KOREA', ['KP North Korea', 'KR South Korea']],
    ['Virgin Islands', ['VG British Virgin Islands', 'VI U.S. Virgin Islands']],
    ['Sweeden', ['SE Sweden']],
    // One letter from the one and two from Griekenland.
    ['Grexenland', ['GL Greenland']],
    // One letter from four.
    ['Ilanda', []],
    ['Europe', []],
    ['ZZ', []],
    ['GE1', []],
  ])('%s may be %j', (text, expected) => {
    expect(countriesNear(text).map(({ code, name }) => `${code} ${name}`)).toEqual(expected);
  });
});

describe('the column country', () => {
  const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code,country';
  const row = (country: string, at = 0) => `Ana,${at + 1},AUD,AUD_NPP,12345678,062-000,${country}`;

  it('takes a code or a name, and gives the service the code', async () => {
    const texts = ['AU', 'gb', 'Deutschland', ' España ', 'pol', ''];
    const { problems, runRows } = await readAll([HEADER, ...texts.map(row)].join('\n'));
    expect(problems).toEqual([]);
    expect(runRows.map(({ order }) => order?.payee.business?.address?.country)).toEqual([
      ...['AU', 'GB', 'DE', 'ES', 'PL'],
      undefined,
    ]);
  });

  it('says what is near to a name that it does not know, and never takes it', async () => {
    const { problems, payouts } = await readAll([HEADER, ...['Germny', 'Congo', 'Atlantis'].map(row)].join('\n'));
    expect(payouts).toBe(0);
    expect(problems).toMatchObject([
      { code: 'country_unknown', cell: 'G2', value: 'Germny', remedy: 'Write DE for Germany.' },
      { cell: 'G3', remedy: 'Write CD for Congo - Kinshasa, CG for Congo - Brazzaville.' },
      { cell: 'G4', remedy: 'Write its code of two letters (ISO 3166-1), such as AU, or its name.' },
    ]);
    for (const problem of problems) expect(problem).not.toHaveProperty('suggestion');
  });

  it('compares no more texts with all names than there is time for', async () => {
    const texts = Array.from({ length: 250 }, (_, at) => `Nowhere${'x'.repeat(at)}`);
    const { problems } = await readAll([HEADER, ...texts.map(row), row('Germny'), row('Germany')].join('\n'));
    expect(problems).toHaveLength(251);
    expect(problems.at(-1)?.remedy).toBe('Write its code of two letters (ISO 3166-1), such as AU, or its name.');
  });
});
