import { NotBegun, type Outcome } from '../../client/client.ts';
import type { RequestBody } from '../../client/wire.ts';
import { isConverted } from '../../domain/conversion.ts';
import type { DoubtfulAnswer, FirstCopy, Intent, Received, SignedRequest } from '../../domain/entry.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { assert } from '../../domain/refusal.ts';
import { moneyOf } from '../plan/quote.ts';
import type { Destination } from '../provision/destination.ts';
import { isFinal, sendRefusedAgain } from '../reconcile/refused.ts';
import { recordReplayed, settle } from '../reconcile/settle.ts';
import { hasSurfaced } from '../reconcile/surfaced.ts';
import type { RunContext } from '../run-context.ts';
import { convert } from './convert.ts';
import { Halt } from './halt.ts';
import { whyHeld } from './held.ts';
import { describe, newToken } from './token.ts';

/** Attempts of one payout: each needs a proof that the one before took no effect, so more than a few is an outage. */
const ATTEMPTS_MAX = 50;
/** Doubts of one payout that were settled as absent: after that many the service is not well, and the run stops. */
const DOUBTS_MAX = 3;
/** Attempts in a row that reached nobody, after which the run stops as an outage. */
const UNREACHED_MAX = 6;
const UNREACHED_PAUSE_FIRST_MS = 500;
/** Fresh quotes of one payout after the market has left the one that was sent. */
const REQUOTES_MAX = 3;
/** Between the look for earlier attempts and the intent of a new one: a look that is older is made again. */
const LOOK_FRESH_MS = 5_000;
const DRIFTED = { reason: 'the market had moved away from its quote (RATE_DRIFT)', drifted: true } as const;

/**
 * Submits one payout until the service has taken or refused it, or it is parked. Every attempt is a new intent with a
 * token of its own, durable before a byte leaves, and only after the one before is proven to have had no effect. One that
 * is converted is quoted before each.
 */
export async function submit(context: RunContext, order: PayoutOrder, to: Destination): Promise<void> {
  let unreached = 0;
  let doubts = 0;
  let drifts = driftsOf(context, order.row);
  for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
    if (context.noMore.aborted) return;
    if (await hasSurfaced(context, order.row)) return;
    const lookedAtMs = context.clock.monotonicMs();
    const attempt = context.payout(order.row).attempts + 1;
    const amounts = isConverted(order) ? await convert(context, order, to) : { sent: order, received: null };
    if (amounts === 'rejected') return;
    const outcome = await send(context, order, to, { attempt, lookedAtMs, ...amounts });
    if (outcome === 'stopped') return;
    if (outcome === 'stale') continue;
    const isRequoted = isConverted(order) && isDrift(outcome) && drifts++ < REQUOTES_MAX;
    const reached = isRequoted
      ? await recordRefused(context, order.row, attempt, { ...DRIFTED, spent: outcome.spent })
      : await recordOutcome(context, order.row, attempt, drifts > REQUOTES_MAX ? givenUp(outcome) : outcome);
    if (context.payout(order.row).state !== 'waiting') return;
    if (outcome.kind === 'in_doubt' && ++doubts >= DOUBTS_MAX) {
      throw new Halt('outage', `the service gives no usable answer to payouts: ${outcome.reason}`);
    }
    if (reached) {
      unreached = 0;
      continue;
    }
    if (++unreached >= UNREACHED_MAX) throw new Halt('outage', `the service cannot be reached: ${reasonOf(outcome)}`);
    await context.clock.sleep(UNREACHED_PAUSE_FIRST_MS * 2 ** (unreached - 1), context.noMore);
  }
  throw new Halt('outage', `row ${order.row}: ${ATTEMPTS_MAX} attempts took no effect`);
}

/** How often the market had left the row's quote so far, in whichever process. */
function driftsOf({ run }: RunContext, row: number): number {
  let count = 0;
  for (const { intent, drifted } of run.dead.values()) if (drifted && intent.row === row) count++;
  return count;
}

/** The service looked at the rate and did nothing: by a fresh quote it may. */
function isDrift(outcome: Outcome): outcome is Extract<Outcome, { kind: 'rejected' }> {
  return outcome.kind === 'rejected' && (outcome.reason ?? outcome.code) === 'RATE_DRIFT';
}

/** The last refusal of many says so. */
function givenUp(outcome: Outcome): Outcome {
  if (!isDrift(outcome)) return outcome;
  const message = `${outcome.message}. It was quoted and sent ${REQUOTES_MAX + 1} times. Nothing was paid: retry the run later`;
  return { ...outcome, message };
}

/** `lookedAtMs`: when earlier attempts were last looked for, on the monotonic clock. */
type Sending = { attempt: number; lookedAtMs: number; sent: Received; received: Received | null };

async function send(
  context: RunContext,
  order: PayoutOrder,
  to: Destination,
  { attempt, lookedAtMs, sent, received }: Sending,
): Promise<Outcome | 'stopped' | 'stale'> {
  const token = newToken(context.randomness);
  let isStale = false;
  const makeDurable = async (request: SignedRequest): Promise<void> => {
    const isOld = attempt > 1 && context.clock.monotonicMs() - lookedAtMs > LOOK_FRESH_MS;
    // Since the look an earlier attempt may have surfaced in a listing that somebody else read.
    isStale = isOld || context.payout(order.row).state !== 'waiting';
    // So may a second transaction of another row: while this one was quoted, or waited for its turn.
    if (isStale || whyHeld(context) !== null) throw new NotBegun();
    // From here on the right to send lives in this call alone.
    const intent: Intent = {
      kind: 'intent',
      row: order.row,
      attempt,
      token,
      external_account_id: to.external_account_id,
      recipient_id: to.recipient_id,
      amount_minor: sent.amount_minor,
      currency: sent.currency,
      received,
      request,
    };
    await context.record(intent);
  };
  try {
    const body = transferBody(order, to, token, { sent, received });
    // Ahead of the others where it was looked at a moment ago.
    const priority = attempt > 1 ? 'settle' : 'submit';
    return await context.client.change(
      'transaction.transfer',
      body,
      makeDurable,
      context.noMore,
      context.holds,
      priority,
    );
  } catch (error) {
    if (error instanceof NotBegun) return isStale ? 'stale' : 'stopped';
    throw error;
  }
}

/** What one answer means for the payout, on disk. Returns false where the service was not reached at all. */
async function recordOutcome(
  context: RunContext,
  row: number,
  attempt: number,
  outcome: Outcome,
  by: 'answer' | 'resend' = 'answer',
): Promise<boolean> {
  switch (outcome.kind) {
    case 'accepted':
      if (typeof outcome.data !== 'string')
        return recordDoubt(context, row, attempt, { reason: 'the answer has no transaction id' });
      if (context.owners.has(outcome.data)) {
        return recordDoubt(context, row, attempt, {
          reason: `the answer names ${outcome.data}, which is another row's`,
        });
      }
      await context.record({ kind: 'accepted', row, attempt, transaction_id: outcome.data, by });
      return true;
    case 'rejected': {
      const code = outcome.reason ?? outcome.code;
      const isSpent = isFinal(context, outcome);
      const { message } = outcome;
      await context.record({ kind: 'rejected', row, attempt, code, message, ...(isSpent && { spent: true }) });
      // Another copy of it may be paid.
      if (isSpent) context.ceilings.giveBack(row);
      return true;
    }
    case 'refused_credentials':
      // True of this copy of the request: another may have been taken before.
      await context.record({
        kind: 'doubt',
        row,
        attempt,
        reason: `the service refuses our credentials: ${outcome.message}`,
      });
      throw new Halt('outage', `the service refuses our credentials: ${outcome.message}`, { refusedCredentials: true });
    case 'no_effect': {
      const { reason, answered, unreached } = outcome;
      if (answered) return recordRefused(context, row, attempt, { reason, spent: outcome.spent });
      await context.record({ kind: 'no_effect', row, attempt, reason, answered });
      return !unreached;
    }
    case 'in_doubt':
      return recordDoubt(context, row, attempt, outcome);
  }
}

/**
 * Refused for its pace (429) or for a rate that may come back. Where that is true of every copy of the request, it had no
 * effect. Otherwise another copy may take effect until the deadline: the same bytes are sent again where they are taken once
 * at most, and what is not settled by that is a doubt like any other.
 */
async function recordRefused(
  context: RunContext,
  row: number,
  attempt: number,
  { reason, drifted, spent }: { reason: string; drifted?: true; spent: true | undefined },
): Promise<boolean> {
  const payout = context.payout(row);
  assert(payout.state === 'sending', `row ${row} is ${payout.state}, and was refused`);
  if (isFinal(context, { spent })) {
    const why = { reason, ...(drifted && { drifted }) };
    await context.record({ kind: 'no_effect', row, attempt, ...why, answered: true, spent: true });
    return true;
  }
  const outcome = await sendRefusedAgain(context, payout.intent.request);
  if (outcome?.kind === 'accepted') return recordOutcome(context, row, attempt, outcome, 'resend');
  if (outcome !== null) return recordDoubt(context, row, attempt, { ...outcome, ...(drifted && { drifted }) });
  const doubt = { reason: `${reason}, and another copy of the request may have arrived`, ...(drifted && { drifted }) };
  return recordDoubt(context, row, attempt, doubt);
}

async function recordDoubt(
  context: RunContext,
  row: number,
  attempt: number,
  {
    reason,
    answer,
    replayed,
    drifted,
  }: { reason: string; answer?: DoubtfulAnswer; replayed?: { first: FirstCopy | null }; drifted?: true },
): Promise<boolean> {
  context.log.warn({ row, attempt, reason }, 'payout in doubt');
  const known = { ...(answer !== undefined && { answer }), ...(drifted && { drifted }) };
  await context.record({ kind: 'doubt', row, attempt, reason, ...known });
  const payout = context.payout(row);
  if (replayed && 'intent' in payout) await recordReplayed(context, payout.intent, replayed.first);
  await settle(context, row, true);
  return true;
}

/** `transaction.transfer` of section 4.3: without `currency_in`, exactly what is held is sent. */
function transferBody(
  order: PayoutOrder,
  to: Destination,
  token: string,
  { sent, received }: Pick<Sending, 'sent' | 'received'>,
): RequestBody<'transaction.transfer'> {
  for (const { amount_minor } of [order, sent])
    assert(/^[1-9]\d*$/.test(amount_minor), `row ${order.row}: the amount ${amount_minor} is not positive`);
  return {
    currency_out: moneyOf(sent.amount_minor, sent.currency),
    ...(received === null ? {} : { currency_in: moneyOf(received.amount_minor, received.currency) }),
    external_accounts: { from: null, to: { id: to.external_account_id } },
    metadata: { description: describe(order.description, token) },
    ...(order.reference === null ? {} : { reference: order.reference }),
  };
}

function reasonOf(outcome: Outcome): string {
  return 'reason' in outcome && outcome.reason !== null ? outcome.reason : outcome.kind;
}
