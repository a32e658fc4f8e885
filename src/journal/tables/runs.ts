import { assert } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import { genesis, type Head, type StoredEntry } from '../chain.ts';
import type { EncodedEntry } from '../entries.ts';
import { JournalDamaged } from '../errors.ts';
import type { RunHead, RunSummary } from '../journal.ts';
import { isRepeat, type Paying, PlanProof, provenStart, type RunRecord, requireEnd } from '../run-record.ts';
import { appendEntries, columnsAs, entriesFromPlan, hex, lastEntry, type Placement, storedEntry } from './entries.ts';
import { all, change, get, type Steps } from './steps.ts';

/** The newest runs of one input, or of one period of a job, that are listed. */
const RUNS_OF_ONE_MAX = 1_000;

/** The runs that are held at once, or were when their process died and nobody resumed them. */
const HELD_MAX = 10_000;

/** Records in memory at once while all runs are read. */
const PAGE_RUNS = 256;

/** The texts of the index, to the letter: only so does SQLite know that it serves. */
export const LOOKS_PLANNED = `EXISTS (SELECT 1 FROM entry WHERE entry.run = run.run AND entry.kind = 'planned')
  AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.run = run.run AND entry.kind = 'started')`;

/** `hasPlans` is false of a journal that an earlier payrun wrote, and that is read without being changed. */
function selectRuns(hasPlans: boolean): string {
  const ofPlans = hasPlans ? 'is_planned, job_period' : 'NULL AS is_planned, NULL AS job_period';
  return `SELECT run.run, run.id, run.created_at, run.input_sha256, ${ofPlans}, run.head_n, run.head_hash,
    CASE WHEN ${LOOKS_PLANNED} THEN 1 ELSE 0 END AS looks_planned, ${columnsAs('first')}, ${columnsAs('second')} FROM run
    LEFT JOIN entry AS first ON first.run = run.run AND first.n = 1
    LEFT JOIN entry AS second ON second.run = run.run AND second.n = 2`;
}

/** The runs that are meant, of all or as many as are wanted. */
type Wanted = { limit?: number; isMeant?: (run: RunSummary) => boolean };

/**
 * What decides about paying is read from entries, and proven by their hashes: which input a run pays, of which job and
 * period, when it was created, and whether it was started. The columns that repeat it can be edited, and are not asked.
 * Only an edit of a run's every entry and hash goes unseen here; what is kept outside of the journal finds that out.
 *
 * To be asked inside one snapshot or transaction: each proof compares what several statements read.
 */
export class Runs {
  readonly #select: string;
  /** The plans that were proven, by their ends, whose hashes are over all that went before. */
  readonly #plans = new Set<string>();

  constructor({ hasPlans }: { hasPlans: boolean }) {
    this.#select = selectRuns(hasPlans);
  }

  /** Adds a run without entries, inside the open transaction, and returns its number. Runs are numbered without gaps. */
  *insert(
    { id, inputSha256, jobPeriod }: Paying,
    { at, isPlanned }: { at: number; isPlanned: boolean },
  ): Steps<number> {
    const { n, hash } = genesis(id);
    const run = (yield* get('SELECT coalesce(max(run), 0) + 1 AS run FROM run'))?.run;
    assert(typeof run === 'number', 'the database gave no number for a run');
    yield* change(
      `INSERT INTO run (run, id, created_at, input_sha256, is_planned, job_period, head_n, head_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[run, id, at, inputSha256, isPlanned ? 1 : 0, jobPeriod, n, Buffer.from(hash, 'hex')],
    );
    return run;
  }

  /**
   * Adds entries after `head` inside the open transaction, and moves the run's end to them. Throws `JournalDamaged` where
   * that is not `head`: only the run's writer moves it.
   */
  *append(placement: Placement, head: Head, entries: Iterable<EncodedEntry>): Steps<Head> {
    const { run, runId } = placement;
    const end = yield* appendEntries(placement, head, entries);
    const moved = yield* change(
      'UPDATE run SET head_n = ?, head_hash = ? WHERE run = ? AND head_n = ? AND head_hash = ?',
      ...[end.n, Buffer.from(end.hash, 'hex'), run, head.n, Buffer.from(head.hash, 'hex')],
    );
    if (moved !== 1) throw new JournalDamaged({ of: runId, code: 'head_moved' });
    return end;
  }

  /** Notes that a plan is started. */
  *start(run: number): Steps<void> {
    yield* change('UPDATE run SET is_planned = 0 WHERE run = ?', run);
  }

  /** Unproven. */
  *find(runId: string): Steps<RunRecord | null> {
    const row = yield* get(`${this.#select} WHERE run.id = ?`, runId);
    return row ? runRecord(row) : null;
  }

  /** The run as it stands, or null. Throws `JournalDamaged` where its end was cut off. */
  *end(runId: string): Steps<RunRecord | null> {
    const record = yield* this.find(runId);
    if (record !== null) requireEnd(record, yield* lastEntry(record.run));
    return record;
  }

  /** Throws `JournalDamaged`. */
  *summary(record: RunRecord): Steps<RunSummary> {
    const { first, header } = provenStart(record);
    if (record.looksPlanned) yield* this.#provePlan(record);
    return {
      run_id: record.id,
      created_at: first.at,
      entries: record.head.n,
      isPlanned: record.looksPlanned,
      header,
    };
  }

  /** Newest first. Records are read by pages. */
  *newest({ limit = Number.POSITIVE_INFINITY, isMeant = () => true }: Wanted): Steps<RunSummary[]> {
    yield* this.requireWhole();
    const sql = `${this.#select} WHERE run.run < ? ORDER BY run.run DESC LIMIT ${PAGE_RUNS}`;
    const found: RunSummary[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = (yield* all(sql, before)).map(runRecord);
      for (const record of page) {
        before = record.run;
        const summary = yield* this.summary(record);
        if (!isMeant(summary)) continue;
        found.push(summary);
        if (found.length >= limit) return found;
      }
      if (page.length < PAGE_RUNS) return found;
    }
  }

  /** Oldest first; where there are more than 1,000, the newest. */
  *allWhere(isMeant: (run: RunSummary) => boolean): Steps<RunSummary[]> {
    return (yield* this.newest({ limit: RUNS_OF_ONE_MAX, isMeant })).reverse();
  }

  /** The newest started run that pays the same, or null. */
  *lastRepeated(paying: Paying): Steps<string | null> {
    const [found] = yield* this.newest({ limit: 1, isMeant: (run) => isRepeat(run, paying) });
    return found?.run_id ?? null;
  }

  /** The runs whose lease has a holder, living or not, newest first. */
  *held(): Steps<RunRecord[]> {
    const joined = 'JOIN lease ON lease.run = run.run WHERE lease.holder IS NOT NULL';
    return (yield* all(`${this.#select} ${joined} ORDER BY run.run DESC LIMIT ${HELD_MAX}`)).map(runRecord);
  }

  /** How many are no plans that wait. */
  *started(): Steps<number> {
    const count = (yield* get(`SELECT count(*) AS started FROM run WHERE NOT (${LOOKS_PLANNED})`))?.started;
    assert(typeof count === 'number', 'the database counted no runs');
    return count;
  }

  /** Every run's end, oldest first. */
  *heads(): Steps<RunHead[]> {
    return (yield* all('SELECT id, head_n, head_hash FROM run ORDER BY run')).map(({ id, head_n, head_hash }) => {
      return { runId: id as string, n: head_n as number, hash: hex(head_hash) };
    });
  }

  /**
   * Throws `JournalDamaged` where a run is gone: runs are numbered without gaps, and none is ever deleted. A run that was
   * the last one leaves no gap.
   */
  *requireWhole(): Steps<void> {
    const extent = `SELECT (SELECT count(*) FROM run) AS runs, (SELECT max(run) FROM run) AS last,
      (SELECT max(run) FROM entry) AS last_written`;
    const { runs, last, last_written: lastWritten } = (yield* get(extent)) ?? {};
    const missing = Math.max(Number(last), Number(lastWritten)) - Number(runs);
    if (missing === 0) return;
    throw new JournalDamaged({ code: 'runs_deleted', runs: missing });
  }

  *#provePlan(record: RunRecord): Steps<void> {
    const known = `${record.run} ${record.head.hash}`;
    if (this.#plans.has(known)) return;
    const proof = new PlanProof(record);
    const pages = yield* entriesFromPlan(record.run);
    let page: readonly StoredEntry[] = pages === null ? [] : yield* pages.next();
    for (; pages !== null && page.length > 0; page = yield* pages.next())
      for (const stored of page) proof.follow(stored);
    proof.requireEnd();
    this.#plans.add(known);
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
