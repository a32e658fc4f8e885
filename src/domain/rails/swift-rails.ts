import { defineRail, optional } from './define-rail.ts';
import { digits, isDigits } from './fields/digits.ts';
import {
  bic,
  checkForeignAccount,
  checkIban,
  checkIbanWithin,
  foreignAccountCountry,
  ibanCountryOf,
} from './fields/iban.ts';
import { checkClabe, ifsc } from './fields/national-codes.ts';
import type { ReferenceRule } from './fields/reference-text.ts';
import { type Check, error, type Found, NOTHING, type Rail, type RailName, warning } from './rail.ts';

/** Field 70 of a SWIFT message, remittance information: 4*35x. */
const LINE = 35;

export const SWIFT_REFERENCE: ReferenceRule = { max: 4 * LINE, set: 'swift', also: checkLineStarts };

/** The same signs that no text may begin with, at the begin of a later line. Not every bank breaks lines there. */
function checkLineStarts(reference: string): readonly Found[] {
  for (let at = LINE; at < reference.length; at += LINE) {
    const sign = reference.charAt(at);
    if (sign === '-' || sign === ':') return warning('reference_line_start', { line: LINE, at: at + 1, sign });
  }
  return NOTHING;
}

type SwiftRule = {
  source: string;
  account: Check;
  /** Where the country that the rail pays to has a clearing code of its own. An empty one is always allowed. */
  clearingCode?: Check;
  /** The country in which an account is kept, or what tells it: null where nothing does. */
  country: string | ((account: string) => string | null);
};

/** A rail that pays by SWIFT: the bank by its BIC, and a reference of 140 characters of the SWIFT set. */
function swift(name: `${string}_SWIFT` & RailName, { source, account, clearingCode, country }: SwiftRule): Rail {
  return defineRail({
    name,
    currency: name.slice(0, 3),
    source: `${source}; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35`,
    fields: {
      account_number: account,
      ...(clearingCode !== undefined && { national_clearing_code: optional(clearingCode) }),
      bic: bic('required', typeof country === 'string' ? () => country : country),
    },
    reference: SWIFT_REFERENCE,
  });
}

/** What banks all over the world keep accounts in, so that nothing but the length of an account is certain. */
const ANYWHERE: SwiftRule = {
  source: 'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN',
  account: checkForeignAccount,
  country: foreignAccountCountry,
};

/** Dollars of Singapore are kept elsewhere too, so that another form of account is a warning and no more. */
const SINGAPOREAN_MAX = 19;

function checkSingaporean(account: string): readonly Found[] {
  const found = checkForeignAccount(account);
  if (found.length > 0 || foreignAccountCountry(account) !== null) return found;
  if (account.length <= SINGAPOREAN_MAX && isDigits(account)) return NOTHING;
  return warning('account_number_unusual', { has: account.length, min: 0, max: SINGAPOREAN_MAX, banks: 'singapore' });
}

/** Account numbers of Indian banks, by IMPS and from abroad alike. */
export const INDIAN_ACCOUNT = {
  field: 'account_number',
  min: 6,
  max: 20,
  usual: { min: 10, banks: 'india' },
} as const;

export const SWIFT_RAILS = {
  USD_SWIFT: swift('USD_SWIFT', ANYWHERE),
  SGD_SWIFT: swift('SGD_SWIFT', { ...ANYWHERE, account: checkSingaporean }),
  HKD_SWIFT: swift('HKD_SWIFT', ANYWHERE),
  /** Yuan are kept in China and, offshore, anywhere, so the account may also be an IBAN and the BIC of any country. */
  CNY_SWIFT: swift('CNY_SWIFT', {
    ...ANYWHERE,
    source: "People's Bank of China: CNAPS bank code of 12 digits; ISO 15022 field 59 (account of up to 34)",
    clearingCode: digits({ field: 'cnaps', min: 12, max: 12 }),
  }),
  MXN_SWIFT: swift('MXN_SWIFT', {
    source: 'Banco de México: CLABE of 18 digits, weights 3-7-1',
    account: checkClabe,
    country: 'MX',
  }),
  // Neither Colombia nor Indonesia has a check digit or a length that all of its banks share.
  COP_SWIFT: swift('COP_SWIFT', {
    source: 'Account numbers of Colombian banks, 3 to 18 digits (no national standard)',
    account: digits({ field: 'account_number', min: 3, max: 18 }),
    country: 'CO',
  }),
  IDR_SWIFT: swift('IDR_SWIFT', {
    source: 'Account numbers of Indonesian banks, 5 to 16 digits (no national standard)',
    account: digits({ field: 'account_number', min: 5, max: 16 }),
    country: 'ID',
  }),
  INR_SWIFT: swift('INR_SWIFT', {
    source: 'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits',
    account: digits(INDIAN_ACCOUNT),
    clearingCode: ifsc('optional'),
    country: 'IN',
  }),
  EUR_SWIFT: swift('EUR_SWIFT', {
    source: 'ISO 13616 and the SWIFT IBAN registry, any country',
    account: (account) => checkIban(account),
    country: ibanCountryOf,
  }),
  BRL_SWIFT: swift('BRL_SWIFT', {
    source: 'Banco Central do Brasil, Circular 3.625/2013: IBAN of 29 characters',
    account: ibanOf('BR'),
    country: ibanCountryOf,
  }),
  AED_SWIFT: swift('AED_SWIFT', {
    source: 'Central Bank of the UAE: IBAN of 23 characters',
    account: ibanOf('AE'),
    country: ibanCountryOf,
  }),
};

function ibanOf(paid: string): Check {
  const outside = (country: string) =>
    country === paid ? NOTHING : error('iban_of_another_country', { country, paid });
  return (account) => checkIbanWithin(account, outside);
}
