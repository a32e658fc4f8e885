import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import type { RunRow } from '../../domain/entry.ts';
import { isEmailAddress } from '../../domain/notices/email-address.ts';
import { rowNumber, rowNumbers } from '../../domain/result.ts';
import type { RunState } from '../../domain/run/run-state.ts';

export const remittances = z.strictObject({
  sent: count,
  refused: z.array(z.strictObject({ row: rowNumber, reason: text })),
  not_confirmed: rowNumbers.describe('Begun, and perhaps not delivered: never sent again.'),
  waiting: count.describe('Completed, and not begun.'),
  without_address: count.describe('Completed, and the input has no e-mail that can be used.'),
});

/** How the advice to the payees of a run stands. Rows by their numbers. */
export type Remittances = z.output<typeof remittances>;

/** Null where the run's job notifies no payees. */
export function remittancesOf(run: RunState): Remittances | null {
  const { settings, remittances } = run.notices;
  if (settings === null || settings.remittance === null) return null;
  const found: Remittances = { sent: 0, refused: [], not_confirmed: [], waiting: 0, without_address: 0 };
  for (const [row, remittance] of remittances) {
    if (remittance.state === 'sent') found.sent++;
    else if (remittance.state === 'begun') found.not_confirmed.push(row);
    else found.refused.push({ row, reason: remittance.reason });
  }
  for (const row of run.rows) {
    if (!isCompleted(run, row) || remittances.has(row.row)) continue;
    if (addressOf(row) === null) found.without_address++;
    else found.waiting++;
  }
  return found;
}

/** The rows whose payee is to be notified: completed, with an address, and not begun. */
export function dueRemittances(run: RunState): RunRow[] {
  const { settings, remittances } = run.notices;
  if (settings === null || settings.remittance === null) return [];
  const isDue = (row: RunRow) => isCompleted(run, row) && !remittances.has(row.row) && addressOf(row) !== null;
  return run.rows.values().filter(isDue).toArray();
}

function isCompleted(run: RunState, { row }: RunRow): boolean {
  return run.payouts.get(row)?.state === 'completed';
}

/** The payee's address, where the cell holds one and nothing else. */
export function addressOf({ order }: RunRow): string | null {
  const email = order?.payee.email ?? null;
  return email !== null && isEmailAddress(email) ? email : null;
}
