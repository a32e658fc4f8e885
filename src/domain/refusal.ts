import type { RefusalReason } from './refusals/reason.ts';

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

/**
 * A mistake or an outcome that the user can act on. Its message says what happened; `remedy` says what to do. Both are in the
 * words of the command line: `reason` has those of other readers, and is null where all of them read the same words.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly remedy: string;
  readonly details: Record<string, unknown>;
  readonly reason: RefusalReason | null;
  constructor(
    kind: RefusalKind,
    message: string,
    remedy: string,
    details: Record<string, unknown> = {},
    reason: RefusalReason | null = null,
  ) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.remedy = remedy;
    this.details = details;
    this.reason = reason;
  }
}

/** A state that cannot be unless payrun has a bug: the process stops rather than go on with money in doubt. */
export class Bug extends Error {
  constructor(message: string) {
    super(`bug in payrun: ${message}`);
    this.name = 'Bug';
  }
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}
