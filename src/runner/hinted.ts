import type { PayoutState } from '../domain/run/payout.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../platform/clock.ts';

/** What a run needs of the journal to hear of webhooks, whichever process received them: the hints after some number. */
export type HintSource = Pick<Journal, 'hintsAfter'> & { readonly after: number };

/** The hints that come from now on. */
export async function hintsFromNow(journal: Pick<Journal, 'hintsAfter' | 'lastHint'>): Promise<HintSource> {
  return { after: await journal.lastHint(), hintsAfter: (n, limit) => journal.hintsAfter(n, limit) };
}

/** The payouts of a run, as far as hints are about them. */
type Payouts = {
  readonly clock: Clock;
  readonly owners: ReadonlyMap<string, number>;
  payout(row: number): PayoutState;
};

const PAGE_HINTS = 1_000;
/** One gathering takes at most all that the journal keeps. */
const PAGES_MAX = 100;
/** Transactions we do not know (yet): a webhook may overtake the answer with their id. The oldest are forgotten. */
const UNKNOWN_MAX = 100_000;

/** The open payouts that a webhook reported. A hint shows only that reading is worth while, and never what is true. */
export class HintedPayouts {
  /** Whether payouts may have become final while nobody listened: then a round over all comes first. */
  readonly mustLookFirst: boolean;
  readonly #source: HintSource;
  #after: number;
  readonly #open = new Set<string>();
  readonly #unknown = new Set<string>();
  #known = 0;
  #newestAtMs = Number.NEGATIVE_INFINITY;

  constructor(source: HintSource, mustLookFirst: boolean) {
    this.#source = source;
    this.#after = source.after;
    this.mustLookFirst = mustLookFirst;
  }

  /** How many open payouts are hinted, as of the last gathering. */
  get size(): number {
    return this.#open.size;
  }

  /** When the newest hint of a payout of ours was found, by the monotonic clock. */
  get newestAtMs(): number {
    return this.#newestAtMs;
  }

  /** Reads the hints that came since the last time. */
  async gather(context: Payouts): Promise<void> {
    if (context.owners.size !== this.#known) {
      this.#known = context.owners.size;
      for (const id of this.#unknown) this.#sort(context, id);
    }
    for (let page = 0; page < PAGES_MAX; page++) {
      const hints = await this.#source.hintsAfter(this.#after, PAGE_HINTS);
      for (const { n, type, transaction_id } of hints) {
        // Another gathering may have read further meanwhile.
        this.#after = Math.max(this.#after, n);
        // A new transaction is not final, and we know our own from the answers to our requests.
        if (type === 'transaction.updated') this.#sort(context, transaction_id);
      }
      if (hints.length < PAGE_HINTS) return;
    }
  }

  /** The transaction ids of the hinted payouts that are open, with their rows. */
  rows(context: Payouts): Map<string, number> {
    const rows = new Map<string, number>();
    for (const id of this.#open) {
      const row = context.owners.get(id);
      if (row !== undefined && context.payout(row).state === 'accepted') rows.set(id, row);
      else this.#open.delete(id);
    }
    return rows;
  }

  /** They were read. Until another hint comes, reading again would show nothing new. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#open.delete(id);
  }

  #sort(context: Payouts, id: string): void {
    const row = context.owners.get(id);
    if (row === undefined) {
      this.#unknown.add(id);
      const [oldest] = this.#unknown;
      if (this.#unknown.size > UNKNOWN_MAX && oldest !== undefined) this.#unknown.delete(oldest);
      return;
    }
    this.#unknown.delete(id);
    if (context.payout(row).state !== 'accepted') return;
    this.#open.add(id);
    this.#newestAtMs = context.clock.monotonicMs();
  }
}
