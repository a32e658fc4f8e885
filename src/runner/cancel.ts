import type { Entry } from '../domain/entry.ts';
import type { RunContext } from './recorder.ts';

/** Entries of one commit. */
const CHUNK_ENTRIES = 1_024;

/** Submits nothing more: what waits is `not_submitted`, what is submitted is still to be waited for. */
export async function cancelRun(context: RunContext, by: string): Promise<{ notSubmitted: number }> {
  if (!context.run.cancelled) await context.record({ kind: 'cancelled', by });
  return { notSubmitted: await giveUpWaiting(context) };
}

/** What waits in a cancelled run: nothing of it was sent, or it is proven to have had no effect. */
export async function giveUpWaiting(context: RunContext): Promise<number> {
  const entries: Entry[] = [];
  for (const [row, payout] of context.run.payouts) {
    if (payout.state !== 'waiting') continue;
    const message =
      payout.attempts === 0
        ? 'The run was cancelled before it was sent.'
        : 'What was sent of it took no effect, and the run was cancelled before it was sent again.';
    entries.push({ kind: 'not_submitted', row, code: 'cancelled', message });
  }
  for (let at = 0; at < entries.length; at += CHUNK_ENTRIES) {
    await context.record(...entries.slice(at, at + CHUNK_ENTRIES));
  }
  return entries.length;
}
