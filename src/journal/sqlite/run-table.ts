import type { KindOfPayment } from '../../domain/kind-of-payment.ts';
import { assert } from '../../domain/refusal.ts';
import type { Head } from '../chain.ts';
import { genesis } from '../chain.ts';
import type { EncodedEntry } from '../entries.ts';
import type { Database, Row, Statement } from './database.ts';
import { hex, reading } from './entry-table.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** A run's own row. `header` is the text of its first entry, or null where that entry is gone. */
export type RunRecord = {
  run: number;
  id: string;
  createdAt: number;
  inputSha256: string;
  /** A plan that nobody has started. */
  isPlanned: boolean;
  /** The job and the period that it pays once, as `jobPeriod` writes them. */
  jobPeriod: string | null;
  head: Head;
  header: string | null;
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

/** The newest runs of one input, or of one period of a job, that are listed. */
const RUNS_OF_INPUT_MAX = 1_000;

/** The runs that are held at once, or were when their process died and nobody resumed them. */
const HELD_MAX = 10_000;

const SELECT = selectRuns('run.is_planned, run.job_period');
/** For a journal that an earlier payrun wrote, and that is read without being changed. */
const SELECT_BEFORE_PLANS = selectRuns('0 AS is_planned, NULL AS job_period');
/** The schema that brought plans. */
const PLANS_SINCE = 4;

function selectRuns(ofPlans: string): string {
  return `SELECT run.run, run.id, run.created_at, run.input_sha256, ${ofPlans}, run.head_n, run.head_hash,
  entry.data AS header FROM run LEFT JOIN entry ON entry.run = run.run AND entry.n = 1`;
}

/** `countsFor` in SQL, by the header of the earlier run; one that cannot be read counts. */
const COUNTS = `(NOT coalesce(json_valid(entry.data), 0)
  OR json_extract(entry.data, '$.rehearsal') IS ? OR json_extract(entry.data, '$.scope') IS ?)`;

type NewestRuns = (limit: number) => RunRecord[];

/** The newest runs, newest first, of a journal of any schema that this payrun knows. */
export function newestRuns(database: Database, schemaVersion: number): NewestRuns {
  return newestOf(database, schemaVersion < PLANS_SINCE ? SELECT_BEFORE_PLANS : SELECT);
}

/** The same without plans that nobody has started. */
export function newestStartedRuns(database: Database, schemaVersion: number): NewestRuns {
  return newestOf(database, schemaVersion < PLANS_SINCE ? SELECT_BEFORE_PLANS : `${SELECT} WHERE run.is_planned = 0`);
}

function newestOf(database: Database, select: string): NewestRuns {
  const newest = database.prepare(`${select} ORDER BY run.run DESC LIMIT ?`);
  return (limit) => reading(() => newest.all(limit)).map(runRecord);
}

export class RunTable {
  readonly #insert: Statement;
  readonly #advance: Statement;
  readonly #find: Statement;
  /** Newest first. */
  readonly newest: (limit: number) => RunRecord[];
  readonly #ofInput: Statement;
  readonly #ofPeriod: Statement;
  readonly #held: Statement;
  readonly #lastStarted: Statement;
  readonly #start: Statement;
  readonly #started: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO run (id, created_at, input_sha256, is_planned, job_period, head_n, head_hash)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#advance = database.prepare(
      'UPDATE run SET head_n = ?, head_hash = ? WHERE run = ? AND head_n = ? AND head_hash = ?',
    );
    this.#find = database.prepare(`${SELECT} WHERE run.id = ?`);
    this.newest = newestRuns(database, SCHEMA_VERSION);
    this.#ofInput = database.prepare(
      `${SELECT} WHERE run.input_sha256 = ? ORDER BY run.run DESC LIMIT ${RUNS_OF_INPUT_MAX}`,
    );
    this.#ofPeriod = database.prepare(
      `${SELECT} WHERE run.job_period = ? AND run.is_planned = 0 ORDER BY run.run DESC LIMIT ${RUNS_OF_INPUT_MAX}`,
    );
    this.#held = database.prepare(
      `${SELECT} JOIN lease ON lease.run = run.run WHERE lease.holder IS NOT NULL ORDER BY run.run DESC LIMIT ${HELD_MAX}`,
    );
    this.#lastStarted = database.prepare(
      `SELECT run.id FROM run LEFT JOIN entry ON entry.run = run.run AND entry.n = 1
      WHERE (run.input_sha256 = ? OR run.job_period = ?) AND run.is_planned = 0 AND run.id <> ? AND ${COUNTS}
      ORDER BY run.run DESC LIMIT 1`,
    );
    this.#start = database.prepare('UPDATE run SET is_planned = 0 WHERE run = ? AND is_planned = 1');
    this.#started = database.prepare('SELECT count(*) AS started FROM run WHERE is_planned = 0');
  }

  /** Adds a run without entries and returns its number. */
  insert(create: NewRun): number {
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
    const { changes } = this.#advance.run(
      to.n,
      Buffer.from(to.hash, 'hex'),
      run,
      from.n,
      Buffer.from(from.hash, 'hex'),
    );
    return changes === 1;
  }

  find(runId: string): RunRecord | null {
    const row = reading(() => this.#find.get(runId));
    return row ? runRecord(row) : null;
  }

  /** Oldest first. */
  ofInput(sha256: string): RunRecord[] {
    return reading(() => this.#ofInput.all(sha256))
      .map(runRecord)
      .reverse();
  }

  /** The runs whose lease has a holder, living or not, newest first. */
  held(): RunRecord[] {
    return reading(() => this.#held.all()).map(runRecord);
  }

  /** Started ones, oldest first. */
  ofPeriod(jobPeriod: string): RunRecord[] {
    return reading(() => this.#ofPeriod.all(jobPeriod))
      .map(runRecord)
      .reverse();
  }

  /** The newest started run, other than `id`, that pays the same input or the same period of a job, and counts for the kind. */
  lastStartedLike(
    { id, inputSha256, jobPeriod }: Omit<NewRun, 'createdAt' | 'isPlanned'>,
    { rehearsal, scope }: KindOfPayment,
  ): string | null {
    const kind = [rehearsal ? 1 : 0, scope] as const;
    const found = reading(() => this.#lastStarted.get(inputSha256, jobPeriod, id, ...kind))?.id;
    assert(found === undefined || typeof found === 'string', 'a run has an id that is no text');
    return found ?? null;
  }

  /** How many are no plans that wait. */
  started(): number {
    const count = reading(() => this.#started.get())?.started;
    assert(typeof count === 'number', 'SQLite counted no runs');
    return count;
  }

  /** False where the run is no plan that waits. */
  start(run: number): boolean {
    return this.#start.run(run).changes === 1;
  }
}

function runRecord(row: Row): RunRecord {
  return {
    run: row.run as number,
    id: row.id as string,
    createdAt: row.created_at as number,
    inputSha256: row.input_sha256 as string,
    isPlanned: row.is_planned === 1,
    jobPeriod: row.job_period as string | null,
    head: { n: row.head_n as number, hash: hex(row.head_hash) },
    header: row.header as string | null,
  };
}
