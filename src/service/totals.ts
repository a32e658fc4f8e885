import type { Core } from './core.ts';

/**
 * Keeps the totals of an unfiltered listing, so that reading one page does not count all transfers. Those that FAILED
 * are left out: a transfer is added when it is accepted and taken out when it fails.
 */
export function addToTotals(core: Core, customer: number, kind: string, transfers: number, usdCents: number): void {
  core.store.run(ADD, customer, kind, transfers, usdCents);
}

const ADD = `INSERT INTO transfer_total (customer, kind, transfers, usd_cents) VALUES (?, ?, ?, ?)
  ON CONFLICT (customer, kind) DO UPDATE SET transfers = transfers + excluded.transfers,
  usd_cents = usd_cents + excluded.usd_cents`;
