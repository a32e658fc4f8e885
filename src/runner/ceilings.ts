import { type ConvertedOrder, mostToSend, pairKey, pairOf, plannedToSend } from '../domain/conversion.ts';
import type { AboveCeiling } from '../domain/entry.ts';
import { minorOf, sumIn } from '../domain/limits.ts';
import { sumOf } from '../domain/money.ts';
import type { Limits, PlannedConversions } from '../domain/plan.ts';
import { assert } from '../domain/refusal.ts';
import { mayHaveCopy, type PayoutState, type Sent } from '../domain/run/payout.ts';
import type { RunState } from '../domain/run/run-state.ts';

/** `code`: of the currency that is sent. */
type Amount = { pair: string; code: string; minor: bigint };

/**
 * What a run may send of each pair of currencies, by its ceilings, and of each currency, by the limits of its job, and
 * what it has sent or is about to. Of each row its last attempt counts, also where it failed since, or was refused and
 * another copy may take effect: an attempt that is proven to have had no effect is replaced by the next.
 */
export class Ceilings {
  readonly #plan: PlannedConversions | null;
  readonly #rows = new Map<number, Amount>();
  readonly #limits: Limits | null;
  /** By pair. */
  readonly #sums = new Map<string, bigint>();
  /** By currency: what is sent for payouts that are converted, and all that payees are to receive in it. */
  readonly #inAll = new Map<string, bigint>();

  constructor({
    plan,
    rows,
    payouts,
    surfaced,
    dead,
  }: Pick<RunState, 'plan' | 'rows' | 'payouts' | 'surfaced' | 'dead'>) {
    this.#plan = plan?.conversions ?? null;
    this.#limits = plan?.limits ?? null;
    if (this.#plan)
      for (const { order } of rows) if (order) increase(this.#inAll, order.currency.code, BigInt(order.amount_minor));
    for (const [row, payout] of payouts) {
      const sent = sentOf(payout, dead);
      if (sent) this.#count(row, amountOf(sent));
    }
    for (const { sent } of surfaced) if (sent?.received) this.#add(amountOf({ ...sent, received: sent.received }));
  }

  /**
   * Counts `minor` for the row where it may be sent; returns why where it may not. To be called before anything is
   * awaited, so that workers side by side cannot exceed together what each of them keeps to.
   */
  take(order: ConvertedOrder, minor: bigint): AboveCeiling | null {
    const pair = this.#plan && pairOf(this.#plan, order);
    assert(this.#plan && pair, `row ${order.row} is converted, and the plan has no rate for it`);
    this.giveBack(order.row);
    const { payout_bps, run_bps } = this.#plan.ceilings;
    const { source, currency } = order;
    const sum = (of: bigint) => sumOf({ minor: of, currency: source });
    const now = sum(minor);
    const received = BigInt(order.amount_minor);
    const planned = plannedToSend(received, pair);
    const most = mostToSend(planned, payout_bps);
    if (minor > most) {
      const rate = { planned: sum(planned), bps: payout_bps, most: sum(most) };
      return { code: 'rate_above_ceiling', received: sumOf({ minor: received, currency }), now, ...rate };
    }
    const others = this.#sums.get(pairKey(order)) ?? 0n;
    const plannedOfAll = BigInt(pair.sent_minor);
    const mostOfAll = mostToSend(plannedOfAll, run_bps);
    if (others + minor > mostOfAll) {
      const ofAll = { planned: sum(plannedOfAll), bps: run_bps, most: sum(mostOfAll) };
      return { code: 'run_above_ceiling', now, others: sum(others), ...ofAll };
    }
    const aboveLimit = this.#aboveLimit(source.code, minor);
    if (aboveLimit === null) this.#count(order.row, { pair: pairKey(order), code: source.code, minor });
    return aboveLimit;
  }

  /** The plan keeps to the limits at its own rate alone. */
  #aboveLimit(code: string, minor: bigint): AboveCeiling | null {
    const now = sumIn(minor, code);
    const ofPayout = minorOf(this.#limits?.per_payout ?? null, code);
    if (ofPayout !== null && minor > ofPayout) return { code: 'limit_per_payout', now, limit: sumIn(ofPayout, code) };
    const ofRun = minorOf(this.#limits?.per_run ?? null, code);
    const all = (this.#inAll.get(code) ?? 0n) + minor;
    if (ofRun === null || all <= ofRun) return null;
    return { code: 'limit_per_run', now, all: sumIn(all, code), limit: sumIn(ofRun, code) };
  }

  /** Nothing was sent for the row. */
  giveBack(row: number): void {
    const own = this.#rows.get(row);
    if (own === undefined) return;
    this.#rows.delete(row);
    this.#add({ ...own, minor: -own.minor });
  }

  #count(row: number, amount: Amount): void {
    this.#rows.set(row, amount);
    this.#add(amount);
  }

  #add({ pair, code, minor }: Amount): void {
    increase(this.#sums, pair, minor);
    increase(this.#inAll, code, minor);
  }
}

type Converted = Pick<Sent, 'amount_minor' | 'currency'> & { received: NonNullable<Sent['received']> };

/** What was sent of a payout that is converted, or may have been; null where nothing was, or nothing is converted. */
function sentOf(payout: PayoutState, dead: RunState['dead']): Converted | null {
  const refused = payout.state === 'rejected' ? dead.get(payout.token ?? '') : undefined;
  const copied = refused !== undefined && mayHaveCopy(refused) ? refused.intent : null;
  const sent = 'sent' in payout ? payout.sent : 'intent' in payout ? payout.intent : copied;
  return sent?.received ? { ...sent, received: sent.received } : null;
}

function amountOf({ amount_minor, currency, received }: Converted): Amount {
  const pair = pairKey({ source: currency, currency: received.currency });
  return { pair, code: currency.code, minor: BigInt(amount_minor) };
}

function increase(sums: Map<string, bigint>, key: string, by: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + by);
}
