import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { gatherInput } from '../../app/plan/gather.ts';
import { type Planned, planInput } from '../../app/plan/make-plan.ts';
import { planResultOf } from '../../app/plan/plan-result.ts';
import { type Maker, preparationOf } from '../../app/plan/preparer.ts';
import { correctedRows, jobOfRetry, planRetry, type RetryRows, rowsAsTheyWere } from '../../app/retry/draft-retry.ts';
import { leftOutProblem, type Retriable, readRetriable } from '../../app/retry/retriable.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import { withDataDir } from '../../compose/data-dir.ts';
import { givenOfJob, givenOfRetry } from '../../compose/given.ts';
import { actorHere, personHere } from '../../compose/person.ts';
import { planDeps } from '../../compose/run-deps.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import { unlockKey } from '../../compose/unlock-key.ts';
import { Refusal } from '../../domain/refusal.ts';
import { approvalPart, type JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock } from '../../platform/machine.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import { notifyingOfRefusal, WRONG_INPUT } from '../jobs/refused-notices.ts';
import { notifyHere } from '../plans/maker.ts';
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
  const gathered = await gatherInput(given, { path, pattern: null, others: [] }, { isCorrection: false });
  if (gathered.outcome === 'has_problems') return { outcome: 'has_problems' };
  return withDataDir(settings, async ({ journal, log }) => {
    const deps = planDeps({ journal, settings, log, io: silentIo }, given, byOrder(order, settings, log));
    const { plan, draft, older } = await planInput(deps, { given, gathered, preparation, yieldsToApproved: false });
    return { outcome: 'planned', plan: planResultOf(plan, draft.read.problems, older) };
  });
}

/** Corrected rows take the place of those of the run, and of no others. */
function planCorrections({ path, settings, columns }: Opened, order: Order, runId: string): Promise<Made> {
  return retrying(settings, runId, async (retried, open) => {
    const given = { ...givenOfRetry(retried, null, settings), columns };
    const chosen = { path, pattern: null, others: [] };
    const read = await correctedRows(open.journal, { given, chosen, retried });
    if (read.outcome === 'has_problems') return { outcome: 'has_problems' };
    const { plan, older } = await planRows(retried, read.rows, { ...open, settings, order });
    const command = commandsFor(settings);
    const left = retried.retryable.leftOut.map((one) => leftOutProblem(one, command, runId));
    return { outcome: 'planned', plan: planResultOf(plan, [...read.rows.problems, ...left], older) };
  });
}

/** The plan of the rows of a run as they were. */
export async function retryTask(given: Record<string, unknown>, order: OrderOf<'retry'>): Promise<ValueOf<'retry'>> {
  const settings = readSettings({ ...given, as: order.maker.keyFile }, {});
  return retrying(settings, order.runId, async (retried, open) => {
    const { plan } = await planRows(retried, rowsAsTheyWere(retried), { ...open, settings, order });
    return { planned: plan.header.run_id };
  });
}

type MakerOrder = Pick<Order, 'maker' | 'policy'>;

type Open = { journal: Journal; log: Log };

/** Who approves is what the job asks, or the run that is retried; where neither does, what the page asks. */
async function planRows(
  retried: Retriable,
  taken: RetryRows,
  { journal, log, settings, order }: Open & { settings: Settings; order: MakerOrder },
): Promise<Planned> {
  const asked = policyIn(order);
  const { job, policy } = await jobOfRetry(retried, journal, (known) => known ?? asked);
  const isOfJob = asked === null && (retried.run.header?.job ?? null) !== null;
  const preparation = await preparationOf(policy, makerOf(order), isOfJob ? 'job' : 'approval file');
  const given = givenOfRetry(retried, job, settings);
  const deps = planDeps({ journal, settings, log, io: silentIo }, given, byOrder(order, settings, log));
  return planRetry(deps, { given, retried, taken, preparation });
}

/** Does the work over the rows of a run that can be retried. Throws a `Refusal` where there are none. */
async function retrying<Result>(
  settings: Settings,
  runId: string,
  work: (retried: Retriable, open: Open) => Promise<Result>,
): Promise<Result> {
  return withDataDir(settings, async (open) =>
    work(await readRetriable(runId, { journal: open.journal, clock: machineClock }), open),
  );
}

function byOrder({ maker }: MakerOrder, settings: Settings, log: Log) {
  const stop = stopOnInterrupt(() => {}).signal;
  const notify = notifyHere({ io: silentIo, log }, commandsFor(settings));
  return { actor: actorHere(maker.person), stop, notify };
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
