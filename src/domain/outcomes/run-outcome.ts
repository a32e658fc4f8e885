/** The process that works on a run. */
export type Holding = { pid: number; host: string };

/** Why a process stopped working on a run before it was done. `cause`: what the system says of it. */
export type Loss = {
  why: 'commit_uncertain' | 'unreadable' | 'out_of_descriptors' | 'taken' | 'replaced' | 'altered';
  cause: string;
};

/** Why nothing could be done with a run: it is not there or not whole, another process has it, or this one lost it. */
export type RunUnavailable =
  /** `near`: the run that was probably meant. */
  | { outcome: 'unknown_run'; runId: string; near: string | null }
  | { outcome: 'damaged'; runId: string; cause: string }
  | { outcome: 'held'; runId: string; holder: Holding }
  | { outcome: 'lost'; runId: string; loss: Loss };

/** The run is a plan that nobody has started. */
export type NotStarted = { outcome: 'not_started'; runId: string; isCancelled: boolean; replacedBy: string | null };

/** What keeps the service of a run from being used, in the words of the part that found it. */
export type ServiceUnusable = {
  outcome: 'service_unusable';
  kind: 'usage' | 'refused' | 'unreachable' | 'person_needed' | 'held' | 'input';
  message: string;
  remedy: string;
};
