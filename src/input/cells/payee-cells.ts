import type { Payee } from '../../domain/payee.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { readCountry } from './countries/country-cells.ts';
import { checkName } from './name-checks.ts';
import type { RowCells } from './row-cells.ts';
import { readText } from './text-cells.ts';

/** Longest texts that the service's recipient records take, in characters; names are shorter by what banks carry. */
const NAME_MAX = 140;
const PAYEE_ID_MAX = 100;
const EMAIL_MAX = 254;
const ADDRESS_LINE_MAX = 200;
const PLACE_MAX = 100;
const POSTAL_CODE_MAX = 20;
const ENTITY_NAME_MAX = 200;
const REGISTRATION_NUMBER_MAX = 100;

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

/**
 * Reads what goes into the recipient record. `name` is empty where it is missing, with the problem noted. `hasBusiness`:
 * whether the file has any of the business columns, which is asked once rather than for each row.
 */
export function readPayee(cells: RowCells, hasBusiness: boolean): Payee {
  const name = readText(cells, 'name', NAME_MAX);
  if (name !== null) checkName(cells, 'name', name);
  else if (cells.has('name'))
    cells.error('name', {
      code: 'name_missing',
      message: 'The name of the payee is missing.',
      remedy: 'Write the name of the person or company that is paid.',
    });
  return {
    payee_id: readText(cells, 'payee_id', PAYEE_ID_MAX),
    name: name ?? '',
    email: readEmail(cells),
    phone: readPhone(cells),
    business: hasBusiness ? readBusiness(cells) : null,
  };
}

function readEmail(cells: RowCells): string | null {
  const email = readText(cells, 'email', EMAIL_MAX);
  if (email === null || /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email)) return email;
  cells.error('email', {
    code: 'email_invalid',
    message: 'This is not an e-mail address.',
    remedy: 'Correct the address, or leave it empty.',
  });
  return null;
}

/** A number without its country code cannot be dialled from abroad, so it is left out, and said so. */
function readPhone(cells: RowCells): Payee['phone'] {
  const number = cells.text('phone_number');
  if (number === '') return null;
  const countryCode = cells.text('phone_country_code');
  if (/^\+?\d{1,4}$/.test(countryCode) && /^[\d\s()./-]{3,32}$/.test(number))
    return { country_code: countryCode.startsWith('+') ? countryCode : `+${countryCode}`, number };
  cells.warn('phone_number', {
    code: 'phone_left_out',
    message: 'The phone number and its country code could not both be read, so the recipient is made without them.',
    remedy: 'Write the code (+61) into phone_country_code and the rest, in digits, into phone_number.',
  });
  return null;
}

function readBusiness(cells: RowCells): Payee['business'] {
  if (BUSINESS_COLUMNS.every((column) => cells.text(column) === '')) return null;
  const hasAddress = ADDRESS_COLUMNS.some((column) => cells.text(column) !== '');
  return {
    entity_name: readText(cells, 'entity_name', ENTITY_NAME_MAX),
    registration_number: readText(cells, 'registration_number', REGISTRATION_NUMBER_MAX),
    address: hasAddress
      ? {
          line1: readText(cells, 'address_line1', ADDRESS_LINE_MAX),
          line2: readText(cells, 'address_line2', ADDRESS_LINE_MAX),
          city: readText(cells, 'city', PLACE_MAX),
          state: readText(cells, 'state', PLACE_MAX),
          postal_code: readText(cells, 'postal_code', POSTAL_CODE_MAX),
          country: readCountry(cells),
        }
      : null,
  };
}
