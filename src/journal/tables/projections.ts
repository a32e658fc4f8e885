import type { EntryOf, PlacedEntry } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { Value } from '../../platform/sqlite.ts';
import { ChainWalk, type Head, isSameHead } from '../chain.ts';
import type { RunPayouts } from '../projections/run-payouts.ts';
import { type ProjectedPage, RunProjection } from '../projections/run-projection.ts';
import {
  movedOn,
  ordersHashOf,
  type ProvenProjection,
  payoutsOf,
  proven,
  provenByFold,
  type StoredProjection,
} from '../projections/stored-projection.ts';
import type { RunRecord } from '../run-record.ts';
import { EntryPages, hex } from './entries.ts';
import type { Runs } from './runs.ts';
import { all, change, get, insert, type Steps } from './steps.ts';
import type { Tables } from './tables.ts';

/** The runs that are looked for at once. */
const BEHIND_MAX = 256;

/** What is stored of a run's end, beside its pages. */
export type StoredEnd = Pick<StoredProjection, 'head' | 'facts' | 'proof'>;

/**
 * What was stored of who was paid, read so that it can be relied on: it is believed where it is of the run's last entry and
 * its proof is right. Where it is not, because it was edited, or an earlier payrun has written to the run, the entries
 * decide, which the chain proves.
 */
export class Projections {
  readonly #tables: Pick<Tables, 'read' | 'snapshot'>;
  readonly #runs: Runs;
  /** False of a journal that an earlier payrun wrote, and that is read without being changed. */
  readonly #isStored: boolean;
  /** Of the runs that this process has opened: what is read of one to its end its writer need not read. */
  readonly #opened = new Map<string, RunProjection>();

  constructor(tables: Pick<Tables, 'read' | 'snapshot'>, runs: Runs, isStored: boolean) {
    this.#tables = tables;
    this.#runs = runs;
    this.#isStored = isStored;
  }

  /** Null for an unknown run. Throws `JournalDamaged` where the entries are needed and are not as they were written. */
  async payoutsOf(runId: string): Promise<RunPayouts | null> {
    const stored = await this.#tables.snapshot(() => this.#proven(runId));
    const byFold = async () => this.#tables.snapshot(() => this.#folded(runId));
    const found = stored ?? (await byFold());
    return found && payoutsOf(runId, found, byFold);
  }

  *#proven(runId: string): Steps<ProvenProjection | null> {
    const record = yield* this.#runs.end(runId);
    const found = record && proven(runId, record.head, yield* this.find(record.run));
    return found && { ...found, orders: (n) => this.#tables.read(() => this.#orders(record.run, n)) };
  }

  *#folded(runId: string): Steps<ProvenProjection | null> {
    const folded = yield* this.fold(runId);
    return folded && provenByFold(folded.projection);
  }

  /** What a run's entries give, all of which are read. Throws `JournalDamaged`. */
  *fold(runId: string): Steps<{ record: RunRecord; projection: RunProjection } | null> {
    const record = yield* this.#runs.end(runId);
    if (record === null) return null;
    const projection = new RunProjection(runId);
    yield* this.#follow(projection, record);
    return { record, projection };
  }

  /** What is stored of a run, unproven. */
  *find(run: number): Steps<StoredProjection | null> {
    if (!this.#isStored) return null;
    const row = yield* get('SELECT n, head_hash, facts, proof FROM projected_run WHERE run = ?', run);
    if (row === undefined) return null;
    const pages = yield* all('SELECT n, states, orders_hash FROM projected_states WHERE run = ? ORDER BY n', run);
    return {
      head: { n: row.n as number, hash: hex(row.head_hash) },
      facts: row.facts as string | null,
      proof: hex(row.proof),
      pages: pages.map(({ n, states, orders_hash }) => {
        return { n: n as number, states: states as string, ordersHash: hex(orders_hash) };
      }),
    };
  }

  /** The hash of what is stored of the orders of each page, by the page's number. */
  *ordersHashes(run: number): Steps<ReadonlyMap<number, string>> {
    const hashes = new Map<number, string>();
    if (!this.#isStored) return hashes;
    for (const { n } of yield* all('SELECT n FROM projected_orders WHERE run = ?', run)) {
      const orders = yield* this.#orders(run, n as number);
      if (orders !== null) hashes.set(n as number, ordersHashOf(orders));
    }
    return hashes;
  }

  *#orders(run: number, n: number): Steps<string | null> {
    const orders = (yield* get('SELECT orders FROM projected_orders WHERE run = ? AND n = ?', run, n))?.orders;
    return typeof orders === 'string' ? orders : null;
  }

  /** Stores what a projection holds and is not stored yet, inside the transaction that moves the run's end to `head`. */
  *save(run: number, head: Head, projection: RunProjection): Steps<void> {
    const { pages, end } = toStore(projection, head);
    yield* insert({
      into: 'projected_states',
      columns: ['run', 'n', 'states', 'orders_hash'],
      rows: pages.map(({ n, states, ordersHash }) => [run, n, states, Buffer.from(ordersHash, 'hex')]),
      conflict: 'ON CONFLICT (run, n) DO UPDATE SET states = excluded.states, orders_hash = excluded.orders_hash',
    });
    yield* insert({
      into: 'projected_orders',
      columns: ['run', 'n', 'orders'],
      rows: pages.flatMap(({ n, orders }): Value[][] => (orders === null ? [] : [[run, n, orders]])),
      conflict: 'ON CONFLICT (run, n) DO UPDATE SET orders = excluded.orders',
    });
    yield* put(run, end);
    projection.stored();
  }

  /**
   * Of a run that this process opens, inside the transaction that takes its lease; `record` is as it was before. What is
   * stored of the run's end is moved to its new end, and is not stored again.
   */
  *opened({ id, run, head: before }: RunRecord, head: Head, taken: EntryOf<'lease_taken'>): Steps<RunProjection> {
    const stored = yield* this.find(run);
    const isStored = stored !== null && isSameHead(stored.head, before);
    if (isStored) yield* put(run, movedOn(id, stored, head, taken));
    const projection = new RunProjection(id, isStored ? head.n : 0);
    this.#opened.set(id, projection);
    return projection;
  }

  /** Nothing more is written by the writer that has it. */
  ended(projection: RunProjection): void {
    if (this.#opened.get(projection.runId) === projection) this.#opened.delete(projection.runId);
  }

  /**
   * The entries of a run after those that the walk has proven, as the run stands at the first step, by pages. Throws
   * `JournalDamaged`, after what stands before the damage was given.
   */
  async *read(walk: ChainWalk): AsyncIterable<readonly PlacedEntry[]> {
    const record = await this.#tables.snapshot(() => this.#runs.end(walk.runId));
    if (record === null) return;
    const pages = new EntryPages(record.run, record.head.n, walk.head.n);
    for (;;) {
      const page = await this.#tables.read(() => pages.next());
      if (page.length === 0) break;
      const { proven: placed, damage } = walk.prove(page);
      const projection = this.#opened.get(walk.runId);
      if (projection !== undefined) for (const one of placed) projection.follow(one);
      if (placed.length > 0) yield placed;
      if (damage !== null) throw damage;
    }
    walk.requireEnd(record.head.n);
  }

  /** Lets a projection take all entries of its run that it has not. Throws `JournalDamaged`. */
  *catchUp(projection: RunProjection): Steps<void> {
    const record = yield* this.#runs.end(projection.runId);
    if (record !== null) yield* this.#follow(projection, record);
  }

  /** The first runs after number `after` whose projection is missing or is not of their end. */
  *behind(after: number): Steps<readonly { run: number; id: string }[]> {
    const sql = `SELECT run.run, run.id FROM run LEFT JOIN projected_run AS projected ON projected.run = run.run
      WHERE run.run > ? AND (projected.n IS DISTINCT FROM run.head_n OR projected.head_hash IS DISTINCT FROM run.head_hash)
      ORDER BY run.run LIMIT ${BEHIND_MAX}`;
    return (yield* all(sql, after)).map(({ run, id }) => ({ run: run as number, id: id as string }));
  }

  *#follow(projection: RunProjection, { id, run, head }: RunRecord): Steps<void> {
    const walk = new ChainWalk(id);
    const pages = new EntryPages(run, head.n);
    for (let page = yield* pages.next(); page.length > 0; page = yield* pages.next()) {
      const { proven: placed, damage } = walk.prove(page);
      for (const one of placed) projection.follow(one);
      if (damage !== null) throw damage;
    }
    walk.requireEnd(head.n);
  }
}

/** What a projection holds and is not stored yet, of the run's end `head`. */
export function toStore(projection: RunProjection, head: Head): { pages: readonly ProjectedPage[]; end: StoredEnd } {
  assert(projection.n === head.n, `run ${projection.runId}: who was paid is stored of another end than the run's`);
  const facts = projection.error === null ? JSON.stringify(projection.facts) : null;
  const pages = [...projection.pages({ changedOnly: true })];
  return { pages, end: { head, facts, proof: projection.proof(head) } };
}

function* put(run: number, { head, facts, proof }: StoredEnd): Steps<void> {
  yield* change(
    `INSERT INTO projected_run (run, n, head_hash, facts, proof) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run)
     DO UPDATE SET n = excluded.n, head_hash = excluded.head_hash, facts = excluded.facts, proof = excluded.proof`,
    ...[run, head.n, Buffer.from(head.hash, 'hex'), facts, Buffer.from(proof, 'hex')],
  );
}
