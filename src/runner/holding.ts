import type { Journal, RunWriter } from '../journal/journal.ts';
import { beat, watchRequests } from './beside.ts';
import type { RunContext } from './run-context.ts';
import { Halt } from './submit/halt.ts';

/** How work on a run ended before its end. The run goes on with `resume`. */
export type Stopped =
  | { end: 'interrupted' }
  | { end: 'halted'; reason: Halt['reason']; message: string; refusedCredentials: boolean };

/**
 * Does work on a run that this process holds: puts the lease off, hears of a person who cancels or pauses the run, and notes in the
 * journal why the work stopped, if it did. Rejects only where the process must stop: the lease is lost or a commit is
 * uncertain.
 */
export async function whileHolding<End>(
  context: RunContext,
  journal: Journal,
  writer: RunWriter,
  leaseMs: number,
  work: () => Promise<End>,
): Promise<End | Stopped> {
  const heart = beat(context, writer, leaseMs / 3);
  const requests = watchRequests(context, journal, writer.runId);
  try {
    return await Promise.race([work(), heart.failed, requests.failed]);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (context.stop.aborted && error.reason !== 'person_needed') {
      await context.record({ kind: 'stopped', reason: 'interrupted' });
      return { end: 'interrupted' };
    }
    const { reason, message, why, refusedCredentials } = error;
    await context.record({ kind: 'stopped', reason, message, ...(why !== null && { why }) });
    return { end: 'halted', reason, message, refusedCredentials };
  } finally {
    heart.stop();
    requests.stop();
  }
}
