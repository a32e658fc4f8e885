import { assert } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import { genesis, type Head } from '../chain.ts';
import type { EncodedEntry } from '../entries.ts';
import { JournalDamaged } from '../errors.ts';
import type { RunHead, RunSummary } from '../journal.ts';
import { isRepeat, type Paying, provenStart, provePlan, type RunRecord, requireEnd } from '../run-record.ts';
import type { Connection } from './connection.ts';
import { appendEntries, columnsAs, entriesFromPlan, hex, lastEntry, type Placement, storedEntry } from './entries.ts';

/** The newest runs of one input, or of one period of a job, that are listed. */
const RUNS_OF_ONE_MAX = 1_000;

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
  return `SELECT run.run, run.id, run.created_at, run.input_sha256, ${ofPlans}, run.head_n, run.head_hash,
    ${LOOKS_PLANNED} AS looks_planned, ${columnsAs('first')}, ${columnsAs('second')} FROM run
    LEFT JOIN entry AS first ON first.run = run.run AND first.n = 1
    LEFT JOIN entry AS second ON second.run = run.run AND second.n = 2`;
}

/**
 * What decides about paying is read from entries, and proven by their hashes: which input a run pays, of which job and
 * period, when it was created, and whether it was started. The columns that repeat it can be edited, and are not asked.
 * Only an edit of a run's every entry and hash goes unseen here; what is kept outside of the journal finds that out.
 *
 * To be asked inside one snapshot or transaction: each proof compares what several statements read.
 */
export class Runs {
  readonly #db: Connection;
  readonly #select: string;
  /** The plans that were proven, by their ends, whose hashes are over all that went before. */
  readonly #plans = new Set<string>();

  constructor(db: Connection, schemaVersion: number) {
    this.#db = db;
    this.#select = selectRuns(schemaVersion);
  }

  /** Adds a run without entries, inside the open transaction, and returns its number. */
  insert({ id, inputSha256, jobPeriod }: Paying, { at, isPlanned }: { at: number; isPlanned: boolean }): number {
    const { n, hash } = genesis(id);
    const { lastInsertRowid } = this.#db.run(
      `INSERT INTO run (id, created_at, input_sha256, is_planned, job_period, head_n, head_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[id, at, inputSha256, isPlanned ? 1 : 0, jobPeriod, n, Buffer.from(hash, 'hex')],
    );
    return Number(lastInsertRowid);
  }

  /**
   * Adds entries after `head` inside the open transaction, and moves the run's end to them. Throws `JournalDamaged` where
   * that is not `head`: only the run's writer moves it.
   */
  append(placement: Placement, head: Head, entries: Iterable<EncodedEntry>): Head {
    const { run, runId } = placement;
    const end = appendEntries(this.#db, placement, head, entries);
    const { changes } = this.#db.run(
      'UPDATE run SET head_n = ?, head_hash = ? WHERE run = ? AND head_n = ? AND head_hash = ?',
      ...[end.n, Buffer.from(end.hash, 'hex'), run, head.n, Buffer.from(head.hash, 'hex')],
    );
    if (changes !== 1) throw new JournalDamaged({ of: runId, code: 'head_moved' });
    return end;
  }

  /** Notes that a plan is started. */
  start(run: number): void {
    this.#db.run('UPDATE run SET is_planned = 0 WHERE run = ?', run);
  }

  /** Unproven. */
  find(runId: string): RunRecord | null {
    const row = this.#db.get(`${this.#select} WHERE run.id = ?`, runId);
    return row ? runRecord(row) : null;
  }

  /** The run as it stands, or null. Throws `JournalDamaged` where its end was cut off. */
  end(runId: string): RunRecord | null {
    const record = this.find(runId);
    if (record !== null) requireEnd(record, lastEntry(this.#db, record.run));
    return record;
  }

  /** Throws `JournalDamaged`. */
  summary(record: RunRecord): RunSummary {
    const { first, header } = provenStart(record);
    if (record.looksPlanned) this.#provePlan(record);
    return {
      run_id: record.id,
      created_at: first.at,
      entries: record.head.n,
      isPlanned: record.looksPlanned,
      header,
    };
  }

  /** Newest first. Read by pages, so that nothing is held open while the process goes on. */
  *newest(limit = Number.POSITIVE_INFINITY, isMeant: (run: RunSummary) => boolean = () => true): Iterable<RunSummary> {
    this.requireWhole();
    const sql = `${this.#select} WHERE run.run < ? ORDER BY run.run DESC LIMIT ${PAGE_RUNS}`;
    let left = limit;
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = this.#db.all(sql, before).map(runRecord);
      for (const record of page) {
        before = record.run;
        const summary = this.summary(record);
        if (!isMeant(summary)) continue;
        yield summary;
        if (--left === 0) return;
      }
      if (page.length < PAGE_RUNS) return;
    }
  }

  /** Oldest first; where there are more than 1,000, the newest. */
  allWhere(isMeant: (run: RunSummary) => boolean): RunSummary[] {
    return [...this.newest(RUNS_OF_ONE_MAX, isMeant)].reverse();
  }

  /** The newest started run that pays the same, or null. */
  lastRepeated(paying: Paying): string | null {
    const [found] = this.newest(1, (run) => isRepeat(run, paying));
    return found?.run_id ?? null;
  }

  /** The runs whose lease has a holder, living or not, newest first. */
  held(): RunRecord[] {
    const joined = 'JOIN lease ON lease.run = run.run WHERE lease.holder IS NOT NULL';
    return this.#db.all(`${this.#select} ${joined} ORDER BY run.run DESC LIMIT ${HELD_MAX}`).map(runRecord);
  }

  /** How many are no plans that wait. */
  started(): number {
    const count = this.#db.get(`SELECT count(*) AS started FROM run WHERE NOT (${LOOKS_PLANNED})`)?.started;
    assert(typeof count === 'number', 'SQLite counted no runs');
    return count;
  }

  /** Every run's end, oldest first. */
  heads(): RunHead[] {
    return this.#db.all('SELECT id, head_n, head_hash FROM run ORDER BY run').map(({ id, head_n, head_hash }) => {
      return { runId: id as string, n: head_n as number, hash: hex(head_hash) };
    });
  }

  /**
   * Throws `JournalDamaged` where a run is gone: runs are numbered without gaps, and none is ever deleted. A run that was
   * the last one leaves no gap.
   */
  requireWhole(): void {
    const extent = `SELECT (SELECT count(*) FROM run) AS runs, (SELECT max(run) FROM run) AS last,
      (SELECT max(run) FROM entry) AS last_written`;
    const { runs, last, last_written: lastWritten } = this.#db.get(extent) ?? {};
    const missing = Math.max(Number(last), Number(lastWritten)) - Number(runs);
    if (missing === 0) return;
    throw new JournalDamaged({ code: 'runs_deleted', runs: missing });
  }

  #provePlan(record: RunRecord): void {
    const proof = `${record.run} ${record.head.hash}`;
    if (this.#plans.has(proof)) return;
    provePlan(record, entriesFromPlan(this.#db, record.run));
    this.#plans.add(proof);
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
