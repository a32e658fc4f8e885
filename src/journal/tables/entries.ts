import type { EntryKind } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { Row, Value } from '../../platform/sqlite.ts';
import { type FoundEntry, type Head, linkHash, type StoredEntry } from '../chain.ts';
import type { EncodedEntry } from '../entries.ts';
import { PAGE_ENTRIES_MAX } from '../journal.ts';
import { all, get, insert, type Steps } from './steps.ts';
import type { Dialect } from './tables.ts';

/** The texts of a page hold so many UTF-16 units together, about: an entry of rows has 100 KB. */
const PAGE_TEXT = 512 * 1024;
/** Entries of the first page, whose texts show how many more are read at once. */
const FIRST_PAGE_ENTRIES = 4;

/** Where entries go: a run, under an epoch, at one time. */
export type Placement = { run: number; runId: string; epoch: number; at: number };

const COLUMN_NAMES = ['n', 'at', 'epoch', 'kind', 'row_number', 'data', 'hash'] as const;

const COLUMNS = COLUMN_NAMES.map((name) => `entry.${name}`).join(', ');

/** Entries with their run, and the hash of the one before each. */
function foundIn(entries: string): string {
  return `SELECT ${COLUMNS}, entry.place, run.id, previous.hash AS previous_hash
    FROM ${entries} JOIN run ON run.run = entry.run
    LEFT JOIN entry AS previous ON previous.run = entry.run AND previous.n = entry.n - 1`;
}

/** The columns of an entry in a table of another name, with that name before theirs. */
export function columnsAs(table: string): string {
  return COLUMN_NAMES.map((name) => `${table}.${name} AS ${table}_${name}`).join(', ');
}

/** Adds entries after `head` inside the open transaction and returns the new head, which the caller records. */
export function* appendEntries(placement: Placement, head: Head, entries: Iterable<EncodedEntry>): Steps<Head> {
  const { run, runId, epoch, at } = placement;
  let { n, hash } = head;
  function* rows(): Iterable<Value[]> {
    for (const { kind, row, data } of entries) {
      n++;
      hash = linkHash(hash, runId, { n, at, epoch, kind, row, data });
      yield [run, n, at, epoch, kind, row, data, Buffer.from(hash, 'hex')];
    }
  }
  yield* insert({ into: 'entry', columns: ['run', ...COLUMN_NAMES], rows: rows() });
  return { n, hash };
}

/**
 * The entries of a run after number `first` up to number `last`, in order. Read by pages and not by an open cursor: in SQLite
 * a cursor that is left open while the process goes on would hold back checkpoints, and make the next write fail where another
 * process has written since.
 */
export class EntryPages {
  readonly #run: number;
  readonly #last: number;
  readonly #size = new PageSize();
  #after: number;

  constructor(run: number, last: number, first = 0) {
    this.#run = run;
    this.#last = last;
    this.#after = first;
  }

  /** Every entry after number `first` that stands under a run, whatever its head is. */
  static every(run: number, first = 0): EntryPages {
    return new EntryPages(run, Number.MAX_SAFE_INTEGER, first);
  }

  /** Empty after the last page. */
  *next(): Steps<readonly StoredEntry[]> {
    if (this.#after >= this.#last) return [];
    const sql = `SELECT ${COLUMNS} FROM entry WHERE run = ? AND n > ? AND n <= ? ORDER BY n LIMIT ?`;
    const rows = yield* all(sql, this.#run, this.#after, this.#last, this.#size.limit);
    const page = rows.map((row) => storedEntry(row));
    this.#after = page.at(-1)?.n ?? this.#last;
    this.#size.seen(page);
    return page;
  }
}

/** How many entries the next page has, by how long the texts of the last one were. */
export class PageSize {
  #limit = FIRST_PAGE_ENTRIES;

  get limit(): number {
    return this.#limit;
  }

  seen(page: readonly Pick<StoredEntry, 'data'>[]): void {
    const text = page.reduce((sum, { data }) => sum + data.length, 0);
    this.#limit = text > PAGE_TEXT ? Math.max(1, this.#limit >> 1) : Math.min(this.#limit * 2, PAGE_ENTRIES_MAX);
  }
}

/** The first `planned` entry of a run, and all that stand after it; null where there is none. */
export function* entriesFromPlan(run: number): Steps<EntryPages | null> {
  const n = (yield* get("SELECT min(n) AS n FROM entry WHERE run = ? AND kind = 'planned'", run))?.n;
  return typeof n === 'number' ? EntryPages.every(run, n - 1) : null;
}

/** The newest entry that stands under a run, whatever its head is. */
export function* lastEntry(run: number): Steps<Head | null> {
  const row = yield* get('SELECT n, hash FROM entry WHERE run = ? ORDER BY n DESC LIMIT 1', run);
  return row ? { n: row.n as number, hash: hex(row.hash) } : null;
}

/** The hash of the run's entry `n`; null where it has none. */
export function* hashAt(runId: string, n: number): Steps<string | null> {
  const sql = 'SELECT entry.hash FROM entry JOIN run ON run.run = entry.run WHERE run.id = ? AND n = ?';
  const row = yield* get(sql, runId, n);
  return row ? hex(row.hash) : null;
}

/** When the last entry over all runs was written (Unix ms); null where there is none. */
export function* newestEntryAt(): Steps<number | null> {
  return ((yield* get('SELECT at FROM entry ORDER BY place DESC LIMIT 1'))?.at ?? null) as number | null;
}

/** The entries of a run with these numbers, in order. */
export function* entriesAt(runId: string, numbers: readonly number[]): Steps<FoundEntry[]> {
  if (numbers.length === 0) return [];
  assert(numbers.length <= PAGE_ENTRIES_MAX, `more than ${PAGE_ENTRIES_MAX} entries at once`);
  const marks = numbers.map(() => '?').join(', ');
  const sql = `${foundIn('entry')} WHERE run.id = ? AND entry.n IN (${marks}) ORDER BY entry.n`;
  return (yield* all(sql, runId, ...numbers)).map(foundEntry);
}

/** The entries of some kinds over all runs, in the order in which they were written. */
export class KindPages {
  readonly #sql: string;
  #after = 0;
  #isOver = false;

  constructor(kinds: readonly EntryKind[], dialect: Dialect) {
    this.#sql = kindsSql(kinds, dialect);
  }

  /** Null after the last page. */
  *next(): Steps<FoundEntry[] | null> {
    if (this.#isOver) return null;
    const page = yield* all(this.#sql, this.#after);
    this.#isOver = page.length < PAGE_ENTRIES_MAX;
    this.#after = Number(page.at(-1)?.place);
    return page.map(foundEntry);
  }
}

/**
 * Kinds stand in the text because only then does SQLite know that an index of some of them serves; it is named because
 * the planner would else walk over every entry in the order that is asked for.
 */
function kindsSql(kinds: readonly EntryKind[], dialect: Dialect): string {
  const conditions = kinds.map((kind) => `entry.kind = '${kind}'`).join(' OR ');
  const { index, alsoIndexed } = indexOf(kinds);
  return `${foundIn(`entry ${index === null ? '' : dialect.indexedBy(index)}`)}
    WHERE (${conditions})${alsoIndexed} AND entry.place > ? ORDER BY entry.place LIMIT ${PAGE_ENTRIES_MAX}`;
}

/** As the index has it, to the letter: only so does SQLite know that the index of these kinds serves. */
const OF_RUNS = "kind IN ('started', 'lease_taken', 'cancelled', 'finished')";
const KINDS_OF_RUNS: ReadonlySet<EntryKind> = new Set(['started', 'lease_taken', 'cancelled', 'finished']);

/** The index that serves some kinds, and the condition that it needs beside them. */
function indexOf(kinds: readonly EntryKind[]): { index: string | null; alsoIndexed: string } {
  if (kinds.every((kind) => kind === 'ensured')) return { index: 'entry_ensured', alsoIndexed: '' };
  if (kinds.every((kind) => kind === 'returned')) return { index: 'entry_returned', alsoIndexed: '' };
  if (kinds.every((kind) => kind === 'surfaced')) return { index: 'entry_surfaced', alsoIndexed: '' };
  if (kinds.every((kind) => kind === 'planned')) return { index: 'entry_planned', alsoIndexed: '' };
  if (kinds.every((kind) => kind === 'scheduled')) return { index: 'entry_scheduled', alsoIndexed: '' };
  if (kinds.every((kind) => KINDS_OF_RUNS.has(kind)))
    return { index: 'entry_of_runs', alsoIndexed: ` AND entry.${OF_RUNS}` };
  return { index: null, alsoIndexed: '' };
}

/** A hash as hex, or an empty text where the column holds none. */
export function hex(value: unknown): string {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
    : '';
}

/** The tables keep the columns' types, so they are not checked again for each row; the chain checks the values. */
export function storedEntry(row: Row, prefix = ''): StoredEntry {
  const value = (name: (typeof COLUMN_NAMES)[number]) => row[`${prefix}${name}`];
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
  return { runId: row.id as string, stored: storedEntry(row), previousHash };
}
