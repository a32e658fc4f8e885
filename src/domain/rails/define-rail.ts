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

export function defineRail({ name, currency, source, fields, normalise = {}, reference }: RailRule): Rail {
  const checks = Object.entries(fields) as [Field, Check][];
  return {
    name,
    currency,
    source,
    referenceMax: reference?.max ?? null,
    normalise(written) {
      const sent = { ...NO_FIELDS };
      for (const [field] of checks) sent[field] = (normalise[field] ?? compact)(written[field]);
      return sent;
    },
    check(sent) {
      const findings: Finding[] = [];
      for (const [field, check] of checks)
        for (const found of check(sent[field], sent)) findings.push({ ...found, field });
      return findings;
    },
    checkReference: (text) =>
      checkReferenceText(text, name, reference).map((found) => ({ ...found, field: 'reference' })),
  };
}

/** The check of a field that may be empty. */
export function optional(check: Check): Check {
  return (value, fields) => (value === '' ? [] : check(value, fields));
}
