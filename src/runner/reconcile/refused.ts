import { NotBegun, type Outcome } from '../../client/client.ts';
import type { SignedRequest } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunContext } from '../run-context.ts';
import { CLOCK_ALLOWANCE_MS } from './deadlines.ts';

const UNREACHED_PAUSE_MS = 1_000;

/**
 * A network can deliver a request twice, and a refusal is true of the copy that it answers: of all copies only where the
 * answer shows that the nonce is used up, or where the service promises that it is.
 */
export function isFinal(run: RunState, { spent }: { spent?: true | undefined }): boolean {
  return spent === true || promisesOf(run).guarantees.refusals_are_final === true;
}

/**
 * The same bytes again, after a 429 that is true of one copy: where the service promises to take them once at most,
 * until it takes them, answers that it had them, or something happens that leaves a doubt. Null where nothing is learnt:
 * another copy may take effect until their deadline.
 */
export async function resendRefused(
  { client, clock, noMore, holds, run }: RunContext,
  request: SignedRequest,
): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }> | null> {
  if (!promisesOf(run).guarantees.replay_protection) return null;
  for (;;) {
    const outcome = await client.resendRefused(request, holds, noMore).catch(nullIfNotBegun);
    if (outcome?.kind === 'accepted' || outcome?.kind === 'in_doubt') return outcome;
    if (outcome?.kind !== 'no_effect') return null;
    const isTooLate = !outcome.answered && !outcome.unreached;
    if (isTooLate || noMore.aborted) return null;
    if (outcome.unreached) await clock.sleep(UNREACHED_PAUSE_MS, noMore);
  }
}

/** Where a service promises no deadline, a creation that it refused is waited for as long as a request lives. */
export async function outliveRequest({ clock, stop, run, profile }: RunContext): Promise<boolean> {
  if (promisesOf(run).guarantees.enforces_expiry !== false) return false;
  await clock.sleep(profile.request_lifetime_ms + CLOCK_ALLOWANCE_MS, stop);
  return !stop.aborted;
}

function nullIfNotBegun(error: unknown): null {
  if (error instanceof NotBegun) return null;
  throw error;
}
