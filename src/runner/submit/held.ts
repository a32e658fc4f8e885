import type { RunContext } from '../run-context.ts';

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

/**
 * A second transaction of a payout, of which no person decided: a service that takes a payout twice may take the next one
 * twice, so nothing more of the run is sent. What was not sent can be planned again once the run is cancelled.
 */
function whySecond({ run, tally }: RunContext): string | null {
  const second = run.surfaced.find(({ isDecided }) => !isDecided);
  if (second === undefined || tally.waiting === 0) return null;
  const { row, transaction_id } = second;
  return `row ${row}: the service holds ${transaction_id} beside the transaction that paid it, so nothing more of this run is sent. Cancel the run, and retry it to pay the others`;
}
