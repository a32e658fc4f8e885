import { checkDigits, compact, type DigitsRule, findings } from './fields/digits.ts';
import { characters, checkReferenceText, cutAt } from './fields/reference-text.ts';
import { type Finding, NO_FIELDS, type Rail } from './rail.ts';

const BSB: DigitsRule = { field: 'national_clearing_code', code: 'bsb', label: 'BSB', min: 6, max: 6, padFrom: 5 };
const ACCOUNT: DigitsRule = {
  field: 'account_number',
  code: 'account_number',
  label: 'account number',
  min: 4,
  max: 9,
  usual: { min: 6, max: 9, where: 'Australian banks' },
};

/** Longer references are cut by banks that pay through the older BECS system. */
const BECS_REFERENCE_MAX = 18;

export const AUD_NPP: Rail = {
  name: 'AUD_NPP',
  currency: 'AUD',
  source: 'AusPayNet BSB numbers in Australia; NPP / Osko: two texts of 140 characters',
  referenceMax: 280,
  normalise: (fields) => ({
    ...NO_FIELDS,
    account_number: compact(fields.account_number),
    national_clearing_code: compact(fields.national_clearing_code),
  }),
  check: (fields) =>
    findings(checkDigits(fields.account_number, ACCOUNT), checkDigits(fields.national_clearing_code, BSB)),
  checkReference(reference) {
    const found = checkReferenceText(reference, { name: 'AUD_NPP', max: 280, set: null });
    return found.length === 0 ? findings(checkOlderBanks(reference)) : found;
  },
};

function checkOlderBanks(reference: string): Finding | null {
  if (characters(reference, BECS_REFERENCE_MAX) <= BECS_REFERENCE_MAX) return null;
  return {
    severity: 'warning',
    code: 'reference_may_be_cut',
    field: 'reference',
    message: `Some Australian banks show only the first ${BECS_REFERENCE_MAX} characters of the reference: ${cutAt(reference, BECS_REFERENCE_MAX)}.`,
    remedy: `Put what matters into the first ${BECS_REFERENCE_MAX} characters.`,
  };
}
