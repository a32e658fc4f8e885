import type { Priority } from '../client/line.ts';
import type { Transaction, TransactionWithDestination } from '../client/wire.ts';
import type { Currency } from '../domain/currencies.ts';
import type { Final } from '../domain/entry.ts';
import type { Sent } from '../domain/run/payout.ts';
import { concurrently } from './concurrently.ts';
import { haltFor } from './halt.ts';
import type { HintedPayouts } from './hinted.ts';
import { lagMs } from './reconcile/deadlines.ts';
import { doubtTransaction } from './reconcile/reconcile.ts';
import { isAmountOf, listTransactions, PAGE_SIZE } from './reconcile/transactions.ts';
import type { RunContext } from './run-context.ts';
import { hasSomeToken, hasToken } from './token.ts';

/** From this many open payouts on, pages of the listing are cheaper than a request for each. */
const BULK_FROM = 8;
const PAGES_MAX = 4_000;
/** Requests for single transactions in one round; the others have their turn in the next. */
const SINGLES_MAX = 200;
/** The same in a round beside payouts, where the next look at all is not to wait: why each failed can be read later. */
const WATCH_SINGLES_MAX = BULK_FROM;
/** The service's clock may be behind ours by the allowance, with some room. */
const CREATED_BEFORE_MS = 60_000;

type Open = { row: number; sent: Sent };

/** One round over all: the listing where many are open, single reads for those it did not show. */
export async function poll(context: RunContext): Promise<void> {
  const open = openPayouts(context);
  if (open.size >= BULK_FROM) await pollSingly(context, await pollListing(context, open));
  await pollSingly(context, [...open.values()].slice(0, SINGLES_MAX));
}

/** One round over all beside payouts, by requests that have their turns among them. */
export async function watch(context: RunContext): Promise<void> {
  const open = openPayouts(context);
  const looked = open.size > 1 ? await pollListing(context, open, { priority: 'watch' }) : [];
  const singles = [...looked, ...open.values()].slice(0, WATCH_SINGLES_MAX);
  await pollSingly(context, singles, 'watch');
}

/**
 * One round over the payouts that webhooks reported, by as few requests as serve: one for each, or the pages of the
 * listing that reach back to the oldest of them.
 */
export async function pollHinted(context: RunContext, hinted: HintedPayouts): Promise<void> {
  const open = openPayouts(context);
  const wanted = new Map<string, Open>();
  for (const id of hinted.rows(context).keys()) {
    const payout = open.get(id);
    if (payout) wanted.set(id, payout);
  }
  const asked = new Set(wanted.keys());
  if (wanted.size > pagesBackTo(context, wanted))
    await pollSingly(context, await pollListing(context, wanted, { areHinted: true }));
  const rest = [...wanted.values()];
  await pollSingly(context, rest.slice(0, SINGLES_MAX));
  for (const { sent } of rest.slice(SINGLES_MAX)) asked.delete(sent.transaction_id);
  hinted.forget(asked);
}

/** The accepted payouts by transaction id. */
function openPayouts(context: RunContext): Map<string, Open> {
  const open = new Map<string, Open>();
  for (const [row, payout] of context.run.payouts) {
    if (payout.state === 'accepted' && !context.misfits.has(row))
      open.set(payout.sent.transaction_id, { row, sent: payout.sent });
  }
  return open;
}

/** The accepted payout that is this transaction; null where there is none. */
function openAs(context: RunContext, id: string): Open | null {
  const row = context.owners.get(id);
  if (row === undefined || context.misfits.has(row)) return null;
  const payout = context.payout(row);
  const isOpen = payout.state === 'accepted' && payout.sent.transaction_id === id;
  return isOpen ? { row, sent: payout.sent } : null;
}

/** Pages that hold what this run sent since the oldest of `payouts`. Others may have sent too, so it is an estimate. */
function pagesBackTo(context: RunContext, payouts: Map<string, Open>): number {
  const fromMs = oldestMs(payouts);
  let count = 0;
  for (const payout of context.run.payouts.values()) {
    if ('sent' in payout && payout.sent.submittedAt >= fromMs) count++;
  }
  return Math.ceil(count / PAGE_SIZE);
}

/** When the first of the payouts can have been created, Unix ms. */
function oldestMs(payouts: Map<string, Open>): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { sent } of payouts.values()) oldest = Math.min(oldest, sent.submittedAt - CREATED_BEFORE_MS);
  return oldest;
}

/** `areHinted`: webhooks reported the payouts that are wanted. */
type Round = { wanted: Map<string, Open>; areHinted: boolean; taken: Set<string>; singles: Open[] };

/**
 * Reads the listing until it showed all of `wanted`, from which what was shown is removed. What it shows of other payouts is
 * taken along: the round may have waited long for its turn. Those that are completed are recorded, and those whose single
 * record is to be read are returned.
 */
async function pollListing(
  context: RunContext,
  wanted: Map<string, Open>,
  { priority = 'poll', areHinted = false }: { priority?: Priority; areHinted?: boolean } = {},
): Promise<Open[]> {
  const untilMs = oldestMs(wanted);
  const writes: Promise<void>[] = [];
  const round: Round = { wanted, areHinted, taken: new Set(), singles: [] };
  try {
    await listTransactions(
      context,
      {},
      {
        priority,
        pagesMax: PAGES_MAX,
        untilMs,
        onPage(page) {
          const write = recordPage(context, page, round);
          // It is awaited at the end; should it fail before, nobody listens yet, and that would end the process.
          write.catch(() => {});
          writes.push(write);
          return wanted.size > 0;
        },
      },
    );
  } finally {
    await Promise.all(writes);
  }
  return round.singles;
}

async function recordPage(
  context: RunContext,
  page: Transaction[],
  { wanted, areHinted, taken, singles }: Round,
): Promise<void> {
  const finals: Final[] = [];
  const failed: number[] = [];
  for (const record of page) {
    const payout = openAs(context, record.id);
    if (payout === null || taken.has(record.id)) continue;
    taken.add(record.id);
    const isHinted = wanted.delete(record.id) && areHinted;
    // A record that differs from what we sent is not it, whatever its id: the single record is looked at.
    if (!isSent(record, payout.sent)) singles.push(payout);
    else if (record.status === 'COMPLETED') finals.push(finalOf(payout.row, record));
    else if (record.status === 'FAILED') {
      // Why it failed stands in the single record only.
      singles.push(payout);
      failed.push(payout.row);
    }
    // A webhook reported a change that the listing does not show: it may be late, the single record is not.
    else if (isHinted) singles.push(payout);
  }
  if (finals.length > 0) await context.record(...finals);
  context.breaker.saw(failed);
}

async function pollSingly(context: RunContext, payouts: readonly Open[], priority: Priority = 'poll'): Promise<void> {
  await concurrently(payouts, context.profile.concurrency, (payout) => pollOne(context, payout, priority));
}

async function pollOne(context: RunContext, { row, sent }: Open, priority: Priority): Promise<void> {
  if (context.stop.aborted) return;
  const result = await context.client.read('transaction.get', { id: sent.transaction_id }, priority);
  if (!result.ok && result.kind === 'rejected' && isUnknownByNow(context, sent)) {
    return doubtTransaction(context, row, sent);
  }
  if (!result.ok && (result.kind === 'rejected' || result.kind === 'unreadable')) {
    // One record that cannot be read must not keep the others from becoming final: it stays open, and is named at the end.
    context.logOf(row).warn({ why: result.kind }, 'a transaction cannot be read');
    return;
  }
  if (!result.ok) throw haltFor(result);
  const record = result.data;
  if (!isWhatWasSent(record, sent)) {
    context.misfits.set(row, record.id);
    return;
  }
  if (record.status === 'COMPLETED' || record.status === 'FAILED') await context.record(finalOf(row, record));
}

/** Whether the service has had the time to know a transaction that it answered with. */
function isUnknownByNow(context: RunContext, { submittedAt, by }: Sent): boolean {
  const { clock, profile, run } = context;
  const isAnswered = by === 'answer' || by === 'resend';
  return isAnswered && clock.wallMs() - submittedAt > profile.request_lifetime_ms + lagMs(run);
}

/** Whether the record of a payout's id is what was sent, also where its description is another by now. */
export function isWhatWasSent(record: TransactionWithDestination, sent: Sent): boolean {
  return isSent(record, sent) || isSentByAccount(record, sent);
}

/** Our token, amount and currency: what was sent is what became final. */
function isSent(record: Transaction, sent: Sent): boolean {
  return isAmountOf(record, sent) && hasToken(record.metadata?.description, sent.token);
}

/**
 * The record of the id that we were given, where its description changed since: amount and currency, no other payout's
 * token, and the account where the service shows it.
 */
function isSentByAccount(record: TransactionWithDestination, sent: Sent): boolean {
  const account = record.external_account_metadata?.id;
  const isElsewhere = Boolean(account) && sent.external_account_id !== '' && account !== sent.external_account_id;
  // A person has looked at it.
  const isUnmarked = sent.by === 'person' || !hasSomeToken(record.metadata?.description);
  return isAmountOf(record, sent) && !isElsewhere && isUnmarked;
}

/** The entry of a record that is final. Any other status, a word we do not know among them, is not. */
function finalOf(row: number, record: Transaction & Partial<TransactionWithDestination>): Final {
  const fees = (record.fees ?? []).filter((fee) => fee.value.code === record.currency_out.code);
  const why = record.failure_reason;
  return {
    kind: 'final',
    row,
    transaction_id: record.id,
    status: record.status === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
    code: record.status === 'COMPLETED' ? null : (why?.code ?? 'FAILED'),
    message: record.status === 'COMPLETED' ? null : (why?.message ?? null),
    sent_minor: record.currency_out.value,
    sent_currency: currencyOf(record.currency_out),
    received_minor: record.currency_in.value,
    received_currency: currencyOf(record.currency_in),
    fees_minor: fees.reduce((sum, fee) => sum + BigInt(fee.value.value), 0n).toString(),
  };
}

function currencyOf(wire: Transaction['currency_out']): Currency {
  return { code: wire.code, chain: wire.chain ?? null, decimals: wire.decimals };
}
