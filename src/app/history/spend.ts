import type { Currency } from '../../domain/currencies.ts';
import { currencyKey } from '../../domain/money.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import type { HistoricPayout } from './payouts.ts';

/** What left the balance of an entity (by its id) in one currency in one month: payouts that were completed then, and their fees beside that. */
export type MonthSpend = {
  month: string;
  entity: string;
  currency: Currency;
  payouts: number;
  minor: bigint;
  feesMinor: bigint;
};

/** The spend of an entity in one currency: a value for each month that was asked for, oldest first. */
export type CurrencySpend = { entity: string; currency: Currency; months: MonthSpend[] };

/**
 * What left the balance and did not come back, by month (`2026-11`, as `monthOf` gives it for a time), currency and entity, that in which most payouts were
 * made first. `months`: those that are wanted, oldest first. Of `rehearsals`, or of live payments alone.
 */
export function spendOf(
  payouts: Iterable<HistoricPayout>,
  { months, monthOf, rehearsals }: { months: readonly string[]; monthOf(at: number): string; rehearsals: boolean },
): CurrencySpend[] {
  const found = new Map<string, Map<string, MonthSpend>>();
  const wanted = new Set(months);
  for (const { payment, status, sent, finishedAt, returned } of payouts) {
    if (status !== 'completed' || sent === null || finishedAt === null || payment.rehearsal !== rehearsals) continue;
    const month = monthOf(finishedAt);
    if (!wanted.has(month)) continue;
    const { currency, minor, feesMinor } = sent;
    const entity = entityOfRun(payment);
    const key = `${entity} ${currencyKey(currency)}`;
    const own = found.get(key) ?? new Map(months.map((one) => [one, noSpend(one, entity, currency)]));
    found.set(key, own);
    const spend = own.get(month);
    if (spend === undefined) continue;
    // The fees of what came back are kept.
    spend.feesMinor += feesMinor;
    if (returned !== null) continue;
    spend.payouts++;
    spend.minor += minor;
  }
  const all = Array.from(found.values(), (own) => [...own.values()]);
  return all
    .map((own) => ({ entity: (own[0] as MonthSpend).entity, currency: (own[0] as MonthSpend).currency, months: own }))
    .sort((one, other) => payoutsIn(other) - payoutsIn(one));
}

function noSpend(month: string, entity: string, currency: Currency): MonthSpend {
  return { month, entity, currency, payouts: 0, minor: 0n, feesMinor: 0n };
}

function payoutsIn({ months }: CurrencySpend): number {
  return months.reduce((sum, { payouts }) => sum + payouts, 0);
}

/** The last `count` months up to the one of a time, oldest first, by the calendar of `monthOf`. */
export function lastMonths(count: number, month: string): string[] {
  const [year = 1970, nth = 1] = month.split('-').map(Number);
  return Array.from({ length: count }, (_, at) => {
    const months = year * 12 + (nth - 1) - (count - 1 - at);
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
  });
}
