import { compact } from './fields/digits.ts';
import { checkReferenceText, type ReferenceRule } from './fields/reference-text.ts';
import { type Check, type Finding, NO_FIELDS, type Rail, type RailFields, type RailName } from './rail.ts';

type Field = keyof RailFields;

/** What rails do not have in common. */
export type RailRule = Pick<Rail, 'currency' | 'source'> & {
  name: RailName;
  /** What each field that the rail sends must be, in the order in which problems are shown. */
  fields: Partial<Record<Field, Check>>;
  /** How a field is sent that is not sent compact. */
  normalise?: Partial<Record<Field, (text: string) => string>>;
  /** Null where the rail carries none. */
  reference: ReferenceRule | null;
};

const NO_FINDINGS: readonly Finding[] = [];

export function defineRail({ name, currency, source, fields, normalise = {}, reference }: RailRule): Rail {
  const checks = (Object.entries(fields) as [Field, Check][]).map(([field, check]) => ({ field, check }));
  const forms = Object.keys(NO_FIELDS).map((field) => [field, formOf(field as Field)]);
  const sent: Record<Field, (text: string) => string> = Object.fromEntries(forms);
  function formOf(field: Field): (text: string) => string {
    return fields[field] === undefined ? () => '' : (normalise[field] ?? compact);
  }
  return {
    name,
    currency,
    source,
    referenceMax: reference?.max ?? null,
    // Member by member, because a loop over the names of the members takes several times as long.
    normalise: (written) => ({
      account_number: sent.account_number(written.account_number),
      national_clearing_code: sent.national_clearing_code(written.national_clearing_code),
      bic: sent.bic(written.bic),
      account_type: sent.account_type(written.account_type),
      wallet_address: sent.wallet_address(written.wallet_address),
      chain: sent.chain(written.chain),
    }),
    check(fieldsSent) {
      let findings = NO_FINDINGS;
      for (const { field, check } of checks)
        for (const found of check(fieldsSent[field], fieldsSent)) findings = [...findings, { ...found, field }];
      return findings;
    },
    checkReference(text) {
      const found = checkReferenceText(text, name, reference);
      return found.length === 0 ? NO_FINDINGS : found.map((each) => ({ ...each, field: 'reference' }));
    },
  };
}

/** The check of a field that may be empty. */
export function optional(check: Check): Check {
  return (value, fields) => (value === '' ? [] : check(value, fields));
}
