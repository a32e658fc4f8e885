import type { PayoutOrder } from '../../domain/payee.ts';
import { pollBeside } from '../beside.ts';
import type { Phase } from '../phase.ts';
import type { Destination } from '../provision/destination.ts';
import { idOf, refusalOf } from '../provision/ensure.ts';
import { accountKey, recipientKey } from '../provision/payees.ts';
import { checkCanary } from '../reconcile/canary.ts';
import type { RunContext } from '../run-context.ts';
import { poll } from '../wait/poll.ts';
import { concurrently } from './concurrently.ts';
import { Halt } from './halt.ts';
import { mayStart, whyHeld } from './held.ts';
import { submit } from './submit.ts';

/** Workers for each request that may be under way: one records its answer while another sends. */
const WORKERS_PER_REQUEST = 2;

/** The first payout alone, then the others, as many at once as the profile allows. */
export async function submitAll(context: RunContext, onPhase: (phase: Phase) => void): Promise<void> {
  // What an earlier process sent may have failed meanwhile, and that counts before more is sent.
  if (context.breaker.isSet && context.tally.accepted > 0) await poll(context);
  if (!mayStart(context)) return;
  if (context.run.canary === null) {
    onPhase('first payout');
    await recheckCanary(context);
    requireNoDoubtBeforeCanary(context);
    for (const order of payable(context)) {
      if (context.run.canary !== null || context.noMore.aborted || whyHeld(context) !== null) break;
      await submitOrder(context, order);
      // What its id does not show may be found by its token, and has to come back then.
      for (let times = 0; times < 2 && isAccepted(context, order.row); times++) await checkCanary(context, order.row);
      requireNoDoubtBeforeCanary(context);
    }
  }
  if (!mayStart(context)) return;
  onPhase('submitting');
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  const polling = new AbortController();
  const polled = pollBeside(context, polling.signal);
  try {
    await concurrently(
      payable(context),
      concurrency * WORKERS_PER_REQUEST,
      (order) => submitOrder(context, order),
      () => !context.noMore.aborted && whyHeld(context) === null,
    );
  } finally {
    polling.abort();
    await polled;
  }
}

/** The first payout is parked: that doubts can be settled here is not shown, so no second one may become a doubt. */
function requireNoDoubtBeforeCanary(context: RunContext): void {
  if (context.run.canary !== null || context.tally.unresolved === 0) return;
  throw new Halt('person_needed', 'the first payout is unresolved, so no other is sent');
}

function isAccepted({ run, payout }: RunContext, row: number): boolean {
  return run.canary === null && payout(row).state === 'accepted';
}

/** A run that stopped between its first payout and the proof takes the proof up again. */
async function recheckCanary(context: RunContext): Promise<void> {
  for (const [row, payout] of context.run.payouts) {
    if ('sent' in payout && payout.sent.by !== 'person') return checkCanary(context, row);
  }
}

/** The orders that wait, in the order of the input. Not an array: a large run needs no second copy of itself. */
function* payable(context: RunContext): Generator<PayoutOrder> {
  for (const { order } of context.run.rows) {
    if (order !== null && context.payout(order.row).state === 'waiting') yield order;
  }
}

async function submitOrder(context: RunContext, order: PayoutOrder): Promise<void> {
  const to = destinationOf(context, order);
  if (to === null) return;
  if ('code' in to) {
    const attempt = context.payout(order.row).attempts;
    await context.record({ kind: 'rejected', row: order.row, attempt, code: to.code, message: to.message });
    return;
  }
  await submit(context, order, to);
}

/** Where the row's money goes, or why the service refused to know that place. Null where we stopped before asking. */
function destinationOf(
  context: RunContext,
  order: PayoutOrder,
): Destination | { code: string; message: string } | null {
  const { destination } = order;
  if (destination.kind === 'existing') {
    return { external_account_id: destination.external_account_id, recipient_id: order.recipient_id };
  }
  const recipient = recipientKey(order);
  const account = accountKey(order, destination);
  const refused = refusalOf(context, 'recipient', recipient) ?? refusalOf(context, 'account', account);
  if (refused) return { code: refused.code, message: refused.message };
  const external_account_id = idOf(context, 'account', account);
  if (external_account_id === null) return null;
  return { external_account_id, recipient_id: order.recipient_id ?? idOf(context, 'recipient', recipient) };
}
