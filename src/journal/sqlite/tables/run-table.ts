import { assert } from '../../../domain/refusal.ts';
import type { Database, Row, Statement } from '../../../platform/sqlite.ts';
import { genesis, type Head, type StoredEntry } from '../../chain.ts';
import type { EncodedEntry } from '../../entries.ts';
import { JournalDamaged } from '../../journal.ts';
import { ENTRY_COLUMNS, hex, storedEntry } from './entry-table.ts';

/** A run's own row, and the entries with which it begins, unproven: `proven-runs.ts` says what can be believed of it. */
export type RunRecord = {
  run: number;
  id: string;
  head: Head;
  /** The first two entries, null where they are gone. */
  first: StoredEntry | null;
  second: StoredEntry | null;
  /** It has an entry `planned`, and none `started`. */
  looksPlanned: boolean;
  /** Which repeats what the entries say, for an older payrun and for people, and decides nothing. */
  columns: RunColumns;
};

export type RunColumns = {
  createdAt: number;
  inputSha256: string;
  /** Null in a journal from before there were plans. */
  isPlanned: boolean | null;
  jobPeriod: string | null;
};

export type NewRun = {
  id: string;
  createdAt: number;
  inputSha256: string;
  isPlanned: boolean;
  jobPeriod: string | null;
};

/** How a job and its period stand in one column. Names of jobs hold no slash at their end, and periods none. */
export function jobPeriod(job: string | null, period: string | null): string | null {
  return job === null || period === null ? null : `${job}/${period}`;
}

/** Whether a run that is created with these entries waits to be started. */
export function isPlan(entries: readonly EncodedEntry[]): boolean {
  return entries.some(({ kind }) => kind === 'planned') && !entries.some(({ kind }) => kind === 'started');
}

/** The runs that are held at once, or were when their process died and nobody resumed them. */
const HELD_MAX = 10_000;

/** Records in memory at once while all runs are read. */
const PAGE_RUNS = 256;

/** The schema that brought plans. */
const PLANS_SINCE = 4;

/** The texts of migration 7, to the letter: only so does SQLite know that its index serves. */
const LOOKS_PLANNED = `EXISTS (SELECT 1 FROM entry WHERE entry.run = run.run AND entry.kind = 'planned')
  AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.run = run.run AND entry.kind = 'started')`;

/** `schemaVersion` may be that of a journal which an earlier payrun wrote, and that is read without being changed. */
function selectRuns(schemaVersion: number): string {
  const ofPlans = schemaVersion < PLANS_SINCE ? 'NULL AS is_planned, NULL AS job_period' : 'is_planned, job_period';
  const columnsOf = (table: string) => ENTRY_COLUMNS.map((name) => `${table}.${name} AS ${table}_${name}`).join(', ');
  return `SELECT run.run, run.id, run.created_at, run.input_sha256, ${ofPlans}, run.head_n, run.head_hash,
    ${LOOKS_PLANNED} AS looks_planned, ${columnsOf('first')}, ${columnsOf('second')} FROM run
    LEFT JOIN entry AS first ON first.run = run.run AND first.n = 1
    LEFT JOIN entry AS second ON second.run = run.run AND second.n = 2`;
}

export class RunTable {
  readonly #insert: Statement | null;
  readonly #advance: Statement | null;
  readonly #find: Statement;
  readonly #page: Statement;
  readonly #held: Statement;
  readonly #start: Statement | null;
  readonly #started: Statement;
  readonly #heads: Statement;
  readonly #extent: Statement;

  constructor(database: Database, schemaVersion: number, { readOnly = false }: { readOnly?: boolean } = {}) {
    const select = selectRuns(schemaVersion);
    const writing = (sql: string) => (readOnly ? null : database.prepare(sql));
    this.#insert = writing(
      `INSERT INTO run (id, created_at, input_sha256, is_planned, job_period, head_n, head_hash)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#advance = writing('UPDATE run SET head_n = ?, head_hash = ? WHERE run = ? AND head_n = ? AND head_hash = ?');
    this.#start = writing('UPDATE run SET is_planned = 0 WHERE run = ?');
    this.#find = database.prepare(`${select} WHERE run.id = ?`);
    this.#page = database.prepare(`${select} WHERE run.run < ? ORDER BY run.run DESC LIMIT ${PAGE_RUNS}`);
    this.#held = database.prepare(
      `${select} JOIN lease ON lease.run = run.run WHERE lease.holder IS NOT NULL ORDER BY run.run DESC LIMIT ${HELD_MAX}`,
    );
    this.#started = database.prepare(`SELECT count(*) AS started FROM run WHERE NOT (${LOOKS_PLANNED})`);
    this.#heads = database.prepare('SELECT id, head_n, head_hash FROM run ORDER BY run');
    this.#extent = database.prepare(
      `SELECT (SELECT count(*) FROM run) AS runs, (SELECT max(run) FROM run) AS last,
        (SELECT max(run) FROM entry) AS last_written`,
    );
  }

  /** Adds a run without entries and returns its number. */
  insert(create: NewRun): number {
    assert(this.#insert, 'a run is added to a journal that is only read');
    const { n, hash } = genesis(create.id);
    const { lastInsertRowid } = this.#insert.run(
      create.id,
      create.createdAt,
      create.inputSha256,
      create.isPlanned ? 1 : 0,
      create.jobPeriod,
      n,
      Buffer.from(hash, 'hex'),
    );
    return Number(lastInsertRowid);
  }

  /** Moves a run's head on. False, and nothing changed, where the head is not `from`. */
  advance(run: number, from: Head, to: Head): boolean {
    assert(this.#advance, 'a run goes on in a journal that is only read');
    const hashes = [Buffer.from(to.hash, 'hex'), Buffer.from(from.hash, 'hex')] as const;
    return this.#advance.run(to.n, hashes[0], run, from.n, hashes[1]).changes === 1;
  }

  find(runId: string): RunRecord | null {
    const row = this.#find.get(runId);
    return row ? runRecord(row) : null;
  }

  /** Every run, newest first. Read by pages, so that nothing is held open while the process goes on. */
  *newest(): Iterable<RunRecord> {
    this.requireWhole();
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = this.#page.all(before).map(runRecord);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_RUNS) return;
      before = last.run;
    }
  }

  /** The runs whose lease has a holder, living or not, newest first. */
  held(): RunRecord[] {
    return this.#held.all().map(runRecord);
  }

  /** How many are no plans that wait. */
  started(): number {
    const count = this.#started.get()?.started;
    assert(typeof count === 'number', 'SQLite counted no runs');
    return count;
  }

  start(run: number): void {
    this.#start?.run(run);
  }

  /** Every run's end, oldest first. */
  heads(): { id: string; head: Head }[] {
    return this.#heads.all().map(({ id, head_n, head_hash }) => {
      return { id: id as string, head: { n: head_n as number, hash: hex(head_hash) } };
    });
  }

  /**
   * Throws `JournalDamaged` where a run is gone: runs are numbered without gaps, and none is ever deleted. A run that was
   * the last one leaves no gap.
   */
  requireWhole(): void {
    const { runs, last, last_written: lastWritten } = this.#extent.get() ?? {};
    const missing = Math.max(Number(last), Number(lastWritten)) - Number(runs);
    if (missing === 0) return;
    const what = missing === 1 ? 'a run was' : `${missing} runs were`;
    throw new JournalDamaged(`${what} deleted from it`);
  }
}

function runRecord(row: Row): RunRecord {
  return {
    run: row.run as number,
    id: row.id as string,
    head: { n: row.head_n as number, hash: hex(row.head_hash) },
    first: row.first_n === null ? null : storedEntry(row, 'first_'),
    second: row.second_n === null ? null : storedEntry(row, 'second_'),
    looksPlanned: row.looks_planned === 1,
    columns: {
      createdAt: row.created_at as number,
      inputSha256: row.input_sha256 as string,
      isPlanned: row.is_planned === null ? null : row.is_planned === 1,
      jobPeriod: row.job_period as string | null,
    },
  };
}
