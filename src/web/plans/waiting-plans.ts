import type { RunState } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../../journal/journal.ts';
import type { WebParts } from '../parts.ts';
import type { Person } from '../people/people.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { payoutsText } from '../shell/words.ts';
import { minorText } from './amounts.ts';
import {
  goneOf,
  overtakenBy,
  overtakenText,
  type Standing,
  standingOf,
  waitsForText,
  whyNotApprove,
} from './standing.ts';

export type WaitingPlan = {
  runId: string;
  file: string;
  job: string | null;
  /** `45 payouts of 46,479.35 AUD`. */
  what: string;
  /** What it waits for, in words; and whether that is this person. */
  waitsFor: string;
  isMine: boolean;
};

/** Of a plan, all but its rows. */
type Light = Pick<RunState, 'header' | 'plan' | 'approvals' | 'cancelled' | 'startedBy'>;

/** Plans among the newest runs are looked for; older ones stand under Runs. */
const RUNS_LOOKED_AT = 200;
const PLANS_SHOWN = 20;

/** The plans that wait, newest first. Each is read once for as long as nothing happens to it. */
export class WaitingPlans {
  readonly #known = new Map<string, Light & { entries: number }>();

  /** `isReading`: large ones are still being read after `waitMs`, and are not among them yet. */
  async of(web: WebParts, person: Person, waitMs: number): Promise<{ plans: WaitingPlan[]; isReading: boolean }> {
    const runs = await web.deps.journal.listRuns(RUNS_LOOKED_AT);
    const planned = runs.filter(({ isPlanned }) => isPlanned).slice(0, PLANS_SHOWN);
    const now = web.deps.clock.wallMs();
    const read = await Promise.all(planned.map((summary) => this.#read(web, summary, waitMs)));
    const plans: WaitingPlan[] = [];
    for (const plan of read) {
      if (plan === null || plan === 'reading' || plan.cancelled || plan.startedBy !== null) continue;
      plans.push(await waitingOf(web, plan, person, now));
    }
    const shown = new Set(planned.map(({ run_id }) => run_id));
    for (const runId of this.#known.keys()) if (!shown.has(runId)) this.#known.delete(runId);
    return { plans, isReading: read.includes('reading') };
  }

  async #read(web: WebParts, { run_id, entries }: RunSummary, waitMs: number): Promise<Light | 'reading' | null> {
    const known = this.#known.get(run_id);
    if (known?.entries === entries) return known;
    const followed = await look(web, run_id, waitMs);
    if (followed === null || followed === 'reading') return followed;
    const { header, plan, approvals, cancelled, startedBy } = followed.run;
    const light = { header, plan, approvals: [...approvals], cancelled, startedBy, entries };
    this.#known.set(run_id, light);
    return light;
  }
}

async function look({ runs, deps }: WebParts, runId: string, waitMs: number): Promise<FollowedRun | 'reading' | null> {
  try {
    return (await runs.reading(runId, waitMs)) === null ? await runs.read(runId) : 'reading';
  } catch (error) {
    deps.log.warn({ error, run: runId }, 'a plan could not be read');
    return null;
  }
}

async function waitingOf(web: WebParts, light: Light, person: Person, now: number): Promise<WaitingPlan> {
  const { header, plan } = light;
  const gone = goneOf(web, light);
  const standing = standingOf(light, now, gone);
  const mayApprove = person.roles.includes('approver') && whyNotApprove(light, person, now, gone) === null;
  const overtaken = await overtakenBy(web, light);
  const sums = plan?.totals.map(({ planned_minor, currency }) => minorText(planned_minor, currency)) ?? [];
  return {
    runId: header?.run_id ?? '',
    file: header?.input.name ?? '',
    job: header?.job ?? null,
    what: payoutsText(plan?.payouts ?? 0, sums),
    waitsFor: waitsFor(overtaken, mayApprove, standing),
    isMine: overtaken === null && (mayApprove || (standing.isReady && person.roles.includes('preparer'))),
  };
}

function waitsFor(overtaken: string | null, mayApprove: boolean, standing: Standing): string {
  if (overtaken !== null) return `${overtakenText(overtaken)} Give it up.`;
  return mayApprove ? 'Waits for your approval.' : waitsForText(standing);
}
