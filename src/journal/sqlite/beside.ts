import { assert } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import { JournalDamaged } from '../errors.ts';
import { HINTS_KEPT_MAX, type Hint, type PlacedHint } from '../journal.ts';
import type { Connection } from './connection.ts';

// What stands beside the runs. No chain covers it, because nothing about a payout is ever concluded from it.

/** Hints of one list. */
const HINTS_LIST_MAX = 10_000;

/** Adds, inside the open transaction, the hints whose webhook id is not known, and returns how many that were. */
export function addHints(db: Connection, hints: readonly Hint[]): number {
  let added = 0;
  for (const { webhook_id, transaction_id, type, received_at } of hints) {
    // Looked up first: an insert that a conflict stops still writes the table's sequence, and a repeat is to write nothing.
    if (db.get('SELECT n FROM hint WHERE webhook_id = ?', webhook_id) !== undefined) continue;
    const sql = 'INSERT INTO hint (webhook_id, transaction_id, type, received_at) VALUES (?, ?, ?, ?)';
    db.run(sql, webhook_id, transaction_id, type, received_at);
    added++;
  }
  if (added > 0) db.run('DELETE FROM hint WHERE n <= (SELECT max(n) FROM hint) - ?', HINTS_KEPT_MAX);
  return added;
}

export function hintsAfter(db: Connection, n: number, limit: number): PlacedHint[] {
  const isInRange = Number.isSafeInteger(limit) && limit > 0 && limit <= HINTS_LIST_MAX;
  assert(isInRange, `a list has 1 to ${HINTS_LIST_MAX} hints`);
  const sql = 'SELECT n, webhook_id, transaction_id, type, received_at FROM hint WHERE n > ? ORDER BY n LIMIT ?';
  return db.all(sql, n, limit).map(placedHint);
}

export function lastHint(db: Connection): number {
  return (db.get('SELECT max(n) AS n FROM hint')?.n ?? 0) as number;
}

function placedHint(row: Row): PlacedHint {
  const { n, webhook_id, transaction_id, type, received_at } = row;
  if (type !== 'transaction.created' && type !== 'transaction.updated')
    throw new JournalDamaged({ code: 'unknown_hint', n: Number(n) });
  return { n, webhook_id, transaction_id, type, received_at } as PlacedHint;
}

/** Inside the open transaction. The first to ask stays. */
export function askToCancel(db: Connection, runId: string, by: string, at: number): void {
  if (cancelAskedBy(db, runId) !== null) return;
  const sql = 'INSERT INTO cancel_asked (run, asked_by, asked_at) SELECT run, ?, ? FROM run WHERE id = ?';
  const { changes } = db.run(sql, by, at, runId);
  assert(changes === 1, `there is no run ${runId} to cancel`);
}

export function cancelAskedBy(db: Connection, runId: string): string | null {
  return askedBy(
    db.get('SELECT asked_by FROM cancel_asked JOIN run ON run.run = cancel_asked.run WHERE run.id = ?', runId),
  );
}

/** Inside the open transaction. It is meant for the run's holder, or its last one. The first to ask that one stays. */
export function askToPause(db: Connection, runId: string, by: string, at: number): void {
  if (pauseAskedBy(db, runId) !== null) return;
  const { changes } = db.run(
    `INSERT INTO pause_asked (run, epoch, asked_by, asked_at)
     SELECT lease.run, lease.epoch, ?, ? FROM lease JOIN run ON run.run = lease.run WHERE run.id = ?
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, asked_by = excluded.asked_by, asked_at = excluded.asked_at`,
    ...[by, at, runId],
  );
  assert(changes === 1, `there is no run ${runId} to pause`);
}

export function pauseAskedBy(db: Connection, runId: string): string | null {
  return askedBy(
    db.get(
      `SELECT pause_asked.asked_by FROM pause_asked JOIN run ON run.run = pause_asked.run
       JOIN lease ON lease.run = pause_asked.run AND lease.epoch = pause_asked.epoch WHERE run.id = ?`,
      runId,
    ),
  );
}

function askedBy(row: Row | undefined): string | null {
  const by = row?.asked_by;
  assert(by === undefined || typeof by === 'string', 'somebody without a name asked for something');
  return by ?? null;
}
