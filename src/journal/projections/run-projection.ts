import { hash } from 'node:crypto';
import { PAYOUT_ENTRIES } from '../../domain/entries/payout.ts';
import type { Entry, EntryKind, EntryOf, PlacedEntry, RunRow } from '../../domain/entry.ts';
import type { PlannedConversions } from '../../domain/plan.ts';
import { Bug } from '../../domain/refusal.ts';
import type { PaidBeside } from '../../domain/run/paid-standing.ts';
import { mayHaveCopy, type PayoutState } from '../../domain/run/payout.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { pageAt } from '../../domain/run/run-rows.ts';
import { RunState } from '../../domain/run/run-state.ts';
import { countPayouts } from '../../domain/run/tally.ts';
import type { Witness } from '../journal.ts';
import { letterOf, packOrders } from './run-payouts.ts';

/** What an entry changes of who was paid: facts of the run, its rows, one payout, or perhaps every payout. */
type Change = 'run' | 'rows' | 'payout' | 'all';

/** What an entry about the run as a whole changes. */
const CHANGES: Readonly<Partial<Record<EntryKind, Change>>> = {
  run_created: 'run',
  rows: 'rows',
  lease_taken: 'run',
  planned: 'run',
  started: 'run',
  cancelled: 'all',
  finished: 'run',
};

/** Every entry about a payout may change it; what is about payees, the service and notices changes nothing. */
function changeOf(kind: EntryKind): Change | null {
  return Object.hasOwn(PAYOUT_ENTRIES, kind) ? 'payout' : (CHANGES[kind] ?? null);
}

export type RunFacts = { is_finished: boolean; conversions: PlannedConversions | null };

/** The payable rows of one `rows` entry, which is number `n` of its run. */
export type ProjectedPage = {
  n: number;
  /** A letter for each row. */
  states: string;
  /** SHA-256 (hex) of `orders`. */
  ordersHash: string;
  /** What they order; null once it is stored. */
  orders: string | null;
};

/**
 * `letters`: of each row of the entry, the first of which is number `first` of the run's, from 0; `NOT_PAYABLE` of those that
 * are not. `hash` is over all of it; null once it is changed, until somebody asks.
 */
type Page = Omit<ProjectedPage, 'states'> & { first: number; letters: Buffer; hash: string | null; isChanged: boolean };

const NOT_PAYABLE = 0;
/** Until the first letter is written. */
const PAYABLE = 1;

/**
 * Who was paid by a run, perhaps paid, or is about to be, as the fold of its entries. It takes them one after another and
 * keeps in memory what the fold needs of open payouts, a letter of each other one, and no orders once they are stored.
 */
export class RunProjection {
  readonly runId: string;
  readonly #run = new RunState();
  readonly #pages: Page[] = [];
  /** By row, the tokens of attempts of which another copy may have been taken. */
  readonly #copies = new Map<number, string[]>();
  /** The first payout that ended in each of these states: of every other one the fold needs no more than that it did. */
  readonly #ended = new Map<PayoutState['state'], PayoutState>();
  readonly #storedUntil: number;
  #n = 0;
  #error: Bug | null = null;

  /** `storedUntil`: what the entries up to this number gave is stored already. */
  constructor(runId: string, storedUntil = 0) {
    this.runId = runId;
    this.#storedUntil = storedUntil;
  }

  /** The number of the last entry that was taken. */
  get n(): number {
    return this.#n;
  }

  /** Why the entries are no history of a run: who was paid cannot be known from them. Null where they are one. */
  get error(): Bug | null {
    return this.#error;
  }

  get facts(): RunFacts {
    return { is_finished: this.#run.finished !== null, conversions: this.#run.plan?.conversions ?? null };
  }

  /** Every page, or those that were changed and are not stored yet. */
  *pages({ changedOnly = false } = {}): Iterable<ProjectedPage> {
    for (const page of this.#pages) if (page.isChanged || !changedOnly) yield shown(page);
  }

  /** As `projectionProof` has it, with this end of the run. */
  proof(head: Witness): string {
    for (const page of this.#pages) page.hash ??= pageHash(shown(page));
    const hashes = this.#pages.map((page) => page.hash ?? '');
    return projectionProof(this.runId, head, JSON.stringify(this.facts), hashes);
  }

  /** Takes the next entry. One that was taken already, or that comes too early, is passed over. */
  follow({ n, at, entry }: Pick<PlacedEntry, 'n' | 'at' | 'entry'>): void {
    if (n !== this.#n + 1) return;
    this.#n = n;
    const change = changeOf(entry.kind);
    if (this.#error !== null || change === null) return;
    try {
      this.#apply(entry, at, change);
    } catch (error) {
      if (!(error instanceof Bug)) throw error;
      this.#error = error;
    }
  }

  /** All that was taken is stored. */
  stored(): void {
    for (const page of this.#pages) if (page.isChanged) Object.assign(page, { isChanged: false, orders: null });
  }

  #apply(entry: Entry, at: number, change: Change): void {
    const before = 'row' in entry ? this.#run.payouts.get(entry.row) : undefined;
    applyToRun(this.#run, entry, at);
    if (entry.kind === 'rows') this.#addPage(entry.rows);
    if (change === 'payout' && 'row' in entry) this.#changed(entry.row, before);
    if (change === 'all') for (const row of this.#run.payouts.keys()) this.#write(row);
  }

  #addPage(rows: readonly RunRow[]): void {
    // The fold keeps them too, and only the orders are needed, once.
    this.#run.rows = [];
    const payable = rows.filter(({ order }) => order !== null);
    const orders = packOrders(payable);
    const isStored = this.#n <= this.#storedUntil;
    this.#pages.push({
      n: this.#n,
      first: this.#run.payouts.size - rows.length,
      letters: Buffer.from(rows.map(({ order }) => (order === null ? NOT_PAYABLE : PAYABLE))),
      hash: null,
      ordersHash: hash('sha256', orders, 'hex'),
      orders: isStored ? null : orders,
      isChanged: !isStored,
    });
    for (const { row } of payable) this.#write(row);
  }

  #changed(row: number, before: PayoutState | undefined): void {
    // Of most runs no attempt counts as dead.
    if (this.#run.dead.size > 0 || this.#copies.size > 0) this.#noteCopies(row, before);
    const after = this.#run.payouts.get(row);
    if (after?.state === 'completed' || after?.state === 'failed') this.#run.payouts.set(row, this.#endedAs(after));
    this.#write(row);
  }

  #endedAs(payout: PayoutState): PayoutState {
    const known = this.#ended.get(payout.state) ?? payout;
    this.#ended.set(payout.state, known);
    return known;
  }

  /** An attempt that ended, or surfaced, since the payout was in the state `before`. */
  #noteCopies(row: number, before: PayoutState | undefined): void {
    const tokens = this.#copies.get(row) ?? [];
    if (before !== undefined && 'intent' in before && !tokens.includes(before.intent.token))
      tokens.push(before.intent.token);
    const open = tokens.filter((token) => {
      const attempt = this.#run.dead.get(token);
      return attempt !== undefined && mayHaveCopy(attempt);
    });
    if (open.length > 0) this.#copies.set(row, open);
    else this.#copies.delete(row);
  }

  #write(row: number): void {
    const place = this.#run.payouts.placeOf(row);
    const state = this.#run.payouts.get(row)?.state;
    const page = place === null ? undefined : this.#pages[pageAt(this.#pages, place)];
    if (place === null || state === undefined || page === undefined) return;
    const at = place - page.first;
    const letter = letterOf(state, this.#besideOf(row)).charCodeAt(0);
    if (page.letters[at] === NOT_PAYABLE || page.letters[at] === letter) return;
    page.letters[at] = letter;
    page.hash = null;
    if (this.#n > this.#storedUntil) page.isChanged = true;
  }

  #besideOf(row: number): PaidBeside {
    if (this.#run.surfaced.some((one) => one.row === row)) return 'surfaced';
    return this.#copies.has(row) ? 'copy' : 'nothing';
  }
}

/** The facts of a run after its lease was taken, by the same fold. */
export function factsAfter(facts: RunFacts, taken: EntryOf<'lease_taken'>): RunFacts {
  const run = new RunState();
  if (facts.is_finished) run.finished = countPayouts(run);
  applyToRun(run, taken, 0);
  return { ...facts, is_finished: run.finished !== null };
}

function shown({ n, letters, ordersHash, orders }: Page): ProjectedPage {
  const states = letters.includes(NOT_PAYABLE)
    ? Buffer.from(letters.filter((letter) => letter !== NOT_PAYABLE))
    : letters;
  return { n, states: states.toString('latin1'), ordersHash, orders };
}

/** SHA-256 (hex) of a page. */
export function pageHash({ n, states, ordersHash }: Omit<ProjectedPage, 'orders'>): string {
  return hash('sha256', `${n} ${ordersHash} ${states}`, 'hex');
}

/**
 * Proves that pages and facts are those that were stored with this end of the run: SHA-256 (hex) over the run's id, the
 * number and hash of its last entry, the facts as they are stored, and the hash of each page.
 */
export function projectionProof(runId: string, head: Witness, facts: string, pageHashes: readonly string[]): string {
  const start = `payrun projection 1 ${runId.length}:${runId} ${head.n} ${head.hash} ${facts.length}:${facts}`;
  return hash('sha256', `${start} ${pageHashes.join(' ')}`, 'hex');
}
