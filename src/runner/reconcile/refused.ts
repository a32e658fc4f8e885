import { NotBegun, type Outcome } from '../../client/client.ts';
import type { SignedRequest } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunContext } from '../run-context.ts';
import { CLOCK_ALLOWANCE_MS } from './patience.ts';

const UNREACHED_PAUSE_MS = 1_000;

/**
 * A network can deliver a request twice, and a refusal is true of the copy that it answers: of all copies only where the
 * answer says that the nonce is used up, or where the service promises that it is.
 */
export function isFinal(context: RunContext, { spent }: { spent?: true | undefined }): boolean {
  return spent === true || promisesOf(context.run).guarantees.refusals_are_final === true;
}

/**
 * The same bytes once more, after a 429 that is true of one copy: where the service promises to take them once at most,
 * until it takes them, says that it had them, or something happens that leaves a doubt. Null where nothing is learnt:
 * another copy may take effect until their deadline.
 */
export async function sendRefusedAgain(
  context: RunContext,
  request: SignedRequest,
): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }> | null> {
  const { client, clock, noMore, holds } = context;
  if (!promisesOf(context.run).guarantees.replay_protection) return null;
  for (;;) {
    const outcome = await client.resendRefused(request, noMore, holds).catch(nullIfNotBegun);
    if (outcome?.kind === 'accepted' || outcome?.kind === 'in_doubt') return outcome;
    if (outcome?.kind !== 'no_effect') return null;
    const isTooLate = !outcome.answered && !outcome.unreached;
    if (isTooLate || noMore.aborted) return null;
    if (outcome.unreached) await clock.sleep(UNREACHED_PAUSE_MS, noMore);
  }
}

/** Where a service promises no deadline, a creation that it refused is given as long as a request lives. */
export async function outliveRequest({ clock, stop, run }: RunContext): Promise<boolean> {
  if (promisesOf(run).guarantees.enforces_expiry !== false) return false;
  await clock.sleep((run.header?.profile.request_lifetime_ms ?? 0) + CLOCK_ALLOWANCE_MS, stop);
  return !stop.aborted;
}

function nullIfNotBegun(error: unknown): null {
  if (error instanceof NotBegun) return null;
  throw error;
}
