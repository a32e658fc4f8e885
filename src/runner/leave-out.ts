import type { Note } from '../domain/entries/note.ts';
import type { EntryOf } from '../domain/entry.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import type { Held } from '../domain/run/holds.ts';
import { ON_HOLD } from '../domain/run/left-out.ts';
import { recordInChunks } from './recorder.ts';
import type { RunContext } from './run-context.ts';

/** A payout that waits, and the hold that stops it. */
type HeldRow = { row: number; held: Held };

/** Whether a payout that waits must not be made, by the last look: then it is recorded as not submitted. */
export async function isLeftOutHeld(context: RunContext, order: PayoutOrder): Promise<boolean> {
  const held = context.payeeHolds.now.of(order);
  if (held !== null) await leaveOutHeld(context, [{ row: order.row, held }]);
  return held !== null;
}

async function leaveOutHeld(context: RunContext, rows: readonly HeldRow[]): Promise<void> {
  for (const { row } of rows) if (context.payout(row).attempts === 0) context.ceilings.giveBack(row);
  await recordInChunks(context, rows.map(leftOut));
}

/**
 * Leaves out what waits and was never sent, before anything is made at the service for it. A payout of which an attempt left
 * this machine is left out when that is accounted for, before the next.
 */
export async function leaveOutAllHeld(context: RunContext): Promise<void> {
  const { run, payeeHolds } = context;
  await payeeHolds.look();
  if (payeeHolds.now.all.length === 0) return;
  const rows: HeldRow[] = [];
  for (const { row, order } of run.rows) {
    if (order === null) continue;
    const { state, attempts } = context.payout(row);
    const held = state === 'waiting' && attempts === 0 ? payeeHolds.now.of(order) : null;
    if (held !== null) rows.push({ row, held });
  }
  await leaveOutHeld(context, rows);
}

function leftOut({ row, held: { hold, matched } }: HeldRow): EntryOf<'not_submitted'> {
  const { name: payee, by, at: held_at, reason } = hold;
  const message: Note = { code: 'payee_on_hold', payee, by, held_at, reason, matched };
  return { kind: 'not_submitted', row, code: ON_HOLD, message };
}
