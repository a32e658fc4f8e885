import type { EntryKind } from '../../../domain/entry.ts';
import type { Database, Row, Statement } from '../../../platform/sqlite.ts';
import { type Head, linkHash, type StoredEntry } from '../../chain.ts';
import type { EncodedEntry } from '../../entries.ts';
import { PAGE_ENTRIES_MAX } from '../../journal.ts';

/** What the texts of a page hold together: an entry of rows has 100 KB. */
const PAGE_TEXT = 512 * 1024;
/** Entries of the first page, after which the texts tell how many more are read at once. */
const FIRST_PAGE_ENTRIES = 4;

/** Where entries go: a run, under an epoch, at one time. */
export type Placement = { run: number; runId: string; epoch: number; at: number };

/** An entry with the place that orders it among all runs, and the hash of the entry before it in its run. */
export type FoundEntry = { place: number; runId: string; stored: StoredEntry; previousHash: string | null };

export const ENTRY_COLUMNS = ['n', 'at', 'epoch', 'kind', 'row_number', 'data', 'hash'] as const;

const COLUMNS = ENTRY_COLUMNS.map((name) => `entry.${name}`).join(', ');

export class EntryTable {
  readonly #database: Database;
  readonly #insert: Statement;
  readonly #page: Statement;
  readonly #last: Statement;
  readonly #newestAt: Statement;
  readonly #hashAt: Statement;
  readonly #plannedAt: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO entry (run, n, at, epoch, kind, row_number, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#page = database.prepare(`SELECT ${COLUMNS} FROM entry WHERE run = ? AND n > ? AND n <= ? ORDER BY n LIMIT ?`);
    this.#last = database.prepare('SELECT n, hash FROM entry WHERE run = ? ORDER BY n DESC LIMIT 1');
    this.#hashAt = database.prepare('SELECT hash FROM entry WHERE run = ? AND n = ?');
    this.#plannedAt = database.prepare("SELECT min(n) AS n FROM entry WHERE run = ? AND kind = 'planned'");
    this.#newestAt = database.prepare('SELECT at FROM entry ORDER BY place DESC LIMIT 1');
  }

  /** Adds entries after `head` inside the open transaction and returns the new head, which the caller records. */
  append(placement: Placement, head: Head, entries: readonly EncodedEntry[]): Head {
    const { run, runId, epoch, at } = placement;
    let { n, hash } = head;
    for (const { kind, row, data } of entries) {
      n++;
      hash = linkHash(hash, runId, { n, at, epoch, kind, row, data });
      this.#insert.run(run, n, at, epoch, kind, row, data, Buffer.from(hash, 'hex'));
    }
    return { n, hash };
  }

  /**
   * The entries of a run after number `first` up to number `last`, in order. Read by pages and not by an open cursor: a cursor that is left
   * open while the process goes on would hold back checkpoints, and make the next write fail where another process has
   * written since.
   */
  *pages(run: number, last: number, first = 0): Iterable<StoredEntry[]> {
    let after = first;
    let limit = FIRST_PAGE_ENTRIES;
    while (after < last) {
      const page = this.#page.all(run, after, last, limit).map((row) => storedEntry(row));
      after = page.at(-1)?.n ?? last;
      if (page.length > 0) yield page;
      const text = page.reduce((sum, { data }) => sum + data.length, 0);
      limit = text > PAGE_TEXT ? Math.max(1, limit >> 1) : Math.min(limit * 2, PAGE_ENTRIES_MAX);
    }
  }

  /** The same, one after another. */
  *read(run: number, last: number, first = 0): Iterable<StoredEntry> {
    for (const page of this.pages(run, last, first)) yield* page;
  }

  /** The newest entry that the table holds, whatever the run's head says. */
  last(run: number): Head | null {
    const row = this.#last.get(run);
    return row ? { n: row.n as number, hash: hex(row.hash) } : null;
  }

  /** The hash of one entry of a run (hex), or null where there is none. */
  hashAt(run: number, n: number): string | null {
    const row = this.#hashAt.get(run, n);
    return row ? hex(row.hash) : null;
  }

  /** The first `planned` entry of a run, and all that stand after it. */
  *readFromPlan(run: number): Iterable<StoredEntry> {
    const n = this.#plannedAt.get(run)?.n;
    if (typeof n === 'number') yield* this.read(run, Number.MAX_SAFE_INTEGER, n - 1);
  }

  /** When the last entry over all runs was written (Unix ms), or null where there is none. */
  newestAt(): number | null {
    const at = this.#newestAt.get()?.at ?? null;
    return at as number | null;
  }

  /** The entries of some kinds over all runs, in the order in which they were written. */
  *readKinds(kinds: readonly EntryKind[]): Iterable<FoundEntry[]> {
    const statement = this.#kindsStatement(kinds);
    for (let after = 0; ; ) {
      const page = statement.all(after).map(foundEntry);
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ENTRIES_MAX) return;
      after = last.place;
    }
  }

  /**
   * Kinds stand in the text because only then does SQLite know that an index of some of them serves; it is named because
   * the planner would else walk over every entry in the order that is asked for.
   */
  #kindsStatement(kinds: readonly EntryKind[]): Statement {
    const conditions = kinds.map((kind) => `entry.kind = '${kind.replaceAll("'", "''")}'`).join(' OR ');
    const [index, alsoIndexed] = indexOf(kinds);
    return this.#database.prepare(
      `SELECT ${COLUMNS}, entry.place, run.id, previous.hash AS previous_hash
       FROM entry ${index} JOIN run ON run.run = entry.run
       LEFT JOIN entry AS previous ON previous.run = entry.run AND previous.n = entry.n - 1
       WHERE (${conditions})${alsoIndexed} AND entry.place > ? ORDER BY entry.place LIMIT ${PAGE_ENTRIES_MAX}`,
    );
  }
}

/** As migration 5 has it, to the letter: only so does SQLite know that the index of these kinds serves. */
const OF_RUNS = "kind IN ('started', 'lease_taken', 'cancelled', 'finished')";
const KINDS_OF_RUNS: ReadonlySet<EntryKind> = new Set(['started', 'lease_taken', 'cancelled', 'finished']);

/** The index that serves some kinds, and the condition that it needs beside them. */
function indexOf(kinds: readonly EntryKind[]): [index: string, condition: string] {
  if (kinds.every((kind) => kind === 'ensured')) return ['INDEXED BY entry_ensured', ''];
  if (kinds.every((kind) => kind === 'surfaced')) return ['INDEXED BY entry_surfaced', ''];
  if (kinds.every((kind) => KINDS_OF_RUNS.has(kind))) return ['INDEXED BY entry_of_runs', ` AND entry.${OF_RUNS}`];
  return ['', ''];
}

/** A hash as hex, or an empty text where the column holds none. */
export function hex(value: unknown): string {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
    : '';
}

/** STRICT tables keep the columns' types, so they are not checked again for each row; the chain checks the values. */
export function storedEntry(row: Row, prefix = ''): StoredEntry {
  const value = (name: (typeof ENTRY_COLUMNS)[number]) => row[`${prefix}${name}`];
  return {
    n: value('n') as number,
    at: value('at') as number,
    epoch: value('epoch') as number,
    kind: value('kind') as string,
    row: value('row_number') as number | null,
    data: value('data') as string,
    hash: hex(value('hash')),
  };
}

function foundEntry(row: Row): FoundEntry {
  const previousHash = row.previous_hash === null ? null : hex(row.previous_hash);
  return { place: row.place as number, runId: row.id as string, stored: storedEntry(row), previousHash };
}
