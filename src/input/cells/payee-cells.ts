import type { Payee } from '../../domain/payee.ts';
import { fault } from '../../domain/problem.ts';
import type { TextColumn } from '../../domain/problems/input-problems.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { countriesNear, countryCodeOf } from './country-text.ts';
import type { RowCells } from './row-cells.ts';
import { checkName, readText } from './text-cells.ts';

/** Longest texts that the service's recipient records take, in characters; names are shorter by what banks carry. */
const MAX = {
  name: 140,
  payee_id: 100,
  email: 254,
  entity_name: 200,
  registration_number: 100,
  address_line1: 200,
  address_line2: 200,
  city: 100,
  state: 100,
  postal_code: 20,
} as const satisfies Partial<Record<TextColumn, number>>;

const ADDRESS_COLUMNS: readonly ColumnName[] = [
  'address_line1',
  'address_line2',
  'city',
  'state',
  'postal_code',
  'country',
];

/** What makes a payee a business, or gives it an address. */
export const BUSINESS_COLUMNS: readonly ColumnName[] = ['entity_name', 'registration_number', ...ADDRESS_COLUMNS];

/** So many different texts of one file are compared with all names of countries; for more it would take too long. */
const COUNTRIES_COMPARED = 200;

/**
 * Reads what goes into the recipient record. `name` is empty where it is missing, with the problem noted. `hasBusiness`:
 * whether the file has any of the business columns, which is asked once rather than for each row.
 */
export function readPayee(cells: RowCells, hasBusiness: boolean): Payee {
  const name = read(cells, 'name');
  if (name !== null) checkName(cells, 'name', name);
  else if (cells.has('name')) cells.error('name', fault('name_missing'));
  return {
    payee_id: read(cells, 'payee_id'),
    name: name ?? '',
    email: readEmail(cells),
    phone: readPhone(cells),
    business: hasBusiness ? readBusiness(cells) : null,
  };
}

function read(cells: RowCells, column: keyof typeof MAX): string | null {
  return readText(cells, column, MAX[column]);
}

function readEmail(cells: RowCells): string | null {
  const email = read(cells, 'email');
  if (email === null || /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email)) return email;
  cells.error('email', fault('email_invalid'));
  return null;
}

/** A number without its country code cannot be dialled from abroad, so it is left out with a warning. */
function readPhone(cells: RowCells): Payee['phone'] {
  const number = cells.text('phone_number');
  if (number === '') return null;
  const countryCode = cells.text('phone_country_code');
  if (/^\+?\d{1,4}$/.test(countryCode) && /^[\d\s()./-]{3,32}$/.test(number))
    return { country_code: countryCode.startsWith('+') ? countryCode : `+${countryCode}`, number };
  cells.warn('phone_number', fault('phone_left_out'));
  return null;
}

function readBusiness(cells: RowCells): Payee['business'] {
  if (BUSINESS_COLUMNS.every((column) => cells.text(column) === '')) return null;
  const hasAddress = ADDRESS_COLUMNS.some((column) => cells.text(column) !== '');
  return {
    entity_name: read(cells, 'entity_name'),
    registration_number: read(cells, 'registration_number'),
    address: hasAddress
      ? {
          line1: read(cells, 'address_line1'),
          line2: read(cells, 'address_line2'),
          city: read(cells, 'city'),
          state: read(cells, 'state'),
          postal_code: read(cells, 'postal_code'),
          country: readCountry(cells),
        }
      : null,
  };
}

/** A code or a name, as the alpha-2 code that the service takes. Null where it is empty, or with the problem noted. */
function readCountry(cells: RowCells): string | null {
  const text = cells.text('country');
  if (text === '') return null;
  const code = countryCodeOf(text);
  if (code !== null) return code;
  const { countryFaults: known } = cells;
  const isCompared = known.size < COUNTRIES_COMPARED;
  const what = known.get(text) ?? fault('country_unknown', { near: isCompared ? countriesNear(text) : [] });
  if (isCompared) known.set(text, what);
  cells.error('country', what);
  return null;
}
