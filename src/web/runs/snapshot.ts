import type { Counts } from '../../domain/entry.ts';
import type { RunPhase, RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { stoppedText } from '../../messages/stop-words.ts';
import { phaseOf, rowsWithCopies, statusOf } from '../../report/model/outcome.ts';
import { type Pace, type ProgressCounts, settledOf } from '../../report/model/pace.ts';
import type { FollowedRun } from './followed-run.ts';
import { ROW_STATES } from './row-index.ts';

/** How a run stands, as everybody who looks at it is shown. */
export type WatchSnapshot = {
  /** The number of the newest entry that is in it. */
  n: number;
  phase: RunPhase;
  /** Somebody has started it. */
  isStarted: boolean;
  counts: ProgressCounts;
  total: number;
  sent: number;
  settled: number;
  /** Recipients and accounts that the service has for this run. */
  prepared: number;
  /** Whether a living process works on it. */
  isHeld: boolean;
  /** It is cancelled, or somebody asked for that. */
  isCancelled: boolean;
  /** A person paused it, and nobody has let it go on since. */
  isPaused: boolean;
  /** A person has just recorded what became of a payout. */
  isJustSettled: boolean;
  stopped: RunState['stopped'];
  stopMessage: string | null;
  /** The same in words for the page. */
  stopText: string | null;
  pace: Pace;
};

const NO_PACE: Pace = { perSecond: null, secondsLeft: null };

export async function snapshotOf(journal: Journal, followed: FollowedRun): Promise<WatchSnapshot> {
  const { runId, run, rows } = followed;
  const isHeld = (await journal.holder(runId)) !== null;
  const isCancelAsked = (await journal.cancelAsked(runId)) !== null;
  // From here on in one turn: the run is read further while the journal is asked.
  const counts = { ...rows.counts };
  const phase = phaseOf(run);
  return {
    n: followed.n,
    // One that nobody works on has stopped, whether or not it had the time to say so.
    phase: phase === 'running' && !isHeld ? 'stopped' : phase,
    isStarted: !isPlannedOnly(run),
    counts,
    total: run.payouts.size,
    sent: counts.accepted + counts.completed + counts.failed,
    settled: settledOf(counts),
    prepared: rows.prepared,
    isHeld,
    isCancelled: run.cancelled || isCancelAsked,
    isPaused: run.paused,
    isJustSettled: followed.lastKind === 'resolved',
    stopped: run.stopped,
    stopMessage: stoppedText(run, 'command_line'),
    stopText: stoppedText(run, 'page'),
    pace: NO_PACE,
  };
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
