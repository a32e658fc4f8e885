import { hash } from 'node:crypto';
import type { EntryOf } from '../../domain/entry.ts';
import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { paidStanding } from '../../domain/run/paid-standing.ts';
import { type Head, isSameHead } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import { meaningOf, type PastPayout, type RunPayouts, unpackOrders } from './run-payouts.ts';
import {
  factsAfter,
  type ProjectedPage,
  pageHash,
  projectionProof,
  type RunFacts,
  type RunProjection,
} from './run-projection.ts';

export type StoredPage = Omit<ProjectedPage, 'orders'>;

/** A run's projection as a database keeps it; `facts` is null where the entries are no history of a run. */
export type StoredProjection = {
  head: Head;
  facts: string | null;
  proof: string;
  pages: readonly StoredPage[];
};

/** A projection to rely on, but for what its pages order: that is read when it is asked for, and compared with its hash. */
export type ProvenProjection = {
  facts: RunFacts;
  pages: readonly StoredPage[];
  orders(n: number): string | null | Promise<string | null>;
};

/** What is stored, where it is of the run's end and its proof is right. */
export function proven(
  runId: string,
  head: Head,
  stored: StoredProjection | null,
): Omit<ProvenProjection, 'orders'> | null {
  if (stored?.facts == null || !isSameHead(stored.head, head) || !isProven(runId, stored)) return null;
  return { facts: JSON.parse(stored.facts), pages: stored.pages };
}

/** What a projection holds in memory, which has taken all entries of its run. Throws `JournalDamaged`. */
export function provenByFold(projection: RunProjection): ProvenProjection {
  if (projection.error !== null)
    throw new JournalDamaged({ of: projection.runId, code: 'no_history' }, { cause: projection.error });
  const pages = [...projection.pages()];
  const orders = new Map(pages.map((page) => [page.n, page.orders]));
  return { facts: projection.facts, pages, orders: (n) => orders.get(n) ?? null };
}

/** The same at the run's end after its lease was taken. Where it was edited, it stays so. */
export function movedOn(
  runId: string,
  stored: StoredProjection,
  head: Head,
  taken: EntryOf<'lease_taken'>,
): StoredProjection {
  if (stored.facts === null || !isProven(runId, stored)) return { ...stored, head };
  const facts = JSON.stringify(factsAfter(JSON.parse(stored.facts), taken));
  return { ...stored, head, facts, proof: projectionProof(runId, head, facts, stored.pages.map(pageHash)) };
}

function isProven(runId: string, { head, facts, proof, pages }: StoredProjection): boolean {
  return facts !== null && proof === projectionProof(runId, head, facts, pages.map(pageHash));
}

/**
 * How what is stored differs from what the run's entries give; null where it does not, or is of another end of the run.
 * `ordersHashes`: by page, the hash of what is stored of its orders.
 */
export function differenceOf(
  stored: StoredProjection | null,
  ordersHashes: ReadonlyMap<number, string>,
  head: Head,
  projection: RunProjection,
): JournalDamage | null {
  if (stored === null || !isSameHead(stored.head, head)) return null;
  const facts = projection.error === null ? JSON.stringify(projection.facts) : null;
  const isSameProof = facts === null || stored.proof === projection.proof(head);
  if (stored.facts !== facts || !isSameProof) return { code: 'projection_changed', runId: projection.runId };
  const pages = new Map(stored.pages.map((page) => [page.n, page]));
  for (const { n, states, ordersHash } of projection.pages()) {
    const page = pages.get(n);
    const isAsWritten = page?.states === states && page.ordersHash === ordersHash && ordersHashes.get(n) === ordersHash;
    if (!isAsWritten) return { code: 'projection_page_changed', n };
    pages.delete(n);
  }
  return pages.size === 0 ? null : { code: 'projection_page_added' };
}

/**
 * What a run paid. Orders are read and compared with their hash when they are asked for; where they were edited, `byFold`
 * gives them by the run's entries.
 */
export function payoutsOf(
  runId: string,
  found: ProvenProjection,
  byFold: () => Promise<ProvenProjection | null>,
): RunPayouts {
  const { facts, pages } = found;
  async function* pagesOf(): AsyncIterable<readonly PastPayout[]> {
    let { orders } = found;
    for (const { n, states, ordersHash } of pages) {
      let text = await orders(n);
      if (!hasHash(text, ordersHash)) {
        orders = (await byFold())?.orders ?? orders;
        text = await orders(n);
        if (!hasHash(text, ordersHash)) throw new JournalDamaged({ of: runId, code: 'orders_changed', n });
      }
      yield pageOf(text, states, facts.is_finished);
    }
  }
  const completed = pages.reduce((sum, { states }) => sum + completedIn(states), 0);
  return { isFinished: facts.is_finished, conversions: facts.conversions, completed, pages: pagesOf };
}

function pageOf(orders: string, states: string, isFinished: boolean): PastPayout[] {
  return unpackOrders(orders).map((order, at) => {
    const meaning = meaningOf(states.charAt(at));
    if (meaning === undefined) throw new JournalDamaged({ code: 'unknown_state', row: order.row });
    return { order, state: meaning.state, standing: paidStanding(meaning.state, meaning.beside, isFinished) };
  });
}

function completedIn(states: string): number {
  let count = 0;
  for (const letter of states) if (meaningOf(letter)?.state === 'completed') count++;
  return count;
}

function hasHash(text: string | null, expected: string): text is string {
  return text !== null && ordersHashOf(text) === expected;
}

export function ordersHashOf(orders: string): string {
  return hash('sha256', orders, 'hex');
}
