import { plannedToSend } from './conversion.ts';
import { chainsOf, crypto, fiat } from './currencies.ts';
import { formatMajor } from './money.ts';
import { type Payee, type PayoutOrder, payeeKey } from './payee.ts';
import type { LimitSum, Limits, PlannedConversions, PlannedPair } from './plan.ts';
import { type Fault, fault } from './problem.ts';
import type { Sum } from './problems/payment-problems.ts';

/** What of a row exceeds a limit, and the column of its cell. */
export type Excess = { column: 'amount' | 'currency' | 'payee_id'; fault: Fault };

const SUMS = ['per_payout', 'per_run', 'per_day'] as const;

/** Counts the payouts of one run, and finds which of its limits they exceed. What happens on a day is not known here. */
export class LimitCount {
  readonly #limits: Limits;
  readonly #allowed: ReadonlySet<string> | null;
  readonly #pairs: readonly PlannedPair[];
  readonly #sums = new Map<string, bigint>();
  readonly #payees = new Set<string>();
  readonly #unnamed = new Set<string>();

  /** `conversions`: what is sent from other currencies, once it is known. It counts in those too. */
  constructor(limits: Limits, conversions: PlannedConversions | null = null) {
    this.#limits = limits;
    this.#allowed = limits.only_payees === null ? null : new Set(limits.only_payees);
    this.#pairs = conversions?.pairs ?? [];
    for (const { source, sent_minor } of this.#pairs) this.#add(source.code, BigInt(sent_minor));
  }

  /** What of one row exceeds a limit. Of a currency that a limit does not name only the first row is reported. */
  add(order: PayoutOrder): Excess[] {
    this.#add(order.currency.code, BigInt(order.amount_minor));
    this.#payees.add(payeeKey(order.payee));
    const found: Excess[] = [];
    const isAllowed = this.#allowed === null || this.#allowed.has(payeeIdOf(order.payee) ?? '');
    const isUnnamed = order.payee.payee_id === null;
    if (!isAllowed) found.push({ column: 'payee_id', fault: fault('limit_only_payees', { isUnnamed }) });
    for (const { code, minor } of this.#amountsOf(order)) {
      const limit = minorOf(this.#limits.per_payout, code);
      if (limit !== null && minor > limit) {
        const params = { amount: sumIn(minor, code), limit: sumIn(limit, code) };
        found.push({ column: 'amount', fault: fault('limit_per_payout', params) });
      }
      if (this.#unnamed.has(code)) continue;
      const limits = SUMS.filter((name) => this.#limits[name] !== null && minorOf(this.#limits[name], code) === null);
      if (limits.length === 0) continue;
      this.#unnamed.add(code);
      found.push({ column: 'currency', fault: fault('limit_currency', { currency: code, limits }) });
    }
    return found;
  }

  /** What all rows together exceed. */
  finish(): Fault[] {
    const found: Fault[] = [];
    for (const [code, minor] of this.#sums) {
      const limit = minorOf(this.#limits.per_run, code);
      if (limit !== null && minor > limit)
        found.push(fault('limit_per_run', { amount: sumIn(minor, code), limit: sumIn(limit, code) }));
    }
    const { payees } = this.#limits;
    if (payees !== null && this.#payees.size > payees)
      found.push(fault('limit_payees', { payees: this.#payees.size, limit: payees }));
    return found;
  }

  /** What is received and what is sent, by currency. */
  get sums(): ReadonlyMap<string, bigint> {
    return this.#sums;
  }

  /** What the payee receives, and, of a payout that is converted, what is sent by the rate of the plan. */
  #amountsOf({ currency, amount_minor, source }: PayoutOrder): { code: string; minor: bigint }[] {
    const amount = { code: currency.code, minor: BigInt(amount_minor) };
    if (source === null) return [amount];
    const pair = this.#pairs.find((one) => one.source.code === source.code && one.currency.code === currency.code);
    return [amount, { code: source.code, minor: sentBy(pair, amount.minor) }];
  }

  #add(code: string, minor: bigint): void {
    this.#sums.set(code, (this.#sums.get(code) ?? 0n) + minor);
  }
}

/** The sum that a limit allows in a currency; null where it names none. */
export function minorOf(sums: readonly LimitSum[] | null, code: string): bigint | null {
  const found = sums?.find((sum) => sum.code === code);
  return found === undefined ? null : BigInt(found.minor);
}

/** How a payee_id is compared with those that may be paid; null where there is none. */
export function payeeIdOf({ payee_id }: Pick<Payee, 'payee_id'>): string | null {
  return payee_id === null ? null : payee_id.normalize('NFKC').trim();
}

/** What is sent by the rate of the plan; nothing where the pair has none. */
function sentBy(pair: PlannedPair | undefined, minor: bigint): bigint {
  return pair === undefined || BigInt(pair.planned_minor) === 0n ? 0n : plannedToSend(minor, pair);
}

/** A crypto asset has the same decimals on each of its chains. */
export function sumIn(minor: bigint, code: string): Sum {
  const decimals = (fiat(code) ?? crypto(code, chainsOf(code)[0] ?? ''))?.decimals ?? 0;
  return { amount: formatMajor(minor, decimals), currency: code };
}
