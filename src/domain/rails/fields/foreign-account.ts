import type { Finding } from '../rail.ts';
import { checkLettersAndDigits, type DigitsRule } from './digits.ts';
import { checkIban, ibanCountryOf, ibanLength } from './iban.ts';

/** The most that a SWIFT message carries (field 59: /34x), and the least that any rail has. */
const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 4,
  max: 34,
};

/**
 * Everything wrong with an account that may be kept in any country, in its compact form. One that begins as an IBAN and
 * is long enough for one is checked as an IBAN. A shorter one is a warning: a number may begin like this by chance.
 */
export function checkForeignAccount(value: string): Finding[] {
  if (foreignAccountCountry(value) !== null) return checkIban(value);
  const wrong = checkLettersAndDigits(value, ACCOUNT);
  if (wrong !== null) return [wrong];
  const country = ibanCountryOf(value);
  return country === null ? [] : [shortIban(value, country)];
}

/** The country of an account that is taken for an IBAN, else null: nothing tells where it is kept. */
export function foreignAccountCountry(value: string): string | null {
  const country = ibanCountryOf(value);
  return country !== null && value.length >= ibanLength(country) ? country : null;
}

function shortIban(value: string, country: string): Finding {
  return {
    severity: 'warning',
    code: 'iban_short',
    field: 'account_number',
    message: `The account number begins like an IBAN, but has ${value.length} characters; an IBAN of ${country} has ${ibanLength(country)}.`,
    remedy: 'Compare the account number with its source.',
  };
}
