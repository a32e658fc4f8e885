/** An entry's number and hash (hex): proof, wherever it is kept, that the run went that way up to there. */
export type Witness = { n: number; hash: string };

/** The end of a run. */
export type RunHead = { runId: string } & Witness;

/** What is asked of a journal and of no run alone. */
export type WholeJournal = {
  /** The ends of all runs, oldest first: kept elsewhere, they show later that none was deleted, cut or put back. */
  heads(): Promise<RunHead[]>;
  /** The hash of the run's entry `n`, or null where it has none. It is not proven: `verifyRun` does that. */
  hashAt(runId: string, n: number): Promise<string | null>;
  /** What is wrong beside what `verifyRun` finds, in words; empty where nothing is. Reads the whole file. */
  faults(): Promise<string[]>;
};
