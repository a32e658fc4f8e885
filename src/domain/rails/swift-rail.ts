import { checkBic } from './fields/bic.ts';
import { compact, findings } from './fields/digits.ts';
import { checkReferenceText, SWIFT_TEXT } from './fields/reference-text.ts';
import { type Finding, NO_FIELDS, type Rail, type RailName } from './rail.ts';

/** What the SWIFT rails do not have in common. */
export type SwiftRule = Pick<Rail, 'source'> & {
  name: RailName;
  currency: string;
  checkAccount(account: string): Finding[];
  /** Where the country that the rail pays to has a clearing code of its own. An empty one is always allowed. */
  checkClearingCode?(code: string): Finding | null;
  /** The country in which an account is kept, or null where nothing tells it. */
  countryOf(account: string): string | null;
};

/** Field 70 of a SWIFT message, remittance information: 4*35x. */
const LINE = 35;
const REFERENCE_MAX = 4 * LINE;

/** A rail that pays by SWIFT: the bank by its BIC, and a reference of 140 characters of the SWIFT set. */
export function swiftRail(rule: SwiftRule): Rail {
  const { name, currency, source, checkClearingCode } = rule;
  return {
    name,
    currency,
    source: `${source}; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35`,
    referenceMax: REFERENCE_MAX,
    normalise: (fields) => ({
      ...NO_FIELDS,
      account_number: compact(fields.account_number),
      national_clearing_code: checkClearingCode ? compact(fields.national_clearing_code) : '',
      bic: compact(fields.bic),
    }),
    check: ({ account_number, national_clearing_code, bic }) => [
      ...rule.checkAccount(account_number),
      ...findings(
        checkClearingCode && national_clearing_code !== '' ? checkClearingCode(national_clearing_code) : null,
        checkBic(bic, 'required', rule.countryOf(account_number)),
      ),
    ],
    checkReference: (reference) => checkSwiftReference(reference, name),
  };
}

/** Everything wrong with a reference in a SWIFT message. */
export function checkSwiftReference(reference: string, name: RailName): Finding[] {
  const found = checkReferenceText(reference, { name, max: REFERENCE_MAX, set: SWIFT_TEXT });
  return found.length === 0 ? findings(checkLineStarts(reference)) : found;
}

/** The same signs that no text may begin with, at the begin of a later line. Not every bank breaks lines there. */
function checkLineStarts(reference: string): Finding | null {
  for (let at = LINE; at < reference.length; at += LINE) {
    const sign = reference.charAt(at);
    if (sign !== '-' && sign !== ':') continue;
    return {
      severity: 'warning',
      code: 'reference_line_start',
      field: 'reference',
      message: `SWIFT carries the reference in lines of ${LINE} characters, and character ${at + 1}, which begins a line, is ${sign}.`,
      remedy: `Move or replace the ${sign}, so that no bank refuses or drops the line.`,
    };
  }
  return null;
}
