import type { Currency } from '../../domain/currencies.ts';
import { formatMajor, parseMajor } from '../../domain/money.ts';
import type { Sum } from '../../domain/problems/payment-problems.ts';

/** What the rows above a line add up to, those with problems too. */
export type AmountSums = {
  readonly byCode: ReadonlyMap<string, CodeSum>;
  readonly rows: number;
  /** Rows whose amount or currency could not be read, so that the sums lack them. */
  readonly unread: number;
};

type CodeSum = { decimals: number; minor: bigint };

/** Adds amounts up by the code of their currency, as the total lines of people do. */
export class SumOfAmounts implements AmountSums {
  readonly byCode = new Map<string, CodeSum>();
  rows = 0;
  unread = 0;

  /** Null for what could not be read. */
  add(currency: Currency | null, minor: bigint | null, rows = 1): void {
    this.rows += rows;
    if (currency === null || minor === null) {
      this.unread += rows;
      return;
    }
    const sum = this.byCode.get(currency.code);
    if (sum === undefined) this.byCode.set(currency.code, { decimals: currency.decimals, minor });
    else sum.minor += minor;
  }

  addAll(sums: AmountSums): void {
    this.rows += sums.rows;
    this.unread += sums.unread;
    for (const [code, { decimals, minor }] of sums.byCode) {
      const sum = this.byCode.get(code);
      this.byCode.set(code, { decimals, minor: minor + (sum?.minor ?? 0n) });
    }
  }
}

/** What came to `sums` since it was `before`. */
export function sumsSince(before: AmountSums | null, sums: AmountSums): AmountSums {
  if (before === null) return sums;
  const byCode = new Map<string, CodeSum>();
  for (const [code, { decimals, minor }] of sums.byCode) {
    const added = minor - (before.byCode.get(code)?.minor ?? 0n);
    if (added !== 0n) byCode.set(code, { decimals, minor: added });
  }
  return { byCode, rows: sums.rows - before.rows, unread: sums.unread - before.unread };
}

/**
 * Whether a plain decimal is what the rows add up to: in one of the currencies of `codes` where the line names any, else
 * in any currency, or in all of them together, which is no money but what a column's sum is.
 */
export function isSum(plain: string, codes: readonly string[], { byCode }: AmountSums): boolean {
  for (const [code, { decimals, minor }] of byCode) {
    if (codes.length > 0 && !codes.includes(code)) continue;
    const parsed = parseMajor(plain, decimals);
    if (parsed.ok && parsed.minor === minor) return true;
  }
  return codes.length === 0 && byCode.size > 1 && isSumOfAll(plain, [...byCode.values()]);
}

/** The sums, of the currencies of `codes` alone where there are any among them. */
export function sumsIn(codes: readonly string[], { byCode }: AmountSums): Sum[] {
  const named = [...byCode].filter(([code]) => codes.includes(code));
  return (named.length > 0 ? named : [...byCode]).map(([code, { decimals, minor }]) => ({
    amount: formatMajor(minor, decimals),
    currency: code,
  }));
}

function isSumOfAll(plain: string, sums: readonly CodeSum[]): boolean {
  const decimals = Math.max(...sums.map((sum) => sum.decimals));
  const all = sums.reduce((total, sum) => total + sum.minor * 10n ** BigInt(decimals - sum.decimals), 0n);
  const parsed = parseMajor(plain, decimals);
  return parsed.ok && parsed.minor === all;
}
