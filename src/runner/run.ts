import type { Counts } from '../domain/entry.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import { countPayouts } from '../domain/run.ts';
import type { Journal, RunWriter } from '../journal/journal.ts';
import { checkCanary } from './canary.ts';
import { concurrently } from './concurrently.ts';
import { ensureAll, idOf, refusalOf } from './ensure.ts';
import { Halt } from './halt.ts';
import { haltForOpenPayees } from './open-payees.ts';
import { accountKey, recipientKey } from './payees.ts';
import { poll, pollHinted } from './poll.ts';
import type { RunContext } from './recorder.ts';
import { settle } from './settle.ts';
import { type Destination, submit } from './submit.ts';
import { waitForAll } from './wait.ts';

/** What the run is doing, for people. */
export type Phase = 'settling doubts' | 'preparing payees' | 'first payout' | 'submitting' | 'waiting' | 'done';

/** How the execution ended; `cli/exit.ts` makes an exit code of it. */
export type RunEnd =
  | { end: 'finished'; counts: Counts }
  | { end: 'interrupted' }
  | { end: 'halted'; reason: Halt['reason']; message: string; refusedCredentials: boolean };

export type ExecuteOptions = {
  /** The lease is put off three times in this. */
  leaseMs: number;
  /** The shortest pause between polls; it grows while nothing becomes final. */
  pollEveryMs: number;
  /** From the last submission on. */
  waitTimeoutMs: number;
  onPhase(phase: Phase): void;
};

/** Workers for each request that may be under way: one records its answer while another sends. */
const WORKERS_PER_REQUEST = 2;
/** How often payouts are polled while others are still submitted. */
const POLL_WHILE_SUBMITTING_MS = 5_000;
/** The same where webhooks say which: enough for people to see progress. */
const HINTED_WHILE_SUBMITTING_MS = 60_000;

/**
 * Executes a run from wherever its journal says it stands: a new run and a resumed one take the same way. Ends with each
 * payout settled, or stopped in a state from which this can be called again. Rejects only where the process must stop:
 * the lease is lost or a commit is uncertain.
 */
export async function execute(
  context: RunContext,
  journal: Journal,
  writer: RunWriter,
  options: ExecuteOptions,
): Promise<RunEnd> {
  const heart = beat(context, writer, options.leaseMs / 3);
  try {
    return await Promise.race([steps(context, journal, options), heart.failed]);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (context.stop.aborted && error.reason !== 'person_needed') {
      await context.record({ kind: 'stopped', reason: 'interrupted' });
      return { end: 'interrupted' };
    }
    await context.record({ kind: 'stopped', reason: error.reason });
    const { reason, message, refusedCredentials } = error;
    return { end: 'halted', reason, message, refusedCredentials };
  } finally {
    heart.stop();
  }
}

async function steps(context: RunContext, journal: Journal, options: ExecuteOptions): Promise<RunEnd> {
  const { run, stop } = context;
  const { onPhase } = options;
  onPhase('settling doubts');
  await settleDoubts(context);
  if (context.tally.waiting > 0) {
    onPhase('preparing payees');
    await ensureAll(context, journal);
    await submitAll(context, onPhase);
  } else if (run.canary === null) {
    await recheckCanary(context);
  }
  if (context.tally.accepted > 0 && !stop.aborted) {
    onPhase('waiting');
    await waitForAll(context, { pollEveryMs: options.pollEveryMs, timeoutMs: options.waitTimeoutMs });
  }
  const { open, ...counts } = countPayouts(run);
  const halt = stop.aborted ? null : haltForOpenPayees(context);
  if (halt) throw halt;
  if (open > 0) {
    await context.record({ kind: 'stopped', reason: 'interrupted' });
    return { end: 'interrupted' };
  }
  await context.record({ kind: 'finished', counts });
  onPhase('done');
  return { end: 'finished', counts };
}

/** What an earlier process left without an outcome is in doubt, and may only be looked up. */
async function settleDoubts(context: RunContext): Promise<void> {
  const doubtful: number[] = [];
  for (const [row, payout] of context.run.payouts) {
    if (payout.state === 'sending') {
      const reason = 'payrun stopped before the answer was recorded';
      await context.record({ kind: 'doubt', row, attempt: payout.attempts, reason });
      doubtful.push(row);
    } else if (payout.state === 'in_doubt' || payout.state === 'unresolved') doubtful.push(row);
  }
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  await concurrently(
    doubtful,
    concurrency,
    (row) => settle(context, row, false),
    () => !context.stop.aborted,
  );
}

async function submitAll(context: RunContext, onPhase: (phase: Phase) => void): Promise<void> {
  if (context.run.canary === null) {
    onPhase('first payout');
    await recheckCanary(context);
    requireNoDoubtBeforeCanary(context);
    for (const order of payable(context)) {
      if (context.run.canary !== null || context.stop.aborted) break;
      await submitOrder(context, order);
      if (context.payout(order.row).state === 'accepted') await checkCanary(context, order.row);
      requireNoDoubtBeforeCanary(context);
    }
  }
  if (context.stop.aborted) return;
  onPhase('submitting');
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  const polling = new AbortController();
  const polled = pollBeside(context, polling.signal);
  try {
    await concurrently(
      payable(context),
      concurrency * WORKERS_PER_REQUEST,
      (order) => submitOrder(context, order),
      () => !context.stop.aborted,
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

/** A run that stopped between its first payout and the proof takes the proof up again. */
async function recheckCanary(context: RunContext): Promise<void> {
  for (const [row, payout] of context.run.payouts) {
    if ('sent' in payout) return checkCanary(context, row);
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

/** Long runs see their first payouts become final while the last are submitted. Polls yield to payouts in the queue. */
async function pollBeside(context: RunContext, signal: AbortSignal): Promise<void> {
  const { hinted } = context;
  for (;;) {
    await context.clock.sleep(hinted ? HINTED_WHILE_SUBMITTING_MS : POLL_WHILE_SUBMITTING_MS, signal);
    if (signal.aborted) return;
    try {
      hinted?.gather(context);
      await (hinted ? pollHinted(context, hinted) : poll(context));
    } catch (error) {
      // A poll that fails here is tried again by the wait; only a lost lease or journal must not go unseen, and the
      // payouts beside meet that themselves.
      context.log.warn({ error: String(error) }, 'a poll failed');
    }
  }
}

/** Puts the end of the lease off while the run lives. A renewal that is refused ends the run. */
function beat(context: RunContext, writer: RunWriter, everyMs: number): { failed: Promise<never>; stop(): void } {
  const end = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    const run = async (): Promise<void> => {
      while (!end.signal.aborted) {
        await context.clock.sleep(everyMs, end.signal);
        if (!end.signal.aborted) await writer.renew();
      }
    };
    run().catch(reject);
  });
  failed.catch(() => {});
  return { failed, stop: () => end.abort() };
}
