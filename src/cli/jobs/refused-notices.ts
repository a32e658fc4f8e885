import process from 'node:process';
import { placeFor } from '../../compose/command-hints.ts';
import { openLog } from '../../compose/data-dir.ts';
import { readNamedJob } from '../../compose/named-input.ts';
import { DATA_DIR_DEFAULT, readSettings, type Settings } from '../../compose/settings.ts';
import type { Job } from '../../job/job.ts';
import type { Place } from '../../messages/refusals/refusal-words.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import { EXIT } from '../exit.ts';
import { explanationOf } from '../explain.ts';
import { processIo } from '../terminal.ts';
import { OUTAGE_ANNOUNCED } from './job-process.ts';
import { isRehearsalOf, wasRehearsal } from './known-rehearsal.ts';
import { notify } from './notices.ts';

type Refused = { message: string; remedy: string; exit: number; runId: string | null; isStopped: boolean };

/**
 * Does the work of `run JOB` or `plan JOB`, and notifies people where the job did not begin. Not where a person sees it at a
 * terminal, nor where another process is at the same job or has paid the period: that is as it should be.
 */
export async function notifyingOfRefusals(options: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await notifyRefused(options, refusedBy(error, await placeOf(options)));
    throw error;
  }
  if (process.exitCode === EXIT.input) await notifyRefused(options, WRONG_INPUT(String(options.input)));
}

/** The same where job and settings are known. `refused` is why the job did not begin, where nothing was thrown. */
export async function notifyingOfRefusal<Made>(
  job: Job | null,
  settings: Settings,
  work: () => Promise<{ made: Made; refused: Refused | null }>,
): Promise<Made> {
  try {
    const { made, refused } = await work();
    await notifyOf(job, settings, refused);
    return made;
  } catch (error) {
    await notifyOf(job, settings, refusedBy(error, placeFor(settings)));
    throw error;
  }
}

function refusedBy(error: unknown, place: Place): Refused | null {
  const { message: whole, remedy, exit, runId, isStopped, details } = explanationOf(error, place);
  if (exit === EXIT.held || details.period !== undefined) return null;
  if (exit === EXIT.unreachable && process.env[OUTAGE_ANNOUNCED] === '1') return null;
  // The stack of a bug is for the log.
  if (exit === EXIT.bug) return { message: 'payrun met a bug.', remedy: '', exit, runId: null, isStopped: true };
  const [message = '', ...more] = whole.split('\n');
  // Lines about single rows name payees and what they are paid.
  const rest = more.length > 0 ? '\nSee the output for the affected rows.' : '';
  return { message, remedy: `${remedy}${rest}`, exit, runId, isStopped };
}

export const WRONG_INPUT = (input: string): Refused => ({
  message: 'The input has problems.',
  remedy: `See them: payrun check ${input}`,
  exit: EXIT.input,
  runId: null,
  isStopped: false,
});

async function notifyRefused(options: Record<string, unknown>, refused: Refused | null): Promise<void> {
  const job = refused === null ? null : await jobOf(options);
  const settings = job === null ? null : settingsOf(options, job);
  if (settings !== null) await notifyOf(job, settings, refused);
}

async function notifyOf(job: Job | null, settings: Settings, refused: Refused | null): Promise<void> {
  const io = processIo(process.env);
  if (refused === null || job === null || job.notify === null || io.isInteractive) return;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    // What did not begin may name a run at another service.
    const own = refused.isStopped ? await wasRehearsal(settings.dataDir, refused.runId) : null;
    const rehearsal = own ?? (await isRehearsalOf(settings, job));
    const notice = async () => {
      const { refusedNotice } = await import('../../notify/job-notices.ts');
      const id = `refused-${Buffer.from(machineRandomness.bytes(12)).toString('hex')}`;
      return refusedNotice({ ...refused, job: job.name, rehearsal }, { at: machineClock.wallMs(), id });
    };
    await notify(job.notify, notice, { io, log });
  } finally {
    flush();
  }
}

/** How commands are printed for who gave these options; as by default where they cannot be read. */
export async function placeOf(options: Record<string, unknown>): Promise<Place> {
  const job = options.input === undefined ? null : await jobOf(options);
  return placeFor(settingsOf(options, job) ?? { dataDir: DATA_DIR_DEFAULT });
}

/** Null where the job itself cannot be read: then it is not known who to notify. */
async function jobOf({ input }: Record<string, unknown>): Promise<Job | null> {
  try {
    return await readNamedJob(String(input));
  } catch {
    return null;
  }
}

/** Null where the settings cannot be read. */
export function settingsOf(options: Record<string, unknown>, job: Job | null): Settings | null {
  try {
    return readSettings(options, process.env, job);
  } catch {
    return null;
  }
}
