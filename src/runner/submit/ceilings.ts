import { type ConvertedOrder, mostToSend, pairKey, pairOf, percentOf, plannedToSend } from '../../domain/conversion.ts';
import type { Currency } from '../../domain/currencies.ts';
import { minorOf, sumIn } from '../../domain/limits.ts';
import { formatForPeople } from '../../domain/money.ts';
import type { Limits, PlannedConversions } from '../../domain/plan.ts';
import { assert } from '../../domain/refusal.ts';
import { mayHaveCopy, type PayoutState, type Sent } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { sumText } from '../../messages/problems/check-words.ts';

/** Why a payout is not sent at a rate. */
export type AboveCeiling = {
  code: 'rate_above_ceiling' | 'run_above_ceiling' | 'limit_per_payout' | 'limit_per_run';
  message: string;
};

/** `code`: of the currency that is sent. */
type Amount = { pair: string; code: string; minor: bigint };

/**
 * What a run may send of each pair of currencies, by its ceilings, and of each currency, by the limits of its job, and
 * what it has sent or is about to. Of each row its last attempt counts, also where it failed since, or was refused and
 * another copy may take effect: one of which it is proven that it took no effect is replaced by the next.
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
    const planned = plannedToSend(BigInt(order.amount_minor), pair);
    if (minor > mostToSend(planned, payout_bps)) return aboveRate(order, { minor, planned, bps: payout_bps });
    const before = this.#sums.get(pairKey(order)) ?? 0n;
    const ofAll = { minor, planned: BigInt(pair.sent_minor), bps: run_bps };
    if (before + minor > mostToSend(ofAll.planned, run_bps)) return aboveRun(order, before, ofAll);
    const aboveLimit = this.#aboveLimit(order, minor);
    if (aboveLimit) return aboveLimit;
    this.#count(order.row, { pair: pairKey(order), code: order.source.code, minor });
    return null;
  }

  /** The plan keeps to the limits at its own rate alone. */
  #aboveLimit({ source: { code } }: ConvertedOrder, minor: bigint): AboveCeiling | null {
    const ofPayout = minorOf(this.#limits?.per_payout ?? null, code);
    if (ofPayout !== null && minor > ofPayout) return overPayout(code, minor, ofPayout);
    const ofRun = minorOf(this.#limits?.per_run ?? null, code);
    const inAll = (this.#inAll.get(code) ?? 0n) + minor;
    return ofRun !== null && inAll > ofRun ? overRun(code, minor, { inAll, limit: ofRun }) : null;
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

type Dear = { minor: bigint; planned: bigint; bps: number };

function aboveRate({ amount_minor, currency, source }: ConvertedOrder, { minor, planned, bps }: Dear): AboveCeiling {
  const most = mostToSend(planned, bps);
  const message =
    `${inWords(BigInt(amount_minor), currency)} cost ${inWords(minor, source)} now. ${inWords(planned, source)} were planned, ` +
    `and with the ceiling of ${percentOf(bps)} at most ${inWords(most, source)} may be sent. Nothing was sent. Retry the run: ` +
    'that plans the row at the rate of then.';
  return { code: 'rate_above_ceiling', message };
}

function aboveRun({ source }: ConvertedOrder, before: bigint, { minor, planned, bps }: Dear): AboveCeiling {
  const message =
    `It costs ${inWords(minor, source)} now, and ${inWords(before, source)} were sent for others. ${inWords(planned, source)} were ` +
    `planned for all, and with the ceiling of the run, ${percentOf(bps)}, at most ${inWords(mostToSend(planned, bps), source)} ` +
    'may be sent. Nothing was sent for this one. Retry the run: that plans the row at the rate of then.';
  return { code: 'run_above_ceiling', message };
}

const RETRY = 'Nothing was sent for it. Retry the run: that plans the row at the rate of then.';

function overPayout(code: string, minor: bigint, limit: bigint): AboveCeiling {
  const allowed = `limits.per_payout of the job allows ${sumText(sumIn(limit, code))}`;
  return { code: 'limit_per_payout', message: `It costs ${sumText(sumIn(minor, code))} now, and ${allowed}. ${RETRY}` };
}

function overRun(code: string, minor: bigint, { inAll, limit }: { inAll: bigint; limit: bigint }): AboveCeiling {
  const message =
    `It costs ${sumText(sumIn(minor, code))} now. With it the run would come to ${sumText(sumIn(inAll, code))}, and limits.per_run of the ` +
    `job allows ${sumText(sumIn(limit, code))}. ${RETRY}`;
  return { code: 'limit_per_run', message };
}

function inWords(minor: bigint, currency: Currency): string {
  return formatForPeople({ minor, currency });
}
