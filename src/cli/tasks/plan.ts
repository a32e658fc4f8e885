import process from 'node:process';
import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { planInput } from '../../app/plan/plan-input.ts';
import { planResultOf } from '../../app/plan/shown-plan.ts';
import { correctedRows, rowsAsTheyWere } from '../../app/retry/plan-retry.ts';
import type { Retriable } from '../../app/retry/retriable.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import { readSigningKey } from '../../compose/connect.ts';
import { openDataJournal } from '../../compose/data-dir.ts';
import { periodOfRun } from '../../compose/job-period.ts';
import { actorHere } from '../../compose/person.ts';
import { readProfile } from '../../compose/profile.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import type { Actor } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import { approvalPart, type JobApproval } from '../../job/parts/approval-part.ts';
import type { Journal } from '../../journal/journal.ts';
import { machineClock } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { announce } from '../commands/plan/run.ts';
import { planRetryHere } from '../commands/retry/plan-here.ts';
import { givenOfRetry } from '../commands/retry/retry-policy.ts';
import { leftOutProblem, readRetried } from '../commands/retry/retry-rows.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import { notifyingOfRefusal, WRONG_INPUT } from '../jobs/refused-notices.ts';
import { interrupted, planDepsHere } from '../plans/plan-here.ts';
import { givenHere } from '../plans/prepared-run.ts';
import { preparationOf } from '../plans/preparer.ts';
import { NO_OLDER_PLANS } from '../plans/replaced-plans.ts';
import { jobHeld } from '../runs/open-run.ts';
import { type Io, processIo, silentIo } from '../terminal.ts';
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
  const io = processIo(process.env);
  const profile = readProfile(settings, process.env, job);
  const key = readSigningKey(profile);
  const period = await periodOfRun(job, settings.period, machineClock.wallMs());
  const given = { ...givenHere({ job, period, settings, io, profile, key }), columns };
  const policy = job?.approval ?? policyIn(order);
  const place = order.policy === null ? 'job' : 'approval file';
  const preparation = await preparationOf(policy, settings, io, place, order.maker.passphrase);
  const interrupt = stopOnInterrupt(() => {});
  const service = { profile, key };
  const { command } = given;
  const deps = planDepsHere({ settings, command, service, actor: actorOf(order), stop: interrupt.signal });
  const chosen = { path, pattern: null, others: [] };
  const made = await planInput(deps, { given, chosen, preparation, yieldsToApproved: false });
  if (made.outcome === 'has_problems') return { outcome: 'has_problems' };
  if (made.outcome === 'interrupted') throw interrupted();
  if (made.outcome === 'job_held') throw jobHeld(made.job, made.held);
  await announce(given, made.plan);
  return { outcome: 'planned', plan: planResultOf(made.plan, made.gathered.read.problems, made.older) };
}

/** Corrected rows take the place of those of the run, and of no others. */
function planCorrections({ path, settings, columns }: Opened, order: Order, runId: string): Promise<Made> {
  return retrying(settings, runId, async (retried, means) => {
    const { journal, command } = means;
    const given = { ...givenOfRetry(retried, null, means), columns };
    const read = await correctedRows(journal, { given, chosen: { path, pattern: null, others: [] }, retried });
    if (read.outcome === 'has_problems') return { outcome: 'has_problems' };
    const plan = await planRetryHere(retried, read.rows, { ...means, ...byMessage(order) });
    const left = retried.retryable.leftOut.map((one) => leftOutProblem(one, command, runId));
    return { outcome: 'planned', plan: planResultOf(plan, [...read.rows.problems, ...left], NO_OLDER_PLANS) };
  });
}

/** The plan of the rows of a run as they were. */
export async function retryTask(given: Record<string, unknown>, order: OrderOf<'retry'>): Promise<ValueOf<'retry'>> {
  const settings = readSettings({ ...given, as: order.maker.keyFile }, {});
  return retrying(settings, order.runId, async (retried, means) => {
    const plan = await planRetryHere(retried, rowsAsTheyWere(retried), { ...means, ...byMessage(order) });
    return { planned: plan.header.run_id };
  });
}

/** Does the work over the rows of a run that can be retried. Throws a `Refusal` where there are none. */
async function retrying<Result>(
  settings: Settings,
  runId: string,
  work: (
    retried: Retriable,
    means: { journal: Journal; io: Io; settings: Settings; command: CommandLine },
  ) => Promise<Result>,
): Promise<Result> {
  const command = commandsFor(settings);
  const journal = await openDataJournal(settings.dataDir);
  try {
    const retried = await readRetried(journal, runId);
    return await work(retried, { journal, io: silentIo, settings, command });
  } finally {
    await journal.close();
  }
}

function byMessage(order: Pick<Order, 'maker' | 'policy'>) {
  return { actor: actorOf(order), message: { policy: policyIn(order), passphrase: order.maker.passphrase } };
}

function actorOf({ maker }: Pick<Order, 'maker'>): Actor {
  return actorHere(maker.person);
}

/** Throws a `Refusal` (`usage`) for people of the page who cannot be named as those of a job are. */
function policyIn({ policy }: Pick<Order, 'policy'>): JobApproval | null {
  if (policy === null) return null;
  const parsed = approvalPart.approval.unwrap().safeParse(policy);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Refusal('usage', `The people of the page cannot be named in a plan: ${why}.`, 'Change them under People.');
}
