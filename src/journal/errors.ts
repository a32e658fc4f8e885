/**
 * Why a process may not write. `taken`: another took the run's lease. `replaced`: another file stands where the journal
 * was. `altered`: its files were cut short or overwritten. What is written after that may be read by nobody.
 */
export type DeposedWhy = 'taken' | 'replaced' | 'altered';

/** This process may not write, and so may not send. */
export class Deposed extends Error {
  readonly why: DeposedWhy;

  constructor(why: DeposedWhy, message: string) {
    super(message);
    this.name = 'Deposed';
    this.why = why;
  }
}

/** A commit reported an error, so it may or may not have happened. Only a new process, reading the disk, finds out. */
export class CommitUncertain extends Error {
  constructor(cause: unknown) {
    super('the journal could not confirm a commit; what is on disk is read again by the next start', { cause });
    this.name = 'CommitUncertain';
  }
}

/** The journal could not be read: the disk failed, or this process may open no more files. Nothing is concluded from it. */
export class JournalUnreadable extends Error {
  constructor(cause: unknown) {
    super('the journal could not be read', { cause });
    this.name = 'JournalUnreadable';
  }
}

/** The journal's file holds something that payrun did not write. */
export class JournalDamaged extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalDamaged';
  }
}
