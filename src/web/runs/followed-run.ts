import type { Clock } from '../../domain/clock.ts';
import type { EntryKind, PlacedEntry } from '../../domain/entry.ts';
import { isNotifyEntry } from '../../domain/notices/notify.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun, newRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged, type RunFollower } from '../../journal/journal.ts';
import { RunStory } from '../audit/run-story.ts';
import { TimeSlice } from '../time-slice.ts';
import { RowIndex, RowSearch } from './row-index.ts';

/** A run as the fold of its journal, kept up to date by reading only what was written since. */
export class FollowedRun {
  readonly runId: string;
  readonly run: RunState = newRun();
  /** How its rows stand, and what happened to it, as of the same entry. */
  readonly rows = new RowIndex();
  readonly story = new RunStory();
  readonly search = new RowSearch(this.run);
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
  readonly #follower: RunFollower;
  readonly #clock: Clock;
  #reading: Promise<void> | null = null;

  constructor(journal: Journal, clock: Clock, runId: string) {
    this.runId = runId;
    this.#follower = journal.followRun(runId);
    this.#clock = clock;
  }

  /** Reads what is new; whoever asks meanwhile waits for the same reading. Throws a `Refusal` where the journal is damaged. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  #add({ n, at, entry }: PlacedEntry): void {
    applyToRun(this.run, entry, at);
    this.rows.add(this.run, entry);
    this.story.add({ n, at, entry });
    this.n = n;
    this.lastKind = entry.kind;
    if (!isNotifyEntry(entry)) [this.reportedN, this.reportedAt] = [n, at];
  }

  async #read(): Promise<void> {
    try {
      const turns = new TimeSlice(this.#clock);
      for await (const page of this.#follower.next())
        for (const placed of page) {
          this.#add(placed);
          if (turns.isOver) await turns.next();
        }
      this.isRead = true;
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      throw new Refusal(
        'person_needed',
        `The journal of ${this.runId} is not as it was written: ${error.message}.`,
        'Let nobody pay anything of it in another way. Your administrator can see what was altered.',
        { run_id: this.runId },
      );
    }
  }
}

/** Whether its process ended in the middle, or the service went away: nothing about it needs a person. */
export function isCutOff({ run, lastKind }: FollowedRun): boolean {
  // A person who has recorded what became of a payout decides when it goes on.
  if (lastKind === 'resolved') return false;
  if (run.finished !== null || run.cancelled || run.paused || isPlannedOnly(run)) return false;
  return run.stopped === null || run.stopped === 'outage';
}
