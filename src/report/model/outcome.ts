import { z } from 'zod';
import { counts } from '../../domain/entries/run.ts';
import type { Counts } from '../../domain/entry.ts';
import { isLeftOut } from '../../domain/run/left-out.ts';
import { mayHaveCopy, type PayoutState } from '../../domain/run/payout.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { withoutStop } from '../../messages/text.ts';

/** What a report says of a row. Every row has one of these, also while its run is not finished. */
export const reportStatus = z.keyof(counts);
export type ReportStatus = z.output<typeof reportStatus>;

/** What everything about a run at the shipped service says, so that nobody takes it for proof of a payment. */
export const REHEARSAL_BAND = 'REHEARSAL: no money moves';

export type Outcome = { status: ReportStatus; code: string | null; message: string | null };

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
 * What of a payout's run makes a difference to it. `resume` is the command that goes on with the run; `doubt` is what is
 * known of the payout where it is in doubt, in words. `mayHaveCopy`: it was refused, and another copy of its request may have been taken.
 */
export type Standing = { resume: string; isCancelled: boolean; doubt: string | null; mayHaveCopy: boolean };

/** The status of a payout, and where it is not completed, why and what to do about it. */
export function outcomeOf(payout: PayoutState, { resume, isCancelled, doubt, mayHaveCopy }: Standing): Outcome {
  const status = statusOf(payout.state, isCancelled, mayHaveCopy);
  switch (payout.state) {
    case 'completed':
      return { status, code: payout.final.code, message: payout.final.message };
    case 'failed':
      return {
        status,
        code: payout.final.code ?? 'failed',
        message: payout.final.message ?? 'The service reports that the payout failed, and gives no reason.',
      };
    case 'rejected':
      if (mayHaveCopy) return { status, code: payout.code, message: copyMessage(payout.message, resume) };
      return { status, code: payout.code, message: payout.message };
    case 'not_submitted':
      return { status, code: payout.code, message: payout.message };
    case 'unresolved':
    case 'suspected':
      return { status, code: 'unresolved', message: doubt ?? payout.reason };
    case 'waiting':
      if (isCancelled) return { status, code: 'not_looked_up', message: notLookedUpMessage(resume) };
      if (mayHaveCopy) return { status, code: 'outcome_unknown', message: copyMessage('Refused', resume) };
      return { status, code: 'not_sent_yet', message: waitingMessage(payout.attempts, resume) };
    case 'sending':
      return {
        status,
        code: 'outcome_unknown',
        message: `Sent, and no answer was recorded; ${resume} looks for it at the service.`,
      };
    case 'in_doubt':
      return {
        status,
        code: 'outcome_unknown',
        message: `In doubt: ${withoutStop(payout.reason)}; ${resume} looks for it at the service.`,
      };
    case 'accepted':
      return {
        status,
        code: 'not_final_yet',
        message: `Accepted by the service, not final yet; ${resume} waits for it.`,
      };
  }
}

function waitingMessage(attempts: number, resume: string): string {
  if (attempts === 0) return `Not sent yet; ${resume} goes on with it.`;
  const times = attempts === 1 ? 'Its attempt' : `All ${attempts} attempts`;
  return `${times} took no effect, so nothing is sent; ${resume} tries again.`;
}

function notLookedUpMessage(resume: string): string {
  return `The run was cancelled, and nobody has looked yet whether this was paid already; ${resume} looks for it at the service. Do not pay it in another way before that.`;
}

function copyMessage(refusal: string, resume: string): string {
  return `${withoutStop(refusal)}; another copy of the request may have been taken, and ${resume} looks for it at the service.`;
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
