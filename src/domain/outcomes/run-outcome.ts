/** The process that works on a run. */
export type Holding = { pid: number; host: string };

/** Why a process stopped working on a run before it was done. `cause`: what the system says of it. */
export type Loss = {
  why: 'commit_uncertain' | 'unreadable' | 'out_of_descriptors' | 'taken' | 'replaced' | 'altered';
  cause: string;
};

/** A row that is not to be paid any more, and why, as in `was paid in R1`. */
export type RowLeft = { row: number; why: string };

/** How far a payout is. */
export type RowState =
  | 'waiting'
  | 'sending'
  | 'in_doubt'
  | 'accepted'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'unresolved'
  | 'suspected'
  | 'not_submitted';
