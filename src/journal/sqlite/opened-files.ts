import { type BigIntStats, statSync } from 'node:fs';

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * Whether the journal's files are still the ones that this process opened. Where a backup was restored over them, or
 * they were moved or deleted, the open ones go on to take commits that no other process will ever read.
 *
 * They are looked at by their paths and never opened here, because closing any descriptor of a file drops this process's
 * locks on it (https://www.sqlite.org/howtocorrupt.html, 2.2). While they are open, no other file can get their numbers.
 */
export class OpenedFiles {
  readonly path: string;
  readonly #database: Identity;
  #log: Identity | null = null;

  /** Before the database is opened: a file that is replaced in between is then noticed, and not taken for the opened one. */
  constructor(path: string) {
    this.path = path;
    this.#database = statSync(path, { bigint: true });
  }

  /** After the first read, which makes the write-ahead log. It stays the same file for as long as anybody has it open. */
  noteLog(): void {
    this.#log = statSync(this.#logPath, { bigint: true });
  }

  areInPlace(): boolean {
    return isAt(this.path, this.#database) && (this.#log === null || isAt(this.#logPath, this.#log));
  }

  get #logPath(): string {
    return `${this.path}-wal`;
  }
}

function isAt(path: string, { dev, ino }: Identity): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  return now !== undefined && now.dev === dev && now.ino === ino;
}
