import type { ColumnName } from '../../app/check/headers.ts';
import { t, textTable } from '../../messages/translate.ts';

/** What a picker has for a column that is not used; forms may say `ignore` for it. */
export const notUsed = () => t`Not used`;

/** What people read for each column that payrun knows, in the order in which they are offered. */
const COLUMN_WORDS: Readonly<Record<ColumnName, string>> = textTable({
  name: 'Name of the payee',
  amount: 'Amount',
  currency: 'Currency',
  account_number: 'Account number or IBAN',
  national_clearing_code: 'Clearing code (BSB, sort code, ABA)',
  bic: 'BIC (SWIFT code)',
  rail: 'Rail: how it is paid',
  payee_id: 'Payee ID',
  reference: 'Reference',
  description: 'Description',
  source_currency: 'Currency it is paid from',
  account_type: 'Account type',
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
  state: 'State of the address',
  postal_code: 'Postal code',
  country: 'Country',
  recipient_id: 'Recipient at the service',
  external_account_id: 'Account at the service',
});

export function isColumnName(text: string): text is ColumnName {
  return Object.hasOwn(COLUMN_WORDS, text);
}

/** What people read for a column of ours; null for none. */
export function columnWords(means: string | null): string {
  return means !== null && isColumnName(means) ? COLUMN_WORDS[means] : (means ?? notUsed());
}

/** What stands over a column of rows, where it is shorter. */
const COLUMN_HEADS: Readonly<Partial<Record<ColumnName, string>>> = textTable({
  name: 'Name',
  account_number: 'Account',
  national_clearing_code: 'Bank code',
  bic: 'BIC',
  rail: 'Rail',
  source_currency: 'Source currency',
});

/** What stands over a column of rows: our word for it, or its header where it maps to nothing. */
export function headText(header: string, means: string | null): string {
  if (means === null || !isColumnName(means)) return header;
  return COLUMN_HEADS[means] ?? columnWords(means);
}

/** All of them, in the order in which they are offered. */
export function offeredWords(): string[] {
  return [...Object.values(COLUMN_WORDS), notUsed()];
}

/**
 * What somebody chose or typed for a column: its canonical name or our words for it, in any case; `ignore` for one that is
 * not used; empty for what payrun takes it for. Null where it is none of these.
 */
export function meaningOfText(typed: string): ColumnName | 'ignore' | '' | null {
  const plain = typed.trim().toLowerCase();
  if (plain === '' || plain === 'ignore') return plain;
  if (plain === notUsed().toLowerCase()) return 'ignore';
  if (isColumnName(plain)) return plain;
  const found = Object.entries(COLUMN_WORDS).find(([, words]) => words.toLowerCase() === plain);
  return found === undefined ? null : (found[0] as ColumnName);
}
