import { assert } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import { JournalDamaged } from '../errors.ts';
import { HINTS_KEPT_MAX, type Hint, type PlacedHint } from '../journal.ts';
import { requireHere } from './moves.ts';
import { all, change, get, insert, type Steps } from './steps.ts';

// What stands beside the runs. No chain covers it, because nothing about a payout is ever concluded from it.

/** Hints of one list. */
const HINTS_LIST_MAX = 10_000;

/** Adds, inside the open transaction, the hints whose webhook id is not known, and returns how many that were. */
export function* addHints(hints: readonly Hint[]): Steps<number> {
  // Looked up first: an insert that a conflict stops still writes the table's sequence, and a repeat is to write nothing.
  const known = yield* knownOf(hints.map(({ webhook_id }) => webhook_id));
  const fresh = new Map<string, Hint>();
  for (const hint of hints)
    if (!known.has(hint.webhook_id) && !fresh.has(hint.webhook_id)) fresh.set(hint.webhook_id, hint);
  if (fresh.size === 0) return 0;
  const rows = Array.from(fresh.values(), ({ webhook_id, transaction_id, type, received_at }) => {
    return [webhook_id, transaction_id, type, received_at];
  });
  const added = yield* insert({ into: 'hint', columns: ['webhook_id', 'transaction_id', 'type', 'received_at'], rows });
  yield* change('DELETE FROM hint WHERE n <= (SELECT max(n) FROM hint) - ?', HINTS_KEPT_MAX);
  return added;
}

/** Which of these webhook ids are there. Asked with 1, 2, 4, … places, so that few statements are prepared. */
function* knownOf(ids: readonly string[]): Steps<ReadonlySet<string>> {
  const [first] = ids;
  if (first === undefined) return new Set();
  const places = 2 ** Math.ceil(Math.log2(ids.length));
  const asked = [...ids, ...Array<string>(places - ids.length).fill(first)];
  const marks = asked.map(() => '?').join(', ');
  const rows = yield* all(`SELECT webhook_id FROM hint WHERE webhook_id IN (${marks})`, ...asked);
  return new Set(rows.map(({ webhook_id }) => webhook_id as string));
}

export function* hintsAfter(n: number, limit: number): Steps<PlacedHint[]> {
  const isInRange = Number.isSafeInteger(limit) && limit > 0 && limit <= HINTS_LIST_MAX;
  assert(isInRange, `a list has 1 to ${HINTS_LIST_MAX} hints`);
  const sql = 'SELECT n, webhook_id, transaction_id, type, received_at FROM hint WHERE n > ? ORDER BY n LIMIT ?';
  return (yield* all(sql, n, limit)).map(placedHint);
}

export function* lastHint(): Steps<number> {
  return ((yield* get('SELECT max(n) AS n FROM hint'))?.n ?? 0) as number;
}

function placedHint(row: Row): PlacedHint {
  const { n, webhook_id, transaction_id, type, received_at } = row;
  if (type !== 'transaction.created' && type !== 'transaction.updated')
    throw new JournalDamaged({ code: 'unknown_hint', n: Number(n) });
  return { n, webhook_id, transaction_id, type, received_at } as PlacedHint;
}

/** Inside the open transaction. The first to ask stays. */
export function* askToCancel(runId: string, by: string, at: number): Steps<void> {
  yield* requireHere();
  if ((yield* cancelAskedBy(runId)) !== null) return;
  const added = yield* change(
    `INSERT INTO cancel_asked (run, asked_by, asked_at)
     SELECT run, CAST(? AS text), CAST(? AS bigint) FROM run WHERE id = ?`,
    ...[by, at, runId],
  );
  assert(added === 1, `there is no run ${runId} to cancel`);
}

export function* cancelAskedBy(runId: string): Steps<string | null> {
  return askedBy(
    yield* get('SELECT asked_by FROM cancel_asked JOIN run ON run.run = cancel_asked.run WHERE run.id = ?', runId),
  );
}

/** Inside the open transaction. It is meant for the run's holder, or its last one. The first to ask that one stays. */
export function* askToPause(runId: string, by: string, at: number): Steps<void> {
  yield* requireHere();
  if ((yield* pauseAskedBy(runId)) !== null) return;
  const added = yield* change(
    `INSERT INTO pause_asked (run, epoch, asked_by, asked_at)
     SELECT lease.run, lease.epoch, CAST(? AS text), CAST(? AS bigint)
     FROM lease JOIN run ON run.run = lease.run WHERE run.id = ?
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, asked_by = excluded.asked_by, asked_at = excluded.asked_at`,
    ...[by, at, runId],
  );
  assert(added === 1, `there is no run ${runId} to pause`);
}

export function* pauseAskedBy(runId: string): Steps<string | null> {
  return askedBy(
    yield* get(
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
