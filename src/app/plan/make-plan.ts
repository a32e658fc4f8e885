import { approvalsNeeded } from '../../approval/check.ts';
import type { Entry } from '../../domain/entry.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { mayApprove } from '../approve/approvals.ts';
import { comparedWithPast } from '../compare/comparison.ts';
import { jobHeld, keepingRun } from '../runs/known-run.ts';
import { scheduledWith, type WantedStart } from '../schedule/plan-start.ts';
import type { Connection } from '../service/at-service.ts';
import { type OlderPlans, replaceOlder } from './awaiting.ts';
import { type Draft, draftInput, type InputDraft, type PlanService, refuseAhead } from './draft.ts';
import { type DrawnPlan, drawPlan } from './draw-plan.ts';
import type { Gathered, Given, PlanDeps } from './given.ts';
import type { Preparation } from './preparer.ts';

/** A plan that is in the journal. `older`: what became of the plans that it could take the place of. */
export type Planned<Of extends Draft = Draft> = { plan: DrawnPlan; draft: Of; older: OlderPlans };

/** `onPlanned` is called before people are notified. */
export type MakeDeps<Of extends Draft = Draft> = PlanDeps & { onPlanned?: (planned: Planned<Of>) => void };

export type PlanInput = {
  given: Given;
  gathered: Gathered;
  preparation: Preparation;
  /** Whether no plan is made beside another one of the same that is approved. */
  yieldsToApproved: boolean;
  /** When it is to be started on its own; absent, or null, where a person starts it. */
  start?: WantedStart | null;
};

/**
 * Everything that a run would look at, written to the journal as a run that awaits its start. Nothing is written to the
 * service. Throws a `Refusal`.
 */
export async function planInput(deps: MakeDeps<InputDraft>, input: PlanInput): Promise<Planned<InputDraft>> {
  const { given, preparation, gathered } = input;
  await refuseAhead(deps.journal, given, gathered);
  const how = { approval: preparation.approval, yields: input.yieldsToApproved, refusesPaid: given.job !== null };
  return makePlan(deps, input, (service) => draftInput(deps, input, how, service));
}

/** Who makes a plan of what, and when it is to be started on its own. */
type Making = Pick<PlanInput, 'preparation' | 'start'> & { given: Pick<Given, 'job'> };

/**
 * Draws the plan of a draft and writes it to the journal, where it awaits its start; people are notified that it awaits their
 * approval. Throws a `Refusal`.
 */
export async function makePlan<Of extends Draft>(
  deps: MakeDeps<Of>,
  { preparation, start = null, given: { job } }: Making,
  draftAt: (service: PlanService) => Of | Promise<Of>,
): Promise<Planned<Of>> {
  const publicKey = preparation.approval?.preparer_key ?? '';
  const connection = await deps.connect();
  let planned: Planned<Of>;
  try {
    const service = await serviceAt(deps, connection);
    const draft = await draftAt(service);
    await deps.requireOpen(draft.header.connection);
    const plan = await drawPlan(deps, draft, service, { isPaidAtOnce: false });
    if (deps.stop.aborted) throw new Refusal({ code: 'interrupted' });
    const signature = preparation.sign(plan.header.digest);
    const planEntry: Entry = { kind: 'planned', plan: plan.facts, signature, ...deps.actor };
    const of = { plan: plan.facts, job, publicKey, actor: deps.actor };
    const scheduled = start === null ? [] : [await scheduledWith(deps.journal, start, of)];
    const entries = [...draft.entries, ...notifyEntries(draft.notify), planEntry, ...scheduled];
    await keepingRun(plan.header.run_id, () => write(deps.journal, draft, plan, entries));
    planned = { plan, draft, older: await replaceOlder(plan.header, deps) };
  } finally {
    await connection.close();
  }
  deps.onPlanned?.(planned);
  await announce(deps, planned);
  return planned;
}

/** What the service is and holds. Throws a `Refusal` (`unreachable`, or `mode_changed`). */
export async function serviceAt(
  { clock, isRehearsal }: Pick<PlanDeps, 'clock' | 'isRehearsal'>,
  connection: Connection,
): Promise<PlanService> {
  const { client, scope } = connection;
  const { isRehearsal: rehearsal, held } = await askForBalances(client, clock);
  if (isRehearsal !== undefined && isRehearsal !== rehearsal) throw new Refusal({ code: 'mode_changed', rehearsal });
  return { client, scope, rehearsal, held };
}

/** Who a new run notifies, as its journal keeps it: the run goes on from that alone. */
export function notifyEntries(settings: NotifySettings | null): Entry[] {
  return settings === null ? [] : [{ kind: 'notify', notify: settings }];
}

/** On disk when it resolves, and held by nobody. Throws a `Refusal` for what was run meanwhile, and where the job is held. */
async function write(journal: Journal, draft: Draft, { header }: DrawnPlan, entries: Entry[]): Promise<void> {
  const created = await journal.createRun({ header, rows: entries, refuseRepeat: draft.refusesRepeat });
  if (created.outcome === 'repeats') throw await draft.repeated(created.runId);
  if (created.outcome === 'job_held') throw jobHeld(header.job ?? '', created);
  assert(created.outcome === 'created', 'a plan was made to be started');
  await created.writer.release();
}

/** Notifies the people of a job that a plan in the journal awaits their approval. */
async function announce({ notify, journal, clock }: PlanDeps, { plan, draft }: Planned): Promise<void> {
  const { header, facts } = plan;
  const { approval } = facts;
  const needed = approval === null ? 0 : approvalsNeeded(approval, facts);
  if (approval === null || needed === 0) return;
  const approvers = mayApprove(approval).map(({ name }) => name);
  await notify(draft.notify, async () => {
    const compared = await comparedWithPast(await foldPages(journal.readRun(header.run_id)), { journal, clock });
    const { counts, kept } = compared?.warnings.account_changed ?? { counts: { warnings: 0 }, kept: [] };
    const changed = { count: counts.warnings, rows: kept.flatMap(({ row }) => (row === null ? [] : [row])) };
    return { news: 'plan_waits', header, facts, approvers, needed, changed };
  });
}
