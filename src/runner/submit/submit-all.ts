import type { PayoutOrder } from '../../domain/payee.ts';
import { concurrently } from '../concurrently.ts';
import { Halt, mayStart, whyHeld } from '../halt.ts';
import { destinationOf } from '../provision/payees.ts';
import { checkCanary } from '../reconcile/canary.ts';
import type { Phase, RunContext } from '../run-context.ts';
import { poll } from '../wait/poll.ts';
import { pollWhileSubmitting } from '../wait/wait.ts';
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
    await submitFirst(context);
  }
  if (!mayStart(context)) return;
  onPhase('submitting');
  const polling = new AbortController();
  const polled = pollWhileSubmitting(context, polling.signal);
  try {
    await concurrently(
      payable(context),
      context.profile.concurrency * WORKERS_PER_REQUEST,
      (order) => submitOrder(context, order),
      () => !context.noMore.aborted && whyHeld(context) === null,
    );
  } finally {
    polling.abort();
    await polled;
  }
}

/** Payouts one at a time, until one came back from the service. A run that stopped before the proof takes it up again. */
async function submitFirst(context: RunContext): Promise<void> {
  const { run, noMore } = context;
  for (const [row, payout] of run.payouts) {
    if (!('sent' in payout) || payout.sent.by === 'person') continue;
    await checkCanary(context, row);
    break;
  }
  requireNoDoubtBeforeCanary(context);
  for (const order of payable(context)) {
    if (run.canary !== null || noMore.aborted || whyHeld(context) !== null) return;
    await submitOrder(context, order);
    // What its id does not show may be found by its token, and has to come back then.
    for (let times = 0; times < 2 && isAccepted(context, order.row); times++) await checkCanary(context, order.row);
    requireNoDoubtBeforeCanary(context);
  }
}

/** The first payout is parked: that doubts can be reconciled here is not shown, so no second one may become a doubt. */
function requireNoDoubtBeforeCanary({ run, tally }: RunContext): void {
  if (run.canary === null && tally.unresolved > 0) throw new Halt({ code: 'first_unresolved' });
}

function isAccepted({ run, payout }: RunContext, row: number): boolean {
  return run.canary === null && payout(row).state === 'accepted';
}

/** The orders that wait, in the order of the input. Not an array: a large run needs no second copy of itself. */
function* payable(context: RunContext): Generator<PayoutOrder> {
  for (const { order } of context.run.rows) {
    if (order !== null && context.payout(order.row).state === 'waiting') yield order;
  }
}

async function submitOrder(context: RunContext, order: PayoutOrder): Promise<void> {
  const to = destinationOf(context.run, order);
  if (to === null) return;
  if ('external_account_id' in to) return submit(context, order, to);
  const { row } = order;
  const attempt = context.payout(row).attempts;
  await context.record({ kind: 'rejected', row, attempt, code: to.code, message: to.message });
}
