/**
 * What the process that holds a run was asked. Needs no lease and is no part of the run's chain, like `askToCancel`. It is
 * meant for that holder alone: who takes the run up later was asked nothing.
 */
export type PauseRequests = {
  /** On disk when it resolves. The first to ask stays. Throws as `askToCancel`. */
  ask(runId: string, by: string): Promise<void>;
  /** Who asked the holder, or the last one, to pause; null where nobody did. One small read. */
  askedBy(runId: string): Promise<string | null>;
};
