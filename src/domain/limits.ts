import { plannedToSend } from './conversion.ts';
import { chainsOf, crypto, fiat } from './currencies.ts';
import { formatMajor, groupThousands } from './money.ts';
import { type Payee, type PayoutOrder, payeeKey } from './payee.ts';
import type { LimitSum, Limits, PlannedConversions, PlannedPair } from './plan.ts';

/** What exceeds a limit: a row, at the cell of `column`, or the run as a whole, where `column` is null. */
export type Excess =
  | { code: 'limit_per_payout'; column: 'amount'; currency: string; minor: bigint; limitMinor: bigint }
  | { code: 'limit_per_run'; column: null; currency: string; minor: bigint; limitMinor: bigint }
  /** `limits` name no sum in the currency, and so allow none. */
  | { code: 'limit_currency'; column: 'currency'; currency: string; limits: readonly LimitOfSums[] }
  | { code: 'limit_payees'; column: null; payees: number; limit: number }
  | { code: 'limit_only_payees'; column: 'payee_id'; payeeId: string | null };

type LimitOfSums = (typeof SUMS)[number];

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
    const { payee_id: payeeId } = order.payee;
    if (this.#allowed !== null && !this.#allowed.has(payeeIdOf(order.payee) ?? ''))
      found.push({ code: 'limit_only_payees', column: 'payee_id', payeeId });
    for (const { code: currency, minor } of this.#amountsOf(order)) {
      const limitMinor = minorOf(this.#limits.per_payout, currency);
      if (limitMinor !== null && minor > limitMinor)
        found.push({ code: 'limit_per_payout', column: 'amount', currency, minor, limitMinor });
      const limits = SUMS.filter((name) => {
        return this.#limits[name] !== null && minorOf(this.#limits[name], currency) === null;
      });
      if (limits.length === 0 || this.#unnamed.has(currency)) continue;
      this.#unnamed.add(currency);
      found.push({ code: 'limit_currency', column: 'currency', currency, limits });
    }
    return found;
  }

  /** What all rows together exceed. */
  finish(): Excess[] {
    const found: Excess[] = [];
    for (const [currency, minor] of this.#sums) {
      const limitMinor = minorOf(this.#limits.per_run, currency);
      if (limitMinor !== null && minor > limitMinor)
        found.push({ code: 'limit_per_run', column: null, currency, minor, limitMinor });
    }
    const { payees: limit } = this.#limits;
    const payees = this.#payees.size;
    if (limit !== null && payees > limit) found.push({ code: 'limit_payees', column: null, payees, limit });
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

/** `20,000.00 AUD`. */
export function sumText(minor: bigint, code: string): string {
  const decimals = (fiat(code) ?? crypto(code, chainsOf(code)[0] ?? ''))?.decimals ?? 0;
  return `${groupThousands(formatMajor(minor, decimals))} ${code}`;
}

/** How a payee_id is compared with those that may be paid; null where there is none. */
export function payeeIdOf({ payee_id }: Pick<Payee, 'payee_id'>): string | null {
  return payee_id === null ? null : payee_id.normalize('NFKC').trim();
}

/** What is sent by the rate of the plan; nothing where the pair has none. */
function sentBy(pair: PlannedPair | undefined, minor: bigint): bigint {
  return pair === undefined || BigInt(pair.planned_minor) === 0n ? 0n : plannedToSend(minor, pair);
}
