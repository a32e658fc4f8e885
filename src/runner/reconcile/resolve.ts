import type { TransactionWithDestination } from '../../client/wire.ts';
import type { Actor } from '../../domain/entry.ts';
import type { Decision, DecisionRefused } from '../../domain/outcomes/resolve-outcome.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { assert } from '../../domain/refusal.ts';
import { CLAIM_KINDS, claimOf } from '../../domain/run/claims.ts';
import type { PayoutState, SentFacts } from '../../domain/run/payout.ts';
import { rowNumbered } from '../../domain/run/run-rows.ts';
import { haltFor } from '../halt.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../token.ts';
import { BEFORE_INTENT_MS, DATE_GRAIN_MS } from './deadlines.ts';
import { isAmountOf, isReturn, search, timeOf } from './transactions.ts';
import { isSameAccount, isShownAlike, type ShownAccount, shownAccountOf } from './unknown-payments.ts';

/** `paidTo`: the account as the service shows it, where that differs from the input: perhaps in another form. */
export type ResolveOutcome =
  | { outcome: 'resolved'; paidTo?: ShownAccount }
  | { outcome: 'refused'; refused: DecisionRefused };

type Parked = Extract<PayoutState, { state: 'unresolved' | 'suspected' }>;

/** One payout that is parked for a person, and the row's order. */
type Case = { row: number; order: PayoutOrder; payout: Parked; actor: Actor };

/**
 * A person decides one parked payout. The service is looked at first: a transaction that is named must be there and be
 * the payout's by all that can be seen, and what is found by its token was sent, whatever a person states. Throws a `Halt`
 * where the service cannot be asked.
 */
export async function resolveRow(
  context: RunContext,
  row: number,
  verdict: Decision,
  actor: Actor,
): Promise<ResolveOutcome> {
  const payout = context.run.payouts.get(row);
  if (payout?.state !== 'unresolved' && payout?.state !== 'suspected') {
    return refuse({ why: 'not_unresolved', row, state: payout?.state ?? null });
  }
  const order = rowNumbered(context.run.rows, row)?.order;
  assert(order, `row ${row} has no order`);
  const parked = { row, order, payout, actor };
  return verdict.kind === 'sent'
    ? resolveSent(context, parked, verdict.transactionId)
    : resolveNotSent(context, parked);
}

async function resolveSent(context: RunContext, parked: Case, id: string): Promise<ResolveOutcome> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (!result.ok && result.kind === 'rejected') return refuse({ why: 'unknown_transaction', transactionId: id });
  if (!result.ok) throw haltFor(result);
  const record = result.data;
  const owner = context.owners.get(id);
  if (owner !== undefined) return refuse({ why: 'another_row', transactionId: id, row: owner });
  const { row, order, payout, actor } = parked;
  const sent = payout.state === 'unresolved' ? payout.intent : sentByRecord(order, record);
  const isOwn = payout.state === 'unresolved' && tokensIn(record.metadata?.description).includes(sent.token);
  if (!isOwn && (await isAnothers(context, row, record))) return refuse({ why: 'another_payout', transactionId: id });
  const differs = differenceOf(context, parked, sent, record);
  if (differs !== null) return refuse({ why: 'another_payment', transactionId: id, differs });
  const decided = { verdict: 'sent', transaction_id: id, ...actor } as const;
  const noted = payout.state === 'unresolved' ? null : sent;
  await context.record({ kind: 'resolved', row, attempt: payout.attempts, ...decided, sent: noted });
  const paidTo = shownAccountOf(record);
  return isShownAlike(context, order, paidTo) ? { outcome: 'resolved' } : { outcome: 'resolved', paidTo };
}

/**
 * What a payout that this journal never sent must have been, by its order and the record that a person names. The payee
 * receives what the order states; what was sent for it, where that was converted, the record alone shows.
 */
function sentByRecord(order: PayoutOrder, record: TransactionWithDestination): SentFacts {
  const { destination, recipient_id, amount_minor, currency } = order;
  const { value, code, chain = null, decimals } = record.currency_out;
  const ordered = { amount_minor, currency };
  const isConverted = !isAmountOf(record, { ...ordered, received: null });
  return {
    token: tokensIn(record.metadata?.description)[0] ?? '',
    external_account_id:
      destination.kind === 'existing' ? destination.external_account_id : (record.external_account_metadata?.id ?? ''),
    recipient_id,
    ...(isConverted
      ? { amount_minor: value, currency: { code, chain, decimals }, received: ordered }
      : { ...ordered, received: null }),
  };
}

/**
 * Whether this journal sent it as another payout: by its id, or by the token of any attempt. A token that the journal does
 * not know may be the payout's all the same, where an old copy forgot the attempt. So may the id that the service answered
 * for this row, where it showed its record otherwise afterwards.
 */
async function isAnothers(
  { run, journal }: RunContext,
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

type Difference = Extract<DecisionRefused, { why: 'another_payment' }>['differs'];

/** In what the record cannot be the payout, in order of precedence; null where nothing contradicts it. */
function differenceOf(
  context: RunContext,
  { order, payout }: Case,
  sent: SentFacts,
  record: TransactionWithDestination,
): Difference | null {
  if (isReturn(record)) return 'return';
  if (!isAmountOf(record, sent)) return 'amount';
  const account = record.external_account_metadata?.id;
  if (account && account !== sent.external_account_id) return 'account';
  // Of a payout that this journal never sent only the account is known that its order names or the run found.
  if (payout.state === 'suspected') return isSameAccount(context, order, shownAccountOf(record)) ? null : 'account';
  // Our token is as old as the payout, whatever the clock was set to when it was sent.
  if (tokensIn(record.metadata?.description).includes(sent.token)) return null;
  return timeOf(record) < payout.intent.request.created * 1_000 - BEFORE_INTENT_MS ? 'older' : null;
}

async function resolveNotSent(context: RunContext, { row, payout, actor }: Case): Promise<ResolveOutcome> {
  const refused = payout.state === 'unresolved' ? await whyPerhapsSent(context, payout) : null;
  if (refused !== null) return refuse(refused);
  const { attempts: attempt } = payout;
  const decided = { verdict: 'not_sent', transaction_id: null, sent: null } as const;
  await context.record({ kind: 'resolved', row, attempt, ...decided, ...actor });
  return { outcome: 'resolved' };
}

/** Why nobody can state that the attempt was not sent; null where a person can. */
async function whyPerhapsSent(
  context: RunContext,
  { intent, about }: Extract<Parked, { state: 'unresolved' }>,
): Promise<DecisionRefused | null> {
  const deadMs = intent.request.expires * 1_000;
  const clock = await context.client.read('account.balance.getMany', {}, 'settle');
  if (!clock.ok) throw haltFor(clock);
  const nowMs = Math.min(clock.serverMs ?? context.clock.wallMs(), context.clock.wallMs());
  if (nowMs <= deadMs + DATE_GRAIN_MS) return { why: 'may_take_effect', until: deadMs };
  const { match } = await search(context, intent);
  if (match.kind === 'one') return { why: 'was_sent', transactionIds: [match.id], cause: null };
  if (match.kind === 'none' || about === 'mismatch') return null;
  return { why: 'was_sent', transactionIds: match.ids, cause: match.why };
}

function refuse(refused: DecisionRefused): ResolveOutcome {
  return { outcome: 'refused', refused };
}
