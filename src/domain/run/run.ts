import { applyToEnsure, ensureKey, NOT_ENSURED } from '../ensure.ts';
import { ENSURE_ENTRIES, type EnsureEntry } from '../entries/ensure.ts';
import type { Note } from '../entries/note.ts';
import { PAYOUT_ENTRIES, type PayoutEntry } from '../entries/payout.ts';
import type { Entry, EntryKind, EntryOf, PlacedEntry, RunRow } from '../entry.ts';
import { applyToNotices, isNotifyEntry, type NotifyEntry } from '../notices/notify.ts';
import { type Promises, promisesIn, weakest } from '../profile.ts';
import { assert } from '../refusal.ts';
import { CANCELLED } from './left-out.ts';
import { UNSENT } from './payout.ts';
import { applyToRow } from './run-row.ts';
import { isPlannedOnly, RunState } from './run-state.ts';
import { countPayouts } from './tally.ts';

export function foldRun(entries: Iterable<PlacedEntry>): RunState {
  const run = new RunState();
  for (const placed of entries) applyToRun(run, placed.entry, placed.at);
  return run;
}

/**
 * Applies one entry. Changes `run` in place: a run of a million rows is folded once, not copied a million times. `text`: of the
 * entry, where it is at hand.
 */
export function applyToRun(run: RunState, entry: Entry, at: number, text?: string): void {
  // What a process writes after it accounted for the past is not forgotten on its own.
  if (run.isAccounted && entry.kind !== 'lease_taken') run.knownUntil = Math.max(run.knownUntil ?? at, at);
  if (isPayoutEntry(entry)) {
    run.finishedBefore = null;
    applyToRow(run, entry, at);
  } else if (isEnsureEntry(entry)) applyToPayee(run, entry, at);
  else if (isNotifyEntry(entry)) applyToNotices(run.notices, entry);
  else (OF_THE_RUN[entry.kind] as Apply<typeof entry>)(run, entry, at, text);
}

type Apply<E> = (run: RunState, entry: E, at: number, text?: string) => void;

/** What each entry about the run as a whole changes. */
const OF_THE_RUN: {
  readonly [Kind in Exclude<EntryKind, (PayoutEntry | EnsureEntry | NotifyEntry)['kind']>]: Apply<EntryOf<Kind>>;
} = {
  run_created(run, entry, at) {
    assert(run.header === null, 'a run was created twice');
    run.header = entry;
    run.createdAt = at;
  },
  rows(run, { rows }, _at, text) {
    for (const row of rows) addPayout(run, row);
    if (Array.isArray(run.rows)) for (const row of rows) run.rows.push(row);
    else run.rows.add(rows, text);
  },
  lease_taken(run) {
    run.isAccounted = false;
    run.stopped = run.stopMessage = run.stopWhy = null;
    run.finishedBefore = run.finishedAt ?? run.finishedBefore;
    run.finished = run.finishedAt = null;
  },
  planned(run, { plan, signature = null }) {
    assert(run.plan === null && run.startedBy === null, 'a run was planned twice');
    run.plan = plan;
    run.planSignature = signature;
  },
  approved(run, { approval }) {
    assert(isPlannedOnly(run), 'a run was approved that does not wait for it');
    run.approvals.push(approval);
  },
  scheduled(run, { start, public_key: publicKey, kind: _, ...actor }, setAt) {
    assert(isPlannedOnly(run) && !run.cancelled, 'a run was scheduled that does not wait for its start');
    run.schedules.push({ start, publicKey, actor, setAt });
  },
  started(run, { by, page_person = null }, at) {
    const isWaiting = isPlannedOnly(run) && !run.cancelled;
    assert(isWaiting, 'a run was started twice, without a plan, or after it was cancelled');
    run.startedBy = by;
    run.startedOnPage = page_person;
    run.startedAt = at;
  },
  canary(run, entry) {
    run.canary = entry;
    run.canaryFailure = null;
  },
  canary_failed(run, entry) {
    run.canaryFailure = entry;
  },
  lag_seen(run, { lag_ms }) {
    run.lagSeenMs = Math.max(run.lagSeenMs, lag_ms);
  },
  expiry_broken(run, entry) {
    run.expiryBroken ??= entry;
  },
  promises(run, { promises }) {
    run.promises = weakest(run.promises ?? promises, promises);
  },
  accounted(run, _entry, at) {
    run.isAccounted = true;
    run.knownUntil = Math.max(run.knownUntil ?? at, at);
  },
  returned(run, entry) {
    assert(run.payouts.get(entry.row)?.state === 'completed', `row ${entry.row} was returned, and is not completed`);
    run.returned.set(entry.row, entry);
  },
  cancelled(run, { replaced_by = null, plan_end = null }) {
    run.cancelled = true;
    run.paused = false;
    run.replacedBy = replaced_by;
    run.planEnd = plan_end;
    if (isPlannedOnly(run)) discardPlan(run);
  },
  paused(run) {
    run.paused = true;
  },
  resumed(run) {
    run.paused = false;
  },
  stopped(run, { reason, message = null, why = null }) {
    run.stopped = reason;
    run.stopMessage = message;
    run.stopWhy = why;
    if (reason === 'person_needed') run.endedBefore = countPayouts(run);
  },
  finished(run, { counts }, at) {
    run.finished = counts;
    run.finishedAt = run.finishedBefore ?? at;
  },
};

function isPayoutEntry(entry: Entry): entry is PayoutEntry {
  return Object.hasOwn(PAYOUT_ENTRIES, entry.kind);
}

function isEnsureEntry(entry: Entry): entry is EnsureEntry {
  return Object.hasOwn(ENSURE_ENTRIES, entry.kind);
}

function applyToPayee(run: RunState, entry: EnsureEntry, at: number): void {
  const key = ensureKey(entry.target, entry.key);
  run.ensures.set(key, applyToEnsure(run.ensures.get(key) ?? NOT_ENSURED, entry, at));
}

function addPayout(run: RunState, { row, problem }: RunRow): void {
  assert(!run.payouts.has(row), `row ${row} is twice in the run`);
  run.payouts.set(row, problem === null ? UNSENT : { state: 'not_submitted', attempts: 0, ...problem });
}

function whyDiscarded({ replacedBy, planEnd }: RunState): Note {
  if (replacedBy !== null) return { code: 'plan_replaced', run_id: replacedBy };
  return planEnd === null ? { code: 'plan_cancelled' } : { code: 'plan_ended', ...planEnd };
}

/** Of a plan that nobody has started nothing was sent, and there is nothing to look for. */
function discardPlan(run: RunState): void {
  const message = whyDiscarded(run);
  for (const [row, { state }] of run.payouts)
    if (state === 'waiting') run.payouts.set(row, { state: 'not_submitted', attempts: 0, code: CANCELLED, message });
}

/** What the run may rely on: what its profile promised, less what was taken back or seen to be broken since. */
export function promisesOf(run: RunState): Promises {
  assert(run.header !== null, 'a run without its header');
  const first = promisesIn(run.header.profile);
  const promises = run.promises === null ? first : weakest(first, run.promises);
  if (run.expiryBroken === null) return promises;
  return { ...promises, guarantees: { ...promises.guarantees, enforces_expiry: false } };
}
