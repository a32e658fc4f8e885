import type { Transaction } from '../../client/wire.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PayoutState, Sent } from '../../domain/run/payout.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunContext } from '../run-context.ts';
import { type Looked, lookedFor, lookFor } from './dead-attempts.ts';
import { BEFORE_INTENT_MS, CLOCK_ALLOWANCE_MS } from './deadlines.ts';
import { type AmountSent, isReceiptOf, listTransactions } from './transactions.ts';
import { isMarked, type Payable, type ShownAccount, UnknownPayments } from './unknown-payments.ts';

/** Pages of a search for one token. */
const PAGES_MAX = 20;

/**
 * Before the run is finished: one complete look at all that it sent, when none of it can take effect or be listed any more.
 * What it shows is recorded: two transactions of one payout, one of a payout that was refused, one like a payout with
 * a token that this journal does not know, as an older copy of it would have forgotten one, and one like a payout without a token.
 * `isSearchBlind`: the list is incomplete, and a search by token does not find what is there.
 */
export async function lastLook(context: RunContext): Promise<{ isSearchBlind: boolean }> {
  const { run } = context;
  const seen = { isSearchBlind: false };
  const attempts = [...run.dead.values()].map(lookedFor(context));
  const mayFollow = !promisesOf(run).guarantees.replay_protection;
  for (const payout of run.payouts.values()) {
    // What a person named may be older than anything that we sent.
    if ('sent' in payout && payout.sent.by !== 'person')
      attempts.push({ ...searched(context, payout.sent, seen), mayFollow });
  }
  // What was there when the run was created was looked at before anything was sent.
  const unknown = new UnknownPayments(context, madeRows(context, mayFollow), run.createdAt);
  await lookFor(context, attempts, (page) => unknown.see(page));
  await recordUnknown(context, unknown);
  return seen;
}

function searched(
  context: RunContext,
  { token, transaction_id, submittedAt, expires }: Sent,
  seen: { isSearchBlind: boolean },
): Omit<Looked, 'mayFollow'> {
  const look = async (): Promise<void> => {
    const { records } = await listTransactions(context, { search: token }, { pagesMax: PAGES_MAX });
    if (!records.some(({ id }) => id === transaction_id)) seen.isSearchBlind = true;
  };
  return { submittedAt, expires, look };
}

/**
 * What pays a row, or was refused. A service that loses or changes descriptions shows another copy of it without its token.
 * `isDoubted`: an answer was lost, or refused one copy, so that a payment to an account which the service does not show
 * counts too.
 */
type Made = Payable & { accountId: string; isDoubted: boolean };

function* madeRows({ run, payout }: RunContext, mayFollow: boolean): Generator<Made> {
  const absentSinceMs = new Map<number, number>();
  for (const { by, intent } of run.dead.values()) {
    const { row } = intent;
    const sinceMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
    if (by === 'absent') absentSinceMs.set(row, Math.min(absentSinceMs.get(row) ?? sinceMs, sinceMs));
    if (by === 'rejected' && payout(row).state === 'rejected') yield made(row, intent, sinceMs, true);
  }
  for (const [row, state] of run.payouts) {
    if (!('sent' in state) || state.state === 'failed') continue;
    const { sent } = state;
    const isDoubted = sent.by !== 'answer' || absentSinceMs.has(row);
    const sinceMs = isDoubted || mayFollow ? sent.submittedAt - CLOCK_ALLOWANCE_MS : Number.POSITIVE_INFINITY;
    yield made(row, sent, Math.min(sinceMs, absentSinceMs.get(row) ?? sinceMs), isDoubted);
  }
}

function made(
  row: number,
  sent: AmountSent & { external_account_id: string },
  unmarkedSinceMs: number,
  isDoubted: boolean,
): Made {
  const amount = sent.received ?? sent;
  const isConverted = sent.received !== null;
  return { row, amount, isConverted, unmarkedSinceMs, accountId: sent.external_account_id, isDoubted };
}

/** Each that may have gone to the account of a payout of its amount: perhaps that payout was made twice. */
async function recordUnknown(context: RunContext, unknown: UnknownPayments<Made>): Promise<void> {
  const entries: Entry[] = [];
  const refused = new Map<number, string[]>();
  const parked = [...context.run.payouts.values()].filter(isParked);
  for await (const { record, account } of unknown.found()) {
    const like = unknown.rowsOf(record).find((one) => mayHaveGoneTo(one, account, isMarked(record)));
    if (like === undefined) continue;
    const { row } = like;
    const payout = context.payout(row);
    // It may be the payout of a row that a person has yet to decide: then it pays no other row twice.
    if ('sent' in payout && parked.some((one) => mayBeOf(one, record))) continue;
    const about = { row, transaction: record.id };
    context.log.error(about, 'the service holds a payment like this one that this journal does not know');
    if ('sent' in payout) {
      entries.push({ kind: 'surfaced', row, attempt: payout.sent.attempt, transaction_id: record.id });
    } else if (payout.state === 'rejected') refused.set(row, [...(refused.get(row) ?? []), record.id]);
  }
  for (const [row, transactions] of refused) {
    const reason = 'the service refused it, and holds a payment like it which this journal does not know';
    entries.push({ kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason });
  }
  if (entries.length > 0) await context.record(...entries);
}

type Parked = Extract<PayoutState, { state: 'unresolved' | 'suspected' }>;

function isParked(payout: PayoutState): payout is Parked {
  return payout.state === 'unresolved' || payout.state === 'suspected';
}

function mayBeOf(payout: Parked, record: Transaction): boolean {
  if (payout.transactions.includes(record.id)) return true;
  return payout.state === 'unresolved' && isReceiptOf(record, payout.intent);
}

function mayHaveGoneTo({ accountId, isDoubted }: Made, account: ShownAccount | null, hasToken: boolean): boolean {
  const id = account?.id ?? null;
  return id === null ? hasToken || isDoubted : id === accountId;
}
