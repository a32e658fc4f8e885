import { NotBegun, type Outcome } from '../client/client.ts';
import type { RequestBody } from '../client/wire.ts';
import { isConverted } from '../domain/conversion.ts';
import type { Intent, Received, SignedRequest } from '../domain/entry.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import type { Attempt } from '../domain/payout.ts';
import { assert } from '../domain/refusal.ts';
import { listForAbsence } from './absence.ts';
import { convert } from './convert.ts';
import type { Destination } from './destination.ts';
import { Halt } from './halt.ts';
import { search } from './look.ts';
import { lagMs } from './patience.ts';
import { moneyOf } from './quote.ts';
import type { RunContext } from './recorder.ts';
import { isOutOfTheWorld, sendRefusedAgain } from './refused.ts';
import { settle } from './settle.ts';
import { hasSurfaced } from './surfaced.ts';
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
    const attempt = context.payout(order.row).attempts + 1;
    const amounts = isConverted(order) ? await convert(context, order, to) : { sent: order, received: null };
    if (amounts === 'rejected') return;
    const outcome = await send(context, order, to, { attempt, ...amounts });
    if (outcome === 'stopped') return;
    const isRequoted = isConverted(order) && isDrift(outcome) && drifts++ < REQUOTES_MAX;
    const reached = isRequoted
      ? await recordRefused(context, order.row, attempt, DRIFTED)
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
function isDrift(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && (outcome.reason ?? outcome.code) === 'RATE_DRIFT';
}

/** The last refusal of many says so. */
function givenUp(outcome: Outcome): Outcome {
  if (!isDrift(outcome) || outcome.kind !== 'rejected') return outcome;
  const message = `${outcome.message}. It was quoted and sent ${REQUOTES_MAX + 1} times. Nothing was paid: retry the run later`;
  return { ...outcome, message };
}

type Sending = { attempt: number; sent: Received; received: Received | null };

async function send(
  context: RunContext,
  order: PayoutOrder,
  to: Destination,
  { attempt, sent, received }: Sending,
): Promise<Outcome | 'stopped'> {
  const token = newToken(context.randomness);
  const makeDurable = (request: SignedRequest): Promise<void> => {
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
    return context.record(intent);
  };
  try {
    const body = transferBody(order, to, token, { sent, received });
    return await context.client.change('transaction.transfer', body, makeDurable, context.noMore, context.holds);
  } catch (error) {
    if (error instanceof NotBegun) return 'stopped';
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
        return recordDoubt(context, row, attempt, 'the answer has no transaction id');
      if (context.owners.has(outcome.data)) {
        return recordDoubt(context, row, attempt, `the answer names ${outcome.data}, which is another row's`);
      }
      await context.record({ kind: 'accepted', row, attempt, transaction_id: outcome.data, by });
      return true;
    case 'rejected': {
      const code = outcome.reason ?? outcome.code;
      await context.record({ kind: 'rejected', row, attempt, code, message: outcome.message });
      context.ceilings.giveBack(row);
      return true;
    }
    case 'refused_credentials':
      await context.record({ kind: 'no_effect', row, attempt, reason: outcome.message, answered: true });
      throw new Halt('outage', `the service refuses our credentials: ${outcome.message}`, true);
    case 'no_effect': {
      const { reason, answered, unreached } = outcome;
      if (answered) return recordRefused(context, row, attempt, { reason });
      await context.record({ kind: 'no_effect', row, attempt, reason, answered });
      return !unreached;
    }
    case 'in_doubt':
      return recordDoubt(context, row, attempt, outcome.reason);
  }
}

/**
 * Refused for its pace (429) or for a rate that may come back, which is true of one copy. Where the same bytes are used up, what they did is listed, if they
 * did anything. Otherwise another copy of them may take effect until their deadline. Where the service promises to keep to
 * that, it is a doubt like any other; where it promises nothing, a copy has as long as a request lives, and is then looked
 * for. What is not proven is a doubt.
 */
async function recordRefused(
  context: RunContext,
  row: number,
  attempt: number,
  { reason, drifted }: { reason: string; drifted?: true },
): Promise<boolean> {
  const payout = context.payout(row);
  assert(payout.state === 'sending', `row ${row} is ${payout.state}, and was refused`);
  const outcome = await sendRefusedAgain(context, payout.intent.request);
  if (outcome.kind === 'accepted' || outcome.kind === 'in_doubt') {
    return recordOutcome(context, row, attempt, outcome, 'resend');
  }
  if ((await isOutOfTheWorld(context, outcome)) && (await isAbsent(context, payout))) {
    const why = { reason, ...(drifted && { drifted }) };
    await context.record({ kind: 'no_effect', row, attempt, ...why, answered: true, spent: true });
    return true;
  }
  return recordDoubt(context, row, attempt, `${reason}, and another copy of the request may have arrived`);
}

/** Whether the service, given the time to list it, shows neither its token nor a payment that could be it without one. */
async function isAbsent(context: RunContext, { intent, order }: Attempt): Promise<boolean> {
  await context.clock.sleep(lagMs(context), context.stop);
  const { sight, complete } = await search(context, intent);
  if (sight.kind !== 'none' || !complete || context.stop.aborted) return false;
  return (await listForAbsence(context, intent, order, true)).result === 'absent';
}

async function recordDoubt(context: RunContext, row: number, attempt: number, reason: string): Promise<boolean> {
  context.log.warn({ row, attempt, reason }, 'payout in doubt');
  await context.record({ kind: 'doubt', row, attempt, reason });
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
