import type { Clock, Randomness } from '../../../platform/clock.ts';
import type { Row, Value } from '../../../platform/sqlite.ts';
import type { PageFiles } from './page-files.ts';

/**
 * What the page keeps of its own: people, how they sign in, the audit log, uploads. In SQLite it is one process's; in a
 * database on a server pages on several hosts share it, and each answers any request. `sql` is what both understand.
 */
export abstract class PageStore {
  /** The page's folder on this host. */
  abstract readonly folder: string;
  abstract readonly files: PageFiles;
  /** Whether pages on other hosts use it too. */
  abstract readonly isShared: boolean;

  abstract all<Found = Row>(sql: string, ...values: Value[]): Promise<Found[]>;

  /** How many rows changed. */
  abstract run(sql: string, ...values: Value[]): Promise<number>;

  /**
   * All of `work` or nothing of it; durable when this resolves. Nobody else writes meanwhile, on whichever host, but by single
   * statements. One inside another is part of that one. `work` may be done over again, from its start.
   */
  abstract transaction<Result>(work: () => Promise<Result>): Promise<Result>;

  /** Milliseconds by the one clock that decides what has run out: a session, a pause, a challenge, work under way. It is no date. */
  abstract now(): Promise<number>;

  abstract close(): Promise<void>;

  async get<Found = Row>(sql: string, ...values: Value[]): Promise<Found | undefined> {
    return (await this.all<Found>(sql, ...values))[0];
  }

  /** Adds a row. The names of the table and its columns are ours. */
  async insert(table: string, row: Readonly<Record<string, Value>>): Promise<void> {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    await this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row));
  }
}

/** What a table of the page needs. */
export type Inside = { store: PageStore; clock: Pick<Clock, 'wallMs'>; randomness: Randomness };

const CHARACTERS = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** What a person, an upload or a folder is known by: 80 random bits, in letters that any file system keeps apart. */
export function randomId(randomness: Randomness): string {
  return randomLetters(randomness, CHARACTERS);
}

/** So many letters of 5 random bits each. */
export function randomLetters(randomness: Randomness, count: number): string {
  let letters = '';
  for (const byte of randomness.bytes(count)) letters += ALPHABET.charAt(byte & 31);
  return letters;
}
