import { columnOf } from '../../input/header/columns.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';

/** What people read for each column that payrun knows, in the order in which they are offered. */
export const COLUMN_WORDS: Readonly<Record<ColumnName, string>> = {
  name: 'Name of the payee',
  amount: 'Amount',
  currency: 'Currency',
  account_number: 'Account number or IBAN',
  national_clearing_code: 'Clearing code (BSB, sort code, routing number)',
  bic: 'BIC (SWIFT code)',
  rail: 'Rail: how it is paid',
  payee_id: 'Id of the payee',
  reference: 'Reference',
  description: 'Description',
  source_currency: 'Currency that it is paid from',
  account_type: 'Type of the account',
  account_name: 'Name of the account',
  wallet_address: 'Wallet address',
  chain: 'Chain',
  email: 'E-mail',
  phone_country_code: 'Country code of the phone',
  phone_number: 'Phone',
  entity_name: 'Name of the company',
  registration_number: 'Registration number',
  address_line1: 'Address, first line',
  address_line2: 'Address, second line',
  city: 'City',
  state: 'State',
  postal_code: 'Postal code',
  country: 'Country',
  recipient_id: 'Recipient at the service',
  external_account_id: 'Account at the service',
};

export function isColumnName(text: string): text is ColumnName {
  return Object.hasOwn(COLUMN_WORDS, text);
}

const DATE = /(?<!\d)(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/g;
const DIGITS_OF_A_HEADER = 4;

/** Whether a header has more digits than a year, dates apart: then it is what a payout holds, and may be an account. */
export function looksLikeAccount(header: string): boolean {
  const digits = header.replace(DATE, '').match(/\p{Nd}/gu) ?? [];
  return digits.length > DIGITS_OF_A_HEADER;
}

const KNOWN_OF_A_HEADER = 2;

/**
 * Whether a row is a header, and not a payout of a sheet that has none: two of its cells are headers that payrun knows by
 * themselves, or none of them holds a figure. What somebody has said of them proves nothing.
 */
export function hasHeader(columns: readonly { header: string }[]): boolean {
  const known = new Set(columns.map(({ header }) => columnOf(header)).filter((column) => column !== null));
  return known.size >= KNOWN_OF_A_HEADER || columns.every(({ header }) => !/\p{Nd}/u.test(header) || isWords(header));
}

/** Words that a number stands beside, and no code of an account or a currency. */
function isWords(header: string): boolean {
  return /\p{L}{4}/u.test(header) && !/[A-Z]{4}\p{Nd}|\p{Nd}[A-Z]{4}/u.test(header);
}
