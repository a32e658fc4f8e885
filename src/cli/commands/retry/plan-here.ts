import type { DrawnPlan } from '../../../app/plan/draw-plan.ts';
import { planRetry, type RetryRows } from '../../../app/retry/plan-retry.ts';
import type { Retriable } from '../../../app/retry/retriable.ts';
import { openLog } from '../../../compose/data-dir.ts';
import type { Settings } from '../../../compose/settings.ts';
import { noteOf } from '../../../compose/webhooks.ts';
import type { Actor } from '../../../domain/entry.ts';
import type { Journal } from '../../../journal/journal.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { interrupted, planDepsHere } from '../../plans/plan-here.ts';
import { notifyPlanned } from '../../plans/plan-notices.ts';
import type { Io } from '../../terminal.ts';
import { type ByMessage, givenOfRetry, preparationOfRetry } from './retry-policy.ts';

type Means = {
  journal: Journal;
  io: Io;
  settings: Settings;
  command: CommandLine;
  actor: Actor;
  message?: ByMessage;
};

/** Plans the rows with what this machine has, and tells those who approve it. Throws a `Refusal`. */
export async function planRetryHere(retried: Retriable, taken: RetryRows, means: Means): Promise<DrawnPlan> {
  const { journal, io, settings, command, actor, message } = means;
  const { dataDir, logLevel } = settings;
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    const { job, preparation } = await preparationOfRetry(retried, means, message ?? null);
    const given = givenOfRetry(retried, job, means);
    const service = { profile: given.profile, key: given.key, note: noteOf(io, settings) };
    const deps = planDepsHere({ settings, command, service, actor, stop: interrupt.signal });
    const made = await planRetry({ ...deps, journal }, { given, retried, taken, preparation });
    if (made.outcome === 'interrupted') throw interrupted();
    interrupt.release();
    const { log, flush } = openLog(dataDir, logLevel);
    await notifyPlanned(made.notify, made.plan, { io, log, command, journal });
    flush();
    return made.plan;
  } finally {
    interrupt.release();
  }
}
