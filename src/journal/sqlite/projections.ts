import { hash } from 'node:crypto';
import type { EntryOf, PlacedEntry } from '../../domain/entry.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { paidStanding } from '../../domain/run/paid-standing.ts';
import { ChainWalk, type Head } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import { unpackOrders } from '../projections/order-page.ts';
import { meaningOf } from '../projections/payout-letters.ts';
import type { PastOrder, PastPayout, RunPayouts } from '../projections/run-payouts.ts';
import { factsAfter, pageHash, projectionProof, type RunFacts, RunProjection } from '../projections/run-projection.ts';
import type { ProvenRuns } from './proven-runs.ts';
import type { EntryTable } from './tables/entry-table.ts';
import type { ProjectionTable, StoredStates } from './tables/projection-table.ts';
import type { RunRecord } from './tables/run-table.ts';
import type { Transactions } from './transactions.ts';
import { walkOn } from './walk-on.ts';

type Parts = {
  entries: EntryTable;
  proven: ProvenRuns;
  /** Null in a journal that an earlier payrun wrote, and that is read without being changed. */
  table: ProjectionTable | null;
  snapshot<Result>(work: () => Result): Result;
};

/** A projection that was proven: what its pages order is read and compared with their hashes when it is asked for. */
type Found = { record: RunRecord; facts: RunFacts; pages: readonly StoredStates[]; orders(n: number): string | null };

/** What a statement of `verify` calls a projection that somebody changed. */
const NOT_THE_FOLD = 'what is stored of who was paid (projected_run, projected_states, projected_orders)';

/**
 * What was stored of who was paid, read so that it can be relied on: it is believed where it is of the run's last entry and
 * its proof is right. Where it is not, because it was edited, or an earlier payrun has written to the run, the entries tell,
 * which the chain proves.
 */
export class Projections {
  readonly #parts: Parts;
  /** Of the runs that this process has opened: who reads one to its end spares its writer from reading it. */
  readonly #opened = new Map<string, RunProjection>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Null for an unknown run. Throws `JournalDamaged` where the entries are needed and are not as they were written. */
  payoutsOf(runId: string): RunPayouts | null {
    const found = this.#parts.snapshot(() => this.#stored(runId)) ?? this.#folded(runId);
    if (found === null) return null;
    const { is_finished: isFinished, conversions } = found.facts;
    const completed = found.pages.reduce((sum, { states }) => sum + completedIn(states), 0);
    return { isFinished, conversions, completed, pages: () => this.#pages(found) };
  }

  /** Stores what a projection holds and is not stored yet, inside the transaction that moves the run's end to `head`. */
  save(run: number, head: Head, projection: RunProjection): void {
    assert(projection.n === head.n, `run ${projection.runId}: who was paid is stored of another end than the run's`);
    const { table } = this.#parts;
    for (const page of projection.pages({ changedOnly: true })) table?.putPage(run, page);
    const facts = projection.error === null ? JSON.stringify(projection.facts) : null;
    table?.put(run, { head, facts, proof: projection.proof(head) });
    projection.stored();
  }

  /**
   * Of a run that this process opens, inside the transaction that takes its lease; `record` is as it was before. What is
   * stored already is not stored again.
   */
  opened(record: RunRecord, head: Head, taken: EntryOf<'lease_taken'>): RunProjection {
    const projection = new RunProjection(record.id, this.#isMoved(record, head, taken) ? head.n : 0);
    this.#opened.set(record.id, projection);
    return projection;
  }

  /** Whether what is stored was of the run's end: then it is moved to the new end. Where it was edited, it stays so. */
  #isMoved({ id, run, head: before }: RunRecord, head: Head, taken: EntryOf<'lease_taken'>): boolean {
    const { table } = this.#parts;
    const stored = table?.find(run);
    if (!table || !stored || !isSame(stored.head, before)) return false;
    const hashes = table.states(run).map(pageHash);
    if (stored.facts === null || stored.proof !== projectionProof(id, before, stored.facts, hashes))
      table.put(run, { ...stored, head });
    else {
      const facts = JSON.stringify(factsAfter(JSON.parse(stored.facts), taken));
      table.put(run, { head, facts, proof: projectionProof(id, head, facts, hashes) });
    }
    return true;
  }

  /** Nothing more is written by the writer that has it. */
  ended(projection: RunProjection): void {
    if (this.#opened.get(projection.runId) === projection) this.#opened.delete(projection.runId);
  }

  /** Entries of a run as somebody reads them. */
  *following(runId: string, pages: Iterable<readonly PlacedEntry[]>): Iterable<readonly PlacedEntry[]> {
    for (const page of pages) {
      const projection = this.#opened.get(runId);
      if (projection !== undefined) for (const placed of page) projection.follow(placed);
      yield page;
    }
  }

  /**
   * Stores what is missing, a run at a time, each in a transaction of its own. Where another process keeps the journal
   * locked, or a run is damaged, that is left as it is: the entries are read instead, until the journal is opened again.
   */
  bringUpToDate(transactions: Transactions): void {
    const { table, proven, snapshot } = this.#parts;
    for (const id of table?.behind() ?? []) {
      try {
        const record = snapshot(() => proven.end(id));
        if (record === null) continue;
        const projection = new RunProjection(id);
        this.#follow(projection, record);
        transactions.immediate(() => {
          if (isSame(proven.end(id)?.head, record.head)) this.save(record.run, record.head, projection);
        });
      } catch (error) {
        if (error instanceof Refusal) return;
        if (!(error instanceof JournalDamaged)) throw error;
      }
    }
  }

  /** Lets a projection take all entries of its run that it has not. Throws `JournalDamaged`. */
  catchUp(projection: RunProjection, head: Head): void {
    if (projection.n === head.n) return;
    const { proven, snapshot } = this.#parts;
    const record = snapshot(() => proven.end(projection.runId));
    if (record !== null) this.#follow(projection, record);
  }

  #follow(projection: RunProjection, record: RunRecord): void {
    const pages = walkOn(new ChainWalk(record.id), this.#parts.entries, () => record);
    for (const page of pages) for (const placed of page) projection.follow(placed);
  }

  /** How what is stored differs from what the run's entries give; null where it does not, or is of another end of the run. */
  difference({ run, id, head }: RunRecord, projection: RunProjection): string | null {
    const { table } = this.#parts;
    const stored = table?.find(run);
    if (!table || !stored || !isSame(stored.head, head)) return null;
    const facts = projection.error === null ? JSON.stringify(projection.facts) : null;
    const isSameProof = facts === null || stored.proof === projection.proof(head);
    if (stored.facts !== facts || !isSameProof) return `${NOT_THE_FOLD} is not what the entries of ${id} give`;
    const pages = new Map(table.states(run).map((page) => [page.n, page]));
    for (const { n, states, ordersHash } of projection.pages()) {
      const page = pages.get(n);
      const orders = table.orders(run, n);
      const isAsWritten =
        page?.states === states && page.ordersHash === ordersHash && orders !== null && sha256(orders) === ordersHash;
      if (!isAsWritten) return `${NOT_THE_FOLD} is not what entry ${n} and those after it give`;
      pages.delete(n);
    }
    return pages.size === 0 ? null : `${NOT_THE_FOLD} has rows that no entry gives`;
  }

  /** Inside a snapshot. Null where it is not stored, or not to be relied on. */
  #stored(runId: string): Found | null {
    const { proven, table } = this.#parts;
    const record = proven.end(runId);
    const stored = record && table?.find(record.run);
    if (!record || !table || !stored || stored.facts === null || !isSame(stored.head, record.head)) return null;
    const pages = table.states(record.run);
    const proof = projectionProof(runId, record.head, stored.facts, pages.map(pageHash));
    if (proof !== stored.proof) return null;
    return { record, facts: JSON.parse(stored.facts), pages, orders: (n) => table.orders(record.run, n) };
  }

  /** The same by the run's entries. */
  #folded(runId: string): Found | null {
    const { proven, snapshot } = this.#parts;
    const record = snapshot(() => proven.end(runId));
    if (record === null) return null;
    const projection = new RunProjection(runId);
    this.#follow(projection, record);
    if (projection.error !== null)
      throw new JournalDamaged(`run ${runId}: its entries are no history of a run`, { cause: projection.error });
    const pages = [...projection.pages()];
    const orders = new Map(pages.map((page) => [page.n, page.orders]));
    return { record, facts: projection.facts, pages, orders: (n) => orders.get(n) ?? null };
  }

  async *#pages({ record, facts, pages, orders }: Found): AsyncIterable<readonly PastPayout[]> {
    let read = orders;
    for (const page of pages) {
      let text = read(page.n);
      if (text === null || sha256(text) !== page.ordersHash) {
        read = this.#folded(record.id)?.orders ?? read;
        text = read(page.n);
      }
      if (text === null || sha256(text) !== page.ordersHash)
        throw new JournalDamaged(`run ${record.id}: entry ${page.n} does not order what was paid`);
      yield pageOf(unpackOrders(text), page.states, facts.is_finished);
    }
  }
}

function pageOf(orders: readonly PastOrder[], states: string, isFinished: boolean): PastPayout[] {
  return orders.map((order, at) => {
    const meaning = meaningOf(states.charAt(at));
    if (meaning === undefined) throw new JournalDamaged(`row ${order.row} is in a state that no payrun writes`);
    return { order, state: meaning.state, standing: paidStanding(meaning.state, meaning.beside, isFinished) };
  });
}

function completedIn(states: string): number {
  let count = 0;
  for (const letter of states) if (meaningOf(letter)?.state === 'completed') count++;
  return count;
}

function isSame(one: Head | undefined, other: Head): boolean {
  return one !== undefined && one.n === other.n && one.hash === other.hash;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
