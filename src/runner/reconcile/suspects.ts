import type { Transaction } from '../../client/wire.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { concurrently } from '../concurrently.ts';
import { recordInChunks } from '../recorder.ts';
import { type Relatives, relativesOf } from '../retries.ts';
import type { RunContext } from '../run-context.ts';
import { afterDeadlineMs, BEFORE_INTENT_MS, lagMs, lagSeenMs } from './deadlines.ts';
import { listTransactions } from './transactions.ts';
import { isSameAccount, isShownAlike, type Payable, type ShownAccount, UnknownPayments } from './unknown-payments.ts';

const PAGES_MAX = 4_000;
/** How far back a new run looks: two weeks, so that last month's payroll of another journal is no suspect. */
const UNKNOWN_PAST_MS = 14 * 86_400_000;
/** Payments that are named for one row; once a person has dismissed them, the next are. */
const TRANSACTIONS_MAX = 50;

/**
 * Looks, before anything is sent or ended, whether the service holds payments that this journal does not know and that look
 * like rows which wait: then the journal is an old copy that was put back, or another machine ran the same file. Those rows
 * become `suspected`, and nothing is sent until a person has looked at each. A cancelled run is looked at too: nobody may
 * read that a row was not paid before that.
 */
export async function lookForSuspects(context: RunContext): Promise<void> {
  const { clock, stop, journal, run, tally } = context;
  await clock.sleep(othersListedInMs(context), stop);
  if (stop.aborted) return;
  const relatives = await relativesOf(journal, run);
  const sinceMs = await pastBegins(context, relatives);
  // Until a first payout came back whole, nothing shows that this service keeps tokens.
  const unmarkedSinceMs = run.canary === null && run.intents > 0 ? sinceMs : Number.POSITIVE_INFINITY;
  const suspects = await suspectsAmong(context, { sinceMs, unmarkedSinceMs, relatives, couldPay: isSameAccount });
  const reason = { code: 'unknown_payment' as const };
  const entries = [...suspects].map(([row, transactions]): Entry => {
    return { kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason };
  });
  // One that is on disk holds everything up; the others are found again when it is resolved, should we end in between.
  if (entries.length > 0) return recordInChunks(context, entries);
  // A row in doubt may have been made again by an attempt that this journal has forgotten: it is looked for when it waits,
  // as far back as now.
  if (tally.sending + tally.unresolved + tally.in_doubt === 0) await context.record({ kind: 'accounted' });
}

/** Payments of the last two weeks that look like rows which wait and that this journal does not know, by any sender. */
export function recentUnknownPayments(context: RunContext): Promise<Map<number, string[]>> {
  const sinceMs = context.clock.wallMs() - UNKNOWN_PAST_MS;
  return suspectsAmong(context, { sinceMs, unmarkedSinceMs: sinceMs, couldPay: isShownAlike });
}

/**
 * Until what another process paid a moment ago is listed. One whose run was taken over while it may still have been alive
 * can have a request under way, which takes effect until its deadline and is listed later.
 */
function othersListedInMs({ run, mayHaveCompany, profile }: RunContext): number {
  if (mayHaveCompany) return profile.request_lifetime_ms + afterDeadlineMs(run) + lagMs(run);
  return Math.max(promisesOf(run).listing_lag_ms ?? 0, lagSeenMs(run));
}

/**
 * From when on the journal may have forgotten something (Unix ms). A run that was accounted for knows until when. Another
 * one looks back two weeks, and further where the last run of this journal is older: the copy may be as old. A retry
 * looks back to the first run of its rows.
 */
async function pastBegins({ journal, run }: RunContext, relatives: Relatives): Promise<number> {
  const { knownUntil, createdAt, header } = run;
  if (knownUntil !== null) return knownUntil - BEFORE_INTENT_MS;
  const other = (await journal.listRuns(2)).find(({ run_id }) => run_id !== header?.run_id);
  const known = Math.min(other?.created_at ?? createdAt, relatives.since);
  return Math.min(createdAt - UNKNOWN_PAST_MS, known - BEFORE_INTENT_MS);
}

type Search = {
  sinceMs: number;
  unmarkedSinceMs: number;
  relatives?: Relatives;
  couldPay(context: RunContext, order: PayoutOrder, account: ShownAccount | null): boolean;
};

/** The rows that wait and that an unknown payment may have paid, with those payments. */
async function suspectsAmong(context: RunContext, search: Search): Promise<Map<number, string[]>> {
  const unknown = new UnknownPayments(context, () => waitingRows(context, search.unmarkedSinceMs), search.sinceMs);
  await seeAll(context, unknown, search.sinceMs);
  const suspects = new Map<number, string[]>();
  const notShown = new Map<string, number>();
  for await (const { record, account } of unknown.found(search.relatives)) {
    if (account === null) {
      const amounts = amountsOf(record);
      const count = (notShown.get(amounts) ?? 0) + 1;
      notShown.set(amounts, count);
      // Each of these could be any row of its amount: more of them would name no other rows.
      if (count > TRANSACTIONS_MAX) continue;
    }
    for (const { row, order } of unknown.rowsOf(record)) {
      if (!search.couldPay(context, order, account)) continue;
      const transactions = suspects.get(row) ?? [];
      if (transactions.length < TRANSACTIONS_MAX) transactions.push(record.id);
      suspects.set(row, transactions);
    }
  }
  return suspects;
}

type Waiting = Payable & { order: PayoutOrder };

function* waitingOrders(context: RunContext): Generator<PayoutOrder> {
  for (const { order } of context.run.rows)
    if (order !== null && context.payout(order.row).state === 'waiting') yield order;
}

function* waitingRows(context: RunContext, unmarkedSinceMs: number): Generator<Waiting> {
  for (const order of waitingOrders(context))
    yield { row: order.row, amount: order, isConverted: order.source !== null, unmarkedSinceMs, order };
}

async function seeAll(context: RunContext, unknown: UnknownPayments<Waiting>, untilMs: number): Promise<void> {
  const onPage = (page: Transaction[]): true => {
    unknown.see(page);
    return true;
  };
  const options = { pagesMax: PAGES_MAX, untilMs, onPage };
  const { complete } = await listTransactions(context, {}, options);
  if (complete) return;
  // A list without a cursor ends at its newest page: what the journal may have forgotten is searched for by payee.
  const names = new Set(waitingOrders(context).map(nameOf));
  await concurrently(names, context.profile.concurrency, async (search) => {
    await listTransactions(context, { search }, options);
  });
}

/** By what the service's search finds the payments to the row's account. */
function nameOf({ destination, payee }: PayoutOrder): string {
  return destination.kind === 'account' ? destination.account_name : payee.name;
}

function amountsOf({ currency_in, currency_out }: Transaction): string {
  return [currency_in, currency_out].map(({ value, code, chain }) => `${value} ${code} ${chain ?? ''}`).join(' ');
}
