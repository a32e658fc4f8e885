import type { RefusalKind } from './refusals/kinds.ts';
import { kindOf, type RefusalReason } from './refusals/reason.ts';

/**
 * An outcome that the user can act on: a code with its parameters, `new Refusal({ code: 'sheet_of_run', path, runId })`.
 * `messages/refusals` has the words of each code, for each of its readers.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason);
  /** A sentence in place of a code, the same for all readers; those of the page read what `onPage` says, where it is given. */
  constructor(
    kind: RefusalKind,
    message: string,
    remedy: string,
    details?: Record<string, unknown>,
    onPage?: RefusalReason | null,
  );
  constructor(
    given: RefusalReason | RefusalKind,
    message = '',
    remedy = '',
    details: Record<string, unknown> = {},
    onPage: RefusalReason | null = null,
  ) {
    const reason = typeof given === 'string' ? statedReason(given, { message, remedy, details, onPage }) : given;
    super(reason.code === 'stated' ? reason.message : reason.code);
    this.name = 'Refusal';
    this.reason = reason;
  }

  get kind(): RefusalKind {
    return kindOf(this.reason);
  }
}

type Stated = Extract<RefusalReason, { code: 'stated' }>;

function statedReason(kind: RefusalKind, words: Omit<Stated, 'code' | 'kind'>): Stated {
  return { code: 'stated', kind, ...words };
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
