import { applyToEnsure, type EnsureState, ensureKey, NOT_ENSURED } from './ensure.ts';
import type { CanaryFailed, Counts, EndEntry, Entry, PlacedEntry, RunCreated, RunRow, StopReason } from './entry.ts';
import { applyToNotices, isNotifyEntry, type Notices, type NotifyEntry, noNotices } from './notify.ts';
import { type DeadAttempt, type PayoutState, type Sent, UNSENT } from './payout.ts';
import type { Approval, PlanFacts } from './plan.ts';
import { type Promises, promisesIn, weakest } from './profile.ts';
import { assert } from './refusal.ts';
import { applyToPlan, giveUpPlan, isPlannedOnly } from './run-plan.ts';
import { applyToRow } from './run-row.ts';
import { countPayouts } from './tally.ts';

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
  /** Whom the page names as who started it; null where that was not done there. */
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
  /** Transactions that a person said are none of this run's. */
  dismissed: Set<string>;
  /** The longest time (ms) that an accepted transaction was seen to be missing from a listing. */
  lagSeenMs: number;
  /** A transaction that was made after the deadline of its request; null while none was seen. */
  expiryBroken: { row: number; transaction_id: string; late_ms: number } | null;
  /** The weakest of what people said that the service promises, since the run was created. */
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
  /** What had ended when it last stopped for a person, who has then seen it. */
  endedBefore: Pick<Counts, 'completed' | 'failed' | 'rejected'>;
  finished: Counts | null;
  finishedAt: number | null;
  /** Who is told of it, and what they were told. */
  notices: Notices;
};

/** How far a run is. */
export type RunPhase = 'planned' | 'running' | 'stopped' | 'finished';

/**
 * What commands, reports and notices call the run. `paused`: by a person, until one resumes it. `cancelled`: over, and
 * what was not sent was left out. `needs_decision`: over, and a payout may have been paid: only a person can say.
 */
export type RunStanding = RunPhase | 'paused' | 'cancelled' | 'needs_decision';

export function newRun(): RunState {
  return {
    header: null,
    createdAt: 0,
    rows: [],
    plan: null,
    planSignature: null,
    approvals: [],
    startedBy: null,
    startedOnPage: null,
    startedAt: null,
    payouts: new Map(),
    ensures: new Map(),
    canary: null,
    canaryFailure: null,
    intents: 0,
    dead: new Map(),
    surfaced: [],
    dismissed: new Set(),
    lagSeenMs: 0,
    expiryBroken: null,
    promises: null,
    isAccounted: false,
    knownUntil: null,
    cancelled: false,
    paused: false,
    replacedBy: null,
    stopped: null,
    stopMessage: null,
    endedBefore: { completed: 0, failed: 0, rejected: 0 },
    finished: null,
    finishedAt: null,
    notices: noNotices(),
  };
}

export function foldRun(entries: Iterable<PlacedEntry>): RunState {
  const run = newRun();
  for (const placed of entries) applyToRun(run, placed.entry, placed.at);
  return run;
}

/** Applies one entry. Changes `run` in place: a run of a million rows is folded once, not copied a million times. */
export function applyToRun(run: RunState, entry: Entry, at: number): void {
  // What a process writes after it accounted for the past is not forgotten by itself.
  if (run.isAccounted && entry.kind !== 'lease_taken') run.knownUntil = Math.max(run.knownUntil ?? at, at);
  if (isNotifyEntry(entry)) applyToNotices(run.notices, entry);
  else applyToPayouts(run, entry, at);
}

function applyToPayouts(run: RunState, entry: Exclude<Entry, NotifyEntry>, at: number): void {
  switch (entry.kind) {
    case 'run_created':
      assert(run.header === null, 'a run was created twice');
      run.header = entry;
      run.createdAt = at;
      return;
    case 'rows':
      for (const row of entry.rows) addRow(run, row);
      return;
    case 'planned':
    case 'approved':
    case 'started':
      applyToPlan(run, entry, at);
      return;
    case 'lease_taken':
      Object.assign(run, { isAccounted: false, stopped: null, stopMessage: null, finished: null, finishedAt: null });
      return;
    case 'ensure_intent':
    case 'ensure_doubt':
    case 'ensure_no_effect':
    case 'ensure_rejected':
    case 'ensure_unresolved':
    case 'ensure_ambiguous':
    case 'ensured': {
      const key = ensureKey(entry.target, entry.key);
      run.ensures.set(key, applyToEnsure(run.ensures.get(key) ?? NOT_ENSURED, entry, at));
      return;
    }
    case 'canary':
      run.canary = entry;
      run.canaryFailure = null;
      return;
    case 'canary_failed':
      run.canaryFailure = entry;
      return;
    case 'lag_seen':
      run.lagSeenMs = Math.max(run.lagSeenMs, entry.lag_ms);
      return;
    case 'expiry_broken':
      run.expiryBroken ??= entry;
      return;
    case 'promises':
      run.promises = weakest(run.promises ?? entry.promises, entry.promises);
      return;
    case 'accounted':
      run.isAccounted = true;
      run.knownUntil = Math.max(run.knownUntil ?? at, at);
      return;
    case 'cancelled':
    case 'paused':
    case 'resumed':
    case 'stopped':
    case 'finished':
      applyToEnd(run, entry, at);
      return;
    case 'intent':
    case 'accepted':
    case 'no_effect':
    case 'rejected':
    case 'doubt':
    case 'replayed':
    case 'unknown_transaction':
    case 'looked':
    case 'absent':
    case 'unresolved':
    case 'suspected':
    case 'resolved':
    case 'surfaced':
    case 'final':
    case 'not_submitted':
      applyToRow(run, entry, at);
      return;
    default:
      entry satisfies never;
  }
}

function applyToEnd(run: RunState, entry: EndEntry, at: number): void {
  switch (entry.kind) {
    case 'cancelled':
      run.cancelled = true;
      run.paused = false;
      run.replacedBy = entry.replaced_by ?? null;
      if (isPlannedOnly(run)) giveUpPlan(run);
      return;
    case 'paused':
    case 'resumed':
      run.paused = entry.kind === 'paused';
      return;
    case 'stopped':
      run.stopped = entry.reason;
      run.stopMessage = entry.message ?? null;
      if (entry.reason === 'person_needed') run.endedBefore = countPayouts(run);
      return;
    case 'finished':
      run.finished = entry.counts;
      run.finishedAt = at;
  }
}

/** What the run may rely on: what its profile promised, less what was taken back or seen to be broken since. */
export function promisesOf(run: RunState): Promises {
  assert(run.header !== null, 'a run without its header');
  const first = promisesIn(run.header.profile);
  const promises = run.promises === null ? first : weakest(first, run.promises);
  if (run.expiryBroken === null) return promises;
  return { ...promises, guarantees: { ...promises.guarantees, enforces_expiry: false } };
}

function addRow(run: RunState, row: RunRow): void {
  assert(!run.payouts.has(row.row), `row ${row.row} is twice in the run`);
  run.rows.push(row);
  run.payouts.set(
    row.row,
    row.problem === null
      ? UNSENT
      : { state: 'not_submitted', attempts: 0, code: row.problem.code, message: row.problem.message },
  );
}
