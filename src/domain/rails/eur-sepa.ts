import { checkBic } from './fields/bic.ts';
import { compact, findings } from './fields/digits.ts';
import { checkIban, checkSepaCountry, ibanCountryOf } from './fields/iban.ts';
import { checkReferenceText, SWIFT_TEXT } from './fields/reference-text.ts';
import { NO_FIELDS, type Rail } from './rail.ts';

export const EUR_SEPA: Rail = {
  name: 'EUR_SEPA',
  currency: 'EUR',
  source: 'EPC SEPA Credit Transfer rulebook: IBAN, optional BIC, remittance information of 140 characters',
  referenceMax: 140,
  normalise: (fields) => ({ ...NO_FIELDS, account_number: compact(fields.account_number), bic: compact(fields.bic) }),
  check(fields) {
    const found = checkIban(fields.account_number, (iban) => checkSepaCountry(iban) === null);
    if (!found.some((finding) => finding.severity === 'error'))
      found.push(...findings(checkSepaCountry(fields.account_number)));
    found.push(...findings(checkBic(fields.bic, 'optional', ibanCountryOf(fields.account_number))));
    return found;
  },
  checkReference: (reference) => checkReferenceText(reference, { name: 'EUR_SEPA', max: 140, set: SWIFT_TEXT }),
};
