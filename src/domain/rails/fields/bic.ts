import { isValidBIC } from 'ibantools';
import { type Check, error, NOTHING, warning } from '../rail.ts';

/** Countries whose banks keep accounts under the IBANs of another one (IBAN registry, "country code includes"). */
const UNDER_ANOTHER_COUNTRY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    GB: ['GG', 'IM', 'JE'],
    FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
    FI: ['AX'],
  }).flatMap(([country, others]) => others.map((other) => [other, country] as const)),
);

/**
 * The check of a BIC (ISO 9362: 8 or 11 characters, the fifth and sixth a country). Where the country of the account is
 * known, a BIC of another one is a warning and no more: some banks keep accounts under it.
 */
export function bic(need: 'required' | 'optional', countryOf: (account: string) => string | null): Check {
  const isOptional = need === 'optional';
  return (value, { account_number }) => {
    if (value === '') return isOptional ? NOTHING : error('bic_missing', { field: 'bic' });
    if (!isValidBIC(value)) return error('bic_invalid', { isOptional });
    const [bank, account] = [value.slice(4, 6), countryOf(account_number)];
    const fits = account === null || bank === account || UNDER_ANOTHER_COUNTRY.get(bank) === account;
    return fits ? NOTHING : warning('bic_country', { bank, account });
  };
}
