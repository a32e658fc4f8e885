import { chainsOf, crypto, fiat } from './currencies.ts';
import { formatMajor, groupThousands } from './money.ts';
import { type Payee, type PayoutOrder, payeeKey } from './payee.ts';
import type { LimitSum, Limits, PlannedConversions, PlannedPair } from './plan.ts';

/** What exceeds a limit: a row, at the cell of `column`, or the run as a whole, where `column` is null. */
export type Excess = {
  code: 'limit_per_payout' | 'limit_per_run' | 'limit_currency' | 'limit_payees' | 'limit_only_payees';
  column: 'amount' | 'currency' | 'payee_id' | null;
  message: string;
  remedy: string;
};

const SUMS = ['per_payout', 'per_run', 'per_day'] as const;

/** Counts the payouts of one run, and says which of its limits they exceed. What happens on a day is not known here. */
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

  /** What of one row exceeds a limit. Of a currency that a limit does not name only the first row is told. */
  add(order: PayoutOrder): Excess[] {
    this.#add(order.currency.code, BigInt(order.amount_minor));
    this.#payees.add(payeeKey(order.payee));
    const found: Excess[] = [];
    if (this.#allowed !== null && !this.#allowed.has(payeeIdOf(order.payee) ?? '')) found.push(notAllowed(order.payee));
    for (const { code, minor } of this.#amountsOf(order)) {
      const limit = minorOf(this.#limits.per_payout, code);
      if (limit !== null && minor > limit) found.push(overPayout(code, minor, limit));
      if (this.#unnamed.has(code)) continue;
      const missing = SUMS.filter((name) => this.#limits[name] !== null && minorOf(this.#limits[name], code) === null);
      if (missing.length === 0) continue;
      this.#unnamed.add(code);
      found.push(unnamed(code, missing));
    }
    return found;
  }

  /** What all rows together exceed. */
  finish(): Excess[] {
    const found: Excess[] = [];
    for (const [code, minor] of this.#sums) {
      const limit = minorOf(this.#limits.per_run, code);
      if (limit !== null && minor > limit) found.push(overRun(code, minor, limit));
    }
    const { payees } = this.#limits;
    if (payees !== null && this.#payees.size > payees) found.push(tooManyPayees(this.#payees.size, payees));
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
    return [amount, { code: source.code, minor: pair === undefined ? 0n : sentBy(pair, amount.minor) }];
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

/** Rounded up. */
function sentBy({ quoted_minor, planned_minor }: PlannedPair, minor: bigint): bigint {
  const planned = BigInt(planned_minor);
  return planned === 0n ? 0n : (minor * BigInt(quoted_minor) + planned - 1n) / planned;
}

const RAISE = 'or let whoever may do so change the limit in the job';

function overPayout(code: string, minor: bigint, limit: bigint): Excess {
  return {
    code: 'limit_per_payout',
    column: 'amount',
    message: `The payout comes to ${sumText(minor, code)}, and limits.per_payout of the job allows ${sumText(limit, code)}.`,
    remedy: `Correct the amount, remove the row, ${RAISE}.`,
  };
}

function overRun(code: string, minor: bigint, limit: bigint): Excess {
  return {
    code: 'limit_per_run',
    column: null,
    message: `The run comes to ${sumText(minor, code)}, and limits.per_run of the job allows ${sumText(limit, code)}.`,
    remedy: `Pay fewer rows, ${RAISE}.`,
  };
}

function unnamed(code: string, limits: readonly string[]): Excess {
  return {
    code: 'limit_currency',
    column: 'currency',
    message: `The job has ${limits.map((name) => `limits.${name}`).join(' and ')} and no sum in ${code} there, so that nothing is allowed in ${code}.`,
    remedy: `Remove the rows in ${code}, ${RAISE}.`,
  };
}

function tooManyPayees(count: number, limit: number): Excess {
  return {
    code: 'limit_payees',
    column: null,
    message: `The run has ${count.toLocaleString('en')} payees, and limits.payees of the job allows ${limit.toLocaleString('en')}.`,
    remedy: `Pay fewer payees, ${RAISE}.`,
  };
}

function notAllowed({ payee_id }: Payee): Excess {
  return {
    code: 'limit_only_payees',
    column: 'payee_id',
    message:
      payee_id === null
        ? 'The payee has no payee_id, and limits.only_payees of the job allows those payees alone that it names.'
        : 'The payee is none of those that limits.only_payees of the job names.',
    remedy: 'Correct the payee_id, remove the row, or let whoever may do so add the payee to the list.',
  };
}
