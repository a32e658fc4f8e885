import type { RunState } from '../../domain/run.ts';
import type { RunSummary } from '../../journal/journal.ts';
import type { Person } from '../people/people.ts';
import type { Web } from '../web.ts';
import { payoutsText } from '../words.ts';
import { minorText } from './amounts.ts';
import { standingOf, waitsForText, whyGone, whyNotApprove } from './standing.ts';

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

  async of(web: Web, person: Person): Promise<WaitingPlan[]> {
    const planned = web.doors.journal
      .listRuns(RUNS_LOOKED_AT)
      .filter(({ isPlanned }) => isPlanned)
      .slice(0, PLANS_SHOWN);
    const now = web.doors.clock.wallMs();
    const found: WaitingPlan[] = [];
    for (const summary of planned) {
      const plan = await this.#read(web, summary);
      if (plan !== null && !plan.cancelled && plan.startedBy === null) found.push(waitingOf(web, plan, person, now));
    }
    const shown = new Set(planned.map(({ run_id }) => run_id));
    for (const runId of this.#known.keys()) if (!shown.has(runId)) this.#known.delete(runId);
    return found;
  }

  async #read(web: Web, { run_id, entries }: RunSummary): Promise<Light | null> {
    const known = this.#known.get(run_id);
    if (known?.entries === entries) return known;
    const followed = await web.runs.read(run_id).catch((error: unknown) => {
      web.doors.log.warn({ error, run: run_id }, 'a plan could not be read');
      return null;
    });
    if (followed === null) return null;
    const { header, plan, approvals, cancelled, startedBy } = followed.run;
    const light = { header, plan, approvals: [...approvals], cancelled, startedBy, entries };
    this.#known.set(run_id, light);
    return light;
  }
}

function waitingOf(web: Web, light: Light, person: Person, now: number): WaitingPlan {
  const { header, plan } = light;
  const standing = standingOf(light, now, whyGone(web));
  const mayApprove = person.roles.includes('approver') && whyNotApprove(light, person, now) === null;
  const sums = plan?.totals.map(({ planned_minor, currency }) => minorText(planned_minor, currency)) ?? [];
  return {
    runId: header?.run_id ?? '',
    file: header?.input.name ?? '',
    job: header?.job ?? null,
    what: payoutsText(plan?.payouts ?? 0, sums),
    waitsFor: mayApprove ? 'Waits for your approval.' : waitsForText(standing),
    isMine: mayApprove || (standing.isReady && person.roles.includes('preparer')),
  };
}
