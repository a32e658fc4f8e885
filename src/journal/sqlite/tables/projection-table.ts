import type { Database, Statement } from '../../../platform/sqlite.ts';
import type { Head } from '../../chain.ts';
import type { ProjectedPage } from '../../projections/run-projection.ts';
import { hex } from './entry-table.ts';

/** A run's projection as it is stored; `facts` is null where its entries are no history of a run. */
export type StoredProjection = { head: Head; facts: string | null; proof: string };

export type StoredStates = Omit<ProjectedPage, 'orders'>;

/** The runs that are looked for at once. */
const BEHIND_MAX = 256;

/** Every method that writes is called inside the transaction that writes the run's entries. */
export class ProjectionTable {
  readonly #run: Statement;
  readonly #states: Statement;
  readonly #orders: Statement;
  readonly #behind: Statement;
  readonly #putRun: Statement | null;
  readonly #putStates: Statement | null;
  readonly #putOrders: Statement | null;

  constructor(database: Database, { readOnly = false }: { readOnly?: boolean } = {}) {
    const writing = (sql: string) => (readOnly ? null : database.prepare(sql));
    this.#run = database.prepare('SELECT n, head_hash, facts, proof FROM projected_run WHERE run = ?');
    this.#states = database.prepare('SELECT n, states, orders_hash FROM projected_states WHERE run = ? ORDER BY n');
    this.#orders = database.prepare('SELECT orders FROM projected_orders WHERE run = ? AND n = ?');
    this.#behind = database.prepare(
      `SELECT run.run, run.id FROM run LEFT JOIN projected_run AS projected ON projected.run = run.run
       WHERE run.run > ? AND (projected.n IS NOT run.head_n OR projected.head_hash IS NOT run.head_hash)
       ORDER BY run.run LIMIT ${BEHIND_MAX}`,
    );
    this.#putRun = writing(
      `INSERT INTO projected_run (run, n, head_hash, facts, proof) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run)
       DO UPDATE SET n = excluded.n, head_hash = excluded.head_hash, facts = excluded.facts, proof = excluded.proof`,
    );
    this.#putStates = writing(
      `INSERT INTO projected_states (run, n, states, orders_hash) VALUES (?, ?, ?, ?) ON CONFLICT (run, n)
       DO UPDATE SET states = excluded.states, orders_hash = excluded.orders_hash`,
    );
    this.#putOrders = writing(
      `INSERT INTO projected_orders (run, n, orders) VALUES (?, ?, ?) ON CONFLICT (run, n)
       DO UPDATE SET orders = excluded.orders`,
    );
  }

  put(run: number, { head, facts, proof }: StoredProjection): void {
    this.#putRun?.run(run, head.n, Buffer.from(head.hash, 'hex'), facts, Buffer.from(proof, 'hex'));
  }

  putPage(run: number, { n, states, ordersHash, orders }: ProjectedPage): void {
    this.#putStates?.run(run, n, states, Buffer.from(ordersHash, 'hex'));
    if (orders !== null) this.#putOrders?.run(run, n, orders);
  }

  find(run: number): StoredProjection | null {
    const row = this.#run.get(run);
    if (row === undefined) return null;
    const head = { n: row.n as number, hash: hex(row.head_hash) };
    return { head, facts: row.facts as string | null, proof: hex(row.proof) };
  }

  states(run: number): StoredStates[] {
    return this.#states.all(run).map(({ n, states, orders_hash }) => {
      return { n: n as number, states: states as string, ordersHash: hex(orders_hash) };
    });
  }

  orders(run: number, n: number): string | null {
    const orders = this.#orders.get(run, n)?.orders;
    return typeof orders === 'string' ? orders : null;
  }

  /** Runs, oldest first, whose projection is missing or is not of their end. */
  *behind(): Iterable<string> {
    for (let after = 0; ; ) {
      const page = this.#behind.all(after);
      for (const { run, id } of page) {
        after = run as number;
        yield id as string;
      }
      if (page.length < BEHIND_MAX) return;
    }
  }
}
