import type { Transaction } from '../client/wire.ts';
import type { Entry } from '../domain/entry.ts';
import type { Sent } from '../domain/payout.ts';
import { promisesOf } from '../domain/run.ts';
import type { Journal } from '../journal/journal.ts';
import { candidates } from './absence.ts';
import { listTransactions, timeOf } from './listing.ts';
import { isReturn } from './look.ts';
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
 * What it shows is put on disk: two transactions of one payout, one of a payout that was refused, and one like a payout with
 * a token that this journal does not know, as an older copy of it would have forgotten one.
 */
export async function lastLook(context: RunContext, journal: Journal): Promise<void> {
  const { run, owners, tally } = context;
  const attempts = [...run.dead.values()].map(deadAttempt(context));
  const mayFollow = !promisesOf(run).guarantees.replay_protection;
  const paid = new Map<string, Paid[]>();
  for (const [row, payout] of run.payouts) {
    if (!('sent' in payout)) continue;
    // What a person named may be older than anything that we sent.
    if (payout.sent.by !== 'person') attempts.push({ ...searched(context, payout.sent), mayFollow });
    if (payout.state === 'failed') continue;
    const { amount_minor, currency } = payout.sent;
    const key = amountKey({ ...currency, value: amount_minor });
    paid.set(key, [...(paid.get(key) ?? []), { row, sent: payout.sent }]);
  }
  const unknown: Transaction[] = [];
  const unmarked: Transaction[] = [];
  await lookFor(context, attempts, (page) => {
    for (const record of page) {
      const isMarked = hasSomeToken(record.metadata?.description);
      const isUnknown = !owners.has(record.id) && !run.dismissed.has(record.id);
      // What was there when the run was created was looked at before anything was sent.
      const isPayment =
        timeOf(record) >= run.createdAt &&
        record.status !== 'FAILED' &&
        !isReturn(record) &&
        paid.has(amountKey(record.currency_out));
      const found = isMarked ? unknown : unmarked;
      if (isUnknown && isPayment && found.length < UNKNOWN_MAX) found.push(record);
    }
  });
  // A person says first what such payments are of rows that are suspected or unresolved: they may be those rows' own.
  if (tally.suspected + tally.unresolved > 0) return;
  await noteUnknown(context, journal, unknown, paid);
  await noteUnmarked(context, unmarked);
}

type Paid = { row: number; sent: Sent };

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
  paid: ReadonlyMap<string, readonly Paid[]>,
): Promise<void> {
  const entries: Entry[] = [];
  for (const record of await withoutKnown(journal, unknown, NO_RELATIVES)) {
    const accountId = (await whereItWent(context, record.id))?.id ?? null;
    const like = (paid.get(amountKey(record.currency_out)) ?? []).find(
      ({ sent }) => accountId === null || accountId === sent.external_account_id,
    );
    if (like === undefined) continue;
    const { row, sent } = like;
    context.log.error(
      { row, transaction: record.id },
      'the service holds a payment like this one that this journal does not know',
    );
    entries.push({ kind: 'surfaced', row, attempt: sent.attempt, transaction_id: record.id });
  }
  if (entries.length > 0) await context.record(...entries);
}

/**
 * A service that loses or changes descriptions shows a late payout without its token: its amount and its account are left.
 * Where an attempt was called absent and the row was paid by another, what looks like the first is named.
 */
async function noteUnmarked(context: RunContext, unmarked: readonly Transaction[]): Promise<void> {
  const absent = [...context.run.dead.values()].filter(({ by }) => by === 'proof');
  for (const { intent } of unmarked.length === 0 ? [] : absent) {
    const { row } = intent;
    const payout = context.payout(row);
    if (!('sent' in payout)) continue;
    for (const transaction_id of await candidates(context, unmarked, intent)) {
      context.log.error(
        { row, transaction: transaction_id },
        'a payment without a token may have paid this row before',
      );
      await context.record({ kind: 'surfaced', row, attempt: payout.sent.attempt, transaction_id });
    }
  }
}
