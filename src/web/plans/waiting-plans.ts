import type { Person } from '../../app/people/people.ts';
import type { Sees, Sight } from '../../app/people/sight.ts';
import type { StartStanding } from '../../app/schedule/start-standing.ts';
import type { StartTime } from '../../domain/entry.ts';
import type { Money } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { either, t } from '../../messages/translate.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import type { WebParts } from '../parts.ts';
import { paymentName, payoutsText, planText } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { preparerName } from './plan-parts.ts';
import { PlansToCheck, type ToCheck } from './plans-to-check.ts';
import { planWaitsText, startText } from './scheduled.ts';
import { capitalized, isReadyNow, type LightPlan, standingFor } from './standing.ts';

export type WaitingPlan = {
  runId: string;
  name: string;
  /** `45 payouts of 46,479.35 AUD`; without the total where amounts are hidden from them. */
  what: string;
  payouts: number;
  /** What payees receive, the currency of most payouts first; empty where amounts are hidden from them. */
  totals: readonly Money[];
  /** Who made it, and when (Unix ms). */
  preparer: string;
  createdAt: number;
  sees: Sees;
  /** What it waits for, in words, and in those that anybody reads; and whether that is this person. */
  waitsFor: string;
  waitsForKey: string;
  isMine: boolean;
  /** Whether this person can approve it. */
  mayApprove: boolean;
  rehearsal: boolean;
  /** When it starts on its own, or did not; null where nobody scheduled it. */
  start: (StartTime & { isMissed: boolean }) | null;
};

type PlanOfList = LightPlan & Pick<RunState, 'createdAt'>;

/** Plans among the newest runs are looked for; older ones are under Payments. */
const RUNS_LOOKED_AT = 200;
const PLANS_SHOWN = 20;

/** The plans that wait, newest first. Each is read once for as long as nothing happens to it. */
export class WaitingPlans {
  readonly #parts: WebParts;
  readonly #known = new Map<string, PlanOfList & { entries: number }>();
  readonly #toCheck: PlansToCheck;

  constructor(parts: WebParts) {
    this.#parts = parts;
    this.#toCheck = new PlansToCheck(parts.deps);
  }

  /** Of those, what a person sees. `isReading`: large ones are still being read after `waitMs`, and are not among them yet. */
  async of(person: Person, waitMs: number): Promise<{ plans: WaitingPlan[]; isReading: boolean }> {
    const read = await this.#newest(waitMs);
    const plans: WaitingPlan[] = [];
    const seen = this.#parts.sight.of(person);
    for (const plan of read) {
      if (!isWaiting(plan)) continue;
      const sight = seen.ofRun(plan.header);
      if (sight.sees !== 'nothing') plans.push(await waitingOf(this.#parts, plan, person, sight));
    }
    return { plans, isReading: read.includes('reading') };
  }

  /**
   * Of these plans, how many payouts go to another account than their payee was last paid on; those without one, and those that are
   * still being compared after `waitMs`, are left out.
   */
  async changedAccounts(runIds: readonly string[], waitMs: number): Promise<Map<string, number>> {
    const looked = await this.toCheck(runIds, waitMs);
    const changed = Array.from(looked, ([runId, { changed }]) => [runId, changed] as const);
    return new Map(changed.filter(([, count]) => count > 0));
  }

  /** What to check in these plans, without those still being compared after `waitMs`. */
  async toCheck(runIds: readonly string[], waitMs: number): Promise<Map<string, ToCheck>> {
    const looked = await Promise.all(
      runIds.map(async (runId) => [runId, await this.#toCheck.of(runId, waitMs)] as const),
    );
    return new Map(looked.flatMap(([runId, found]) => (found === null ? [] : [[runId, found] as const])));
  }

  /** The ids of those that enough approvers have approved. */
  async approved(): Promise<Set<string>> {
    const approved = new Set<string>();
    for (const plan of await this.#newest(0))
      if (isWaiting(plan) && (await isReadyNow(this.#parts, plan))) approved.add(plan.header?.run_id ?? '');
    return approved;
  }

  async #newest(waitMs: number): Promise<(PlanOfList | 'reading' | null)[]> {
    const runs = await this.#parts.deps.reads.newest(RUNS_LOOKED_AT);
    const planned = runs.filter(({ isPlanned }) => isPlanned).slice(0, PLANS_SHOWN);
    const read = await Promise.all(planned.map((summary) => this.#read(summary, waitMs)));
    const shown = new Set(planned.map(({ run_id }) => run_id));
    for (const runId of this.#known.keys()) if (!shown.has(runId)) this.#known.delete(runId);
    return read;
  }

  async #read(
    { run_id, entries }: { run_id: string; entries: number },
    waitMs: number,
  ): Promise<PlanOfList | 'reading' | null> {
    const { runs, deps } = this.#parts;
    const known = this.#known.get(run_id);
    if (known?.entries === entries) return known;
    try {
      if ((await runs.reading(run_id, waitMs)) !== null) return 'reading';
      const followed = await runs.read(run_id);
      if (followed === null) return null;
      const { header, plan, approvals, cancelled, startedBy, schedules, createdAt } = followed.run;
      const own = { approvals: [...approvals], schedules: [...schedules] };
      const light = { header, plan, ...own, cancelled, startedBy, createdAt, entries };
      this.#known.set(run_id, light);
      return light;
    } catch (error) {
      deps.log.warn({ error, run: run_id }, 'a plan could not be read');
      return null;
    }
  }
}

function isWaiting(plan: PlanOfList | 'reading' | null): plan is PlanOfList {
  return plan !== null && plan !== 'reading' && !plan.cancelled && plan.startedBy === null;
}

async function waitingOf(
  parts: WebParts,
  plan: PlanOfList,
  person: Person,
  { sees, roles }: Sight,
): Promise<WaitingPlan> {
  const { standing, scheduled, overtaken, whyNot } = await standingFor(parts, plan, person);
  const mayApprove = sees === 'all' && roles.includes('approver') && whyNot === null;
  const isPreparer = roles.includes('preparer');
  const isMissed = scheduled?.state === 'missed';
  const mine = () => t`${either(isMissed, 'Missed its time. ', '')}Awaiting your approval.${aheadText(scheduled)}`;
  const waitsFor = () => (mayApprove ? mine() : planWaitsText(standing, scheduled));
  // What starts on its own waits for nobody; what has missed its time waits for who prepares, approved or not.
  const mayStart = isPreparer && (standing.isReady ? scheduled === null || isMissed : isMissed);
  return {
    runId: plan.header?.run_id ?? '',
    name: plan.header === null ? '' : paymentName(sees === 'all' ? plan.header : unnamed(plan.header)),
    what: sees === 'all' ? planText(plan) : payoutsText(plan.plan?.payouts ?? 0, []),
    payouts: plan.plan?.payouts ?? 0,
    totals: sees === 'all' ? totalsOf(plan) : [],
    preparer: preparerName(plan.plan),
    createdAt: plan.createdAt,
    sees,
    waitsForKey: asViewer(ANYBODY, waitsFor),
    waitsFor: overtaken === null ? waitsFor() : t`${capitalized(whyNot?.text ?? '')} Discard it.`,
    isMine: overtaken === null && (mayApprove || mayStart),
    mayApprove: overtaken === null && mayApprove,
    rehearsal: plan.header?.rehearsal ?? false,
    start: scheduled === null ? null : { ...scheduled.start, isMissed },
  };
}

function totalsOf({ plan }: LightPlan): Money[] {
  const sorted = plan?.totals.toSorted((one, other) => other.payouts - one.payouts) ?? [];
  return sorted.map(({ planned_minor, currency }) => ({ minor: BigInt(planned_minor), currency }));
}

function aheadText(scheduled: StartStanding | null): string {
  return scheduled?.state === 'ahead' ? t` It is scheduled for ${startText(scheduled.start)}.` : '';
}
