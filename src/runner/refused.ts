import { NotBegun, type Outcome } from '../client/client.ts';
import type { SignedRequest } from '../domain/entry.ts';
import { promisesOf } from '../domain/run.ts';
import { CLOCK_ALLOWANCE_MS } from './patience.ts';
import type { RunContext } from './recorder.ts';

const UNREACHED_PAUSE_MS = 1_000;

/**
 * What became of a request that was refused for its pace (429). `spent`: no copy of it can take effect any more, and one
 * that did before stands in the service's listing. `unknown`: another copy may take effect until its deadline.
 */
export type AfterRefusal =
  | Extract<Outcome, { kind: 'accepted' | 'in_doubt' }>
  | { kind: 'spent' }
  | { kind: 'unknown' };

/**
 * A network can deliver a request twice, and a 429 is true of the copy that it answers and of no other. Where the service
 * promises to take the same bytes once at most, they are sent again, at the pace it asks for, until it takes them or says
 * that they are used up: that is true of every copy. Another refusal is, like the first, true of one.
 */
export async function sendRefusedAgain(context: RunContext, request: SignedRequest): Promise<AfterRefusal> {
  const { client, clock, noMore, holds } = context;
  if (!promisesOf(context.run).guarantees.replay_protection) return { kind: 'unknown' };
  for (;;) {
    const outcome = await client.resendRefused(request, noMore, holds).catch(nullIfNotBegun);
    if (outcome === null) return { kind: 'unknown' };
    if (outcome.kind === 'in_doubt' && outcome.replayed) return { kind: 'spent' };
    if (outcome.kind === 'accepted' || outcome.kind === 'in_doubt') return outcome;
    if (outcome.kind !== 'no_effect') return { kind: 'unknown' };
    const isTooLate = !outcome.answered && !outcome.unreached;
    if (isTooLate || noMore.aborted) return { kind: 'unknown' };
    if (outcome.unreached) await clock.sleep(UNREACHED_PAUSE_MS, noMore);
  }
}

/**
 * Whether no copy of a request can take effect any more, as far as can be known without a deadline that the service keeps
 * to: where it promises none, that is when as much time has passed as a request lives.
 */
export async function isOutOfTheWorld(context: RunContext, after: AfterRefusal): Promise<boolean> {
  if (after.kind === 'spent') return true;
  const { clock, stop, run } = context;
  if (promisesOf(run).guarantees.enforces_expiry) return false;
  await clock.sleep((run.header?.profile.request_lifetime_ms ?? 0) + CLOCK_ALLOWANCE_MS, stop);
  return !stop.aborted;
}

function nullIfNotBegun(error: unknown): null {
  if (error instanceof NotBegun) return null;
  throw error;
}
