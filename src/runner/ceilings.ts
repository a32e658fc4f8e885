import { type ConvertedOrder, mostToSend, pairKey, pairOf, percentOf, plannedToSend } from '../domain/conversion.ts';
import type { Currency } from '../domain/currencies.ts';
import { formatForPeople } from '../domain/money.ts';
import type { PayoutState, Sent } from '../domain/payout.ts';
import type { PlannedConversions } from '../domain/plan.ts';
import { assert } from '../domain/refusal.ts';
import type { RunState } from '../domain/run.ts';

/** Why a payout is not sent at a rate. */
export type AboveCeiling = { code: 'rate_above_ceiling' | 'run_above_ceiling'; message: string };

type Amount = { pair: string; minor: bigint };

/**
 * What a run may send of each pair of currencies, and what it has sent or is about to. Of each row its last attempt
 * counts, also where it failed since: one of which it is proven that it took no effect is replaced by the next.
 */
export class Ceilings {
  readonly #plan: PlannedConversions | null;
  readonly #rows = new Map<number, Amount>();
  readonly #sums = new Map<string, bigint>();

  constructor({ plan, payouts, surfaced }: RunState) {
    this.#plan = plan?.conversions ?? null;
    for (const [row, payout] of payouts) {
      const sent = sentOf(payout);
      if (sent) this.#count(row, amountOf(sent));
    }
    for (const { sent } of surfaced) if (sent?.received) this.#add(amountOf({ ...sent, received: sent.received }));
  }

  /**
   * Counts `minor` for the row where it may be sent, and says why where it may not. To be called before anything is
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
    this.#count(order.row, { pair: pairKey(order), minor });
    return null;
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

  #add({ pair, minor }: Amount): void {
    this.#sums.set(pair, (this.#sums.get(pair) ?? 0n) + minor);
  }
}

type Converted = Pick<Sent, 'amount_minor' | 'currency'> & { received: NonNullable<Sent['received']> };

/** What was sent of a payout that is converted, or may have been; null where nothing was, or nothing is converted. */
function sentOf(payout: PayoutState): Converted | null {
  const sent = 'sent' in payout ? payout.sent : 'intent' in payout ? payout.intent : null;
  return sent?.received ? { ...sent, received: sent.received } : null;
}

function amountOf({ amount_minor, currency, received }: Converted): Amount {
  return { pair: pairKey({ source: currency, currency: received.currency }), minor: BigInt(amount_minor) };
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

function inWords(minor: bigint, currency: Currency): string {
  return formatForPeople({ minor, currency });
}
