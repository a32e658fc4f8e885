import type { Note } from '../../domain/entries/note.ts';
import type { Counts, Returned } from '../../domain/entry.ts';
import type { Outcome, OutcomeWhy, ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import type { RunEnding } from '../../domain/run/ending.ts';
import { isLeftOut } from '../../domain/run/left-out.ts';
import { mayHaveCopy, type PayoutState, type Unsubmitted } from '../../domain/run/payout.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../domain/run/tally.ts';

/**
 * The one of five statuses under which a payout is reported, whatever its state. What was sent and is not final is
 * `unresolved`, so that nobody reads an interrupted run's report as permission to pay again; what was never sent, or is
 * proven to have taken no effect, is `not_submitted`. What waits in a cancelled run is so only once the service was asked.
 * What was refused is `unresolved` while another copy of the request may have been taken (`mayHaveCopy`).
 */
export function statusOf(state: PayoutState['state'], isCancelled: boolean, mayHaveCopy = false): ReportStatus {
  switch (state) {
    case 'waiting':
      return isCancelled || mayHaveCopy ? 'unresolved' : 'not_submitted';
    case 'sending':
    case 'in_doubt':
    case 'accepted':
    case 'suspected':
      return 'unresolved';
    case 'rejected':
      return mayHaveCopy ? 'unresolved' : state;
    case 'completed':
    case 'failed':
    case 'unresolved':
    case 'not_submitted':
      return state;
  }
}

/**
 * The rows of which a request was refused and nothing proves that no other copy of it was taken. Before a run is finished
 * it looks for them at the service, once more when none can come any more.
 */
export function rowsWithCopies({ finished, dead }: Pick<RunState, 'finished' | 'dead'>): ReadonlySet<number> {
  const rows = new Set<number>();
  if (finished !== null) return rows;
  for (const attempt of dead.values()) if (mayHaveCopy(attempt)) rows.add(attempt.intent.row);
  return rows;
}

/**
 * What of a payout's run makes a difference to it. `mayHaveCopy`: it was refused, and another copy of its request may have been taken.
 * `returned`: a bank sent it back.
 */
export type Standing = { isCancelled: boolean; mayHaveCopy: boolean; returned?: Returned | undefined };

/** The status of a payout, and where it is not completed, why. */
export function outcomeOf(payout: PayoutState, { isCancelled, mayHaveCopy, returned }: Standing): Outcome {
  const status = statusOf(payout.state, isCancelled, mayHaveCopy);
  switch (payout.state) {
    case 'completed':
      if (returned !== undefined) return { status, code: 'returned', why: { why: 'returned', returned } };
      return { status, code: payout.final.code, why: noted(payout.final.message) };
    case 'failed': {
      const { code, message } = payout.final;
      return { status, code: code ?? 'failed', why: noted(message) ?? { why: 'failed_without_reason' } };
    }
    case 'rejected': {
      const { code, message, above } = payout;
      if (above !== null) return { status, code, why: { why: 'above_ceiling', above } };
      return { status, code, why: mayHaveCopy ? { why: 'may_have_copy', refusal: message } : noted(message) };
    }
    case 'not_submitted':
      return { status, code: payout.code, why: whyNotSubmitted(payout) };
    case 'unresolved':
    case 'suspected':
      return { status, code: 'unresolved', why: noted(payout.reason) };
    case 'waiting':
      if (isCancelled) return { status, code: 'not_looked_up', why: { why: 'not_looked_up' } };
      if (mayHaveCopy) return { status, code: 'outcome_unknown', why: { why: 'may_have_copy', refusal: null } };
      return { status, code: 'not_sent_yet', why: { why: 'not_sent_yet', attempts: payout.attempts } };
    case 'sending':
      return { status, code: 'outcome_unknown', why: { why: 'no_answer' } };
    case 'in_doubt':
      return { status, code: 'outcome_unknown', why: { why: 'in_doubt', reason: payout.reason } };
    case 'accepted':
      return { status, code: 'not_final_yet', why: { why: 'not_final' } };
  }
}

function whyNotSubmitted(why: Unsubmitted): OutcomeWhy | null {
  return 'params' in why ? { why: 'problem', problem: { code: why.code, params: why.params } } : noted(why.message);
}

function noted(text: Note | null): OutcomeWhy | null {
  return text === null ? null : { why: 'noted', text };
}

/** How many payouts have each status. They add up to the rows of the run, finished or not. */
export function countsOf(run: RunState): Counts {
  const counts: Counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
  const copies = rowsWithCopies(run);
  for (const [row, { state }] of run.payouts) counts[statusOf(state, run.cancelled, copies.has(row))]++;
  return counts;
}

/** How much of the run needs a person: payouts in doubt or perhaps paid twice, and a promise that the service broke. */
export function countForPerson(run: RunState): number {
  return countsOf(run).unresolved + run.surfaced.length + (run.expiryBroken === null ? 0 : 1);
}

/** Whether `retry` has rows to pay again once the run is finished, unless they are paid in another run by then. */
export function hasRetryable(run: RunState): boolean {
  if (isPlannedOnly(run)) return false;
  for (const payout of run.payouts.values())
    if (payout.state === 'failed' || payout.state === 'rejected' || isLeftOut(payout)) return true;
  return false;
}

/**
 * What the run is called, as far as its journal shows. A run whose process was killed has no entry about it and is
 * `running` here; only its lease shows that nobody works on it.
 */
export function phaseOf(run: RunState): RunPhase {
  if (run.finished !== null) return 'finished';
  if (isPlannedOnly(run)) return run.cancelled ? 'finished' : 'planned';
  return run.stopped === null ? 'running' : 'stopped';
}

/**
 * What commands, reports and notices call the run. `phase` is how far it is, where its lease was looked at too. A payout
 * that may have been paid is loudest: the run is never called finished or cancelled over it.
 */
export function standingOf(run: RunState, phase: RunPhase = phaseOf(run)): RunStanding {
  switch (phase) {
    case 'planned':
    case 'running':
      return phase;
    case 'stopped':
      return run.paused ? 'paused' : phase;
    case 'finished':
      if (isDecisionNeeded(run)) return 'needs_decision';
      // A plan that another one replaced is no payment that somebody stopped.
      return run.cancelled && run.replacedBy === null ? 'cancelled' : phase;
  }
}

/** Whether a payout is parked that only a person can decide, or was perhaps paid twice. */
function isDecisionNeeded(run: RunState): boolean {
  if (run.surfaced.length > 0) return true;
  for (const { state } of run.payouts.values()) if (state === 'unresolved' || state === 'suspected') return true;
  return false;
}

/** How a process that worked on the run ended. `stopped`: why it had to stop; null where the run is finished. */
export function endingOf(run: RunState, stopped: RunState['stopped']): RunEnding {
  if (stopped === 'interrupted') return 'interrupted';
  if (stopped !== null) return stopped === 'outage' && !wasAnythingSent(run) ? 'unreachable' : 'person_needed';
  if (countForPerson(run) > 0) return 'person_needed';
  const { failed, rejected, not_submitted: notSubmitted } = countsOf(run);
  return failed + rejected + notSubmitted > 0 ? 'some_failed' : 'ok';
}
