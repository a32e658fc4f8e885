import { assert } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { Row } from '../../platform/sqlite.ts';
import { type QueuedRun, type QueuedRuns, type QueuedTask, queuedTask } from '../queued-run.ts';
import { leaseIn, livingIn } from './leases.ts';
import { requireHere } from './moves.ts';
import { all, change, get, type Steps } from './steps.ts';
import type { Store } from './store.ts';

const LIST_MAX = 10_000;

const SELECT = `SELECT run.id, queued_at, task, tries, due_at, why, epoch, lease_id, holder, expires_at FROM queued_run
  JOIN run ON run.run = queued_run.run JOIN lease ON lease.run = queued_run.run`;

/** The runs that are left to workers, in the tables of a journal that they share. */
export class TablesQueuedRuns implements QueuedRuns {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(runId: string, task: QueuedTask): Promise<void> {
    const store = this.#store;
    await store.tables.write({ runId }, function* () {
      yield* requireHere();
      const run = (yield* get('SELECT run FROM run WHERE id = ?', runId))?.run;
      assert(typeof run === 'number', `there is no run ${runId} to be left to workers`);
      yield* queueRun(store, run, task);
    });
  }

  async find(runId: string): Promise<QueuedRun | null> {
    const store = this.#store;
    return store.tables.read(function* () {
      const row = yield* get(`${SELECT} WHERE run.id = ?`, runId);
      return row === undefined ? null : queuedRun(row, yield* store.dialect.leaseNow());
    });
  }

  async list(): Promise<QueuedRun[]> {
    const store = this.#store;
    return store.tables.read(function* () {
      const now = yield* store.dialect.leaseNow();
      const rows = yield* all(`${SELECT} ORDER BY queued_at, queued_run.run LIMIT ${LIST_MAX}`);
      return rows.map((row) => queuedRun(row, now));
    });
  }

  async due(): Promise<QueuedRun[]> {
    const store = this.#store;
    return store.tables.read(function* () {
      const now = yield* store.dialect.leaseNow();
      const rows = yield* all(`${SELECT} WHERE due_at <= ? ORDER BY due_at, queued_run.run LIMIT ${LIST_MAX}`, now);
      return rows.filter((row) => !isHeld(store, row, now)).map((row) => queuedRun(row, now));
    });
  }

  async leave(runId: string, why: RefusalReason, pauseMs: number | null): Promise<void> {
    const store = this.#store;
    await store.tables.write({ runId }, function* () {
      const dueAt = pauseMs === null ? null : (yield* store.dialect.leaseNow()) + pauseMs;
      yield* change(
        'UPDATE queued_run SET tries = tries + 1, due_at = ?, why = ? WHERE run = (SELECT run FROM run WHERE id = ?)',
        ...[dueAt, JSON.stringify(why), runId],
      );
    });
  }

  async remove(runId: string): Promise<void> {
    const sql = 'DELETE FROM queued_run WHERE run = (SELECT run FROM run WHERE id = ?)';
    await this.#store.tables.write({ runId }, () => change(sql, runId));
  }
}

/** Inside the open transaction. */
export function* queueRun(store: Store, run: number, task: QueuedTask): Steps<void> {
  assert(store.isRemote, 'a journal of one machine has no workers');
  const now = yield* store.dialect.leaseNow();
  yield* change(
    `INSERT INTO queued_run (run, queued_at, task, tries, due_at, why) VALUES (?, ?, ?, 0, ?, NULL)
     ON CONFLICT (run) DO UPDATE
     SET queued_at = excluded.queued_at, task = excluded.task, tries = 0, due_at = excluded.due_at, why = NULL`,
    ...[run, now, JSON.stringify(task), now],
  );
}

function isHeld(store: Store, row: Row, now: number): boolean {
  const lease = leaseIn(row);
  return lease.expiresAt > now && livingIn(store, lease) !== null;
}

function queuedRun(row: Row, now: number): QueuedRun {
  const dueAt = row.due_at as number | null;
  return {
    runId: row.id as string,
    task: queuedTask.parse(JSON.parse(String(row.task))),
    queuedAt: row.queued_at as number,
    tries: row.tries as number,
    dueAt,
    isDue: dueAt !== null && dueAt <= now,
    // All processes that use it run the same version of payrun.
    why: row.why === null ? null : (JSON.parse(String(row.why)) as RefusalReason),
  };
}
