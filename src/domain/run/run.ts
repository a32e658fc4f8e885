import { applyToEnsure, ensureKey, NOT_ENSURED } from '../ensure.ts';
import type { EndEntry, Entry, PlacedEntry, RunRow } from '../entry.ts';
import { applyToNotices, isNotifyEntry, type NotifyEntry, noNotices } from '../notices/notify.ts';
import { type Promises, promisesIn, weakest } from '../profile.ts';
import { assert } from '../refusal.ts';
import { UNSENT } from './payout.ts';
import { applyToPlan, giveUpPlan, isPlannedOnly } from './run-plan.ts';
import { applyToRow } from './run-row.ts';
import { applyToService } from './run-service.ts';
import type { RunState } from './run-state.ts';
import { countPayouts } from './tally.ts';

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
    stopWhy: null,
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

const NOT_STOPPED = { stopped: null, stopMessage: null, stopWhy: null } as const;

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
      Object.assign(run, { ...NOT_STOPPED, isAccounted: false, finished: null, finishedAt: null });
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
    case 'canary_failed':
    case 'lag_seen':
    case 'expiry_broken':
    case 'promises':
    case 'accounted':
      applyToService(run, entry, at);
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
      run.stopWhy = entry.why ?? null;
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
