import type { ProblemCode, ProblemParams } from '../../domain/problem.ts';
import type { AccountField, FieldLengths } from '../../domain/problems/account-problems.ts';
import type { CurrencyMark } from '../../domain/problems/input-problems.ts';
import { counted } from '../text.ts';
import { t, textTable } from '../translate.ts';
import { ALL_FIELDS, DIGIT_FIELDS, LABELS } from './account-labels.ts';

type ShortWords = { [Code in keyof ProblemParams]?: (params: ProblemParams[Code]) => string };

/** What is wrong in the few words that fit beside a row; null where only the whole sentence says it. */
export function shortReason({ code, params }: { code: string; params: object }): string | null {
  // The compiler cannot see that the code picks the words of its own parameters.
  const words = SHORT[code as ProblemCode] as ((params: object) => string) | undefined;
  if (words === undefined) return plainWords(code);
  try {
    return words(params);
  } catch {
    // Another version of payrun kept it, with other parameters.
    return null;
  }
}

/** Null where the words depend on what the problem is filled with. */
export function plainWords(code: string): string | null {
  const words: Partial<Record<ProblemCode, string>> = PLAIN;
  return words[code as ProblemCode] ?? null;
}

type OfField = { field: AccountField };

const ofAccount: Record<string, (params: never) => string> = {
  ...each(ALL_FIELDS, 'missing', ({ field }: OfField) => t`${label(field)}: missing`),
  ...each(ALL_FIELDS, 'scientific', ({ field }: OfField) => t`${label(field)}: scientific notation`),
  ...each(DIGIT_FIELDS, 'characters', ({ field }: OfField) => t`${label(field)}: wrong characters`),
  ...each(DIGIT_FIELDS, 'length', ({ field, has, ...lengths }: OfField & { has: number } & FieldLengths) =>
    lengthText(field, has, lengths),
  ),
  ...each(DIGIT_FIELDS, 'leading_zero', ({ field, has, length }: OfField & { has: number; length: number }) =>
    lengthText(field, has, { min: length, max: length, letters: false }),
  ),
  ...each(
    ['iban', 'clabe', 'cpf', 'cnpj', 'aba', 'wallet_address'],
    'checksum',
    (_: object, field: AccountField) => t`${label(field)}: checksum wrong`,
  ),
  ...each(
    ['bic', 'pix_key', 'wallet_address'],
    'invalid',
    (_: object, field: AccountField) => t`${label(field)}: not valid`,
  ),
  ...each(['iban'], 'characters', (_: object, field: AccountField) => t`${label(field)}: wrong characters`),
  ...each(['iban'], 'format', (_: object, field: AccountField) => t`${label(field)}: not valid`),
  ...each(['iban'], 'length', ({ has, length }: ProblemParams['iban_length'], field: AccountField) =>
    lengthText(field, has, { min: length, max: length, letters: true }),
  ),
};

/** The words that are the same whatever a problem is filled with. */
export const PLAIN = textTable({
  account_changed: 'Account changed',
  account_first_time: 'New account',
  payee_first_time: 'First payment',
  amount_changed: 'Amount changed',
  paid_before: 'Paid before',
  left_out_paid_before: 'Paid before: left out',
  unknown_payment: 'May have been paid already',
  payee_on_hold: 'On hold: do not pay',
  name_missing: 'Name: missing',
  name_placeholder: 'Not a real name',
  name_like_placeholder: 'Not a real name?',
  name_without_letters: 'Name has no letters',
  name_only_digits: 'Name is a number',
  name_mixed_alphabets: 'Name mixes alphabets',
  email_invalid: 'Not an e-mail address',
  country_unknown: 'Not a country',
  account_modulus: 'Sort code does not fit',
  amount_missing: 'Amount: missing',
  amount_not_a_number: 'Not a number',
  amount_ambiguous: 'Point or comma unclear',
  amount_scientific: 'Scientific notation',
  amount_digits_lost: 'Digits lost',
  identifier_digits_lost: 'Digits lost',
  identifier_number: 'Zeros in front lost?',
  amount_too_large: 'Amount too large',
  amount_not_positive: 'Amount not above zero',
  amount_is_percentage: 'Percentage, no amount',
  amount_shown_rounded: 'Shown rounded',
  currency_missing: 'Currency: missing',
  rail_missing: 'Rail: missing',
  rail_unknown: 'Not a rail',
  rail_several_fit: 'Several rails fit',
  rail_none_fits: 'No rail fits',
  destination_missing: 'Account: missing',
  reference_characters: 'Reference: wrong characters',
  row_hidden: 'Hidden row',
  row_struck_through: 'Struck through',
  chain_unknown: 'Not a chain',
});

const SHORT: ShortWords = {
  ...(ofAccount as ShortWords),
  account_number_unusual: ({ has }) => t`${label('account_number')}: ${counted(has, 'digit')}, unusual`,
  ifsc_invalid: ({ letterForZero }) =>
    letterForZero === null ? t`${label('ifsc')}: not valid` : t`IFSC: letter O in place of 0`,
  aba_prefix: ({ prefix }) => t`${label('aba')}: cannot begin with ${prefix}`,
  iban_national_check: () => t`${label('iban')}: checksum wrong`,
  iban_country: ({ country }) => t`IBAN: no country ${country}`,
  iban_not_sepa: ({ country }) => t`${country} is not in SEPA`,
  amount_unusual: ({ times }) => t`${times} times the usual amount`,
  possible_duplicate: ({ row }) => t`Repeats row ${row}`,
  payee_name_differs: ({ row }) => t`Other name than row ${row}`,
  payee_account_differs: ({ row }) => t`Other account than row ${row}`,
  account_shared: ({ row }) => t`Same account as row ${row}`,
  account_name_differs: ({ row }) => t`Other name than row ${row}`,
  payee_repeated: ({ row }) => t`Same payee as row ${row}`,
  amount_too_many_decimals: ({ currency, decimals }) =>
    currency === null ? t`More than ${decimals} decimals` : t`${currency}: more than ${decimals} decimals`,
  amount_currency_differs: inOther,
  amount_shown_in_other_currency: inOther,
  currency_unknown: ({ meant, near }) =>
    meant === null && near === null ? t`Not a currency` : t`Not a currency: ${meant ?? near}?`,
  currency_without_rail: ({ currency }) => t`No rail for ${currency}`,
  rail_currency_mismatch: ({ rail, currency }) => t`${rail} cannot pay ${currency}`,
  reference_too_long: ({ has, max }) =>
    has === undefined ? t`Reference: over ${max} characters` : t`Reference: ${has} of ${max} characters`,
  reference_may_be_cut: ({ max }) => t`Reference: cut to ${max}?`,
};

function each<Params>(
  fields: readonly AccountField[],
  kind: string,
  words: (params: Params, field: AccountField) => string,
): Record<string, (params: Params) => string> {
  return Object.fromEntries(fields.map((field) => [`${field}_${kind}`, (params: Params) => words(params, field)]));
}

/** `BSB: 5 digits, needs 6`. */
function lengthText(field: AccountField, has: number, { min, max, letters }: FieldLengths): string {
  const needs = min === max ? String(max) : `${min}–${max}`;
  return letters
    ? t`${label(field)}: ${has} characters, needs ${needs}`
    : t`${label(field)}: ${counted(has, 'digit')}, needs ${needs}`;
}

const SHORT_LABELS: Partial<Record<AccountField, string>> = textTable({
  account_number: 'Account',
  wallet_address: 'Wallet',
});

/** What a field is called in front of what is wrong with it. */
export function label(field: AccountField): string {
  const words = (SHORT_LABELS[field] ?? LABELS[field]).replace(/ \(.*\)$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function inOther({ mark, currency }: { mark: CurrencyMark; currency: string }): string {
  return t`Amount in ${mark.text}, row in ${currency}`;
}
