import type { RowState } from '../domain/outcomes/run-outcome.ts';

/** Runs that move money are counted apart from those that move none. */
export const RUN_MODES = ['live', 'rehearsal'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** One that is parked as suspected counts as unresolved, as in reports. */
export type CountedState = Exclude<RowState, 'suspected'>;

export type ModeFigures = {
  /** Payouts of started runs. */
  payouts: Record<CountedState, number>;
  /**
   * Since when (Unix ms) the oldest payout is unconfirmed, whose outcome nobody knows; null where none is. One that is being sent
   * counts from the last entry of its run: it is under way, or its process died then.
   */
  unconfirmedSince: number | null;
  /** By job, when (Unix ms) its last run finished of which every payout was completed. */
  lastSuccess: ReadonlyMap<string, number>;
};

/**
 * What operators watch. It is read of what is stored beside the entries, and is not proven: it decides nothing. `sizeBytes`: of the
 * journal in its database, without logs of the database.
 */
export type JournalFigures = { sizeBytes: number; modes: Readonly<Record<RunMode, ModeFigures>> };

/** `read` costs a look at each run that has new entries since the last. */
export type FiguresReading = { read(): Promise<JournalFigures> };
