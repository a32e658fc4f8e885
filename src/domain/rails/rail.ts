import { type Fault, fault, type ProblemCode, type Severity } from '../problem.ts';
import type { RailName } from './rail-names.ts';

export { RAIL_NAMES, type RailName } from './rail-names.ts';

/** The bank or wallet fields of a destination; an absent one is the empty string. */
export type RailFields = {
  account_number: string;
  national_clearing_code: string;
  bic: string;
  account_type: string;
  wallet_address: string;
  chain: string;
};

/** Something that a rail's rules find in one of its fields, or in the payment reference. A suggestion is certain. */
export type Finding = Found & { field: keyof RailFields | 'reference' };

/** The same before the field is known. */
export type Found = Fault & { severity: Severity };

/** Everything wrong with a field in the form that is sent, beside the other fields. */
export type Check = (value: string, fields: RailFields) => readonly Found[];

export const NOTHING: readonly Found[] = [];

export function error<Code extends ProblemCode>(...[code, ...params]: Parameters<typeof fault<Code>>): Found[] {
  return [{ severity: 'error', ...fault(code, ...params) }];
}

export function warning<Code extends ProblemCode>(...[code, ...params]: Parameters<typeof fault<Code>>): Found[] {
  return [{ severity: 'warning', ...fault(code, ...params) }];
}

export function suggesting(found: Found[], suggestion: string | undefined): Found[] {
  return suggestion === undefined ? found : found.map((one) => ({ ...one, suggestion }));
}

/** One payment rail, by a rule whose source it names. */
export type Rail = {
  readonly name: RailName;
  /** The fiat code that the rail pays, or null where it pays any crypto asset. */
  readonly currency: string | null;
  /** Where the rule is from (scheme rulebook, ISO, RFC). */
  readonly source: string;
  /** Longest reference, in characters; null where the rail carries none. */
  readonly referenceMax: number | null;
  /** The fields in the form that is sent: blanks and hyphens removed where the rule allows them, letters upper-cased. */
  normalise(fields: RailFields): RailFields;
  /** Everything wrong with fields that `normalise` returned. Never stops at the first finding. */
  check(fields: RailFields): readonly Finding[];
  /** Everything wrong with a reference; an empty one has no findings. */
  checkReference(reference: string): readonly Finding[];
};

export const NO_FIELDS: RailFields = Object.freeze({
  account_number: '',
  national_clearing_code: '',
  bic: '',
  account_type: '',
  wallet_address: '',
  chain: '',
});
