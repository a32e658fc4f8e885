import type { Transaction } from '../client/wire.ts';
import type { Entry } from '../domain/entry.ts';
import type { Sent } from '../domain/payout.ts';
import { promisesOf } from '../domain/run.ts';
import type { Journal } from '../journal/journal.ts';
import { listTransactions, timeOf } from './listing.ts';
import { type AmountSent, isReturn } from './look.ts';
import type { RunContext } from './recorder.ts';
import type { Relatives } from './retries.ts';
import { deadAttempt, type Looked, lookFor } from './surfaced.ts';
import { amountKey } from './suspects.ts';
import { hasSomeToken } from './token.ts';
import { whereItWent, withoutKnown } from './unknown-payments.ts';

/** Pages of a search for one token. */
const PAGES_MAX = 20;
/** Payments of unknown tokens whose accounts are read. */
const UNKNOWN_MAX = 1_000;

/**
 * Before the run is finished: one complete look at all that it sent, when none of it can take effect or be listed any more.
 * What it shows is put on disk: two transactions of one payout, one of a payout that was refused, one like a payout with
 * a token that this journal does not know, as an older copy of it would have forgotten one, and one like a payout without a token.
 */
export async function lastLook(context: RunContext, journal: Journal): Promise<void> {
  const { run, owners, tally } = context;
  const attempts = [...run.dead.values()].map(deadAttempt(context));
  const mayFollow = !promisesOf(run).guarantees.replay_protection;
  const made = new Map<string, Made[]>();
  const add = (one: Made): void =>
    void made.set(receiptKey(one.sent), [...(made.get(receiptKey(one.sent)) ?? []), one]);
  const absent = new Set<number>();
  for (const { by, intent } of run.dead.values()) {
    const { row } = intent;
    if (by === 'proof') absent.add(row);
    else if (context.payout(row).state === 'rejected') add({ row, sent: intent, mayHaveCopy: true, isRefused: true });
  }
  for (const [row, payout] of run.payouts) {
    if (!('sent' in payout)) continue;
    // What a person named may be older than anything that we sent.
    if (payout.sent.by !== 'person') attempts.push({ ...searched(context, payout.sent), mayFollow });
    if (payout.state === 'failed') continue;
    add({ row, sent: payout.sent, mayHaveCopy: mayFollow || absent.has(row), isRefused: false });
  }
  const unknown: Transaction[] = [];
  await lookFor(context, attempts, (page) => {
    for (const record of page) {
      const isUnknown = !owners.has(record.id) && !run.dismissed.has(record.id);
      // What was there when the run was created was looked at before anything was sent.
      const isPayment =
        timeOf(record) >= run.createdAt &&
        record.status !== 'FAILED' &&
        !isReturn(record) &&
        likeIt(made, record).length > 0;
      if (isUnknown && isPayment && unknown.length < UNKNOWN_MAX) unknown.push(record);
    }
  });
  // A person says first what such payments are of rows that are suspected or unresolved: they may be those rows' own.
  if (unknown.length > 0 && tally.suspected + tally.unresolved === 0)
    await noteUnknown(context, journal, unknown, made);
}

/** What was asked of the service for a row. */
type Asked = AmountSent & { attempt: number; external_account_id: string };

/**
 * `mayHaveCopy`: another of its requests may have taken effect, as far as answers, listings and promises go. `isRefused`:
 * the service refused it, and nothing else pays the row.
 */
type Made = { row: number; sent: Asked; mayHaveCopy: boolean; isRefused: boolean };
type MadeByReceipt = ReadonlyMap<string, readonly Made[]>;

/** By what the payee receives: another attempt may have cost another amount. */
function receiptKey({ amount_minor, currency, received }: AmountSent): string {
  if (received === null) return `out ${amountKey({ ...currency, value: amount_minor })}`;
  return `in ${amountKey({ ...received.currency, value: received.amount_minor })}`;
}

/**
 * The payouts that a payment could be a copy of. A service that loses or changes descriptions shows a copy without its
 * token: that is asked only of payouts which may have one.
 */
function likeIt(made: MadeByReceipt, { currency_out, currency_in, metadata }: Transaction): Made[] {
  const keys = [`out ${amountKey(currency_out)}`, `in ${amountKey(currency_in)}`];
  const isMarked = hasSomeToken(metadata?.description);
  return keys.flatMap((key) => made.get(key) ?? []).filter(({ mayHaveCopy }) => isMarked || mayHaveCopy);
}

function searched(context: RunContext, { token, submittedAt, expires }: Sent): Omit<Looked, 'mayFollow'> {
  const look = async (): Promise<void> => {
    await listTransactions(context, { search: token }, { priority: 'settle', pagesMax: PAGES_MAX });
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
  for (const record of await withoutKnown(journal, unknown, NO_RELATIVES)) {
    const accountId = (await whereItWent(context, record.id))?.id ?? null;
    const like = likeIt(made, record).find(({ sent }) => accountId === null || accountId === sent.external_account_id);
    if (like === undefined) continue;
    const { row, sent, isRefused } = like;
    context.log.error(
      { row, transaction: record.id },
      'the service holds a payment like this one that this journal does not know',
    );
    if (!isRefused) entries.push({ kind: 'surfaced', row, attempt: sent.attempt, transaction_id: record.id });
    else refused.set(row, [...(refused.get(row) ?? []), record.id]);
  }
  for (const [row, transactions] of refused) {
    const reason = 'the service refused it, and holds a payment like it which this journal does not know';
    entries.push({ kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason });
  }
  if (entries.length > 0) await context.record(...entries);
}
