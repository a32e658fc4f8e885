import { sha256 } from '../../hashing.ts';
import type { AccountField, BanksName, DigitField } from '../../problems/account-problems.ts';
import {
  type Check,
  error,
  type Found,
  NOTHING,
  type RailFields,
  type RailName,
  suggesting,
  warning,
} from '../rail.ts';

/** What a field of digits, or of ASCII letters and digits, must look like in its compact form. */
export type DigitsRule = {
  /** With it the codes of its problems begin: `sort_code_missing`. */
  field: DigitField;
  min: number;
  max: number;
  letters?: boolean;
  /** At least this many digits, and fewer than `min`, look like leading zeros that a spreadsheet has dropped. */
  padFrom?: number;
  /** The zeros are part of the number itself, so that the number without them can mean nothing else. */
  isPaddingCertain?: boolean;
  /** The shortest length on which banks and payment providers agree. A shorter one is a warning. */
  usual?: { min: number; banks: BanksName };
};

/**
 * The text without blanks and hyphens and with its letters upper-cased. People group identifiers with them (`062-000`,
 * `DE89 3704 …`), and no scheme gives them a meaning.
 */
export function compact(text: string): string {
  return /^[0-9A-Z]*$/.test(text) ? text : text.replace(/[\s-]+/g, '').toUpperCase();
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** The check of a field of digits: the first thing that is wrong with it. */
export function digits(rule: DigitsRule): Check {
  return (value) => checkDigits(value, rule);
}

export function checkDigits(value: string, rule: DigitsRule): readonly Found[] {
  const { field, min, max, letters = false, padFrom = min, usual } = rule;
  const { length } = value;
  if (!(letters ? /^[A-Z0-9]+$/ : /^\d+$/).test(value))
    return missingOrScientific(value, field) ?? error(`${field}_characters`, { field, min, max, letters });
  if (length >= min && length <= max)
    return usual === undefined || length >= usual.min
      ? NOTHING
      : warning('account_number_unusual', { has: length, min: usual.min, max, banks: usual.banks });
  if (length >= padFrom && length < min) return leadingZero(value, rule);
  return error(`${field}_length`, { field, has: length, min, max, letters });
}

/** What is wrong with a field that is empty, or a number as a spreadsheet shows it (`6.4618E+17`); else null. */
export function missingOrScientific(value: string, field: AccountField): Found[] | null {
  if (value === '') return error(`${field}_missing`, { field });
  return /^\d+(?:[.,]\d+)?E\+?\d+$/.test(value) ? error(`${field}_scientific`, { field }) : null;
}

/** Leading zeros are missing. It shows the padded value and leaves the decision to a person, unless it is certain. */
export function leadingZero(value: string, { field, min, isPaddingCertain }: DigitsRule): Found[] {
  const padded = value.padStart(min, '0');
  const found = error(`${field}_leading_zero`, { field, has: value.length, length: min, padded });
  return suggesting(found, isPaddingCertain ? padded : undefined);
}

/** Hex SHA-256 of `fingerprintText`: recognises an account without telling its number. */
export function fingerprint(rail: RailName, fields: RailFields): string {
  return sha256(fingerprintText(rail, fields));
}

/**
 * `type|national_clearing_code|account_number|bic`, or `WEB3|chain|address` for wallets, each part upper-cased with
 * blanks and hyphens removed (`decisions.md`, shapes). An e-mail address that is a PIX key keeps its hyphens: they are
 * part of it, and without them two people would have one fingerprint.
 */
export function fingerprintText(rail: RailName, fields: RailFields): string {
  if (rail === 'WEB3') return `WEB3|${compact(fields.chain)}|${compact(fields.wallet_address)}`;
  const { account_number } = fields;
  const account = account_number.includes('@') ? account_number.trim().toUpperCase() : compact(account_number);
  return `${rail}|${compact(fields.national_clearing_code)}|${account}|${compact(fields.bic)}`;
}
