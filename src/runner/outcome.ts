import { NotBegun, type Outcome } from '../client/client.ts';
import type { Note, SimpleNote } from '../domain/entries/note.ts';
import type { DoubtfulAnswer, FirstCopy, SignedRequest } from '../domain/entry.ts';
import { assert } from '../domain/refusal.ts';
import { promisesOf } from '../domain/run/run.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { Halt } from './halt.ts';
import { CLOCK_ALLOWANCE_MS } from './reconcile/deadlines.ts';
import { reconcile, recordReplayed } from './reconcile/reconcile.ts';
import type { RunContext } from './run-context.ts';

type Rejected = Extract<Outcome, { kind: 'rejected' }>;

/** An outcome; why the service refused it may be a code. */
export type Answered = Exclude<Outcome, Rejected> | (Omit<Rejected, 'message'> & { message: Note });

/** Records what one answer means for the payout. Returns false where the service was not reached at all. */
export async function recordOutcome(
  context: RunContext,
  row: number,
  attempt: number,
  outcome: Answered,
  by: 'answer' | 'resend' = 'answer',
): Promise<boolean> {
  switch (outcome.kind) {
    case 'accepted': {
      const { data } = outcome;
      if (typeof data !== 'string')
        return recordDoubt(context, row, attempt, { reason: { code: 'no_transaction_id' } });
      if (context.owners.has(data))
        return recordDoubt(context, row, attempt, { reason: { code: 'answer_of_another_row', transaction_id: data } });
      await context.record({ kind: 'accepted', row, attempt, transaction_id: data, by });
      return true;
    }
    case 'rejected': {
      const { message } = outcome;
      const code = outcome.reason ?? outcome.code;
      const isSpent = isFinal(context.run, outcome);
      await context.record({ kind: 'rejected', row, attempt, code, message, ...(isSpent && { spent: true }) });
      // Another copy of it may be paid.
      if (isSpent) context.ceilings.giveBack(row);
      return true;
    }
    case 'refused_credentials': {
      const { message: cause } = outcome;
      // True of this copy of the request: another may have been taken before.
      await context.record({ kind: 'doubt', row, attempt, reason: { code: 'credentials_refused', cause } });
      throw new Halt({ code: 'credentials_refused', cause });
    }
    case 'no_effect': {
      const { reason, answered, unreached } = outcome;
      if (answered) return recordRefused(context, row, attempt, { reason, spent: outcome.spent });
      await context.record({ kind: 'no_effect', row, attempt, reason, answered });
      return !unreached;
    }
    case 'in_doubt':
      return recordDoubt(context, row, attempt, outcome);
  }
}

/**
 * Refused for its pace (429) or for a rate that may come back. Where that is true of every copy of the request, it had no
 * effect. Otherwise another copy may take effect until the deadline: the same bytes are sent again where they are taken once
 * at most, and what that does not settle is a doubt like any other.
 */
export async function recordRefused(
  context: RunContext,
  row: number,
  attempt: number,
  { reason, drifted, spent }: { reason: SimpleNote; drifted?: true; spent: true | undefined },
): Promise<boolean> {
  const payout = context.payout(row);
  assert(payout.state === 'sending', `row ${row} is ${payout.state}, and was refused`);
  const drift = drifted && { drifted };
  if (isFinal(context.run, { spent })) {
    await context.record({ kind: 'no_effect', row, attempt, reason, ...drift, answered: true, spent: true });
    return true;
  }
  const outcome = await resendRefused(context, payout.intent.request);
  if (outcome?.kind === 'accepted') return recordOutcome(context, row, attempt, outcome, 'resend');
  const doubt = outcome ?? { reason: { code: 'copy_possible', about: reason } as const };
  return recordDoubt(context, row, attempt, { ...doubt, ...drift });
}

type DoubtReason = {
  reason: Note;
  answer?: DoubtfulAnswer;
  replayed?: { first: FirstCopy | null };
  drifted?: true;
};

async function recordDoubt(
  context: RunContext,
  row: number,
  attempt: number,
  { reason, answer, replayed, drifted }: DoubtReason,
): Promise<true> {
  const known = { ...(answer !== undefined && { answer }), ...(drifted && { drifted }) };
  await context.record({ kind: 'doubt', row, attempt, reason, ...known });
  const payout = context.payout(row);
  if (replayed && 'intent' in payout) await recordReplayed(context, payout.intent, replayed.first);
  await reconcile(context, row, true);
  return true;
}

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
