import { countrySpecs, isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { type Check, error, type Found, NOTHING, suggesting, warning } from '../rail.ts';
import { checkDigits, type DigitsRule, missingOrScientific } from './digits.ts';

/** Countries that joined the SEPA schemes in 2024 and 2025 (EPC409-09), which the library's list does not have yet. */
const JOINED_SEPA_LATELY = new Set(['AL', 'MD', 'ME', 'MK', 'RS']);

/**
 * Where the IBAN registry (SWIFT, release 99) has letters, digits or both, and the library has another structure: it takes
 * digits for the letters of a bank, or refuses letters in an account.
 */
const STRUCTURES: Readonly<Record<string, string>> = {
  BY: '^[A-Z0-9]{4}[0-9]{4}[A-Z0-9]{16}$',
  DO: '^[A-Z0-9]{4}[0-9]{20}$',
  GE: '^[A-Z]{2}[0-9]{16}$',
  IE: '^[A-Z]{4}[0-9]{14}$',
  PK: '^[A-Z]{4}[A-Z0-9]{16}$',
  PS: '^[A-Z]{4}[A-Z0-9]{21}$',
  TR: '^[0-9]{6}[A-Z0-9]{16}$',
  VG: '^[A-Z]{4}[0-9]{16}$',
};
for (const [country, structure] of Object.entries(STRUCTURES)) {
  const spec = countrySpecs[country];
  if (spec) spec.bban_regexp = structure;
}

/** The most that a SWIFT message carries (field 59: /34x), and the least that any rail has. */
const FOREIGN_ACCOUNT: DigitsRule = { field: 'account_number', min: 4, max: 34, letters: true };

/**
 * Everything wrong with an IBAN in its compact form: country and length by the IBAN registry, check digits by ISO 13616
 * (ISO 7064 mod 97-10). A national check digit that fails is a warning: the registry of those rules is not complete.
 * `isReached` says whether the rail pays to an IBAN that is right, so that no other one is suggested.
 */
export function checkIban(value: string, isReached: (iban: string) => boolean = () => true): readonly Found[] {
  const unreadable = missingOrScientific(value, 'iban');
  if (unreadable !== null) return unreadable;
  // `IBAN DE89 …`, as it is printed on invoices. What stands behind the word proves itself.
  const bare = value.replace(/^(?:IBAN:?)+/, '');
  if (bare !== value && strangeIn(bare) === undefined && validateIBAN(bare).valid) {
    return suggesting(error('iban_characters', { isBehindName: true }), isReached(bare) ? bare : undefined);
  }
  if (!/^[A-Z]{2}/.test(value)) return error('iban_characters', {});
  const character = strangeIn(value);
  if (character !== undefined) return error('iban_characters', { character });
  const { valid, errorCodes } = validateIBAN(value);
  if (valid) return NOTHING;
  const country = value.slice(0, 2);
  const codes = new Set(errorCodes);
  if (codes.has(ValidationErrorsIBAN.NoIBANCountry)) return error('iban_country', { country });
  if (codes.has(ValidationErrorsIBAN.WrongBBANLength))
    return error('iban_length', { has: value.length, country, length: ibanLength(country) });
  if (codes.has(ValidationErrorsIBAN.WrongBBANFormat)) return error('iban_format', { country });
  if (codes.has(ValidationErrorsIBAN.ChecksumNotNumber) || codes.has(ValidationErrorsIBAN.WrongIBANChecksum))
    return error('iban_checksum');
  return warning('iban_national_check');
}

/** The same where the rail pays to some IBANs only: `outside` is what is wrong with those of other countries. */
export function checkIbanWithin(value: string, outside: (country: string) => readonly Found[]): readonly Found[] {
  const found = checkIban(value, (iban) => outside(iban.slice(0, 2)).length === 0);
  return found.some(({ severity }) => severity === 'error') ? found : [...found, ...outside(value.slice(0, 2))];
}

/** Outside the SEPA schemes. */
export function outsideSepa(country: string): readonly Found[] {
  return isSEPACountry(country) || JOINED_SEPA_LATELY.has(country) ? NOTHING : error('iban_not_sepa', { country });
}

/**
 * Everything wrong with an account that may be kept in any country, in its compact form. One that begins as an IBAN and
 * is long enough for one is checked as an IBAN. A shorter one is a warning: a number may begin like this by chance.
 */
export function checkForeignAccount(value: string): readonly Found[] {
  if (foreignAccountCountry(value) !== null) return checkIban(value);
  const wrong = checkDigits(value, FOREIGN_ACCOUNT);
  if (wrong.length > 0) return wrong;
  const country = ibanCountryOf(value);
  return country === null
    ? NOTHING
    : warning('iban_short', { has: value.length, country, length: ibanLength(country) });
}

/** The country of an account that is taken for an IBAN, else null: nothing tells where it is kept. */
export function foreignAccountCountry(value: string): string | null {
  const country = ibanCountryOf(value);
  return country !== null && value.length >= ibanLength(country) ? country : null;
}

/** The country whose IBANs begin as the value does, by the IBAN registry, or null. The rest is not looked at. */
export function ibanCountryOf(value: string): string | null {
  if (!/^[A-Z]{2}\d\d/.test(value)) return null;
  const country = value.slice(0, 2);
  return countrySpecs[country]?.IBANRegistry ? country : null;
}

/** How many characters an IBAN of a country has; 0 where it has none. */
function ibanLength(country: string): number {
  return countrySpecs[country]?.chars ?? 0;
}

/** The first character that no IBAN has. The library throws at some of them, so it is never given one. */
function strangeIn(value: string): string | undefined {
  return /[^A-Z0-9]/u.exec(value)?.[0];
}

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
