import type { JournalDamage } from '../domain/outcomes/journal-damage.ts';
import type { Loss } from '../domain/outcomes/run-outcome.ts';

/** This process has lost its run or its journal, and stops before it sends anything more. */
export class JournalLost extends Error {
  readonly loss: Loss;

  constructor(loss: Loss, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.loss = loss;
  }

  get why(): Loss['why'] {
    return this.loss.why;
  }
}

/**
 * This process may not write, and so may not send. `taken`: another took the run's lease. `replaced`: another file stands
 * where the journal was. `altered`: its files were cut short or overwritten. What is written after that may be read by nobody.
 */
export class Deposed extends JournalLost {
  constructor(loss: Extract<Loss, { why: 'taken' | 'replaced' | 'altered' }>, message: string) {
    super(loss, message);
  }
}

/** A commit reported an error, so it may or may not have happened. Only a new process, reading the disk, finds out. */
export class CommitUncertain extends JournalLost {
  /** `database`: the URL, as it may be shown, of a database on a server. */
  constructor(cause: unknown, database?: string) {
    const message = 'the journal could not confirm a commit; what is on disk is read again by the next start';
    super({ why: 'commit_uncertain', cause: textOf(cause), ...(database && { database }) }, message, { cause });
  }
}

/** The journal could not be read: the disk failed, or this process may open no more files. Nothing is concluded from it. */
export class JournalUnreadable extends JournalLost {
  /** `database` as of `CommitUncertain`. */
  constructor(cause: unknown, database?: string) {
    const loss = { why: 'unreadable' as const, cause: textOf(cause), ...(database && { database }) };
    super(loss, 'the journal could not be read', { cause });
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The journal's file holds something that payrun did not write. */
export class JournalDamaged extends Error {
  readonly damage: JournalDamage;

  constructor(damage: JournalDamage, options?: ErrorOptions) {
    // It names places and never values, because entries hold account numbers.
    super(JSON.stringify(damage), options);
    this.name = 'JournalDamaged';
    this.damage = damage;
  }
}

/** What a proof of a run found: `n` is the entry that is not as it was written, where it is one. */
export type Verification =
  | { ok: true; entries: number; head: string }
  | { ok: false; entries: number; n: number | null; damage: JournalDamage };
