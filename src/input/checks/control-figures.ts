import { type Currency, chainsOf, crypto, fiat } from '../../domain/currencies.ts';
import { type LimitCount, sumIn } from '../../domain/limits.ts';
import { formatMajor, parseMajor } from '../../domain/money.ts';
import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { Sum } from '../../domain/problems/payment-problems.ts';
import type { Wanted } from '../../domain/refusals/settings-faults.ts';

/** The sum of a currency's payouts. */
export type CurrencyTotal = { currency: Currency; count: number; minor: bigint };

/** What the file must pay, which a person knows from another source. */
export type ControlFigures = {
  /** How many payouts; null where any number will do. */
  count: number | null;
  /** The sum of a currency in minor units, by code, a crypto asset's over all its chains. Empty where any sums will do. */
  totals: ReadonlyMap<string, bigint>;
};

export type ExpectedTotal = { ok: true; code: string; minor: bigint } | { ok: false; wanted: Wanted };

/** Reads `AUD=1234.50`: the code of a currency, and a plain decimal with a point. */
export function parseExpectedTotal(text: string): ExpectedTotal {
  const [, code = '', amount = ''] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (code === '') return wanting({ form: 'total', text });
  const decimals = decimalsOf(code.toUpperCase());
  if (decimals === null) return wanting({ form: 'known_currency', code });
  if (!/^\d+(?:\.\d+)?$/.test(amount)) return wanting({ form: 'digits', code });
  const parsed = parseMajor(amount, decimals);
  if (parsed.ok) return { ok: true, code: code.toUpperCase(), minor: parsed.minor };
  const isTooLong = parsed.code === 'amount_too_long';
  return wanting(isTooLong ? { form: 'smaller_sum', code } : { form: 'fewer_decimals', code, decimals });
}

function wanting(wanted: Wanted): ExpectedTotal {
  return { ok: false, wanted };
}

/** What is wrong with all payouts together, so that none of them may be paid. */
export function wholeProblems(
  { expected, limits }: { expected?: ControlFigures; limits?: LimitCount },
  totals: readonly CurrencyTotal[],
  sheet: string | null,
): Problem[] {
  const payouts = totals.reduce((count, total) => count + total.count, 0);
  const figures = expected ? controlFaults(expected, payouts, totals) : [];
  return [...figures, ...(limits?.finish() ?? [])].map((found) => problemAt('error', found, { sheet }));
}

/** What is expected of the payouts: what a bank file states of itself counts where a person expects nothing else. */
export function expectedBeside(
  figures: ControlFigures | null,
  given: ControlFigures | undefined,
): { expected?: ControlFigures } {
  if (figures === null) return given === undefined ? {} : { expected: given };
  const totals = given === undefined || given.totals.size === 0 ? figures.totals : given.totals;
  return { expected: { count: given?.count ?? figures.count, totals } };
}

/** One for each figure that does not agree, and for each currency that is paid and not named. */
function controlFaults(
  { count, totals: expected }: ControlFigures,
  payouts: number,
  totals: readonly CurrencyTotal[],
): Fault[] {
  const found: Fault[] = [];
  if (count !== null && count !== payouts) found.push(fault('expected_count', { expected: count, payouts }));
  if (expected.size === 0) return found;
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of totals) sums.set(currency.code, (sums.get(currency.code) ?? 0n) + minor);
  for (const code of new Set([...expected.keys(), ...sums.keys()])) {
    const sum = sums.get(code) ?? 0n;
    const wanted = expected.get(code) ?? null;
    if (wanted === sum) continue;
    const isMore = wanted === null || sum > wanted;
    const difference = isMore ? sum - (wanted ?? 0n) : wanted - sum;
    found.push(
      fault('expected_total', {
        total: sumIn(sum, code),
        expected: wanted === null ? null : sumIn(wanted, code),
        difference: sumIn(difference, code),
        isMore,
      }),
    );
  }
  return found;
}

/** A crypto asset has the same decimals on each of its chains. */
function decimalsOf(code: string): number | null {
  return (fiat(code) ?? crypto(code, chainsOf(code)[0] ?? ''))?.decimals ?? null;
}

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
