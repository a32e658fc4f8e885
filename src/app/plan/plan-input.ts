import type { Entry, RunCreated } from '../../domain/entry.ts';
import type { KindOfPayment } from '../../domain/kind-of-payment.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Limits } from '../../domain/plan.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal } from '../../journal/journal.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import type { Comparison } from '../compare/comparison.ts';
import { AMOUNT_CHANGE_DEFAULT, warningsOf } from '../compare/warnings.ts';
import { jobHeld, keepingRun } from '../runs/known-run.ts';
import { announcePlan } from './announce.ts';
import { type OlderPlans, refuseBesideApproved, refuseBesideJob, replaceOlder } from './awaiting.ts';
import { ceilingsOf } from './ceilings.ts';
import { type DrawnPlan, drawPlan } from './draw-plan.ts';
import { gatherInput, headerOf, type InputGathered, payingOf } from './gather.ts';
import type { Gathered, Given } from './given.ts';
import { limitsOf, refuseExcess } from './limits.ts';
import { allowedBy, refusedWithin, refusePaidBefore } from './paid-before.ts';
import type { PlanDeps } from './plan-deps.ts';
import type { Preparation } from './preparer.ts';
import { kindAhead, type Paying, refuseEarly, refuseRepeat, repeatRefusal } from './repeats.ts';
import { withoutPaid } from './skip-paid.ts';

export type PlanInput = {
  given: Given;
  chosen: ChosenInput;
  preparation: Preparation;
  /** Whether no plan is made beside another one of the same that is approved. */
  yieldsToApproved: boolean;
};

export type InputPlanned = { outcome: 'planned'; plan: DrawnPlan; gathered: Gathered; older: OlderPlans };

export type PlanMade = InputPlanned | Extract<InputGathered, { outcome: 'has_problems' }>;

/** `onRead` is called when the input was read, before the service is asked; `onPlanned` before people are told. */
export type PlanHooks = { onRead?: (gathered: Gathered) => void; onPlanned?: (made: InputPlanned) => void };

/**
 * Everything that a run would look at, written to the journal as a run that awaits its start. Nothing is written to the
 * service. Throws a `Refusal`.
 */
export async function planInput(deps: PlanDeps & PlanHooks, input: PlanInput): Promise<PlanMade> {
  const { given, chosen } = input;
  const limits = limitsOf(given.job);
  const whole = await gatherInput(given, chosen, { isCorrection: false });
  if (whole.outcome === 'has_problems') return whole;
  deps.onRead?.(whole);
  if (!given.settings.skipPaid) refuseExcess(limits, rowsOf(whole.entries));
  const journal = await deps.openJournal();
  try {
    await refuseEarly(journal, given.settings, payingOf(given, whole, kindAhead(given.profile)));
    const made = await planAt(deps, input, { whole, limits, journal });
    deps.onPlanned?.(made);
    await announcePlan(deps, { journal, clock: given.clock }, given.job?.notify ?? null, made.plan);
    return made;
  } finally {
    await journal.close();
  }
}

type Read = { whole: Gathered; limits: Limits | null; journal: Journal };

async function planAt(deps: PlanDeps, input: PlanInput, { whole, limits, journal }: Read): Promise<InputPlanned> {
  const { given, preparation, yieldsToApproved } = input;
  const { job, settings, clock, randomness } = given;
  const connection = await deps.connect();
  try {
    const { client, scope, log } = connection;
    const { isRehearsal: rehearsal, held } = await askForBalances(client, clock);
    const { gathered, paying, repeats } = await payable(given, whole, { journal, kind: { rehearsal, scope } });
    const header = { ...headerOf(given, gathered, { scope, repeats }), rehearsal };
    if (yieldsToApproved) await refuseBesideApproved(header, { journal, clock });
    await refuseBesideJob(header, preparation.approval, { journal, clock });
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
    const means = { journal, client, clock, randomness, log, stop: deps.stop, held };
    const plan = await drawPlan(subject, means);
    if (deps.stop.aborted) throw new Refusal({ code: 'interrupted' });
    const signature = preparation.sign(plan.header.digest);
    const entries: Entry[] = [...gathered.entries, ...notifyEntries(job?.notify ?? null)];
    entries.push({ kind: 'planned', plan: plan.facts, signature, ...deps.actor });
    const refuses = settings.allowRepeat === undefined;
    await keepingRun(plan.header.run_id, () => keep(journal, plan, { entries, paying, refuses }));
    return { outcome: 'planned', plan, gathered, older: await replaceOlder(plan.header, { journal, clock }) };
  } finally {
    await connection.close();
  }
}

/**
 * What of an input is to be paid, now that the service has said what kind of payment it is: without the rows that are left
 * out as they were paid before. `repeats`: the earlier run that is knowingly paid again. Throws a `Refusal`.
 */
export async function payable(
  given: Given,
  whole: Gathered,
  { journal, kind }: { journal: Journal; kind: KindOfPayment },
): Promise<{ gathered: Gathered; paying: Paying; repeats: string | null }> {
  const paying = payingOf(given, whole, kind);
  const repeats = await refuseRepeat(journal, given.settings, paying);
  return { gathered: await withoutPaid(given, whole, { journal, kind }), paying, repeats };
}

/** What a new run keeps of who is told of it: it goes on from its journal alone. */
export function notifyEntries(settings: NotifySettings | null): Entry[] {
  return settings === null ? [] : [{ kind: 'notify', notify: settings }];
}

type Compare = {
  header: Omit<RunCreated, 'digest'>;
  journal: Journal;
  unknown: ReadonlyMap<number, readonly string[]>;
  /** Whether what was paid already is refused, and not only shown. */
  refuses: boolean;
};

/** An input that was read beside what was paid before. Throws a `Refusal` (`refused`) where rows were paid already. */
export async function compareInput(
  { job, settings, clock }: Given,
  { read, entries }: Gathered,
  { header, journal, unknown, refuses }: Compare,
): Promise<Comparison> {
  const past = {
    journal,
    clock,
    repeatWindowMs: refusedWithin(job),
    coolingMs: job?.limits?.cooling_off_ms ?? null,
  };
  const compared = await compareWithPast(header, rowsOf(entries), past);
  const allowed = allowedBy(settings.allowRepeat, header.repeats);
  if (refuses) refusePaidBefore(compared, allowed, job?.name ?? null);
  const amountChange = job?.amountChange ?? AMOUNT_CHANGE_DEFAULT;
  const places = { sheet: read.sheet, columns: read.input.columns };
  const warnings = warningsOf({ compared, amountChange, allowed, unknown, corrected: null, places });
  return { compared, warnings, corrects: null };
}

type Kept = { entries: Entry[]; paying: Paying; refuses: boolean };

/**
 * On disk when it resolves, and held by nobody. The entries are given away, so that they and their text are not held both.
 * Throws a `Refusal` for what was run meanwhile, and where somebody holds the job.
 */
async function keep(journal: Journal, { header }: DrawnPlan, { entries, paying, refuses }: Kept): Promise<void> {
  const created = await journal.createRun({ header, rows: givenAway(entries), refuseRepeat: refuses });
  if (created.outcome === 'repeats') throw await repeatRefusal(journal, created.runId, paying);
  if (created.outcome === 'job_held') throw jobHeld(header.job ?? '', created);
  assert(created.outcome === 'created', 'a plan was made to be started');
  await created.writer.release();
}

function* givenAway(entries: Entry[]): Generator<Entry> {
  for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) yield entry;
}

/** The warnings of the input but for changed accounts, which the comparison with earlier runs says with more. */
function countOthers({ read }: Gathered): number {
  const changed = read.problemGroups.filter(({ code }) => code === 'account_changed');
  return read.problemCounts.warnings - changed.reduce((sum, { count }) => sum + count, 0);
}
