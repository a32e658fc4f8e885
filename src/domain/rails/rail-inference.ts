import type { Finding, Rail, RailFields } from './rail.ts';
import { railsOf } from './registry.ts';

/** A rail, and why a row's fields do not fit it. */
export type Misfit = { rail: Rail; errors: Finding[] };

/** Which of a currency's rails is meant by a row that names none. */
export type Inference =
  /** The currency's only rail, or the only one whose checks the fields satisfy. */
  | { kind: 'one'; rail: Rail }
  /** Nothing is chosen between them: they differ in price, speed and what the payee is shown. */
  | { kind: 'several'; rails: Rail[] }
  | { kind: 'none'; nearest: Rail; misfits: Misfit[] }
  | { kind: 'unpaid' };

/**
 * The rail that is meant by fields as a person wrote them, in a currency. A rail fits where its own check has no error;
 * a field that it does not use counts for nothing, so that a BIC beside an IBAN of the SEPA area fits two rails.
 */
export function inferRail(currency: string, written: RailFields): Inference {
  const rails = railsOf(currency);
  const [first] = rails;
  if (first === undefined) return { kind: 'unpaid' };
  if (rails.length === 1) return { kind: 'one', rail: first };
  const tried = rails.map((rail) => ({ rail, errors: errorsOf(rail, written) }));
  const fitting = tried.filter(({ errors }) => errors.length === 0).map(({ rail }) => rail);
  if (fitting.length > 1) return { kind: 'several', rails: fitting };
  const [only] = fitting;
  if (only !== undefined) return { kind: 'one', rail: only };
  const nearest = tried.reduce((best, next) => (distance(next, written) < distance(best, written) ? next : best));
  return { kind: 'none', nearest: nearest.rail, misfits: tried };
}

/** The fields that a rail sends, of those that are filled in. */
export function fieldsTaken(rail: Rail, written: RailFields): (keyof RailFields)[] {
  const sent = rail.normalise(written);
  return (Object.keys(sent) as (keyof RailFields)[]).filter((field) => sent[field] !== '' && written[field] !== '');
}

function errorsOf(rail: Rail, written: RailFields): Finding[] {
  return rail.check(rail.normalise(written)).filter(({ severity }) => severity === 'error');
}

/** How far a rail is, least first: one that has a use for more of the fields is nearer, and what is wrong counts more than what is missing. */
function distance({ rail, errors }: Misfit, written: RailFields): number {
  const taken = fieldsTaken(rail, written).length;
  return errors.reduce((sum, { code }) => sum + (code.endsWith('_missing') ? 1 : 10), -100 * taken);
}
