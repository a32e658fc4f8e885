import type { RefusalKind } from './refusals/kinds.ts';
import { kindOf, type RefusalReason } from './refusals/reason.ts';

/**
 * An outcome that the user can act on: a code with its parameters, `new Refusal({ code: 'sheet_of_run', path, runId })`.
 * `messages/refusals` has the words of each code, for each of its readers.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason.code);
    this.name = 'Refusal';
    this.reason = reason;
  }

  get kind(): RefusalKind {
    return kindOf(this.reason);
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
