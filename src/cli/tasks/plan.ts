import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { NO_OLDER_PLANS } from '../../app/plan/awaiting.ts';
import type { DrawnPlan } from '../../app/plan/draw-plan.ts';
import { planInput } from '../../app/plan/plan-input.ts';
import { type Maker, preparationOf } from '../../app/plan/preparer.ts';
import { planResultOf } from '../../app/plan/shown-plan.ts';
import { leftOutProblem } from '../../app/retry/left-out.ts';
import { correctedRows, planRetry, type RetryRows, rowsAsTheyWere } from '../../app/retry/plan-retry.ts';
import { type Retriable, readRetriable } from '../../app/retry/retriable.ts';
import { jobOfRetry } from '../../app/retry/retry-policy.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import { openDataJournal } from '../../compose/data-dir.ts';
import { givenOfJob, givenOfRetry, planDeps } from '../../compose/given.ts';
import { actorHere, personHere } from '../../compose/person.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import { unlockKey } from '../../compose/unlock-key.ts';
import { Refusal } from '../../domain/refusal.ts';
import { approvalPart, type JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import { machineClock } from '../../platform/machine.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import { notifyingOfRefusal, WRONG_INPUT } from '../jobs/refused-notices.ts';
import { tellLogged } from '../plans/maker.ts';
import { silentIo } from '../terminal.ts';
import { openOrder } from './check.ts';

type Order = OrderOf<'plan'>;
type Made = ValueOf<'plan'>;

/** The plan of an upload. Its problems are known from its check; here they only refuse it. */
export async function planTask(given: Record<string, unknown>, order: Order): Promise<Made> {
  const { maker, onlyValid, period, allowRepeat, name } = order;
  const chosen = {
    ...given,
    fileName: name,
    as: maker.keyFile,
    onlyValid: onlyValid && order.corrects === null,
    ...(period !== null && { period }),
    ...(allowRepeat !== null && { allowRepeat }),
  };
  const opened = openOrder(chosen, order);
  if (order.corrects !== null) return planCorrections(opened, order, order.corrects);
  const { job, settings } = opened;
  return notifyingOfRefusal(job, settings, async () => {
    const made = await planFile(opened, order);
    return { made, refused: made.outcome === 'has_problems' ? WRONG_INPUT(order.job ?? '') : null };
  });
}

type Opened = ReturnType<typeof openOrder>;

async function planFile({ path, job, settings, columns }: Opened, order: Order): Promise<Made> {
  const given = { ...(await givenOfJob(job, settings)), columns };
  const place = order.policy === null ? 'job' : 'approval file';
  const preparation = await preparationOf(job?.approval ?? policyIn(order), makerOf(order), place);
  const chosen = { path, pattern: null, others: [] };
  const deps = planDeps(given, byOrder(order, settings));
  const made = await planInput(deps, { given, chosen, preparation, yieldsToApproved: false });
  if (made.outcome === 'has_problems') return { outcome: 'has_problems' };
  return { outcome: 'planned', plan: planResultOf(made.plan, made.gathered.read.problems, made.older) };
}

/** Corrected rows take the place of those of the run, and of no others. */
function planCorrections({ path, settings, columns }: Opened, order: Order, runId: string): Promise<Made> {
  return retrying(settings, runId, async (retried, journal) => {
    const given = { ...givenOfRetry(retried, null, settings), columns };
    const chosen = { path, pattern: null, others: [] };
    const read = await correctedRows(journal, { given, chosen, retried });
    if (read.outcome === 'has_problems') return { outcome: 'has_problems' };
    const plan = await planRows(retried, read.rows, { journal, settings, order });
    const command = commandsFor(settings);
    const left = retried.retryable.leftOut.map((one) => leftOutProblem(one, command, runId));
    return { outcome: 'planned', plan: planResultOf(plan, [...read.rows.problems, ...left], NO_OLDER_PLANS) };
  });
}

/** The plan of the rows of a run as they were. */
export async function retryTask(given: Record<string, unknown>, order: OrderOf<'retry'>): Promise<ValueOf<'retry'>> {
  const settings = readSettings({ ...given, as: order.maker.keyFile }, {});
  return retrying(settings, order.runId, async (retried, journal) => {
    const plan = await planRows(retried, rowsAsTheyWere(retried), { journal, settings, order });
    return { planned: plan.header.run_id };
  });
}

type MakerOrder = Pick<Order, 'maker' | 'policy'>;

/** Who approves is what the job asks, or the run that is retried; where neither does, what the page asks. */
async function planRows(
  retried: Retriable,
  taken: RetryRows,
  { journal, settings, order }: { journal: Journal; settings: Settings; order: MakerOrder },
): Promise<DrawnPlan> {
  const asked = policyIn(order);
  const { job, policy } = await jobOfRetry(retried, journal, (known) => known ?? asked);
  const isOfJob = asked === null && (retried.run.header?.job ?? null) !== null;
  const preparation = await preparationOf(policy, makerOf(order), isOfJob ? 'job' : 'approval file');
  const given = givenOfRetry(retried, job, settings);
  const deps = { ...planDeps(given, byOrder(order, settings)), journal };
  return planRetry(deps, { given, retried, taken, preparation });
}

/** Does the work over the rows of a run that can be retried. Throws a `Refusal` where there are none. */
async function retrying<Result>(
  settings: Settings,
  runId: string,
  work: (retried: Retriable, journal: Journal) => Promise<Result>,
): Promise<Result> {
  const journal = await openDataJournal(settings.dataDir);
  try {
    return await work(await readRetriable(runId, { journal, clock: machineClock }), journal);
  } finally {
    await journal.close();
  }
}

function byOrder({ maker }: MakerOrder, settings: Settings) {
  const stop = stopOnInterrupt(() => {}).signal;
  return { actor: actorHere(maker.person), stop, tell: tellLogged(settings, silentIo) };
}

/** The page gives the passphrase by a message. */
function makerOf({ maker: { keyFile, passphrase } }: MakerOrder): Maker {
  const unlock = (could: string) => unlockKey(keyFile, could, () => passphrase);
  return { account: personHere(), unlock };
}

/** Throws a `Refusal` (`usage`) for people of the page who cannot be named as those of a job are. */
function policyIn({ policy }: MakerOrder): JobApproval | null {
  if (policy === null) return null;
  const parsed = approvalPart.approval.unwrap().safeParse(policy);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Refusal('usage', `The people of the page cannot be named in a plan: ${why}.`, 'Change them under People.');
}
