import { TimeSlice } from '../../app/background/time-slice.ts';
import type { RunEntries, RunReads } from '../../app/runs/run-reads.ts';
import type { Counts, EntryKind, PlacedEntry, RunRow } from '../../domain/entry.ts';
import { isNotifyEntry } from '../../domain/notices/notify.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { isPlannedOnly, ListedRun, type RunPhase } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import { phaseOf, rowsWithCopies, statusOf } from '../../report/model/outcome.ts';
import { type Pace, type ProgressCounts, settledOf } from '../../report/model/pace.ts';
import { RunCurve } from './live/curve.ts';
import { LatestOfRun } from './live/latest.ts';
import { ROW_STATES, RowEntries, RowIndex, RowSearch } from './rows/row-index.ts';
import { RunStory } from './run-story.ts';
import { runTotals } from './totals.ts';

/** A run as the fold of its journal, kept up to date by reading only what was written since. */
export class FollowedRun {
  readonly runId: string;
  readonly run = new ListedRun();
  /** How its rows stand, and what happened to it, as of the same entry. */
  readonly rows = new RowIndex();
  readonly entries = new RowEntries();
  readonly story = new RunStory();
  readonly curve = new RunCurve();
  readonly latest = new LatestOfRun();
  readonly search = new RowSearch(this.run);
  /** Where a process took up what had stopped. */
  readonly takeovers: Takeover[] = [];
  #at = 0;
  /** The number of the newest entry that was read. */
  n = 0;
  /** The same of the entries that a report has: notices are not among them. */
  reportedN = 0;
  /** When that was written (Unix ms). */
  reportedAt = 0;
  /** The kind of the newest entry. */
  lastKind: EntryKind | null = null;
  /** Whether it was read to its end once: until then it is not a run as it ever was. */
  isRead = false;
  readonly #journal: RunEntries;
  readonly #clock: Clock;
  #reading: Promise<void> | null = null;

  constructor(reads: RunReads, clock: Clock, runId: string) {
    this.runId = runId;
    this.#journal = reads.follow(runId);
    this.#clock = clock;
  }

  /**
   * Reads what is new; everybody who asks meanwhile waits for the same. Rejects with a `Refusal` where the journal is damaged,
   * and then each time: another `FollowedRun` reads it anew.
   */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().then(() => {
      this.#reading = null;
    });
    // Who asks next gets the error, where nobody waits for it any more.
    this.#reading.catch(() => {});
    return this.#reading;
  }

  /** The row with that number; undefined where there is none. */
  rowOf(number: number): RunRow | undefined {
    return this.run.rows[this.rows.placeOf(number) ?? -1];
  }

  async #read(): Promise<void> {
    const turns = new TimeSlice(this.#clock);
    for await (const page of this.#journal.next())
      for (const placed of page) {
        this.#add(placed);
        if (turns.isOver) await turns.next();
      }
    this.isRead = true;
  }

  #add({ n, at, entry }: PlacedEntry): void {
    if (entry.kind === 'lease_taken') this.#taken(at);
    const isStarted = this.run.startedAt !== null;
    applyToRun(this.run, entry, at);
    const moved = this.rows.add(this.run, entry);
    if (MOVES.has(entry.kind)) this.curve.add(at, this.rows.counts);
    this.latest.add(at, entry, { isStarted, moved });
    this.entries.add(n, entry);
    this.story.add({ n, at, entry });
    [this.n, this.#at] = [n, at];
    this.lastKind = entry.kind;
    if (!isNotifyEntry(entry)) [this.reportedN, this.reportedAt] = [n, at];
  }

  #taken(at: number): void {
    const { run } = this;
    // Of a process that was killed nobody knows when.
    if (run.stopped !== null && run.finished === null) this.takeovers.push({ at, left: { n: this.n, at: this.#at } });
  }
}

/** What changes how many are sent or completed. */
const MOVES: ReadonlySet<EntryKind> = new Set(['started', 'accepted', 'final', 'resolved']);

/** When it was (Unix ms), and the last entry before it. */
type Takeover = { at: number; left: { n: number; at: number } };

/** Whether its process ended in the middle, or the service went away: nothing about it needs a person. */
export function isCutOff({ run, lastKind }: FollowedRun): boolean {
  // A person who has recorded what became of a payout decides when it goes on.
  if (lastKind === 'resolved') return false;
  if (run.finished !== null || run.cancelled || run.paused || isPlannedOnly(run)) return false;
  return run.stopped === null || run.stopped === 'outage';
}

/** How many payouts have each status of a report. */
export function reportCounts({ run, rows }: FollowedRun): Counts {
  const counts: Counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
  for (const state of ROW_STATES) counts[statusOf(state, run.cancelled)] += rows.counts[state];
  for (const row of rowsWithCopies(run)) {
    const state = run.payouts.get(row)?.state ?? 'waiting';
    counts[statusOf(state, run.cancelled)]--;
    counts[statusOf(state, run.cancelled, true)]++;
  }
  return counts;
}

/** The same for a run under way: payouts being sent or not yet confirmed by the service need no decision. */
export function goingCounts(followed: FollowedRun): Counts {
  const counts = reportCounts(followed);
  const { sending, accepted, in_doubt: inDoubt } = followed.rows.counts;
  const going = Math.min(counts.unresolved, sending + accepted + inDoubt);
  return { ...counts, unresolved: counts.unresolved - going, not_submitted: counts.not_submitted + going };
}

const NO_PACE: Pace = { perSecond: null, secondsLeft: null };

/** How a run stands, as everybody who looks at it is shown. */
export type WatchSnapshot = Awaited<ReturnType<typeof snapshotOf>>;

export async function snapshotOf(reads: RunReads, followed: FollowedRun, nowMs: number) {
  const { runId, run, rows } = followed;
  const { isHeld, isCancelAsked, isPauseAsked } = await reads.work(runId);
  // From here on in one turn: the run is read further while the journal is asked.
  const counts: ProgressCounts = { ...rows.counts };
  const written = phaseOf(run);
  // A run that no process holds has stopped, even if it could not record that.
  const phase: RunPhase = written === 'running' && !isHeld ? 'stopped' : written;
  return {
    /** The number of the newest entry that is in it. */
    n: followed.n,
    phase,
    isStarted: !isPlannedOnly(run),
    counts,
    totals: runTotals(followed, phase),
    total: run.payouts.size,
    sent: counts.accepted + counts.completed + counts.failed,
    settled: settledOf(counts),
    /** Recipients and accounts that the service has for this run. */
    prepared: rows.prepared,
    /** Whether a living process works on it. */
    isHeld,
    /** It is cancelled, or somebody asked for that. */
    isCancelled: run.cancelled || isCancelAsked,
    /** A person paused it, or asked for that, and nobody has let it go on since. */
    isPaused: run.paused || (isHeld && isPauseAsked),
    /** A person has just recorded what became of a payout. */
    isJustSettled: followed.lastKind === 'resolved',
    stopped: run.stopped,
    /** The service takes its key no more. */
    isKeyRefused: run.stopWhy?.code === 'credentials_refused',
    /** Why it stopped, as a command prints it, and in words for the page. */
    stopMessage: messages.stops.stoppedText(run, 'command_line'),
    stopText: messages.stops.stoppedText(run, 'page'),
    pace: NO_PACE,
    /** How it went so far, and what happened lately. */
    curve: followed.curve.points(),
    latest: followed.latest.newest,
    errors: followed.latest.errorsInMinuteBefore(nowMs),
    nowMs,
  };
}
