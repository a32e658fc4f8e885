import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { gatherInput } from '../../app/plan/gather.ts';
import { type Planned, planInput } from '../../app/plan/make-plan.ts';
import { planResultOf } from '../../app/plan/plan-result.ts';
import { type Maker, preparationOf } from '../../app/plan/preparer.ts';
import { correctedRows, jobOfRetry, planRetry, type RetryRows, rowsAsTheyWere } from '../../app/retry/draft-retry.ts';
import { leftOutProblem, type Retriable, readRetriable } from '../../app/retry/retriable.ts';
import { Refusal } from '../../domain/refusal.ts';
import { approvalPart, type JobApproval } from '../../job/parts/approval-part.ts';
import { givenOfJob, givenOfRetry } from '../given.ts';
import { type LoggedHere, withLoggedJournal } from '../machine/here.ts';
import { stopOnInterrupt } from '../machine/interrupt.ts';
import { makerHere, NO_OUTPUT, notifyHere } from '../machine/notifying.ts';
import { notifyingOfRefusal, WRONG_INPUT } from '../machine/refused-notices.ts';
import { actorHere } from '../person.ts';
import { planDeps } from '../run-deps.ts';
import { readSettings } from '../settings.ts';
import { openOrder } from './check-task.ts';

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

async function planFile({ path, job, settings, columns, edits, memory }: Opened, order: Order): Promise<Made> {
  const given = { ...(await givenOfJob(job, settings)), columns, edits, memory };
  const place = order.policy === null ? 'job' : 'approval file';
  const preparation = await preparationOf(job?.approval ?? policyIn(order), makerOf(order), place);
  const gathered = await gatherInput(given, { path, pattern: null, others: [] });
  if (gathered.outcome === 'has_problems') return { outcome: 'has_problems' };
  return withLoggedJournal(settings, async (here) => {
    const deps = planDeps({ ...here, io: NO_OUTPUT }, given, byOrder(order, here));
    const { plan, draft, older } = await planInput(deps, {
      given,
      gathered,
      preparation,
      yieldsToApproved: false,
      start: order.start,
    });
    return { outcome: 'planned', plan: planResultOf(plan, draft.read.problems, older) };
  });
}

/** Corrected rows take the place of those of the run, and of no others. */
function planCorrections(
  { path, settings, columns, edits, memory }: Opened,
  order: Order,
  runId: string,
): Promise<Made> {
  return withLoggedJournal(settings, async (here) => {
    const retried = await readRetriable(runId, here);
    const given = { ...(await givenOfRetry(retried, null, settings)), columns, edits, memory };
    const chosen = { path, pattern: null, others: [] };
    const read = await correctedRows(here.journal, { given, chosen, retried });
    if (read.outcome === 'has_problems') return { outcome: 'has_problems' };
    const { plan, older } = await planRows(retried, read.rows, here, order);
    const left = retried.retryable.leftOut.map((one) => leftOutProblem(one, here.command, runId));
    return { outcome: 'planned', plan: planResultOf(plan, [...read.rows.problems, ...left], older) };
  });
}

/** The plan of the rows of a run as they were, but those that are left out. */
export function retryTask(given: Record<string, unknown>, order: OrderOf<'retry'>): Promise<ValueOf<'retry'>> {
  const settings = readSettings({ ...given, as: order.maker.keyFile }, {});
  return withLoggedJournal(settings, async (here) => {
    const retried = await readRetriable(order.runId, here);
    const { plan } = await planRows(retried, rowsAsTheyWere(retried, order.leaveOut), here, order);
    return { planned: plan.header.run_id };
  });
}

type MakerOrder = Pick<Order, 'maker' | 'policy' | 'over' | 'start'>;

/** Who approves is what the job asks, or the run that is retried; where neither does, what the page asks. */
async function planRows(retried: Retriable, taken: RetryRows, here: LoggedHere, order: MakerOrder): Promise<Planned> {
  const asked = policyIn(order);
  const { job, policy } = await jobOfRetry(retried, here.journal, (known) => known ?? asked);
  const isOfJob = asked === null && (retried.run.header?.job ?? null) !== null;
  const preparation = await preparationOf(policy, makerOf(order), isOfJob ? 'job' : 'approval file');
  const given = await givenOfRetry(retried, job, here.settings);
  const deps = planDeps({ ...here, io: NO_OUTPUT }, given, byOrder(order, here));
  return planRetry(deps, { given, retried, taken, preparation, start: order.start });
}

function byOrder({ maker, over }: MakerOrder, here: LoggedHere) {
  const stop = stopOnInterrupt(() => {}).signal;
  const isRehearsal = over?.isRehearsal ?? undefined;
  return { actor: actorHere(maker.person), stop, isRehearsal, notify: notifyHere({ ...here, io: NO_OUTPUT }) };
}

/** The page gives the passphrase by a message. */
function makerOf({ maker: { keyFile, passphrase } }: MakerOrder): Maker {
  return makerHere(keyFile, () => passphrase);
}

/** Throws a `Refusal` (`page_people_unusable`) for people of the page who cannot be named as those of a job are. */
function policyIn({ policy }: MakerOrder): JobApproval | null {
  if (policy === null) return null;
  const parsed = approvalPart.approval.unwrap().safeParse(policy);
  if (parsed.success) return parsed.data;
  const cause = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Refusal({ code: 'page_people_unusable', cause });
}
