import type { Transaction } from '../../client/wire.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Sent } from '../../domain/run/payout.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunContext } from '../run-context.ts';
import type { Relatives } from '../submit/retries.ts';
import { hasSomeToken } from '../submit/token.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { listTransactions, timeOf } from './listing.ts';
import { type AmountSent, isReturn } from './look.ts';
import { CLOCK_ALLOWANCE_MS } from './patience.ts';
import { deadAttempt, type Looked, lookFor } from './surfaced.ts';
import { amountKey } from './suspects.ts';
import { whereItWent, withoutKnown } from './unknown-payments.ts';

/** Pages of a search for one token. */
const PAGES_MAX = 20;
/** Payments of unknown tokens whose accounts are read. */
const UNKNOWN_MAX = 1_000;

/**
 * Before the run is finished: one complete look at all that it sent, when none of it can take effect or be listed any more.
 * What it shows is put on disk: two transactions of one payout, one of a payout that was refused, one like a payout with
 * a token that this journal does not know, as an older copy of it would have forgotten one, and one like a payout without a token.
 * `isSearchBlind`: the list is incomplete, and a search by token does not find what is there.
 */
export async function lastLook(context: RunContext, journal: Journal): Promise<{ isSearchBlind: boolean }> {
  const { run, owners } = context;
  const seen = { isSearchBlind: false };
  const attempts = [...run.dead.values()].map(deadAttempt(context));
  const mayFollow = !promisesOf(run).guarantees.replay_protection;
  for (const payout of run.payouts.values()) {
    // What a person named may be older than anything that we sent.
    if ('sent' in payout && payout.sent.by !== 'person')
      attempts.push({ ...searched(context, payout.sent, seen), mayFollow });
  }
  const made = madeByReceipt(context, mayFollow);
  const unknown: Transaction[] = [];
  await lookFor(context, attempts, (page) => {
    for (const record of page) {
      if (owners.has(record.id) || run.dismissed.has(record.id) || unknown.length >= UNKNOWN_MAX) continue;
      // What was there when the run was created was looked at before anything was sent.
      const isPayment = timeOf(record) >= run.createdAt && record.status !== 'FAILED' && !isReturn(record);
      if (isPayment && bucketsOf(made, record).some((bucket) => bucket.some(isLike(record)))) unknown.push(record);
    }
  });
  if (unknown.length > 0) await noteUnknown(context, journal, unknown, made);
  return seen;
}

/** What was asked of the service for a row. */
type Asked = AmountSent & { external_account_id: string };

/**
 * What pays a row, or was refused. A service that loses or changes descriptions shows another copy of it without its token:
 * one is looked for from `unmarkedSinceMs` (Unix) on, where one may be. `isDoubted`: an answer was lost, or refused one copy,
 * so that a payment to an account which the service does not show counts too.
 */
type Made = { row: number; sent: Asked; unmarkedSinceMs: number; isDoubted: boolean };
type MadeByReceipt = ReadonlyMap<string, readonly Made[]>;

function madeByReceipt(context: RunContext, mayFollow: boolean): MadeByReceipt {
  const { run } = context;
  const made = new Map<string, Made[]>();
  const add = (one: Made): void => {
    const key = receiptKey(one.sent);
    const bucket = made.get(key);
    if (bucket === undefined) made.set(key, [one]);
    else bucket.push(one);
  };
  const absentSinceMs = new Map<number, number>();
  for (const { by, intent } of run.dead.values()) {
    const { row } = intent;
    const sinceMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
    if (by === 'absent') absentSinceMs.set(row, Math.min(absentSinceMs.get(row) ?? sinceMs, sinceMs));
    if (by === 'rejected' && context.payout(row).state === 'rejected')
      add({ row, sent: intent, unmarkedSinceMs: sinceMs, isDoubted: true });
  }
  for (const [row, payout] of run.payouts) {
    if (!('sent' in payout) || payout.state === 'failed') continue;
    const { sent } = payout;
    const isDoubted = sent.by !== 'answer' || absentSinceMs.has(row);
    const sinceMs = isDoubted || mayFollow ? sent.submittedAt - CLOCK_ALLOWANCE_MS : Number.POSITIVE_INFINITY;
    add({ row, sent, unmarkedSinceMs: Math.min(sinceMs, absentSinceMs.get(row) ?? sinceMs), isDoubted });
  }
  return made;
}

/** Whether a payment may belong to a payout that a person has yet to settle: then it pays no other row twice. */
function mayBeOfOpenRow({ run }: RunContext): (record: Transaction) => boolean {
  const named = new Set<string>();
  const asked = new Set<string>();
  for (const payout of run.payouts.values()) {
    if (payout.state !== 'suspected' && payout.state !== 'unresolved') continue;
    for (const id of payout.transactions) named.add(id);
    if (payout.state === 'unresolved') asked.add(receiptKey(payout.intent));
  }
  return (record) => named.has(record.id) || receiptKeysOf(record).some((key) => asked.has(key));
}

/** By what the payee receives: another attempt may have cost another amount. */
function receiptKey({ amount_minor, currency, received }: AmountSent): string {
  if (received === null) return `out ${amountKey({ ...currency, value: amount_minor })}`;
  return `in ${amountKey({ ...received.currency, value: received.amount_minor })}`;
}

/** The payouts of which the payee receives what a payment brings. */
function bucketsOf(made: MadeByReceipt, record: Transaction): (readonly Made[])[] {
  return receiptKeysOf(record).map((key) => made.get(key) ?? []);
}

function receiptKeysOf({ currency_out, currency_in }: Transaction): string[] {
  return [`out ${amountKey(currency_out)}`, `in ${amountKey(currency_in)}`];
}

/** Whether the payment could be another copy of a payout: by a token that is not known, or without one where one may be. */
function isLike(record: Transaction): (one: Made) => boolean {
  const isMarked = hasSomeToken(record.metadata?.description);
  return ({ unmarkedSinceMs }) => isMarked || timeOf(record) >= unmarkedSinceMs;
}

function searched(
  context: RunContext,
  { token, transaction_id, submittedAt, expires }: Sent,
  seen: { isSearchBlind: boolean },
): Omit<Looked, 'mayFollow'> {
  const look = async (): Promise<void> => {
    const { records } = await listTransactions(context, { search: token }, { priority: 'settle', pagesMax: PAGES_MAX });
    if (!records.some(({ id }) => id === transaction_id)) seen.isSearchBlind = true;
  };
  return { token, submittedAt, expires, look };
}

const NO_RELATIVES: Relatives = { runs: new Set(), rows: new Set(), since: Number.POSITIVE_INFINITY };

/** Each that may have gone to the account of a payout of its amount: perhaps that payout was made twice. */
async function noteUnknown(
  context: RunContext,
  journal: Journal,
  unknown: Transaction[],
  made: MadeByReceipt,
): Promise<void> {
  const entries: Entry[] = [];
  const refused = new Map<number, string[]>();
  const isPerhapsOpen = mayBeOfOpenRow(context);
  for (const record of await withoutKnown(journal, unknown, NO_RELATIVES)) {
    const accountId = (await whereItWent(context, record.id))?.id ?? null;
    const isMarked = hasSomeToken(record.metadata?.description);
    const isThere = ({ sent, isDoubted }: Made): boolean =>
      accountId === null ? isMarked || isDoubted : accountId === sent.external_account_id;
    const like = bucketsOf(made, record)
      .flat()
      .find((one) => isThere(one) && isLike(record)(one));
    if (like === undefined) continue;
    const { row } = like;
    const payout = context.payout(row);
    if ('sent' in payout && isPerhapsOpen(record)) continue;
    context.log.error(
      { row, transaction: record.id },
      'the service holds a payment like this one that this journal does not know',
    );
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
