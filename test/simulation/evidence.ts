import type { Sent } from '../../src/client/transport.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { Attempts } from './attempts.ts';
import type { Departure } from './network.ts';
import { isNameless, type ServiceVariant } from './variant.ts';

/** Something that a process heard. */
type Heard = { process: string; atMs: number };

type Replayed = Heard & { first: { status: number } | null };

type Record = { id: string; created_at: string; metadata?: { description?: string | null } | null };

/** What a process heard a moment before it died need not be in the journal. */
const WRITTEN_WITHIN_MS = 1_000;
/** A record that is made so much after its deadline is made after it by every clock. */
const CLOCKS_APART_MS = 6_000;

/**
 * What reached the runner: answers that a living process read. A later process knows what an earlier one heard, where that
 * one lived on to write it down.
 */
export class Evidence {
  readonly #attempts: Attempts;
  readonly #commits = new Map<string, number>();
  readonly #shown = new Map<string, Heard[]>();
  readonly #replayed = new Map<string, Replayed[]>();
  readonly #lags: (Heard & { lagMs: number })[] = [];
  readonly #lateRecords: Heard[] = [];

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
  }

  /** The journal is an old copy: what was written down since is lost with it. */
  forget(): void {
    for (const heard of [this.#commits, this.#shown, this.#replayed]) heard.clear();
    this.#lags.length = 0;
    this.#lateRecords.length = 0;
  }

  committed(process: string, atMs: number): void {
    this.#commits.set(process, atMs);
  }

  /** `run` is the journal's; `madeAtMs` says when a transaction was made. */
  hears(
    { actor, operation, request, leftMs }: Departure,
    sent: Sent,
    world: {
      nowMs: number;
      run: RunState;
      madeAtMs: (id: string) => number | undefined;
      commitsWithinMs: number;
      isForeign: (id: string) => boolean;
      variant: ServiceVariant;
    },
  ): void {
    if (sent.kind !== 'answer') return;
    const heard = { process: actor.name, atMs: world.nowMs };
    const answer = parsed(sent.body);
    if (operation === 'transaction.transfer') {
      const token = this.#attempts.quotedIn(JSON.parse(request.body).metadata?.description ?? '')?.intent.token ?? '';
      if (answer?.error?.reason === 'REPLAYED') {
        const { first = null } = answer.error;
        this.#replayed.set(token, [...(this.#replayed.get(token) ?? []), { ...heard, first }]);
      }
      if (typeof answer?.data === 'string') this.#show(answer.data, heard);
      if (answer?.error?.first?.transaction_id) this.#show(answer.error.first.transaction_id, heard);
      return;
    }
    const records: Record[] =
      operation === 'transaction.getMany' ? (answer?.data?.transactions ?? []) : [answer?.data].filter(Boolean);
    if (!operation.startsWith('transaction.') || sent.status !== 200) return;
    for (const record of records) {
      this.#show(record.id, heard);
      const made = this.#attempts.quotedIn(record.metadata?.description ?? '');
      const deadMs = made ? made.intent.request.expires * 1_000 + world.commitsWithinMs + CLOCKS_APART_MS : Infinity;
      // What somebody else made may quote the token at any time.
      if (world.isForeign(record.id)) continue;
      if (Date.parse(record.created_at) > deadMs) this.#lateRecords.push(heard);
    }
    const isSearch = operation === 'transaction.getMany' && JSON.parse(request.body).search !== undefined;
    // What lost its token is not found by it, however long it is there.
    if (operation === 'transaction.getMany' && !(isSearch && isNameless(world.variant)))
      this.#measure(JSON.parse(request.body), answer?.data, heard, leftMs, world);
  }

  /** Whether the process knows that the service holds this transaction; since when, or null. */
  knownSince(id: string, process: string): number | null {
    const known = (this.#shown.get(id) ?? []).filter((heard) => this.#isKnown(heard, process));
    return known.length === 0 ? null : Math.min(...known.map(({ atMs }) => atMs));
  }

  /** When the process knows that the service had these bytes, and not that they were refused. */
  replayedSince(token: string, process: string): number | null {
    const known = (this.#replayed.get(token) ?? []).filter((heard) => this.#isKnown(heard, process));
    if (known.length === 0 || known.some(({ first }) => first !== null && first.status >= 400)) return null;
    return Math.min(...known.map(({ atMs }) => atMs));
  }

  /** The longest lag that the process knows of. */
  lagSeenMs(process: string): number {
    return Math.max(0, ...this.#lags.filter((heard) => this.#isKnown(heard, process)).map(({ lagMs }) => lagMs));
  }

  /** Whether the process knows of a record that was made after its deadline. */
  sawExpiryBroken(process: string): boolean {
    return this.#lateRecords.some((heard) => this.#isKnown(heard, process));
  }

  #show(id: string, heard: Heard): void {
    const shown = this.#shown.get(id) ?? [];
    if (!shown.some(({ process }) => process === heard.process)) this.#shown.set(id, [...shown, heard]);
  }

  #isKnown({ process, atMs }: Heard, by: string): boolean {
    return process === by || (this.#commits.get(process) ?? 0) > atMs + WRITTEN_WITHIN_MS;
  }

  /** A whole list that does not hold what was accepted shows how late it is at least. */
  #measure(
    asked: { search?: string; cursor?: string },
    data: { transactions: Record[]; next_cursor?: string | null; totals?: { transfers: number } } | undefined,
    heard: Heard,
    leftMs: number,
    { run, madeAtMs }: { run: RunState; madeAtMs: (id: string) => number | undefined },
  ): void {
    if (!data || asked.cursor !== undefined || data.next_cursor !== null) return;
    const shown = new Set(data.transactions.map(({ id }) => id));
    let lagMs = 0;
    for (const payout of run.payouts.values()) {
      if (!('sent' in payout) || shown.has(payout.sent.transaction_id)) continue;
      if (asked.search !== undefined && asked.search !== payout.sent.token) continue;
      lagMs = Math.max(lagMs, leftMs - (madeAtMs(payout.sent.transaction_id) ?? leftMs));
    }
    if (lagMs > 0) this.#lags.push({ ...heard, lagMs });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function parsed(body: string): any {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
