import { NotBegun, type Outcome } from '../client/client.ts';
import type { RequestBody } from '../client/wire.ts';
import { type ConvertedOrder, isConverted } from '../domain/conversion.ts';
import type { Note } from '../domain/entries/note.ts';
import type { AboveCeiling, Intent, Received, SignedRequest } from '../domain/entry.ts';
import type { RunStep } from '../domain/outcomes/run-outcome.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import { assert } from '../domain/refusal.ts';
import { concurrently } from './concurrently.ts';
import { Halt, haltFor, mayStart, whyHeld } from './halt.ts';
import { isLeftOutHeld } from './leave-out.ts';
import { type Answered, recordOutcome, recordRefused } from './outcome.ts';
import { askForQuote, moneyOf } from './plan/quote.ts';
import { poll } from './poll.ts';
import { destinationOf, type PayoutDestination, type Refused } from './provision/payees.ts';
import { checkCanary } from './reconcile/canary.ts';
import { isStoppedByDeadAttempt } from './reconcile/last-look.ts';
import type { RunContext } from './run-context.ts';
import { describe, newToken } from './token.ts';
import { pollWhileSubmitting } from './wait.ts';

/** Workers for each request that may be under way: one records its answer while another sends. */
const WORKERS_PER_REQUEST = 2;

/** The first payout alone, then the others, as many at once as the profile allows. */
export async function submitAll(context: RunContext, onPhase: (phase: RunStep) => void): Promise<void> {
  // What an earlier process sent may have failed meanwhile, and that counts before more is sent.
  if (context.breaker.isSet && context.tally.accepted > 0) await poll(context);
  if (!mayStart(context)) return;
  if (context.run.canary === null) {
    onPhase('first_payout');
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

/** Attempts of one payout: each needs a proof that the one before took no effect, so more than a few is an outage. */
const ATTEMPTS_MAX = 50;
/** Doubts of one payout that ended as absent: after that many the service is not well, and the run stops. */
const DOUBTS_MAX = 3;
/** Attempts in a row that reached nobody, after which the run stops as an outage. */
const UNREACHED_MAX = 6;
const UNREACHED_PAUSE_FIRST_MS = 500;
/** Fresh quotes of one payout after the market has left the one that was sent. */
const REQUOTES_MAX = 3;
/** Between the look for earlier attempts and the intent of a new one: a look that is older is made again. */
const LOOK_FRESH_MS = 5_000;
const DRIFTED = { reason: { code: 'rate_drift' }, drifted: true } as const;

/**
 * Submits one payout until the service has taken or refused it, or it is parked. Every attempt is a new intent with a
 * token of its own, durable before a byte leaves, and only after the one before is proven to have had no effect. One that
 * is converted is quoted before each.
 */
async function submit(context: RunContext, order: PayoutOrder, to: PayoutDestination): Promise<void> {
  const { row } = order;
  let unreached = 0;
  let doubts = 0;
  let drifts = driftsOf(context, row);
  for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
    if (context.noMore.aborted) return;
    if (await isStoppedByDeadAttempt(context, row)) return;
    if (await isLeftOutHeld(context, order)) return;
    const lookedAtMs = context.clock.monotonicMs();
    const attempt = context.payout(row).attempts + 1;
    const amounts = isConverted(order) ? await convert(context, order, to) : { sent: order, received: null };
    if (amounts === 'rejected') return;
    const outcome = await send(context, order, to, { attempt, lookedAtMs, ...amounts });
    if (outcome === 'stopped') return;
    if (outcome === 'stale') continue;
    const isRequoted = isConverted(order) && isDrift(outcome) && drifts++ < REQUOTES_MAX;
    const isReached = isRequoted
      ? await recordRefused(context, row, attempt, { ...DRIFTED, spent: outcome.spent })
      : await recordOutcome(context, row, attempt, drifts > REQUOTES_MAX ? givenUp(outcome) : outcome);
    if (context.payout(row).state !== 'waiting') return;
    if (outcome.kind === 'in_doubt' && ++doubts >= DOUBTS_MAX) {
      throw new Halt({ code: 'no_usable_answer', to: 'payout', cause: outcome.reason });
    }
    unreached = isReached ? 0 : unreached + 1;
    if (unreached >= UNREACHED_MAX) throw new Halt({ code: 'unreached', cause: reasonOf(outcome) });
    if (unreached > 0) await context.clock.sleep(UNREACHED_PAUSE_FIRST_MS * 2 ** (unreached - 1), context.noMore);
  }
  throw new Halt({ code: 'attempts_used_up', of: 'payout', row, attempts: ATTEMPTS_MAX });
}

/** How often the market had left the row's quote so far, in any process. */
function driftsOf({ run }: RunContext, row: number): number {
  return run.dead
    .values()
    .filter(({ intent, drifted }) => drifted && intent.row === row)
    .reduce((count) => count + 1, 0);
}

/** The service looked at the rate and did nothing: by a fresh quote it may. */
function isDrift(outcome: Outcome): outcome is Extract<Outcome, { kind: 'rejected' }> {
  return outcome.kind === 'rejected' && (outcome.reason ?? outcome.code) === 'RATE_DRIFT';
}

/** The last refusal of many has their number. */
function givenUp(outcome: Outcome): Answered {
  if (!isDrift(outcome)) return outcome;
  return { ...outcome, message: { code: 'rate_drift_each_time', cause: outcome.message, sent: REQUOTES_MAX + 1 } };
}

function reasonOf(outcome: Outcome): Note {
  return 'reason' in outcome && outcome.reason !== null ? outcome.reason : outcome.kind;
}

type Amounts = { sent: Received; received: Received | null };

/**
 * What is sent for a payout that is converted, by a quote of this moment. `rejected` where the service does not convert it
 * or it has become dearer than it may be: that is recorded then, and nothing was sent. Throws a `Halt` where the service
 * cannot be asked.
 */
async function convert(
  context: RunContext,
  order: ConvertedOrder,
  { external_account_id }: PayoutDestination,
): Promise<Amounts | 'rejected'> {
  const { row, source, currency, amount_minor } = order;
  const asked = { source, currency, receivedMinor: BigInt(amount_minor), to: { external_account_id } };
  const result = await askForQuote(context.client, asked, 'submit');
  if (!result.ok && result.kind !== 'rejected') throw haltFor(result);
  if (!result.ok) return reject(context, row, { code: result.reason ?? result.code, message: result.message });
  const { sentMinor } = result.quote;
  const above = context.ceilings.take(order, sentMinor);
  if (above !== null) return reject(context, row, { code: above.code, message: '', above });
  return { sent: { amount_minor: String(sentMinor), currency: source }, received: { amount_minor, currency } };
}

/** No intent was written: nothing of this attempt has left the machine. */
async function reject(context: RunContext, row: number, why: Refused & { above?: AboveCeiling }): Promise<'rejected'> {
  await context.record({ kind: 'rejected', row, attempt: context.payout(row).attempts, ...why });
  context.ceilings.giveBack(row);
  return 'rejected';
}

/** `lookedAtMs`: when earlier attempts were last looked for, on the monotonic clock. */
type Sending = Amounts & { attempt: number; lookedAtMs: number };

async function send(
  context: RunContext,
  order: PayoutOrder,
  { external_account_id, recipient_id }: PayoutDestination,
  { attempt, lookedAtMs, sent, received }: Sending,
): Promise<Outcome | 'stopped' | 'stale'> {
  const { row } = order;
  const token = newToken(context.randomness);
  let isStale = false;
  const makeDurable = async (request: SignedRequest): Promise<void> => {
    // The last thing that is asked before the intent: a payout to somebody who is put on hold from now on may be under way already.
    await context.payeeHolds.lookSoon(context.clock);
    const isOld = attempt > 1 && context.clock.monotonicMs() - lookedAtMs > LOOK_FRESH_MS;
    // Since the look an earlier attempt may have turned up in a list that another step read.
    isStale = isOld || context.payeeHolds.now.of(order) !== null || context.payout(row).state !== 'waiting';
    // So may a second transaction of another row: while this one was quoted, or waited for its turn.
    if (isStale || whyHeld(context) !== null) throw new NotBegun();
    const { amount_minor, currency } = sent;
    const what = { token, external_account_id, recipient_id, amount_minor, currency, received };
    // From here on the right to send lives in this call alone.
    const intent: Intent = { kind: 'intent', row, attempt, ...what, request };
    await context.record(intent);
  };
  // Ahead of the others where it was looked at a moment ago.
  const priority = attempt > 1 ? 'settle' : 'submit';
  const options = { stop: context.noMore, isOurs: context.holds, priority } as const;
  try {
    const body = transferBody(order, external_account_id, token, { sent, received });
    return await context.client.change('transaction.transfer', body, makeDurable, options);
  } catch (error) {
    if (error instanceof NotBegun) return isStale ? 'stale' : 'stopped';
    throw error;
  }
}

/** `transaction.transfer` of section 4.3: without `currency_in`, exactly what is held is sent. */
function transferBody(
  order: PayoutOrder,
  accountId: string,
  token: string,
  { sent, received }: Amounts,
): RequestBody<'transaction.transfer'> {
  for (const { amount_minor } of [order, sent])
    assert(/^[1-9]\d*$/.test(amount_minor), `row ${order.row}: the amount ${amount_minor} is not positive`);
  return {
    currency_out: moneyOf(sent.amount_minor, sent.currency),
    ...(received === null ? {} : { currency_in: moneyOf(received.amount_minor, received.currency) }),
    external_accounts: { from: null, to: { id: accountId } },
    metadata: { description: describe(order.description, token) },
    ...(order.reference === null ? {} : { reference: order.reference }),
  };
}
