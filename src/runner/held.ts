import type { RunContext } from './recorder.ts';

/** Whether anything waits that may be sent. */
export function mayStart(context: RunContext): boolean {
  return context.tally.waiting > 0 && !context.noMore.aborted && whyHeld(context) === null;
}

/** Why nothing may be submitted until a person has looked; null where something may. */
export function whyHeld(context: RunContext): string | null {
  const { suspected } = context.tally;
  if (suspected > 0) {
    const rows = suspected === 1 ? 'a payment' : `payments for ${suspected} rows`;
    return `the service holds ${rows} that this journal does not know, so nothing is sent: is it an old copy?`;
  }
  const [row] = context.twice;
  if (row === undefined) return whySecond(context) ?? context.breaker.why();
  const payout = context.payout(row);
  return `row ${row}: ${'reason' in payout ? payout.reason : 'paid twice'}`;
}

/** A second transaction of a payout stops what is still to be sent, until a person has seen it. */
function whySecond({ run, tally }: RunContext): string | null {
  const second = run.surfaced[run.surfacedBefore];
  if (second === undefined || tally.waiting === 0) return null;
  return `row ${second.row}: the service holds ${second.transaction_id} beside the transaction that paid it`;
}
