import type { RowCells } from '../row-cells.ts';
import { countriesNear, countryCodeOf } from './country-text.ts';

/** So many different texts of one file are compared with all names; for more it would take too long. */
const TEXTS_COMPARED = 200;

/** Reads `country`, a code or a name, as the alpha-2 code that the service takes. Null where it is empty, or with the problem noted. */
export function readCountry(cells: RowCells): string | null {
  const text = cells.text('country');
  if (text === '') return null;
  const code = countryCodeOf(text);
  if (code !== null) return code;
  cells.error('country', {
    code: 'country_unknown',
    message: 'This is neither the code nor the name of a country.',
    remedy: remedyFor(cells, text),
  });
  return null;
}

function remedyFor({ countryRemedies }: RowCells, text: string): string {
  const known = countryRemedies.get(text);
  if (known !== undefined) return known;
  const near = countryRemedies.size < TEXTS_COMPARED ? countriesNear(text) : [];
  const list = near.map(({ code, name }) => `${code} for ${name}`).join(', ');
  const remedy =
    near.length === 0 ? 'Write its code of two letters (ISO 3166-1), such as AU, or its name.' : `Write ${list}.`;
  if (countryRemedies.size < TEXTS_COMPARED) countryRemedies.set(text, remedy);
  return remedy;
}
