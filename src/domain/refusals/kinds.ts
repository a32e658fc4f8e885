/** Why a command ends without having done its work. */
export type RefusalKind =
  /** Wrong usage or configuration (2). */
  | 'usage'
  /** The input has problems; nothing was sent (3). */
  | 'input'
  /** A person is needed: doubts, or a canary that did not come back (5). */
  | 'person_needed'
  /** Approval missing, balance short, already run; nothing was sent (6). */
  | 'refused'
  /** Another process holds this run, job or data directory (7). */
  | 'held'
  /** The service cannot be reached or refuses our credentials; nothing was sent (8). */
  | 'unreachable';

/** The exit code that each is. */
export const REFUSAL_EXIT: Readonly<Record<RefusalKind, number>> = {
  usage: 2,
  input: 3,
  person_needed: 5,
  refused: 6,
  held: 7,
  unreachable: 8,
};
