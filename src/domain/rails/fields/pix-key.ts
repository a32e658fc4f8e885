import { error, type Found, NOTHING } from '../rail.ts';
import { type DigitsRule, isDigits, leadingZero, missingOrScientific } from './digits.ts';

const CPF: DigitsRule = { field: 'cpf', min: 11, max: 11 };
const CNPJ: DigitsRule = { field: 'cnpj', min: 14, max: 14 };

/** Spreadsheets drop leading zeros; two of them is what a CPF or a CNPJ may well begin with. */
const DROPPED_ZEROS_MAX = 2;

/** The area codes of Anatel, then nine digits that begin with 9 (mobile) or eight that begin with 2 to 5 (others) or 7 (trunking). */
const NATIONAL_PHONE =
  /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?:9\d{8}|[2-57]\d{7})$/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PUNCTUATED_CPF = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;

/** E-mail keys of the DICT are in lower case and have at most 77 characters. */
const EMAIL_MAX = 77;
const EMAIL = /^[a-z0-9.!#$'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/**
 * A PIX key as it is sent: e-mail and UUID in lower case, a phone as `+` and digits, CPF and CNPJ without punctuation.
 * Only a CPF that could also be a phone keeps the punctuation that tells it from one, here and where it is read next.
 */
export function normalisePixKey(text: string): string {
  const key = text.trim();
  if (key.includes('@')) return key.toLowerCase();
  const plain = key.replace(/[\s()./-]/g, '').toUpperCase();
  if (/^[0-9A-F]{32}$/.test(plain)) return hyphenated(plain.toLowerCase());
  return PUNCTUATED_CPF.test(key) && NATIONAL_PHONE.test(plain) ? key : plain;
}

/** What is wrong with a PIX key in its normal form. */
export function checkPixKey(key: string): readonly Found[] {
  if (key === '') return error('pix_key_missing', { field: 'pix_key' });
  if (key.includes('@'))
    return key.length <= EMAIL_MAX && EMAIL.test(key) ? NOTHING : error('pix_key_email', { max: EMAIL_MAX });
  if (key.startsWith('+'))
    return key.startsWith('+55') && NATIONAL_PHONE.test(key.slice(3)) ? NOTHING : error('pix_key_phone');
  if (PUNCTUATED_CPF.test(key)) return isCpf(key.replace(/[.-]/g, '')) ? NOTHING : wrongCpf();
  if (key.length === CPF.max && isDigits(key)) return checkElevenDigits(key);
  if (UUID.test(key) || isCnpj(key)) return NOTHING;
  if (isDigits(key)) return checkOtherDigits(key);
  if (/^[0-9A-Z]{12}\d{2}$/.test(key)) return error('cnpj_checksum', { field: 'cnpj' });
  return missingOrScientific(key, 'pix_key') ?? error('pix_key_invalid');
}

/** Eleven digits are a CPF, or a mobile phone of somebody who left out the +55. Nothing is guessed. */
function checkElevenDigits(key: string): readonly Found[] {
  if (!NATIONAL_PHONE.test(key)) return isCpf(key) ? NOTHING : wrongCpf();
  const phone = `+55${key}`;
  if (!isCpf(key)) return error('pix_key_phone_prefix', { phone });
  const cpf = `${key.slice(0, 3)}.${key.slice(3, 6)}.${key.slice(6, 9)}-${key.slice(9)}`;
  return error('pix_key_ambiguous', { phone, cpf });
}

function checkOtherDigits(key: string): readonly Found[] {
  if (key.startsWith('55') && NATIONAL_PHONE.test(key.slice(2)))
    return error('pix_key_phone_prefix', { phone: `+${key}` });
  for (const [rule, isRight] of [
    [CPF, isCpf],
    [CNPJ, isCnpj],
  ] as const) {
    const isLongEnough = key.length >= rule.min - DROPPED_ZEROS_MAX;
    if (isLongEnough && isRight(key.padStart(rule.min, '0'))) return leadingZero(key, rule);
  }
  if (NATIONAL_PHONE.test(key)) return error('pix_key_phone_prefix', { phone: `+55${key}` });
  return key.length === CNPJ.max ? error('cnpj_checksum', { field: 'cnpj' }) : error('pix_key_invalid');
}

function wrongCpf(): Found[] {
  return error('cpf_checksum', { field: 'cpf' });
}

function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The check digits of Brazil's registers, by Receita Federal: the CPF of a person and the CNPJ of a company, which from
 * July 2026 may have letters in its first twelve places (Instrução Normativa RFB 2.229/2024). Each is a sum with weights
 * that rise from 2 at the right, modulo 11. The remainders 0 and 1 both give the digit 0, so that a few single mistakes
 * pass: in a CPF's first and sixth digit, and in a CNPJ's first, fifth and ninth character, by certain amounts.
 */

const CPF_WEIGHT_MAX = 11;
const CNPJ_WEIGHT_MAX = 9;

const CODE_OF_0 = 48;

/** Whether the text is a CPF: eleven digits with both check digits right, and not one digit eleven times. */
export function isCpf(text: string): boolean {
  return /^(\d)(?!\1{10})\d{10}$/.test(text) && hasCheckDigits(text, CPF_WEIGHT_MAX);
}

/** Whether the text is a CNPJ, upper-cased and without punctuation: twelve digits or letters, two right check digits. */
export function isCnpj(text: string): boolean {
  return /^(?!0{12})[0-9A-Z]{12}\d{2}$/.test(text) && hasCheckDigits(text, CNPJ_WEIGHT_MAX);
}

function hasCheckDigits(text: string, weightMax: number): boolean {
  const first = text.length - 2;
  return (
    checkDigit(text.slice(0, first), weightMax) === text.charCodeAt(first) - CODE_OF_0 &&
    checkDigit(text.slice(0, first + 1), weightMax) === text.charCodeAt(first + 1) - CODE_OF_0
  );
}

/** A character counts as its ASCII code less 48: digits as themselves, A as 17. Weights begin again after the largest. */
function checkDigit(text: string, weightMax: number): number {
  let sum = 0;
  let weight = 2;
  for (let at = text.length - 1; at >= 0; at--) {
    sum += (text.charCodeAt(at) - CODE_OF_0) * weight;
    weight = weight === weightMax ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
