import { isCountry } from '../../domain/countries.ts';
import { ibanCountryOf } from '../../domain/rails/fields/iban.ts';
import { checkAba } from '../../domain/rails/fields/national-codes.ts';
import { RAIL_NAMES } from '../../domain/rails/rail-names.ts';
import { isCurrency } from './candidates.ts';
import type { ColumnName } from './synonyms.ts';

/** Of so many values all but one in four have to be of a kind: the others may be mistakes. */
const SHARE_MIN = 0.75;

/** From so many digits on a number is an account rather than an id. */
const ACCOUNT_DIGITS_MIN = 8;

const RAILS: ReadonlySet<string> = new Set(RAIL_NAMES);
const ACCOUNT_TYPES: ReadonlySet<string> = new Set(['checking', 'current', 'savings']);

/** BSB, sort code, IFSC; and a routing number, which its check digit shows. */
const CLEARING_CODE = /^(?:\d{3}-\d{3}|\d{2}-\d{2}-\d{2}|[A-Z]{4}0[A-Z\d]{6})$/;
const BIC = /^[A-Z]{4}([A-Z]{2})[A-Z\d]{2}(?:[A-Z\d]{3})?$/;
const WALLET = /^(?:0x[\da-f]{40}|bc1[\da-z]{20,60}|[1-9A-HJ-NP-Za-km-z]{32,50})$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** With hundredths or groups of thousands: a bare number may be anything. */
const AMOUNT = /^\p{Sc}?\s?(?:\d+|\d{1,3}(?:[.,' ]\d{3})+)(?:[.,]\d{1,2})?\s?\p{Sc}?$/u;
const SURE_AMOUNT = /[.,]\d{2}(?:\s?\p{Sc})?$|\p{Sc}|\d[,' ]\d{3}/u;
const NAME = /^\p{L}[\p{L}\p{M}.'’-]*(?:,? \p{L}[\p{L}\p{M}.'’-]*){1,5}$/u;

/** `isSure`: what one of the values has to be beside that; `areDistinct`: whether none stands twice. */
type Kind = { column: ColumnName; is(value: string): boolean; isSure?(value: string): boolean; areDistinct?: boolean };

/** In the order in which they are tried: a value that can be two things is more likely the first. */
const KINDS: readonly Kind[] = [
  { column: 'currency', is: isCurrency },
  { column: 'rail', is: (value) => RAILS.has(value.toUpperCase()) },
  { column: 'account_type', is: (value) => ACCOUNT_TYPES.has(value.toLowerCase()) },
  { column: 'email', is: (value) => EMAIL.test(value) },
  { column: 'wallet_address', is: (value) => WALLET.test(value), isSure: (value) => /\d/.test(value) },
  { column: 'national_clearing_code', is: (value) => CLEARING_CODE.test(value) || isAba(value) },
  { column: 'account_number', is: isAccount },
  { column: 'bic', is: (value) => isCountry(BIC.exec(value)?.[1] ?? '') },
  { column: 'amount', is: (value) => AMOUNT.test(value), isSure: (value) => SURE_AMOUNT.test(value) },
  { column: 'name', is: (value) => NAME.test(value), areDistinct: true },
];

/** The column of ours that values can be, by what they look like; null for none. `values`: of one column, none blank. */
export function columnByValues(values: readonly string[]): ColumnName | null {
  if (values.length === 0) return null;
  const least = Math.ceil(values.length * SHARE_MIN);
  const isDistinct = new Set(values).size === values.length;
  const fits = ({ is, isSure, areDistinct = false }: Kind) =>
    values.filter((value) => is(value)).length >= least &&
    (isSure === undefined || values.some((one) => isSure(one))) &&
    (!areDistinct || isDistinct);
  return KINDS.find(fits)?.column ?? null;
}

/** Whether a value may be the number of an account, whatever its column is. */
export function looksLikeAccount(value: string): boolean {
  return isAccount(value) || WALLET.test(value);
}

function isAccount(value: string): boolean {
  const bare = value.replace(/[\s-]/g, '');
  if (ibanCountryOf(bare.toUpperCase()) !== null) return bare.length >= 15;
  return /^\d+$/.test(bare) && bare.length >= ACCOUNT_DIGITS_MIN && bare.length <= 20 && !isDate(value);
}

function isAba(value: string): boolean {
  return /^\d{9}$/.test(value) && checkAba(value).length === 0;
}

/** `20261130`, `2026-11-30`. */
function isDate(value: string): boolean {
  return /^(?:19|20)\d{2}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/.test(value);
}
