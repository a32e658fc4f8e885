import { Buffer } from 'node:buffer';
import process from 'node:process';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import type { Job } from '../../job/job.ts';
import { messages } from '../../messages/messages.ts';
import type { Place } from '../../messages/refusals/refusal-words.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import { placeFor } from '../command-hints.ts';
import { readNamedJob } from '../named-input.ts';
import { DATA_DIR_DEFAULT, readSettings, type Settings } from '../settings.ts';
import { BUG_EXIT, type Explanation, explanationOf } from './explanation.ts';
import { withLog } from './here.ts';
import { OUTAGE_ANNOUNCED } from './job-process.ts';
import { isRehearsalOf, wasRehearsal } from './known-jobs.ts';
import { sendNotice } from './notifying.ts';

type Refused = Pick<Explanation, 'message' | 'remedy' | 'exit' | 'runId' | 'isStopped'>;

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
  if (process.exitCode === REFUSAL_EXIT.input) await notifyRefused(options, WRONG_INPUT(String(options.input)));
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
  if (exit === REFUSAL_EXIT.held || details.period !== undefined) return null;
  if (exit === REFUSAL_EXIT.unreachable && process.env[OUTAGE_ANNOUNCED] === '1') return null;
  // The stack of a bug is for the log.
  if (exit === BUG_EXIT)
    return { message: messages.process.BUG.notice, remedy: '', exit, runId: null, isStopped: true };
  const [message = '', ...more] = whole.split('\n');
  // Lines about single rows name payees and what they are paid.
  const rest = more.length > 0 ? `\n${messages.process.SEE_OUTPUT}` : '';
  return { message, remedy: `${remedy}${rest}`, exit, runId, isStopped };
}

export const WRONG_INPUT = (input: string): Refused => ({
  ...messages.process.wrongInputText(`payrun check ${input}`),
  exit: REFUSAL_EXIT.input,
  runId: null,
  isStopped: false,
});

async function notifyRefused(options: Record<string, unknown>, refused: Refused | null): Promise<void> {
  const job = refused === null ? null : await jobOf(options);
  const settings = job === null ? null : settingsOf(options, job);
  if (settings !== null) await notifyOf(job, settings, refused);
}

async function notifyOf(job: Job | null, settings: Settings, refused: Refused | null): Promise<void> {
  if (refused === null || job === null || job.notify === null || isSeen()) return;
  // What did not begin may name a run at another service.
  const own = refused.isStopped ? await wasRehearsal(settings, refused.runId) : null;
  const rehearsal = own ?? (await isRehearsalOf(settings, job));
  const notice = async () => {
    const { refusedNotice } = await import('../../notify/job-notices.ts');
    const id = `refused-${Buffer.from(machineRandomness.bytes(12)).toString('hex')}`;
    return refusedNotice({ ...refused, job: job.name, rehearsal }, { at: machineClock.wallMs(), id });
  };
  const io = { stderr: (text: string) => void process.stderr.write(text) };
  await withLog(settings, (log) => sendNotice(job.notify, notice, { io, log }));
}

/** Whether a person sits at the terminal, and reads there why the job did not begin. */
function isSeen(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
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
