import { isValidBIC } from 'ibantools';
import type { Finding } from '../rail.ts';
import { missing } from './digits.ts';

/** Countries whose banks keep accounts under the IBANs of another one (IBAN registry, "country code includes"). */
const UNDER_ANOTHER_COUNTRY: ReadonlyMap<string, string> = new Map([
  ...['GG', 'IM', 'JE'].map((country) => [country, 'GB'] as const),
  ...['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'].map(
    (country) => [country, 'FR'] as const,
  ),
  ['AX', 'FI'],
]);

/**
 * What is wrong with a BIC (ISO 9362: 8 or 11 characters, the fifth and sixth a country), or null. Where the country of
 * the account is known, a BIC of another one is a warning and no more: some banks keep accounts under it.
 */
export function checkBic(value: string, need: 'required' | 'optional', accountCountry: string | null): Finding | null {
  if (value === '') return need === 'required' ? missing({ field: 'bic', code: 'bic', label: 'BIC' }) : null;
  if (isValidBIC(value)) return accountCountry === null ? null : checkCountry(value, accountCountry);
  return {
    severity: 'error',
    code: 'bic_invalid',
    field: 'bic',
    message: 'The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.',
    remedy:
      need === 'required' ? 'Compare the BIC with its source.' : 'Compare the BIC with its source, or leave it empty.',
  };
}

function checkCountry(bic: string, accountCountry: string): Finding | null {
  const country = bic.slice(4, 6);
  if (country === accountCountry || UNDER_ANOTHER_COUNTRY.get(country) === accountCountry) return null;
  return {
    severity: 'warning',
    code: 'bic_country',
    field: 'bic',
    message: `The BIC is that of a bank in ${country}, and the account is in ${accountCountry}.`,
    remedy: 'Make sure that the BIC and the account belong together.',
  };
}
