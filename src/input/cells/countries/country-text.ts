import { isCountry } from '../../../domain/countries.ts';
import { nearest } from '../../../domain/misspelling.ts';
import { headerKey, keysOf } from '../../header/header-key.ts';
import { slipsBetween } from '../../header/near-miss.ts';
import { ALPHA_3_CODES, COUNTRY_LANGUAGES, OTHER_COUNTRY_NAMES, SHARED_NAMES } from './country-names.ts';

/** A country, as it is called in English. */
export type NamedCountry = { code: string; name: string };

type Names = {
  byAlpha3: ReadonlyMap<string, string>;
  byKey: ReadonlyMap<string, string>;
  sharedByKey: ReadonlyMap<string, readonly string[]>;
  /** By alpha-2 code. */
  english: ReadonlyMap<string, string>;
};

/** Where more countries have a name as near, none is worth naming. */
const NEAR_MAX = 3;

let allNames: Names | null = null;

/** The alpha-2 code of the country that a code of ISO 3166-1 or a name means, or null where it means none for certain. */
export function countryCodeOf(text: string): string | null {
  const code = text.toUpperCase();
  if (isCountry(code)) return code;
  const { byAlpha3, byKey } = names();
  return byAlpha3.get(code) ?? byKey.get(headerKey(text)) ?? null;
}

/** The countries that may be meant by a text that means none for certain; none where it is near to no name. Slow. */
export function countriesNear(text: string): NamedCountry[] {
  const { sharedByKey, english } = names();
  const key = headerKey(text);
  return (sharedByKey.get(key) ?? nearestCodes(key)).map((code) => ({ code, name: english.get(code) ?? code }));
}

/** Made at the first country that is not two letters: it takes some 30 ms. */
function names(): Names {
  allNames ??= namesOfAll();
  return allNames;
}

/** Shorter ones are codes, perhaps of another country: the United Kingdom is `RU` in French. */
const NAME_LETTERS_MIN = 3;

function namesOfAll(): Names {
  const sharedByKey = new Map(Object.entries(SHARED_NAMES).map(([name, codes]) => [headerKey(name), codes]));
  const styles = COUNTRY_LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map((style) => new Intl.DisplayNames(language, { type: 'region', style })),
  );
  const byAlpha3 = new Map<string, string>();
  const byKey = new Map<string, string>();
  const english = new Map<string, string>();
  for (const pair of ALPHA_3_CODES.trim().split(/\s+/)) {
    const code = pair.slice(0, 2);
    byAlpha3.set(pair.slice(2), code);
    const shown = styles.map((style) => style.of(code) ?? code);
    english.set(code, shown[0] ?? code);
    const written = shown.flatMap(spellings).filter((name) => headerKey(name).length >= NAME_LETTERS_MIN);
    for (const name of [...written, ...(OTHER_COUNTRY_NAMES[code]?.split('|') ?? [])])
      for (const key of keysOf(name)) if (!sharedByKey.has(key)) byKey.set(key, code);
  }
  return { byAlpha3, byKey, sharedByKey, english };
}

/** `St. Vincent & Grenadines` is also written `Saint Vincent and Grenadines`. */
function spellings(name: string): string[] {
  const whole = name.replace(/^St\. /, 'Saint ');
  return [name, whole, name.replace(' & ', ' and '), whole.replace(' & ', ' and ')];
}

/** The codes of the countries whose names are the fewest slips of the fingers away. */
function nearestCodes(key: string): string[] {
  const near = nearest(names().byKey, ([name]) => slipsBetween(key, name));
  const codes = new Set(near.map(([, code]) => code));
  return codes.size > NEAR_MAX ? [] : [...codes];
}
