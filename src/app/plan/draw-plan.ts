import type { Client } from '../../client/client.ts';
import type { Entry, RunCreated } from '../../domain/entry.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import type { Ceilings, PlanFacts } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Halt } from '../../runner/halt.ts';
import { planDigest, planFacts, rowsOf } from '../../runner/plan/plan-digest.ts';
import { plannedConversions } from '../../runner/plan/planned-conversions.ts';
import {
  type FindPayees,
  findPayees,
  type PayeeFindings,
  plannedPayees,
  surveyService,
} from '../../runner/plan/planned-payees.ts';
import { type Held, shortages } from '../../runner/plan/preflight.ts';
import { plannedTotals } from '../../runner/plan/rail-fees.ts';
import { smallConversions } from '../../runner/plan/small-conversions.ts';
import { requireApprovable } from '../approve/approvals.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import { type Comparison, warningCount } from '../compare/comparison.ts';
import { type CoolingRow, coolingRows } from '../compare/cooling-off.ts';
import { dayExcess, isAlone } from '../limits/day-excess.ts';
import { dayWarning, refuseDay } from './day-limit.ts';
import { refuseExcess } from './limits.ts';

/** A run that was planned and is not in the journal yet, and what the service showed. */
export type DrawnPlan = {
  header: RunCreated;
  facts: PlanFacts;
  /** Null where it was not compared with what was paid before. */
  comparison: Comparison | null;
  /** The rows that wait for an approval of their own. */
  cooling: CoolingRow[];
  held: Held;
  /** What is converted and may be too little for that. */
  small: Problem[];
  /** What exceeds the day's limit together with other runs, were it run today. */
  ofDay: Problem[];
};

/** What the plan is of: everything about the run but what only the service can say. */
export type PlanSubject = {
  header: Omit<RunCreated, 'digest'>;
  /** The rows. */
  entries: readonly Entry[];
  /** How many the input has, less those that the comparison says again. */
  warnings: number;
  limits: PlanFacts['limits'];
  approval: PlanFacts['approval'];
  ceilings: Ceilings;
  repeatWindowMs: number | null;
  /** Compares it with what was paid before, given by row the payments that look like it and that the journal does not know. */
  compare: ((header: RunCreated, unknown: ReadonlyMap<number, readonly string[]>) => Promise<Comparison>) | null;
};

export type PlanMeans = {
  journal: Journal;
  client: Client;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  stop: AbortSignal;
};

/** `held`: what the service holds. */
export type DrawMeans = PlanMeans & { held: Held };

/**
 * Reads the service and says what the run would do there. Nothing is written, neither there nor to the journal. Throws a
 * `Refusal`: `unreachable` where the service does not answer, or refuses our credentials, `refused` where the limits or the
 * approval that is asked for do not allow the run.
 */
export async function drawPlan(subject: PlanSubject, means: DrawMeans): Promise<DrawnPlan> {
  const { header, entries, limits, approval, compare } = subject;
  const { client, held } = means;
  const totals = await plannedTotals(client, rowsOf(entries));
  const conversions = await plannedConversions(client, entries, subject.ceilings);
  refuseExcess(limits, rowsOf(entries), conversions);
  const small = await smallConversions(client, entries, conversions);
  const ofDay = { limits, header, rows: rowsOf(entries), conversions };
  const excess = await dayExcess(ofDay, { journal: means.journal, clock: means.clock });
  refuseDay(excess.filter(isAlone));
  const unsigned: RunCreated = { ...header, digest: '' };
  requireApprovable({ approval, totals, conversions });
  const { payees, unknown } = await looking([unsigned, ...entries], means, surveyService);
  const comparison = compare === null ? null : await compare(unsigned, unknown);
  const cooling = await coolingOf(subject, unsigned, { means, payees, comparison });
  const ofPlan =
    shortages(held, costOf({ totals, conversions })).length +
    small.length +
    excess.length +
    cooling.length +
    (comparison === null ? 0 : warningCount(comparison.warnings));
  const facts = planFacts(unsigned, totals, {
    conversions,
    payees: plannedPayees(payees),
    warnings: subject.warnings + ofPlan,
    limits,
    cooling_off: cooling.map(({ order }) => order.row),
    approval,
    repeat_window_ms: subject.repeatWindowMs,
  });
  const digest = planDigest(facts, rowsOf(entries));
  return { header: { ...unsigned, digest }, facts, comparison, cooling, held, small, ofDay: excess.map(dayWarning) };
}

type Found = { means: DrawMeans; payees: PayeeFindings; comparison: Comparison | null };

async function coolingOf({ limits, entries }: PlanSubject, header: RunCreated, found: Found): Promise<CoolingRow[]> {
  const coolingMs = limits?.cooling_off_ms ?? null;
  if (coolingMs === null) return [];
  const past = { ...found.means, repeatWindowMs: 0, coolingMs };
  const compared = found.comparison?.compared ?? (await compareWithPast(header, rowsOf(entries), past));
  return coolingRows(coolingMs, compared, found.payees, found.means.clock.wallMs());
}

/** Where the payees of a run are, by its header and rows. Throws a `Refusal` (`unreachable`). */
export function lookForPayees(entries: readonly Entry[], means: PlanMeans): Promise<PayeeFindings> {
  return looking(entries, means, findPayees);
}

async function looking<Found>(
  entries: readonly Entry[],
  means: PlanMeans,
  look: (given: FindPayees) => Promise<Found>,
): Promise<Found> {
  try {
    return await look({ ...means, entries });
  } catch (error) {
    // A run that halts goes on later; a plan that could not be made is made again.
    if (!(error instanceof Halt)) throw error;
    throw new Refusal({ code: 'plan_not_drawn', why: error.why });
  }
}

/**
 * What leaves the balances: payouts and, where they are known, fees, of what is converted in the currency that is sent. Of
 * each currency in which payees receive something or from which something is sent, also where nothing of it leaves.
 */
export function costOf({ totals, conversions }: Pick<PlanFacts, 'totals' | 'conversions'>): Money[] {
  const costs = new Map<string, Money>();
  const add = (currency: Money['currency'], minor: bigint): void => {
    const before = costs.get(currencyKey(currency))?.minor ?? 0n;
    costs.set(currencyKey(currency), { currency, minor: before + minor });
  };
  for (const { currency, planned_minor, fees_minor } of totals)
    add(currency, BigInt(planned_minor) + BigInt(fees_minor ?? '0'));
  for (const { source, currency, planned_minor, sent_minor, fees_minor } of conversions?.pairs ?? []) {
    add(currency, -BigInt(planned_minor));
    add(source, BigInt(sent_minor) + BigInt(fees_minor ?? '0'));
  }
  return [...costs.values()];
}
