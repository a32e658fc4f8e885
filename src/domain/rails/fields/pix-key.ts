import type { Finding } from '../rail.ts';
import { isCnpj, isCpf } from './brazilian-register.ts';
import { checkScientific, type DigitsRule, isDigits, leadingZero, missing } from './digits.ts';

const PIX_KEY = { field: 'account_number', code: 'pix_key', label: 'PIX key' } as const;
const CPF: DigitsRule = { field: 'account_number', code: 'cpf', label: 'CPF', min: 11, max: 11 };
const CNPJ: DigitsRule = { field: 'account_number', code: 'cnpj', label: 'CNPJ', min: 14, max: 14 };

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
 * Only a CPF that could also be a phone keeps the punctuation that tells it from one, here and at whoever reads it next.
 */
export function normalisePixKey(text: string): string {
  const key = text.trim();
  if (key.includes('@')) return key.toLowerCase();
  const plain = key.replace(/[\s()./-]/g, '').toUpperCase();
  if (/^[0-9A-F]{32}$/.test(plain)) return hyphenated(plain.toLowerCase());
  return PUNCTUATED_CPF.test(key) && NATIONAL_PHONE.test(plain) ? key : plain;
}

/** What is wrong with a PIX key in its normal form, or null. */
export function checkPixKey(key: string): Finding | null {
  if (key === '') return missing(PIX_KEY);
  if (key.includes('@')) return checkEmail(key);
  if (key.startsWith('+')) return checkPhone(key);
  if (PUNCTUATED_CPF.test(key)) return isCpf(key.replace(/[.-]/g, '')) ? null : wrongCheckDigits('cpf', 'CPF');
  if (key.length === CPF.max && isDigits(key)) return checkElevenDigits(key);
  if (UUID.test(key) || isCnpj(key)) return null;
  if (isDigits(key)) return checkOtherDigits(key);
  if (/^[0-9A-Z]{12}\d{2}$/.test(key)) return wrongCheckDigits('cnpj', 'CNPJ');
  return checkScientific(key, PIX_KEY) ?? noKey();
}

/** Eleven digits are a CPF, or a mobile phone of somebody who left out the +55. Nothing is guessed. */
function checkElevenDigits(key: string): Finding | null {
  if (!NATIONAL_PHONE.test(key)) return isCpf(key) ? null : wrongCheckDigits('cpf', 'CPF');
  if (!isCpf(key)) return phoneWithoutPrefix(`+55${key}`);
  const cpf = `${key.slice(0, 3)}.${key.slice(3, 6)}.${key.slice(6, 9)}-${key.slice(9)}`;
  return pixError(
    'pix_key_ambiguous',
    'These eleven digits are a valid CPF and could as well be a phone number.',
    `If it is a phone, write +55${key}. If it is a CPF, write ${cpf}. Format the column as text.`,
  );
}

function checkOtherDigits(key: string): Finding {
  if (key.startsWith('55') && NATIONAL_PHONE.test(key.slice(2))) return phoneWithoutPrefix(`+${key}`);
  for (const [rule, isRight] of [
    [CPF, isCpf],
    [CNPJ, isCnpj],
  ] as const) {
    const isLongEnough = key.length >= rule.min - DROPPED_ZEROS_MAX;
    if (isLongEnough && isRight(key.padStart(rule.min, '0'))) return leadingZero(key, rule);
  }
  if (NATIONAL_PHONE.test(key)) return phoneWithoutPrefix(`+55${key}`);
  return key.length === CNPJ.max ? wrongCheckDigits('cnpj', 'CNPJ') : noKey();
}

function checkPhone(key: string): Finding | null {
  if (key.startsWith('+55') && NATIONAL_PHONE.test(key.slice(3))) return null;
  return pixError(
    'pix_key_phone',
    'This is not a Brazilian phone number: +55, an area code, and eight digits or nine that begin with 9.',
    'Compare the phone number with its source.',
  );
}

function checkEmail(key: string): Finding | null {
  if (key.length <= EMAIL_MAX && EMAIL.test(key)) return null;
  return pixError(
    'pix_key_email',
    `This is not an e-mail address that can be a PIX key (${EMAIL_MAX} characters at most).`,
    'Compare the e-mail address with its source.',
  );
}

function phoneWithoutPrefix(phone: string): Finding {
  return pixError(
    'pix_key_phone_prefix',
    'This is no valid CPF or CNPJ. It could be a phone number, which begins with +55 as a PIX key.',
    `If it is a phone, write ${phone} and format the column as text. If it is not, compare it with its source.`,
  );
}

function wrongCheckDigits(code: string, label: string): Finding {
  return pixError(
    `${code}_checksum`,
    `The check digits of the ${label} are wrong, so at least one character is.`,
    `Compare the ${label} with its source.`,
  );
}

function noKey(): Finding {
  return pixError(
    'pix_key_invalid',
    'This is not a PIX key.',
    'Write a CPF, a CNPJ, a phone that begins with +55, an e-mail address or a random key (UUID).',
  );
}

function pixError(code: string, message: string, remedy: string): Finding {
  return { severity: 'error', code, field: 'account_number', message, remedy };
}

function hyphenated(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
