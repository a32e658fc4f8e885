import { z } from 'zod';
import type { EnsureState } from '../ensure.ts';
import type {
  Actor,
  CanaryFailed,
  Counts,
  PlanEnd,
  Returned,
  RunCreated,
  RunRow,
  StartTime,
  StopReason,
} from '../entry.ts';
import { type Notices, noNotices } from '../notices/notify.ts';
import type { StopWhy } from '../outcomes/stop-why.ts';
import type { Approval, PlanFacts } from '../plan.ts';
import type { Promises } from '../profile.ts';
import { ByRow } from './by-row.ts';
import type { DeadAttempt, PayoutState, Sent } from './payout.ts';
import type { RunRows } from './run-rows.ts';

/** `start` is null where it was recalled. `publicKey`: of who did so, at `setAt` (Unix ms). */
export type ScheduledStart = { start: StartTime | null; publicKey: string; actor: Actor; setAt: number };

/** A run as the fold of its journal; a new one is that of no entries. */
export class RunState {
  header: RunCreated | null = null;
  createdAt = 0;
  rows: RunRows;
  /** Null where the run was not planned, but began when it was created. */
  plan: PlanFacts | null = null;
  /** Of who made the plan, where they did it with a key. */
  planSignature: string | null = null;
  approvals: Approval[] = [];
  /** When people set it to be started, changed that and recalled it, oldest first; the last one counts. */
  schedules: ScheduledStart[] = [];
  startedBy: string | null = null;
  /** The person that the page names as starter; null where it was not started there. */
  startedOnPage: string | null = null;
  /** When a plan was started (Unix ms). */
  startedAt: number | null = null;
  payouts = new ByRow<PayoutState>();
  /** Keyed by `target:key`. */
  ensures = new Map<string, EnsureState>();
  canary: { transaction_id: string; visible_after_ms: number } | null = null;
  canaryFailure: CanaryFailed | null = null;
  /** Intents so far: the place of the next one. */
  intents = 0;
  /**
   * Attempts that left this machine and are held to have had no effect, by token: refused by an answer, proven absent, or
   * declared not sent. Should one of them stand at the service after all, it has surfaced.
   */
  dead = new Map<string, DeadAttempt>();
  /**
   * Transactions of dead attempts whose row was paid by another attempt, or may have been: perhaps paid twice. `sent` is
   * null for a second transaction of one attempt. `isDecided`: a person named another one of the row's as the payout.
   */
  surfaced: { row: number; attempt: number; transaction_id: string; sent: Sent | null; isDecided: boolean }[] = [];
  /** By row, completed payouts that a bank sent back. */
  returned = new Map<number, Returned>();
  /** Transactions that a person ruled out as none of this run's. */
  dismissed = new Set<string>();
  /** The longest time (ms) that an accepted transaction was seen to be missing from a listing. */
  lagSeenMs = 0;
  /** A transaction that was made after the deadline of its request; null while none was seen. */
  expiryBroken: { row: number; transaction_id: string; late_ms: number } | null = null;
  /** The weakest of the promises that people stated for the service since the run was created. */
  promises: Promises | null = null;
  /** Whether the process that holds the run has accounted for what the service holds. */
  isAccounted = false;
  /** Until when (Unix ms) the journal is known to hold everything that it ever held; null before it was accounted for. */
  knownUntil: number | null = null;
  /** Nothing more is submitted. */
  cancelled = false;
  /** A person has paused it, and nobody has resumed it since. */
  paused = false;
  /** The plan that took its place before it was started. */
  replacedBy: string | null = null;
  /** How a person ended the plan before it was started; null where nobody rejected or recalled it. */
  planEnd: PlanEnd | null = null;
  stopped: StopReason | null = null;
  /** Why it stopped, in words; null where nothing was noted. */
  stopMessage: string | null = null;
  /** The code of that; null where all read the same words, and in journals of before. */
  stopWhy: StopWhy | null = null;
  /** What had ended when it last stopped for a person, who has then seen it. */
  endedBefore: Pick<Counts, 'completed' | 'failed' | 'rejected'> = { completed: 0, failed: 0, rejected: 0 };
  finished: Counts | null = null;
  finishedAt: number | null = null;
  /** When it was finished before it was taken up again; null where a payout has changed since, or it was not. */
  finishedBefore: number | null = null;
  /** Who is notified of it, and of what they were. */
  notices: Notices = noNotices();

  constructor(rows: RunRows = []) {
    this.rows = rows;
  }
}

/** A run whose rows are looked up by their places. */
export class ListedRun extends RunState {
  override rows: RunRow[] = [];
}

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

/** When a plan is to be started, and who set that; null where nobody did, or it was recalled. */
export function scheduledStart({
  schedules,
}: Pick<RunState, 'schedules'>): (ScheduledStart & { start: StartTime }) | null {
  const last = schedules.at(-1);
  return last === undefined || last.start === null ? null : { ...last, start: last.start };
}
