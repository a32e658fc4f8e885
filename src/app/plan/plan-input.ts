import type { Entry } from '../../domain/entry.ts';
import type { Limits } from '../../domain/plan.ts';
import { assert } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { JobHolder, Journal } from '../../journal/journal.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { ceilingsOf } from './ceilings.ts';
import { compareInput } from './compare-input.ts';
import { type DrawnPlan, drawPlan } from './draw-plan.ts';
import { gatherInput, headerOf, type InputGathered, payingOf } from './gather.ts';
import type { Gathered, Given } from './given.ts';
import { limitsOf, refuseExcess } from './limits.ts';
import { notifyEntries } from './notify-entries.ts';
import { refusedWithin } from './paid-before.ts';
import type { Older, PlanConnection, PlanDeps, Preparation } from './plan-deps.ts';
import { kindAhead, type Paying, refuseEarly, refuseRepeat, repeatRefusal } from './repeats.ts';
import { withoutPaid } from './skip-paid.ts';

export type PlanInput = {
  given: Given;
  chosen: ChosenInput;
  preparation: Preparation;
  /** Whether no plan is made beside another one of the same that is approved. */
  yieldsToApproved: boolean;
};

export type PlanMade<Others extends Older> =
  | { outcome: 'planned'; plan: DrawnPlan; gathered: Gathered; older: Others }
  | Extract<InputGathered, { outcome: 'has_problems' }>
  /** A process works on a run of the job. */
  | { outcome: 'job_held'; job: string; held: JobHolder }
  | { outcome: 'interrupted' };

/**
 * Everything that a run would look at, written to the journal as a run that awaits its start. Nothing is written to the
 * service. `onRead` is called when the input was read, before the service is asked. Throws a `Refusal`.
 */
export async function planInput<Others extends Older>(
  deps: PlanDeps<Others> & { onRead?: (gathered: Gathered) => void },
  input: PlanInput,
): Promise<PlanMade<Others>> {
  const { given, chosen } = input;
  const limits = limitsOf(given.job);
  const whole = await gatherInput(given, chosen, { isCorrection: false });
  if (whole.outcome === 'has_problems') return whole;
  deps.onRead?.(whole);
  if (!given.settings.skipPaid) refuseExcess(limits, rowsOf(whole.entries));
  const journal = await deps.openJournal();
  try {
    await refuseEarly(journal, given.settings, payingOf(given, whole, kindAhead(given.profile)));
    const connection = await deps.connect();
    try {
      return await planAt(deps, input, { whole, limits, journal, connection });
    } finally {
      await connection.close();
    }
  } finally {
    await journal.close();
  }
}

type Place = { whole: Gathered; limits: Limits | null; journal: Journal; connection: PlanConnection };

async function planAt<Others extends Older>(
  deps: PlanDeps<Others>,
  { given, preparation, yieldsToApproved }: PlanInput,
  { whole, limits, journal, connection }: Place,
): Promise<PlanMade<Others>> {
  const { job, settings, clock, randomness } = given;
  const { client, scope, log } = connection;
  const { isRehearsal: rehearsal, held } = await askForBalances(client, clock);
  const paying = payingOf(given, whole, { rehearsal, scope });
  const repeats = await refuseRepeat(journal, settings, paying);
  const gathered = await withoutPaid(given, whole, { journal, kind: { rehearsal, scope } });
  const header = { ...headerOf(given, gathered, { scope, repeats }), rehearsal };
  const awaiting = deps.awaiting(journal);
  if (yieldsToApproved) await awaiting.refuseBesideApproved(header);
  await awaiting.refuseBesideJob(header, preparation.approval);
  const subject = {
    header,
    entries: gathered.entries,
    warnings: countOthers(gathered),
    limits,
    approval: preparation.approval,
    ceilings: ceilingsOf(settings),
    repeatWindowMs: refusedWithin(job),
    compare: (unsigned: DrawnPlan['header'], unknown: ReadonlyMap<number, readonly string[]>) =>
      compareInput(given, gathered, { header: unsigned, journal, unknown, refuses: job !== null }),
  };
  const { requireApprovable } = awaiting;
  const means = { journal, client, clock, randomness, log, stop: deps.stop, held, requireApprovable };
  const plan = await drawPlan(subject, means);
  if (deps.stop.aborted) return { outcome: 'interrupted' };
  const signature = preparation.sign(plan.header.digest);
  const entries: Entry[] = [...gathered.entries, ...notifyEntries(job?.notify ?? null)];
  entries.push({ kind: 'planned', plan: plan.facts, signature, ...deps.actor });
  const refuseRepeats = settings.allowRepeat === undefined;
  const jobHeld = await deps.keeping(plan.header.run_id, () => keep(journal, plan, { entries, paying, refuseRepeats }));
  if (jobHeld !== null) return { outcome: 'job_held', job: job?.name ?? '', held: jobHeld };
  return { outcome: 'planned', plan, gathered, older: await awaiting.replaceOlder(plan.header) };
}

type Kept = { entries: Entry[]; paying: Paying; refuseRepeats: boolean };

/**
 * On disk when it resolves, and held by nobody. The entries are given away, so that they and their text are not held both.
 * Returns who holds the job where somebody does. Throws a `Refusal` (`refused`) for what was run meanwhile.
 */
async function keep(journal: Journal, { header }: DrawnPlan, { entries, paying, refuseRepeats }: Kept) {
  const created = await journal.createRun({ header, rows: givenAway(entries), refuseRepeat: refuseRepeats });
  if (created.outcome === 'repeats') throw await repeatRefusal(journal, created.runId, paying);
  if (created.outcome === 'job_held') return created;
  assert(created.outcome === 'created', 'a plan was made to be started');
  await created.writer.release();
  return null;
}

function* givenAway(entries: Entry[]): Generator<Entry> {
  for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) yield entry;
}

/** The warnings of the input but for changed accounts, which the comparison with earlier runs says with more. */
function countOthers({ read }: Gathered): number {
  const changed = read.problemGroups.filter(({ code }) => code === 'account_changed');
  return read.problemCounts.warnings - changed.reduce((sum, { count }) => sum + count, 0);
}
