import type { EntryOf, PlacedEntry } from '../../domain/entry.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { ChainWalk, type Head, isSameHead } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import type { RunPayouts } from '../projections/run-payouts.ts';
import { RunProjection } from '../projections/run-projection.ts';
import {
  movedOn,
  type ProvenProjection,
  payoutsOf,
  proven,
  provenByFold,
  type StoredProjection,
} from '../projections/stored-projection.ts';
import type { RunRecord } from '../run-record.ts';
import type { Connection } from './connection.ts';
import { entryPages, hex } from './entries.ts';
import type { Runs } from './runs.ts';

/** The runs that are looked for at once. */
const BEHIND_MAX = 256;

/**
 * What was stored of who was paid, read so that it can be relied on: it is believed where it is of the run's last entry and
 * its proof is right. Where it is not, because it was edited, or an earlier payrun has written to the run, the entries
 * decide, which the chain proves.
 */
export class Projections {
  readonly #db: Connection;
  readonly #runs: Runs;
  /** False of a journal that an earlier payrun wrote, and that is read without being changed. */
  readonly #isStored: boolean;
  /** Of the runs that this process has opened: what is read of one to its end its writer need not read. */
  readonly #opened = new Map<string, RunProjection>();

  constructor(db: Connection, runs: Runs, isStored: boolean) {
    this.#db = db;
    this.#runs = runs;
    this.#isStored = isStored;
  }

  /** Null for an unknown run. Throws `JournalDamaged` where the entries are needed and are not as they were written. */
  payoutsOf(runId: string): RunPayouts | null {
    const stored = this.#db.snapshot(() => {
      const record = this.#runs.end(runId);
      return record && proven(runId, record.head, this.find(record.run));
    });
    const found = stored ?? this.#folded(runId);
    return found && payoutsOf(runId, found, () => this.#folded(runId));
  }

  /** What is stored of a run, unproven. */
  find(run: number): StoredProjection | null {
    if (!this.#isStored) return null;
    const row = this.#db.get('SELECT n, head_hash, facts, proof FROM projected_run WHERE run = ?', run);
    if (row === undefined) return null;
    const pages = this.#db.all('SELECT n, states, orders_hash FROM projected_states WHERE run = ? ORDER BY n', run);
    return {
      head: { n: row.n as number, hash: hex(row.head_hash) },
      facts: row.facts as string | null,
      proof: hex(row.proof),
      pages: pages.map(({ n, states, orders_hash }) => {
        return { n: n as number, states: states as string, ordersHash: hex(orders_hash) };
      }),
      orders: (n) => {
        const orders = this.#db.get('SELECT orders FROM projected_orders WHERE run = ? AND n = ?', run, n)?.orders;
        return typeof orders === 'string' ? orders : null;
      },
    };
  }

  /** Stores what a projection holds and is not stored yet, inside the transaction that moves the run's end to `head`. */
  save(run: number, head: Head, projection: RunProjection): void {
    assert(projection.n === head.n, `run ${projection.runId}: who was paid is stored of another end than the run's`);
    for (const { n, states, ordersHash, orders } of projection.pages({ changedOnly: true })) {
      this.#db.run(
        `INSERT INTO projected_states (run, n, states, orders_hash) VALUES (?, ?, ?, ?) ON CONFLICT (run, n)
         DO UPDATE SET states = excluded.states, orders_hash = excluded.orders_hash`,
        ...[run, n, states, Buffer.from(ordersHash, 'hex')],
      );
      if (orders === null) continue;
      this.#db.run(
        `INSERT INTO projected_orders (run, n, orders) VALUES (?, ?, ?) ON CONFLICT (run, n)
         DO UPDATE SET orders = excluded.orders`,
        ...[run, n, orders],
      );
    }
    const facts = projection.error === null ? JSON.stringify(projection.facts) : null;
    this.#put(run, { head, facts, proof: projection.proof(head) });
    projection.stored();
  }

  /**
   * Of a run that this process opens, inside the transaction that takes its lease; `record` is as it was before. What is
   * stored of the run's end is moved to its new end, and is not stored again.
   */
  opened({ id, run, head: before }: RunRecord, head: Head, taken: EntryOf<'lease_taken'>): RunProjection {
    const stored = this.find(run);
    const isStored = stored !== null && isSameHead(stored.head, before);
    if (isStored) this.#put(run, movedOn(id, stored, head, taken));
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
   * `JournalDamaged`.
   */
  *read(walk: ChainWalk): Iterable<readonly PlacedEntry[]> {
    const record = this.#db.snapshot(() => this.#runs.end(walk.runId));
    if (record === null) return;
    for (const page of this.#walkOn(walk, record)) {
      const projection = this.#opened.get(walk.runId);
      if (projection !== undefined) for (const placed of page) projection.follow(placed);
      yield page;
    }
  }

  /** Lets a projection take all entries of its run that it has not. Throws `JournalDamaged`. */
  catchUp(projection: RunProjection, head: Head): void {
    if (projection.n === head.n) return;
    const record = this.#db.snapshot(() => this.#runs.end(projection.runId));
    if (record !== null) this.#follow(projection, record);
  }

  /**
   * Stores what is missing, a run at a time, each in a transaction of its own. Where another process keeps the journal
   * locked, or a run is damaged, that is left as it is: the entries are read instead, until the journal is opened again.
   */
  bringUpToDate(): void {
    for (const id of this.#behind()) {
      try {
        const record = this.#db.snapshot(() => this.#runs.end(id));
        if (record === null) continue;
        const projection = new RunProjection(id);
        this.#follow(projection, record);
        this.#db.immediate(() => {
          if (isSameHead(this.#runs.end(id)?.head, record.head)) this.save(record.run, record.head, projection);
        });
      } catch (error) {
        if (error instanceof Refusal) return;
        if (!(error instanceof JournalDamaged)) throw error;
      }
    }
  }

  /** Runs, oldest first, whose projection is missing or is not of their end. */
  *#behind(): Iterable<string> {
    const sql = `SELECT run.run, run.id FROM run LEFT JOIN projected_run AS projected ON projected.run = run.run
      WHERE run.run > ? AND (projected.n IS NOT run.head_n OR projected.head_hash IS NOT run.head_hash)
      ORDER BY run.run LIMIT ${BEHIND_MAX}`;
    for (let after = 0; ; ) {
      const page = this.#db.all(sql, after);
      for (const { run, id } of page) {
        after = run as number;
        yield id as string;
      }
      if (page.length < BEHIND_MAX) return;
    }
  }

  #put(run: number, { head, facts, proof }: Pick<StoredProjection, 'head' | 'facts' | 'proof'>): void {
    this.#db.run(
      `INSERT INTO projected_run (run, n, head_hash, facts, proof) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run)
       DO UPDATE SET n = excluded.n, head_hash = excluded.head_hash, facts = excluded.facts, proof = excluded.proof`,
      ...[run, head.n, Buffer.from(head.hash, 'hex'), facts, Buffer.from(proof, 'hex')],
    );
  }

  #folded(runId: string): ProvenProjection | null {
    const record = this.#db.snapshot(() => this.#runs.end(runId));
    if (record === null) return null;
    const projection = new RunProjection(runId);
    this.#follow(projection, record);
    return provenByFold(projection);
  }

  #follow(projection: RunProjection, record: RunRecord): void {
    for (const page of this.#walkOn(new ChainWalk(record.id), record))
      for (const placed of page) projection.follow(placed);
  }

  #walkOn(walk: ChainWalk, { run, head }: RunRecord): Iterable<readonly PlacedEntry[]> {
    return walk.prove(entryPages(this.#db, run, head.n, walk.head.n), head.n);
  }
}
