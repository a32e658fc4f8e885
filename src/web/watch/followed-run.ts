import type { Clock } from '../../domain/clock.ts';
import type { EntryKind } from '../../domain/entry.ts';
import { isNotifyEntry } from '../../domain/notify.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun, newRun, type RunState } from '../../domain/run.ts';
import { type Journal, JournalDamaged, type RunFollower } from '../../journal/journal.ts';

/** Entries that are folded before others of this process have their turn: some tens of milliseconds. */
const ENTRIES_AT_ONCE = 2_000;

/** A run as the fold of its journal, kept up to date by reading only what was written since. */
export class FollowedRun {
  readonly runId: string;
  readonly run: RunState = newRun();
  /** The number of the newest entry that was read. */
  n = 0;
  /** The same of those that a report tells: whom somebody has told is none. */
  reportedN = 0;
  /** When that was written (Unix ms). */
  reportedAt = 0;
  /** The kind of the newest entry. */
  lastKind: EntryKind | null = null;
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

  async #read(): Promise<void> {
    try {
      let count = 0;
      for (const { n, at, entry } of this.#follower.next()) {
        applyToRun(this.run, entry, at);
        this.n = n;
        this.lastKind = entry.kind;
        if (!isNotifyEntry(entry)) [this.reportedN, this.reportedAt] = [n, at];
        if (++count % ENTRIES_AT_ONCE === 0) await new Promise<void>((resolve) => this.#clock.soon(resolve));
      }
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      throw new Refusal(
        'person_needed',
        `The journal of ${this.runId} is not as it was written: ${error.message}.`,
        'Let nobody pay anything of it in another way. Whoever operates payrun can see what was altered.',
        { run_id: this.runId },
      );
    }
  }
}
