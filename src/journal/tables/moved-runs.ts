import { assert } from '../../domain/refusal.ts';
import { decodedAt, type Head, isSameHead, proveNext, type StoredEntry } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import type { RunProjection } from '../projections/run-projection.ts';
import { payingOf } from '../run-record.ts';
import { columnsAs, hex, PageSize, storedEntry } from './entries.ts';
import { stayAtMove } from './moves.ts';
import { all, change, get, insert, type Steps } from './steps.ts';
import type { Store } from './store.ts';

/** An entry of any run. */
export type MovedEntry = { runId: string; stored: StoredEntry };

/**
 * The entries of all runs in the order in which they were written, by pages: what is known of payees is what the newest entry
 * says, over all runs.
 */
export class AllEntries {
  readonly #size = new PageSize();
  #after = 0;

  /** Empty after the last page. */
  *next(): Steps<readonly MovedEntry[]> {
    const rows = yield* all(
      `SELECT entry.place, run.id, ${columnsAs('entry')} FROM entry JOIN run ON run.run = entry.run
       WHERE entry.place > ? ORDER BY entry.place LIMIT ?`,
      ...[this.#after, this.#size.limit],
    );
    const page = rows.map((row) => ({ runId: row.id as string, stored: storedEntry(row, 'entry_') }));
    this.#after = Number(rows.at(-1)?.place ?? this.#after);
    this.#size.seen(page.map(({ stored }) => stored));
    return page;
  }
}

/** A run as the other journal has it by now. */
type Arrived = { run: number; head: Head };

/**
 * Adds a page of entries to a journal at which they arrive, in one transaction, each run's proven to be those that follow
 * there. Those that are there already are passed over. Returns how many were added. Throws `JournalDamaged` where an entry does
 * not follow.
 */
export function* addPage(store: Store, moveId: string, page: readonly MovedEntry[]): Steps<number> {
  yield* stayAtMove(store, moveId);
  const arrived = new Map<string, Arrived>();
  const added: MovedEntry[] = [];
  const rows: [number, StoredEntry][] = [];
  for (const entry of page) {
    const { runId, stored } = entry;
    const known = arrived.get(runId) ?? (yield* arrivedRun(runId)) ?? (yield* insertRun(store, entry));
    arrived.set(runId, known);
    if (stored.n <= known.head.n) continue;
    proveNext(runId, known.head, stored);
    known.head = { n: stored.n, hash: stored.hash };
    added.push(entry);
    rows.push([known.run, stored]);
  }
  yield* insert({
    into: 'entry',
    columns: ['run', 'n', 'at', 'epoch', 'kind', 'row_number', 'data', 'hash'],
    rows: rows.map(([run, { n, at, epoch, kind, row, data, hash }]) => {
      return [run, n, at, epoch, kind, row, data, Buffer.from(hash, 'hex')];
    }),
  });
  for (const { run, head } of arrived.values())
    yield* change('UPDATE run SET head_n = ?, head_hash = ? WHERE run = ?', head.n, Buffer.from(head.hash, 'hex'), run);
  for (const [run, stored] of rows) yield* noteBeside(run, stored);
  return added.length;
}

function* arrivedRun(runId: string): Steps<Arrived | null> {
  const row = yield* get('SELECT run, head_n, head_hash FROM run WHERE id = ?', runId);
  return row === undefined
    ? null
    : { run: row.run as number, head: { n: row.head_n as number, hash: hex(row.head_hash) } };
}

/** By its first entry, and with a lease that nobody holds. */
function* insertRun({ runs }: Store, { runId, stored }: MovedEntry): Steps<Arrived> {
  const header = decodedAt(runId, stored);
  if (stored.n !== 1 || header.kind !== 'run_created' || header.run_id !== runId)
    throw new JournalDamaged({ of: runId, code: 'no_creation' });
  const run = yield* runs.insert(payingOf(header), { at: stored.at, isPlanned: false });
  yield* change('INSERT INTO lease (run, epoch, lease_id, holder, expires_at) VALUES (?, 1, NULL, NULL, 0)', run);
  const inserted = yield* arrivedRun(runId);
  assert(inserted, `run ${runId} was inserted and is not there`);
  return inserted;
}

/** What is kept of a run beside its entries, and repeats them. */
function* noteBeside(run: number, stored: StoredEntry): Steps<void> {
  switch (stored.kind) {
    case 'planned':
      yield* change('UPDATE run SET is_planned = 1 WHERE run = ?', run);
      return;
    case 'started':
      yield* change('UPDATE run SET is_planned = 0 WHERE run = ?', run);
      return;
    case 'lease_taken': {
      const taken = decodedAt('', stored);
      assert(taken.kind === 'lease_taken', 'an entry is of another kind than it is filed under');
      yield* change('UPDATE lease SET epoch = ?, lease_id = ? WHERE run = ?', taken.epoch, taken.lease_id ?? null, run);
      return;
    }
  }
}

/** What a person asked of a run, and the holder that it was asked of. Nothing about a payout is concluded from it. */
export type AskedBeside = {
  cancel: { by: string; at: number } | null;
  pause: { by: string; at: number; epoch: number } | null;
};

export function* askedBeside(runId: string): Steps<AskedBeside> {
  const row = yield* get(
    `SELECT cancel.asked_by AS cancel_by, cancel.asked_at AS cancel_at,
       pause.asked_by AS pause_by, pause.asked_at AS pause_at, pause.epoch AS epoch
     FROM run LEFT JOIN cancel_asked AS cancel ON cancel.run = run.run LEFT JOIN pause_asked AS pause ON pause.run = run.run
     WHERE run.id = ?`,
    runId,
  );
  const { cancel_by, cancel_at, pause_by, pause_at, epoch } = row ?? {};
  return {
    cancel: typeof cancel_by === 'string' ? { by: cancel_by, at: Number(cancel_at) } : null,
    pause: typeof pause_by === 'string' ? { by: pause_by, at: Number(pause_at), epoch: Number(epoch) } : null,
  };
}

/** Brings along what was asked of a run, and stores who it paid, by the fold of its entries, where that is not stored yet. */
export function* completeRun(
  store: Store,
  { moveId, runId, asked }: { moveId: string; runId: string; asked: AskedBeside },
  projection: RunProjection | null,
): Steps<void> {
  yield* stayAtMove(store, moveId);
  const record = yield* store.runs.end(runId);
  assert(record, `run ${runId} has not arrived`);
  if (projection !== null) yield* store.projections.save(record.run, record.head, projection);
  if (asked.cancel !== null)
    yield* change(
      `INSERT INTO cancel_asked (run, asked_by, asked_at) VALUES (?, ?, ?) ON CONFLICT (run) DO NOTHING`,
      ...[record.run, asked.cancel.by, asked.cancel.at],
    );
  if (asked.pause !== null)
    yield* change(
      `INSERT INTO pause_asked (run, epoch, asked_by, asked_at) VALUES (?, ?, ?, ?) ON CONFLICT (run)
       DO UPDATE SET epoch = excluded.epoch, asked_by = excluded.asked_by, asked_at = excluded.asked_at`,
      ...[record.run, asked.pause.epoch, asked.pause.by, asked.pause.at],
    );
}

/** Whether who was paid is stored of this end of a run. */
export function* isProjectedAt(runId: string, head: Head): Steps<boolean> {
  const row = yield* get(
    'SELECT projected.n, projected.head_hash FROM projected_run AS projected JOIN run ON run.run = projected.run WHERE run.id = ?',
    runId,
  );
  return row !== undefined && isSameHead({ n: row.n as number, hash: hex(row.head_hash) }, head);
}

/** What people were notified of by schedules, by pages after an id; empty after the last. */
export function* announcementsAfter(id: string): Steps<readonly { id: string; at: number }[]> {
  const rows = yield* all('SELECT id, announced_at FROM announcement WHERE id > ? ORDER BY id LIMIT 1000', id);
  return rows.map((row) => ({ id: row.id as string, at: row.announced_at as number }));
}

export function* addAnnouncements(announced: readonly { id: string; at: number }[]): Steps<void> {
  yield* insert({
    into: 'announcement',
    columns: ['id', 'announced_at'],
    rows: announced.map(({ id, at }) => [id, at]),
    conflict: 'ON CONFLICT (id) DO NOTHING',
  });
}
