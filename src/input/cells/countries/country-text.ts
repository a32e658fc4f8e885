import { isCountry } from '../../../domain/countries.ts';
import { headerKey, keysOf } from '../../header/header-key.ts';
import { slipsBetween } from '../../header/near-miss.ts';
import { COUNTRY_TABLE, SHARED_NAMES } from './country-names.ts';

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
  return (sharedByKey.get(key) ?? nearest(key)).map((code) => ({ code, name: english.get(code) ?? code }));
}

/** Made at the first country that is not two letters. */
function names(): Names {
  allNames ??= readTable();
  return allNames;
}

function readTable(): Names {
  const byAlpha3 = new Map<string, string>();
  const byKey = new Map<string, string>();
  const english = new Map<string, string>();
  for (const entry of COUNTRY_TABLE.trim().split(/\n(?! )/)) {
    const [, code = '', alpha3 = '', list = ''] = /^(..) (...) (.*)$/s.exec(entry) ?? [];
    const written = list.split('|').map((name) => name.trim());
    byAlpha3.set(alpha3, code);
    english.set(code, written[0] ?? code);
    for (const name of written) for (const key of keysOf(name)) byKey.set(key, code);
  }
  const sharedByKey = new Map(Object.entries(SHARED_NAMES).map(([name, codes]) => [headerKey(name), codes]));
  return { byAlpha3, byKey, sharedByKey, english };
}

/** The codes of the countries whose names are the fewest slips of the fingers away. */
function nearest(key: string): string[] {
  let least = Number.POSITIVE_INFINITY;
  const codes = new Set<string>();
  for (const [name, code] of names().byKey) {
    const slips = slipsBetween(key, name);
    if (slips === null || slips > least) continue;
    if (slips < least) codes.clear();
    least = slips;
    codes.add(code);
  }
  return codes.size > NEAR_MAX ? [] : [...codes];
}
