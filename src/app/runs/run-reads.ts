import type { EntryOf, PlacedEntry, RunCreated } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { HoldRecord } from '../../domain/run/holds.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { KnownHolds } from '../../journal/holds.ts';
import { type Journal, JournalDamaged, type RunSummary } from '../../journal/journal.ts';
import { overtakenRetries } from '../../runner/retries.ts';
import type { TimeSlice } from '../background/time-slice.ts';
import { scheduledRuns } from '../history/list-runs.ts';
import { Payouts } from '../history/payouts.ts';
import { type RunInHistory, runsInHistory } from '../history/runs-in-history.ts';
import { bookOf, type PayeeBook } from '../payees/payee-book.ts';
import {
  paidSince,
  type ReadRelative,
  type RelatedRuns,
  type RunSince,
  relatedRuns,
  runSince,
} from '../retry/related-runs.ts';
import { isLeftToWorkers, undamaged } from './known-run.ts';

/** A run's newest entry: its number and its hash. */
export type RunHead = { n: number; hash: string };

/** Whether a living process works on a run, and what people asked that process to do. */
export type RunWork = { isHeld: boolean; isCancelAsked: boolean; isPauseAsked: boolean };

/** What it gives has to be read to its end before the next call. Throws a `Refusal` (`damaged`). */
export type RunEntries = { next(): AsyncIterable<readonly PlacedEntry[]> };

/** Every hold and release, in order, and who is on hold by them. */
export type HoldsKnown = Pick<KnownHolds, 'records' | 'now'>;

/** The newest runs among which those of one family are looked for, as in the history. */
const RUNS_MAX = 10_000;

/** What the page reads of the journal while somebody looks, in this thread; and how it asks a run to stop. */
export class RunReads {
  readonly #journal: Journal;
  readonly #payouts: Payouts;
  readonly #holds: KnownHolds;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#payouts = new Payouts(journal);
    this.#holds = new KnownHolds(journal);
  }

  /** Null where there is no such run. */
  head(runId: string): Promise<RunHead | null> {
    return this.#journal.head(runId);
  }

  /** When the last entry over all runs was written (Unix ms); null where there is none. */
  newestEntryAt(): Promise<number | null> {
    return this.#journal.newestEntryAt();
  }

  /** Each `next` gives the entries that were written since the last. */
  follow(runId: string): RunEntries {
    const follower = this.#journal.followRun(runId);
    return { next: () => undamagedPages(runId, follower.next()) };
  }

  /** The entries with these numbers, as they were written. Throws a `Refusal` (`damaged`). */
  async entriesAt(runId: string, numbers: readonly number[]): Promise<PlacedEntry[]> {
    return undamaged(runId, () => this.#journal.entriesAt(runId, numbers));
  }

  async work(runId: string): Promise<RunWork> {
    const isHeld = await this.isHeld(runId);
    const isCancelAsked = (await this.#journal.cancelAsked(runId)) !== null;
    return { isHeld, isCancelAsked, isPauseAsked: (await this.#journal.pauseAsked(runId)) !== null };
  }

  /** A worker that is to take it counts as one that works on it. */
  async isHeld(runId: string): Promise<boolean> {
    return (await this.#journal.holder(runId)) !== null || (await isLeftToWorkers(this.#journal, runId));
  }

  /** Asks the process that works on the run, or that takes it up next, to send nothing more. */
  askToCancel(runId: string, by: string): Promise<void> {
    return this.#journal.askToCancel(runId, by);
  }

  /** Every run, newest first, without reading any of them whole. */
  history(): Promise<RunInHistory[]> {
    return runsInHistory(this.#journal);
  }

  /** By run, when plans are, or were, to be started. */
  scheduled(): Promise<ReadonlyMap<string, EntryOf<'scheduled'>>> {
    return scheduledRuns(this.#journal);
  }

  /** The time (Unix ms) by the clock that all hosts of the journal share, by which plans are started. */
  now(): Promise<number> {
    return this.#journal.scheduling.now();
  }

  /** The newest runs, plans too, newest first. */
  newest(limit: number): Promise<RunSummary[]> {
    return this.#journal.listRuns(limit);
  }

  /** The payouts of the newest runs and their payees; others have their turn in between. One call at a time. */
  async payees(turns: TimeSlice): Promise<PayeeBook> {
    return bookOf(await this.#payouts.gather(turns), turns);
  }

  /** Who must not be paid, as it is recorded now. */
  holds(): Promise<HoldsKnown> {
    return this.#holds.look();
  }

  /** Puts a payee on hold, or releases one. On disk when it resolves. */
  async recordHold(record: HoldRecord): Promise<void> {
    await this.#journal.payeeHolds.add(record);
  }

  /** The run that took the rows of a planned retry, so that the plan can be started no more; null where it can. */
  async overtakenBy(header: RunCreated | null): Promise<string | null> {
    if (header === null || header.retries === null) return null;
    return overtakenRetries(await this.newest(RUNS_MAX)).get(header.run_id) ?? null;
  }

  related(run: RunState): Promise<RelatedRuns> {
    return relatedRuns(this.#journal, run);
  }

  since(run: RunState, related: RelatedRuns, read: ReadRelative): Promise<RunSince> {
    return runSince(this.#journal, run, related, read);
  }

  paidSince(run: RunState, read: ReadRelative): Promise<string[] | null> {
    return paidSince(this.#journal, run, read);
  }
}

async function* undamagedPages<Page>(runId: string, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    throw new Refusal({ code: 'damaged', runId, cause: error.damage });
  }
}
