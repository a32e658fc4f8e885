import { countrySpecs, isSEPACountry, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import type { Finding } from '../rail.ts';
import { checkScientific, missing } from './digits.ts';

const IBAN = { field: 'account_number', code: 'iban', label: 'IBAN' } as const;

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

/**
 * Everything wrong with an IBAN in its compact form: country and length by the IBAN registry, check digits by ISO 13616
 * (ISO 7064 mod 97-10). A national check digit that fails is a warning: the registry of those rules is not complete.
 * `isReached` says whether the rail pays to an IBAN that is right, so that no other one is suggested.
 */
export function checkIban(value: string, isReached: (iban: string) => boolean = () => true): Finding[] {
  if (value === '') return [missing(IBAN)];
  const scientific = checkScientific(value, IBAN);
  if (scientific !== null) return [scientific];
  const bare = value.replace(/^(?:IBAN:?)+/, '');
  if (bare !== value && strangeIn(bare) === null && validateIBAN(bare).valid)
    return [behindItsName(bare, isReached(bare))];
  if (!/^[A-Z]{2}/.test(value))
    return [iban('iban_characters', 'This is not an IBAN: an IBAN begins with two letters for its country.')];
  const strange = strangeIn(value);
  if (strange !== null) return [strangeCharacter(strange)];
  const result = validateIBAN(value);
  if (result.valid) return [];
  const codes = new Set(result.errorCodes);
  if (codes.has(ValidationErrorsIBAN.NoIBANCountry))
    return [iban('iban_country', `No IBANs are issued under the country code ${value.slice(0, 2)}.`)];
  if (codes.has(ValidationErrorsIBAN.WrongBBANLength)) return [wrongLength(value)];
  if (codes.has(ValidationErrorsIBAN.WrongBBANFormat))
    return [iban('iban_format', `Letters and digits of the IBAN do not stand where ${value.slice(0, 2)} has them.`)];
  if (codes.has(ValidationErrorsIBAN.ChecksumNotNumber) || codes.has(ValidationErrorsIBAN.WrongIBANChecksum))
    return [iban('iban_checksum', 'The check digits of the IBAN are wrong, so at least one character is.')];
  return [
    {
      ...iban('iban_national_check', 'The IBAN is well formed, but the check digit of its own country does not fit.'),
      severity: 'warning',
    },
  ];
}

/** The finding for an IBAN of a country outside the SEPA schemes, or null. */
export function checkSepaCountry(iban: string): Finding | null {
  const country = iban.slice(0, 2);
  if (isSEPACountry(country) || JOINED_SEPA_LATELY.has(country)) return null;
  return {
    severity: 'error',
    code: 'iban_not_sepa',
    field: 'account_number',
    message: `SEPA does not reach accounts in ${country}.`,
    remedy: 'Pay this account by another rail.',
  };
}

/** The finding for an IBAN of another country than the one that a rail pays to, or null. */
export function checkIbanCountry(iban: string, country: string): Finding | null {
  if (iban.slice(0, 2) === country) return null;
  return {
    severity: 'error',
    code: 'iban_of_another_country',
    field: 'account_number',
    message: `This rail pays accounts in ${country}, and the IBAN is one of ${iban.slice(0, 2)}.`,
    remedy: 'Pay this account by another rail.',
  };
}

/** The country whose IBANs begin as the value does, by the IBAN registry, or null. Says nothing about the rest. */
export function ibanCountryOf(value: string): string | null {
  if (!/^[A-Z]{2}\d\d/.test(value)) return null;
  const country = value.slice(0, 2);
  return countrySpecs[country]?.IBANRegistry ? country : null;
}

/** How many characters an IBAN of a country has; 0 where it has none. */
export function ibanLength(country: string): number {
  return countrySpecs[country]?.chars ?? 0;
}

/** The first character that no IBAN has, or null. The library throws at some of them, so it is never given one. */
function strangeIn(value: string): string | null {
  return /[^A-Z0-9]/u.exec(value)?.[0] ?? null;
}

function strangeCharacter(character: string): Finding {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `“${character}” (${code})` : code;
  return iban('iban_characters', `An IBAN has only letters from A to Z and digits, and this one has ${shown}.`);
}

/** `IBAN DE89 …`, as it is printed on invoices. What stands behind the word proves itself. */
function behindItsName(bare: string, isReached: boolean): Finding {
  const finding = iban('iban_characters', 'The word IBAN stands before the IBAN itself.');
  return { ...finding, remedy: 'Write the IBAN alone.', ...(isReached && { suggestion: bare }) };
}

function wrongLength(value: string): Finding {
  const country = value.slice(0, 2);
  return iban('iban_length', `The IBAN has ${value.length} characters; one of ${country} has ${ibanLength(country)}.`);
}

function iban(code: string, message: string): Finding {
  return {
    severity: 'error',
    code,
    field: 'account_number',
    message,
    remedy: 'Compare the IBAN with its source, or ask the payee for it again.',
  };
}
