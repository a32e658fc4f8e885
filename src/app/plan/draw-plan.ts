import type { RunCreated } from '../../domain/entry.ts';
import { costOf, type PlanFacts } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { Halt } from '../../runner/halt.ts';
import { planDigest, planFacts, rowsOf } from '../../runner/plan/plan.ts';
import { plannedConversions, smallConversions } from '../../runner/plan/planned-conversions.ts';
import { type PayeeFindings, plannedPayees, surveyService } from '../../runner/plan/planned-payees.ts';
import { type Held, requireFunds, shortages } from '../../runner/plan/preflight.ts';
import { plannedTotals } from '../../runner/plan/quote.ts';
import { requireApprovable } from '../approve/approvals.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import { type Comparison, warningCount } from '../compare/comparison.ts';
import { type CoolingRow, coolingRows } from '../compare/cooling-off.ts';
import { dayExcess, isAlone } from '../limits/day-excess.ts';
import { dayWarning, refuseDay, refuseExcess } from '../limits/limits.ts';
import type { Draft, PlanService, UnknownPayments } from './draft.ts';
import type { PlanDeps } from './given.ts';

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

type DrawDeps = Pick<PlanDeps, 'journal' | 'clock' | 'randomness' | 'log' | 'stop'>;

/** What a plan that is paid at once is not drawn with: its fees and payees are seen when it is paid. */
type AtOnce = { isPaidAtOnce: boolean };

/**
 * Reads the service and finds what the run would do there. Nothing is written, neither there nor to the journal. Of a plan
 * that is paid at once the balances have to be enough, and the day's limit too. Throws a `Refusal`: `unreachable` where the
 * service does not answer, or refuses our credentials, `refused` where limits, balances or the approval that is asked for
 * do not allow the run.
 */
export async function drawPlan(
  deps: DrawDeps,
  draft: Draft,
  { client, held }: PlanService,
  { isPaidAtOnce }: AtOnce,
): Promise<DrawnPlan> {
  const { header, entries, limits, approval, compare } = draft;
  const totals = await plannedTotals(isPaidAtOnce ? null : client, rowsOf(entries));
  const conversions = await plannedConversions(client, entries, draft.ceilings);
  refuseExcess(limits, rowsOf(entries), conversions);
  const costs = costOf({ totals, conversions });
  if (isPaidAtOnce) requireFunds(held, costs);
  const excess = await dayExcess({ limits, header, rows: rowsOf(entries), conversions }, deps);
  refuseDay(isPaidAtOnce ? excess : excess.filter(isAlone));
  requireApprovable({ approval, totals, conversions });
  const { payees, unknown } = isPaidAtOnce
    ? NOT_SURVEYED
    : await asking(() => surveyService({ ...deps, client, entries: [header, ...entries] }));
  const comparison = compare === null ? null : await compare(unknown);
  const small = await smallConversions(client, entries, conversions);
  const cooling = await coolingOf(deps, draft, { payees, comparison });
  const found = small.length + excess.length + cooling.length + shortages(held, costs).length;
  const facts = planFacts(header, totals, {
    conversions,
    payees: payees && plannedPayees(payees),
    warnings: draft.warnings + found + (comparison === null ? 0 : warningCount(comparison.warnings)),
    limits,
    cooling_off: cooling.map(({ order }) => order.row),
    approval,
    repeat_window_ms: draft.repeatWindowMs,
    ...(draft.edits.length > 0 && { edits: [...draft.edits] }),
  });
  const digest = planDigest(facts, rowsOf(entries));
  return { header: { ...header, digest }, facts, comparison, cooling, held, small, ofDay: excess.map(dayWarning) };
}

const NOT_SURVEYED: { payees: PayeeFindings | null; unknown: UnknownPayments } = { payees: null, unknown: new Map() };

type Found = { payees: PayeeFindings | null; comparison: Comparison | null };

async function coolingOf(
  { journal, clock }: DrawDeps,
  { header, entries, limits }: Draft,
  { payees, comparison }: Found,
): Promise<CoolingRow[]> {
  const coolingMs = limits?.cooling_off_ms ?? null;
  if (coolingMs === null) return [];
  const past = { journal, clock, repeatWindowMs: 0, coolingMs };
  const compared = comparison?.compared ?? (await compareWithPast(header, rowsOf(entries), past));
  return coolingRows(coolingMs, compared, payees, clock.wallMs());
}

/** What looks at the service. Throws a `Refusal` where it does not answer: the plan can be made again. */
export async function asking<Found>(look: () => Promise<Found>): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    throw new Refusal({ code: 'plan_not_drawn', why: error.why });
  }
}
