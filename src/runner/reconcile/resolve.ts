import type { Transaction, TransactionWithDestination } from '../../client/wire.ts';
import type { Actor, Intent, Resolved } from '../../domain/entry.ts';
import type { Verdict, WordRefused } from '../../domain/outcomes/resolve-outcome.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { assert } from '../../domain/refusal.ts';
import { CLAIM_KINDS, claimOf } from '../../domain/run/claims.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../submit/token.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { haltFor, timeOf } from './listing.ts';
import { type AmountSent, isAmountOf, isReturn, search } from './look.ts';
import { DATE_GRAIN_MS } from './patience.ts';
import { isShownAlike, mayHavePaid, placeOf, type Where } from './unknown-payments.ts';

/** `paidTo`: whose account the service shows, where it shows it otherwise than the input: perhaps in another form. */
export type ResolveOutcome = { outcome: 'resolved'; paidTo?: Where } | { outcome: 'refused'; refused: WordRefused };

type Parked = Extract<PayoutState, { state: 'unresolved' | 'suspected' }>;

/**
 * A person settles one parked payout. The service is looked at first: a transaction that is named must be there and be
 * the payout's by all that can be seen, and what is found by its token was sent, whatever a person says. Throws a `Halt`
 * where the service cannot be asked.
 */
export async function resolveRow(
  context: RunContext,
  journal: Journal,
  row: number,
  verdict: Verdict,
  actor: Actor,
): Promise<ResolveOutcome> {
  const payout = context.run.payouts.get(row);
  if (payout?.state !== 'unresolved' && payout?.state !== 'suspected') return refuseState(row, payout);
  return verdict.kind === 'sent'
    ? resolveSent(context, journal, row, payout, verdict.transactionId, actor)
    : resolveNotSent(context, row, payout, actor);
}

async function resolveSent(
  context: RunContext,
  journal: Journal,
  row: number,
  payout: Parked,
  id: string,
  actor: Actor,
): Promise<ResolveOutcome> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (!result.ok && result.kind === 'rejected') {
    return refuse({ why: 'unknown_transaction', transactionId: id });
  }
  if (!result.ok) throw haltFor(result);
  const record = result.data;
  const owner = context.owners.get(id);
  if (owner !== undefined) return refuse({ why: 'another_row', transactionId: id, row: owner });
  const sent = payout.state === 'unresolved' ? payout.intent : sentOfOrder(context, row, record);
  const isOwn = payout.state === 'unresolved' && tokensIn(record.metadata?.description).includes(sent.token);
  if (!isOwn && (await isAnothers(context, journal, row, record)))
    return refuse({ why: 'another_payout', transactionId: id });
  const differs = differenceOf(record, sent, payout) ?? paysElsewhere(context, row, payout, record);
  if (differs !== null) return refuse({ why: 'another_payment', transactionId: id, differs });
  const { token, external_account_id, recipient_id, amount_minor, currency, received } = sent;
  await context.record({
    kind: 'resolved',
    row,
    attempt: payout.attempts,
    verdict: 'sent',
    transaction_id: id,
    ...actor,
    sent:
      payout.state === 'unresolved'
        ? null
        : { token, external_account_id, recipient_id, amount_minor, currency, received },
  });
  const order = orderOf(context, row);
  const paidTo = placeOf(record);
  return isShownAlike(context, order, paidTo) ? { outcome: 'resolved' } : { outcome: 'resolved', paidTo };
}

function orderOf({ run }: RunContext, row: number): PayoutOrder {
  const order = run.rows.find((one) => one.row === row)?.order;
  assert(order, `row ${row} has no order`);
  return order;
}

type Difference = Extract<WordRefused, { why: 'another_payment' }>['differs'];

/** In what the record cannot be the payout; null where nothing speaks against it. */
function differenceOf(record: TransactionWithDestination, sent: Sent, payout: Parked): Difference | null {
  if (isReturn(record)) return 'return';
  if (!isAmountOf(record, sent)) return 'amount';
  const account = record.external_account_metadata?.id;
  if (account && account !== sent.external_account_id) return 'account';
  const tokens = tokensIn(record.metadata?.description);
  // Our token is as old as the payout, whatever the clock was set to when it was sent.
  if (tokens.includes(sent.token)) return null;
  if (payout.state === 'unresolved' && timeOf(record) < payout.intent.request.created * 1_000 - BEFORE_INTENT_MS) {
    return 'older';
  }
  return null;
}

/** Of a payout that this journal never sent no account is known but the one that its order names. */
function paysElsewhere(
  context: RunContext,
  row: number,
  payout: Parked,
  record: TransactionWithDestination,
): Difference | null {
  if (payout.state !== 'suspected' || mayHavePaid(context, orderOf(context, row), record)) return null;
  return 'account';
}

type Sent = NonNullable<Resolved['sent']>;

/** What a payout that this journal never sent must have been, by its order and the record that a person names. */
function sentOfOrder(context: RunContext, row: number, record: TransactionWithDestination): Sent {
  const order = orderOf(context, row);
  const named = order.destination.kind === 'existing' ? order.destination.external_account_id : null;
  return {
    token: tokensIn(record.metadata?.description)[0] ?? '',
    external_account_id: named ?? record.external_account_metadata?.id ?? '',
    recipient_id: order.recipient_id,
    ...amountOfOrder(order, record),
  };
}

/** The payee receives what the order says. What was sent for it, where that was converted, the record alone says. */
function amountOfOrder({ amount_minor, currency }: PayoutOrder, record: Transaction): AmountSent {
  const { value, code, chain = null, decimals } = record.currency_out;
  const ordered = { amount_minor, currency };
  if (isAmountOf(record, { ...ordered, received: null })) return { ...ordered, received: null };
  return { amount_minor: value, currency: { code, chain, decimals }, received: ordered };
}

/**
 * Whether this journal sent it as another payout: by its id, or by the token of any attempt. A token that the journal does
 * not know may be the payout's all the same, where an old copy forgot the attempt. So may the id that the service answered
 * for this row, where it showed its record otherwise afterwards.
 */
async function isAnothers(
  { run }: RunContext,
  journal: Journal,
  row: number,
  { id, metadata }: TransactionWithDestination,
): Promise<boolean> {
  const tokens = tokensIn(metadata?.description);
  for await (const page of journal.readKinds(CLAIM_KINDS))
    for (const { runId, entry } of page) {
      const claim = claimOf(entry);
      if (claim?.token && tokens.includes(claim.token)) return true;
      const isThisRows = runId === run.header?.run_id && claim?.row === row;
      if (claim?.transactionId === id && !isThisRows) return true;
    }
  return false;
}

async function resolveNotSent(context: RunContext, row: number, payout: Parked, actor: Actor): Promise<ResolveOutcome> {
  if (payout.state === 'unresolved') {
    const refused = await notSentYet(context, payout.intent, payout.about);
    if (refused !== null) return refused;
  }
  const { attempts: attempt } = payout;
  await context.record({
    kind: 'resolved',
    row,
    attempt,
    verdict: 'not_sent',
    transaction_id: null,
    ...actor,
    sent: null,
  });
  return { outcome: 'resolved' };
}

/** Why it cannot be said that the attempt was not sent; null where it can. */
async function notSentYet(
  context: RunContext,
  intent: Intent,
  about: Extract<Parked, { state: 'unresolved' }>['about'],
): Promise<ResolveOutcome | null> {
  const deadMs = intent.request.expires * 1_000;
  const clock = await context.client.read('account.balance.getMany', {}, 'settle');
  if (!clock.ok) throw haltFor(clock);
  const nowMs = Math.min(clock.serverMs ?? context.clock.wallMs(), context.clock.wallMs());
  if (nowMs <= deadMs + DATE_GRAIN_MS) {
    return refuse({ why: 'may_take_effect', until: deadMs });
  }
  const { sight } = await search(context, intent);
  if (sight.kind === 'one') return refuse({ why: 'was_sent', transactionIds: [sight.id], cause: null });
  if (sight.kind === 'none' || about === 'mismatch') return null;
  return refuse({ why: 'was_sent', transactionIds: sight.ids, cause: sight.why });
}

function refuseState(row: number, payout: PayoutState | undefined): ResolveOutcome {
  return refuse({ why: 'not_unresolved', row, state: payout?.state ?? null });
}

function refuse(refused: WordRefused): ResolveOutcome {
  return { outcome: 'refused', refused };
}
