import type { Transaction } from '../../client/wire.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunContext } from '../run-context.ts';
import { concurrently } from '../submit/concurrently.ts';
import { type Relatives, relativesOf } from '../submit/retries.ts';
import { hasSomeToken } from '../submit/token.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { listTransactions, timeOf } from './listing.ts';
import { isReturn } from './look.ts';
import { afterDeadlineMs, lagMs, lagSeenMs } from './patience.ts';
import { isSameAccount, isShownAlike, type Where, whereItWent, withoutKnown } from './unknown-payments.ts';

const PAGES_MAX = 4_000;
/** How far back a new run looks: two weeks, so that last month's payroll of another journal is no suspect. */
const UNKNOWN_PAST_MS = 14 * 86_400_000;
/** Single records that are read to see where the money went. */
const READS_MAX = 1_000;
/** Payments that are named for one row; once a person has dismissed them, the next are. */
const TRANSACTIONS_MAX = 50;
/** Entries of one commit. */
const CHUNK_ENTRIES = 1_024;

/**
 * Looks, before anything is sent or given up, whether the service holds payments that this journal does not know and that look like
 * rows which wait: then the journal is an old copy that was put back, or another machine ran the same file. Those rows
 * become `suspected`, and nothing is sent until a person has looked at each. Of a cancelled run too: nobody must be told
 * that a row was not paid before that.
 */
export async function lookForSuspects(context: RunContext, journal: Journal): Promise<void> {
  await context.clock.sleep(othersListedInMs(context), context.stop);
  if (context.stop.aborted) return;
  const relatives = await relativesOf(journal, context.run);
  const since = {
    sinceMs: await pastBegins(context, journal, relatives),
    relatives,
    isOurs: hasOurToken,
    couldPay: isSameAccount,
  };
  const suspects = await unknownPayments(context, journal, since);
  const entries = [...suspects].map(([row, transactions]): Entry => {
    const reason = 'the service holds a payment like it which this journal does not know';
    return { kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason };
  });
  if (entries.length === 0) return account(context);
  // One that is on disk holds everything up; the others are found again when it is resolved, should we end in between.
  for (let at = 0; at < entries.length; at += CHUNK_ENTRIES) {
    await context.record(...entries.slice(at, at + CHUNK_ENTRIES));
  }
}

/**
 * Until what another process paid a moment ago is listed. One whose run was taken over while it may still have been alive
 * can have a request under way, which takes effect until its deadline and is listed later.
 */
function othersListedInMs(context: RunContext): number {
  const { run } = context;
  if (context.mayHaveCompany) {
    return (run.header?.profile.request_lifetime_ms ?? 0) + afterDeadlineMs(context) + lagMs(context);
  }
  return Math.max(promisesOf(run).listing_lag_ms ?? 0, lagSeenMs(context));
}

/** Payments of the last two weeks that look like rows which wait and that this journal does not know, whoever made them. */
export function recentUnknownPayments(context: RunContext, journal: Journal): Promise<Map<number, string[]>> {
  const relatives: Relatives = { runs: new Set(), rows: new Set(), since: Number.POSITIVE_INFINITY };
  const sinceMs = context.clock.wallMs() - UNKNOWN_PAST_MS;
  return unknownPayments(context, journal, { sinceMs, relatives, isOurs: () => true, couldPay: isShownAlike });
}

type Since = {
  sinceMs: number;
  relatives: Relatives;
  isOurs: (context: RunContext, record: Transaction) => boolean;
  couldPay: CouldPay;
};

/** Whether the money may have gone where the row's goes. */
type CouldPay = (context: RunContext, order: PayoutOrder, where: Where | null) => boolean;

/** By row. */
async function unknownPayments(
  context: RunContext,
  journal: Journal,
  { sinceMs, relatives, isOurs, couldPay }: Since,
): Promise<Map<number, string[]>> {
  const waiting = waitingByAmount(context);
  const strangers = await strangersSince(context, sinceMs, waiting, isOurs);
  if (strangers.length === 0) return new Map();
  return suspectsOf(context, waiting, await withoutKnown(journal, strangers, relatives), couldPay);
}

/** Until a first payout came back whole, nothing shows that this service keeps tokens. */
function hasOurToken({ run }: RunContext, record: Transaction): boolean {
  return hasSomeToken(record.metadata?.description) || (run.canary === null && run.intents > 0);
}

/**
 * Nothing is there that looks like a row which waits. A row in doubt may have been made again by an attempt that this
 * journal has forgotten: it is looked for when it waits, as far back as now.
 */
async function account(context: RunContext): Promise<void> {
  const { sending, unresolved, in_doubt } = context.tally;
  if (sending + unresolved + in_doubt === 0) await context.record({ kind: 'accounted' });
}

/** The rows that the unknown payments could be, with those payments. */
async function suspectsOf(
  context: RunContext,
  waiting: Map<string, PayoutOrder[]>,
  unknown: Transaction[],
  couldPay: CouldPay,
): Promise<Map<number, string[]>> {
  const suspects = new Map<number, string[]>();
  const unread = new Map<string, number>();
  let reads = 0;
  for (const record of unknown) {
    const where = ++reads <= READS_MAX ? await whereItWent(context, record.id) : null;
    const key = `${amountKey(record.currency_in)} ${amountKey(record.currency_out)}`;
    if (where === null) unread.set(key, (unread.get(key) ?? 0) + 1);
    // Each of these could be any row of its amount: more of them would name no other rows.
    if ((unread.get(key) ?? 0) > TRANSACTIONS_MAX) continue;
    for (const { row } of waitingFor(waiting, record).filter((one) => couldPay(context, one, where))) {
      const transactions = suspects.get(row) ?? [];
      if (transactions.length < TRANSACTIONS_MAX) transactions.push(record.id);
      suspects.set(row, transactions);
    }
  }
  return suspects;
}

/**
 * From when on the journal may have forgotten something (Unix ms). A run that was accounted for knows until when. Another
 * one looks back two weeks, and further where the last run of this journal is older: the copy may be as old. A retry
 * looks back to the first run of its rows.
 */
async function pastBegins(context: RunContext, journal: Journal, relatives: Relatives): Promise<number> {
  const { knownUntil, createdAt, header } = context.run;
  if (knownUntil !== null) return knownUntil - BEFORE_INTENT_MS;
  const other = (await journal.listRuns(2)).find(({ run_id }) => run_id !== header?.run_id);
  const known = Math.min(other?.created_at ?? createdAt, relatives.since);
  return Math.min(createdAt - UNKNOWN_PAST_MS, known - BEFORE_INTENT_MS);
}

function waitingByAmount(context: RunContext): Map<string, PayoutOrder[]> {
  const waiting = new Map<string, PayoutOrder[]>();
  for (const { order } of context.run.rows) {
    if (order === null || context.payout(order.row).state !== 'waiting') continue;
    const key = amountKey({ ...order.currency, value: order.amount_minor });
    const same = waiting.get(key);
    if (same) same.push(order);
    else waiting.set(key, [order]);
  }
  return waiting;
}

/**
 * The rows whose payees are to receive what those of the record do. What was sent is no mark of a row that is converted:
 * nobody here knows by which rate it would have been.
 */
function waitingFor(waiting: Map<string, PayoutOrder[]>, record: Transaction): PayoutOrder[] {
  const [received, sent] = [amountKey(record.currency_in), amountKey(record.currency_out)];
  const rows = waiting.get(received) ?? [];
  if (received === sent) return rows;
  return [...rows, ...(waiting.get(sent) ?? []).filter(({ source }) => source === null)];
}

function isWaitedFor(waiting: Map<string, PayoutOrder[]>, { currency_in, currency_out }: Transaction): boolean {
  return waiting.has(amountKey(currency_in)) || waiting.has(amountKey(currency_out));
}

export function amountKey({
  value,
  code,
  chain,
}: {
  value: string;
  code: string;
  chain?: string | null | undefined;
}): string {
  return `${value} ${code} ${chain ?? ''}`;
}

/** Payments of an amount that waits, by some payrun as far as `isOurs` tells, and with no owner here. */
async function strangersSince(
  context: RunContext,
  sinceMs: number,
  waiting: Map<string, PayoutOrder[]>,
  isOurs: (context: RunContext, record: Transaction) => boolean,
): Promise<Transaction[]> {
  const strangers = new Map<string, Transaction>();
  const { owners, run } = context;
  const isStranger = (record: Transaction): boolean =>
    isWaitedFor(waiting, record) &&
    timeOf(record) >= sinceMs &&
    record.status !== 'FAILED' &&
    !isReturn(record) &&
    !owners.has(record.id) &&
    !run.dismissed.has(record.id) &&
    isOurs(context, record);
  const onPage = (page: Transaction[]): boolean => {
    for (const record of page) if (isStranger(record)) strangers.set(record.id, record);
    return true;
  };
  const options = { priority: 'settle' as const, pagesMax: PAGES_MAX, untilMs: sinceMs, onPage };
  const { complete } = await listTransactions(context, {}, options);
  // A list without a cursor ends at its newest page: what the journal may have forgotten is asked for by payee.
  if (!complete) {
    const names = new Set([...waiting.values()].flat().map(nameOf));
    const concurrency = run.header?.profile.concurrency ?? 1;
    await concurrently(names, concurrency, async (search) => {
      await listTransactions(context, { search }, options);
    });
  }
  return [...strangers.values()];
}

/** By what the service's search finds the payments to the row's account. */
function nameOf({ destination, payee }: PayoutOrder): string {
  return destination.kind === 'account' ? destination.account_name : payee.name;
}
