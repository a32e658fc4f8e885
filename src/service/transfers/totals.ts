import { dollarsOf, type UsdWorth } from '../accounts/assets.ts';
import type { Core } from '../core.ts';
import type { Row } from '../store/database.ts';

/**
 * Keeps the totals of an unfiltered listing, so that reading one page does not count all transfers. Those that FAILED
 * are left out: a transfer is added when it is accepted and taken out when it fails.
 */
export function addToTotals(core: Core, customer: number, kind: string, worth: UsdWorth): void {
  core.store.run(ADD, customer, kind, 1, worth.cents, worth.rest);
}

export function takeFromTotals(core: Core, customer: number, kind: string, worth: UsdWorth): void {
  core.store.run(ADD, customer, kind, -1, -worth.cents, -worth.rest);
}

const ADD = `INSERT INTO transfer_total (customer, kind, transfers, usd_cents, usd_rest) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (customer, kind) DO UPDATE SET transfers = transfers + excluded.transfers,
  usd_cents = usd_cents + excluded.usd_cents, usd_rest = usd_rest + excluded.usd_rest`;

/** Of rows with both parts of their worth: texts, because sums may be larger than what a number holds. */
export const WORTH_SUM =
  'CAST(coalesce(sum(usd_cents), 0) AS text) AS usd_cents, CAST(coalesce(sum(usd_rest), 0) AS text) AS usd_rest';

/**
 * Totals of section 2.5. `fiatAmount` is a number by the specification, for people to look at: nothing is reckoned with
 * it. It is rounded once, over the sum.
 */
export function wireTotals(row: Row | undefined): { transfers: number; fiatAmount: number } {
  const { transfers = 0, usd_cents = 0, usd_rest = 0 } = row ?? {};
  return { transfers: Number(transfers), fiatAmount: dollarsOf(BigInt(String(usd_cents)), BigInt(String(usd_rest))) };
}
