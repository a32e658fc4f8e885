import { checkBic } from './fields/bic.ts';
import { checkDigits, compact, type DigitsRule, findings } from './fields/digits.ts';
import { checkReferenceText } from './fields/reference-text.ts';
import { NO_FIELDS, type Rail } from './rail.ts';
import { checkSwiftReference } from './swift-rail.ts';

/** Nearly every clearing code of Hong Kong begins with zeros (003, 004, 012, 024), so one digit may be all that is left. */
const BANK_CODE: DigitsRule = {
  field: 'national_clearing_code',
  code: 'bank_code',
  label: 'bank code',
  min: 3,
  max: 3,
  padFrom: 1,
  isPaddingCertain: true,
};

const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 6,
  max: 17,
  usual: { min: 9, max: 17, where: 'banks in Hong Kong' },
};

const SOURCE = 'HKICL clearing code list: bank code of 3 digits; account number with its branch';
const REFERENCE_MAX = 140;

/** Messages of the FPS are ISO 20022 in UTF-8 and carry Chinese, so the reference may have any characters. */
export const HKD_FPS: Rail = {
  name: 'HKD_FPS',
  currency: 'HKD',
  source: `${SOURCE}; HKICL Faster Payment System: remittance information of 140 characters`,
  referenceMax: REFERENCE_MAX,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
  }),
  check: (fields) =>
    findings(checkDigits(fields.account_number, ACCOUNT), checkDigits(fields.national_clearing_code, BANK_CODE)),
  checkReference: (reference) => checkReferenceText(reference, { name: 'HKD_FPS', max: REFERENCE_MAX, set: null }),
};

export const HKD_CHATS: Rail = {
  name: 'HKD_CHATS',
  currency: 'HKD',
  source: `${SOURCE}; HKICL CHATS, whose messages go by SWIFT: optional BIC, 4 lines of 35`,
  referenceMax: REFERENCE_MAX,
  normalise: (fields) => ({ ...HKD_FPS.normalise(fields), bic: compact(fields.bic) }),
  check: (fields) => [...HKD_FPS.check(fields), ...findings(checkBic(fields.bic, 'optional', 'HK'))],
  checkReference: (reference) => checkSwiftReference(reference, 'HKD_CHATS'),
};
