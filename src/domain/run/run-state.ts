import { z } from 'zod';
import type { EnsureState } from '../ensure.ts';
import type { CanaryFailed, Counts, RunCreated, RunRow, StopReason } from '../entry.ts';
import type { Notices } from '../notices/notify.ts';
import type { StopWhy } from '../outcomes/stop-why.ts';
import type { Approval, PlanFacts } from '../plan.ts';
import type { Promises } from '../profile.ts';
import type { DeadAttempt, PayoutState, Sent } from './payout.ts';

/** A run as the fold of its journal. */
export type RunState = {
  header: RunCreated | null;
  createdAt: number;
  rows: RunRow[];
  /** Null where the run was not planned, but began when it was created. */
  plan: PlanFacts | null;
  /** Of who made the plan, where they did it with a key. */
  planSignature: string | null;
  approvals: Approval[];
  startedBy: string | null;
  /** The person that the page names as starter; null where it was not started there. */
  startedOnPage: string | null;
  /** When a plan was started (Unix ms). */
  startedAt: number | null;
  payouts: Map<number, PayoutState>;
  /** Keyed by `target:key`. */
  ensures: Map<string, EnsureState>;
  canary: { transaction_id: string; visible_after_ms: number } | null;
  canaryFailure: CanaryFailed | null;
  /** Intents so far: the place of the next one. */
  intents: number;
  /**
   * Attempts that left this machine and are held to have had no effect, by token: refused by an answer, proven absent, or
   * declared not sent. Should one of them stand at the service after all, it has surfaced.
   */
  dead: Map<string, DeadAttempt>;
  /**
   * Transactions of dead attempts whose row was paid by another attempt, or may have been: perhaps paid twice. `sent` is
   * null for a second transaction of one attempt. `isDecided`: a person named another one of the row's as the payout.
   */
  surfaced: { row: number; attempt: number; transaction_id: string; sent: Sent | null; isDecided: boolean }[];
  /** Transactions that a person ruled out as none of this run's. */
  dismissed: Set<string>;
  /** The longest time (ms) that an accepted transaction was seen to be missing from a listing. */
  lagSeenMs: number;
  /** A transaction that was made after the deadline of its request; null while none was seen. */
  expiryBroken: { row: number; transaction_id: string; late_ms: number } | null;
  /** The weakest of the promises that people stated for the service since the run was created. */
  promises: Promises | null;
  /** Whether the process that holds the run has accounted for what the service holds. */
  isAccounted: boolean;
  /** Until when (Unix ms) the journal is known to hold everything that it ever held; null before it was accounted for. */
  knownUntil: number | null;
  /** Nothing more is submitted. */
  cancelled: boolean;
  /** A person has paused it, and nobody has resumed it since. */
  paused: boolean;
  /** The plan that took its place before it was started. */
  replacedBy: string | null;
  stopped: StopReason | null;
  /** Why it stopped, in words; null where nothing was noted. */
  stopMessage: string | null;
  /** The code of that; null where all read the same words, and in journals of before. */
  stopWhy: StopWhy | null;
  /** What had ended when it last stopped for a person, who has then seen it. */
  endedBefore: Pick<Counts, 'completed' | 'failed' | 'rejected'>;
  finished: Counts | null;
  finishedAt: number | null;
  /** Who is notified of it, and of what they were. */
  notices: Notices;
};

/** How far a run is. */
const runPhase = z.enum(['planned', 'running', 'stopped', 'finished']);
export type RunPhase = z.output<typeof runPhase>;

/**
 * What commands, reports and notices call the run. `paused`: by a person, until one resumes it. `cancelled`: over, and
 * what was not sent was left out. `needs_decision`: over, and a payout may have been paid: only a person can say.
 */
export const runStanding = z.enum([...runPhase.options, 'paused', 'cancelled', 'needs_decision']);
export type RunStanding = z.output<typeof runStanding>;

/** Whether the run is a plan and no more: nothing was done, and nothing may be before it is started. */
export function isPlannedOnly(run: RunState): boolean {
  return run.plan !== null && run.startedBy === null;
}
