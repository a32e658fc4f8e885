import type { Transaction, TransactionWithDestination } from '../client/wire.ts';
import type { Currency } from '../domain/currencies.ts';
import type { Final } from '../domain/entry.ts';
import type { Sent } from '../domain/payout.ts';
import { concurrently } from './concurrently.ts';
import { Halt } from './halt.ts';
import { haltFor, listTransactions } from './listing.ts';
import type { RunContext } from './recorder.ts';
import { hasToken } from './token.ts';

/** From this many open payouts on, pages of the listing are cheaper than a request for each. */
const BULK_FROM = 8;
const PAGES_MAX = 4_000;
/** The pause between polls grows to this many times the shortest. */
const BACKOFF_TIMES_MAX = 30;
const BACKOFF_GROWTH = 1.5;
/** Requests for single transactions in one round; the others have their turn in the next. */
const SINGLES_MAX = 200;
/** The service's clock may be behind ours by the allowance, with some room. */
const CREATED_BEFORE_MS = 60_000;

/** Reads the accepted payouts until each is final, or `isOver` says to stop. Returns whether all are. */
export async function waitForAll(
  context: RunContext,
  options: { pollEveryMs: number; timeoutMs: number },
): Promise<boolean> {
  const { clock, stop } = context;
  const startedMs = clock.monotonicMs();
  let pauseMs = options.pollEveryMs;
  while (context.tally.accepted > 0) {
    if (stop.aborted) return false;
    if (clock.monotonicMs() - startedMs > options.timeoutMs) {
      throw new Halt('wait_timeout', `${context.tally.accepted} payouts are not final after the time set to wait`);
    }
    const before = context.tally.accepted;
    await pollThroughOutage(context);
    if (context.tally.accepted === 0) break;
    pauseMs =
      context.tally.accepted < before
        ? options.pollEveryMs
        : Math.min(pauseMs * BACKOFF_GROWTH, options.pollEveryMs * BACKOFF_TIMES_MAX);
    await clock.sleep(pauseMs, stop);
  }
  return true;
}

/** A service that is away while we wait is waited for too; only what no time mends ends the wait. */
async function pollThroughOutage(context: RunContext): Promise<void> {
  try {
    await poll(context);
  } catch (error) {
    if (!(error instanceof Halt) || error.reason !== 'outage' || error.refusedCredentials) throw error;
    context.log.warn({ error: error.message }, 'the service is away; still waiting');
  }
}

/** One round: the listing where many are open, single reads for those it did not show. */
export async function poll(context: RunContext): Promise<void> {
  const open = openPayouts(context);
  if (open.size >= BULK_FROM) await pollListing(context, open);
  const rest = [...open.values()].slice(0, SINGLES_MAX);
  await concurrently(rest, context.run.header?.profile.concurrency ?? 1, ({ row, sent }) =>
    pollOne(context, row, sent),
  );
}

type Open = { row: number; sent: Sent };

/** The accepted payouts by transaction id. */
function openPayouts(context: RunContext): Map<string, Open> {
  const open = new Map<string, Open>();
  for (const [row, payout] of context.run.payouts) {
    if (payout.state === 'accepted') open.set(payout.sent.transaction_id, { row, sent: payout.sent });
  }
  return open;
}

/** Removes from `open` what the listing showed; those that are final are recorded. */
async function pollListing(context: RunContext, open: Map<string, Open>): Promise<void> {
  let untilMs = Number.POSITIVE_INFINITY;
  for (const { sent } of open.values()) untilMs = Math.min(untilMs, sent.submittedAt - CREATED_BEFORE_MS);
  const writes: Promise<void>[] = [];
  const singles: Open[] = [];
  try {
    await listTransactions(
      context,
      {},
      {
        priority: 'poll',
        pagesMax: PAGES_MAX,
        untilMs,
        onPage(page) {
          writes.push(recordPage(context, page, open, singles));
          return open.size > 0;
        },
      },
    );
  } finally {
    await Promise.all(writes);
  }
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  await concurrently(singles, concurrency, ({ row, sent }) => pollOne(context, row, sent));
}

async function recordPage(
  context: RunContext,
  page: Transaction[],
  open: Map<string, Open>,
  singles: Open[],
): Promise<void> {
  const finals: Final[] = [];
  for (const record of page) {
    const payout = open.get(record.id);
    if (!payout) continue;
    open.delete(record.id);
    // A record that differs from what we sent is not it, whatever its id: the single record is looked at.
    if (!isSent(record, payout.sent)) singles.push(payout);
    else if (record.status === 'COMPLETED') finals.push(finalOf(payout.row, record));
    // Why it failed stands in the single record only.
    else if (record.status === 'FAILED') singles.push(payout);
  }
  if (finals.length > 0) await context.record(...finals);
}

async function pollOne(context: RunContext, row: number, sent: Sent): Promise<void> {
  if (context.stop.aborted) return;
  const result = await context.client.read('transaction.get', { id: sent.transaction_id });
  if (!result.ok && (result.kind === 'rejected' || result.kind === 'unreadable')) {
    // One record that cannot be read must not keep the others from becoming final: it stays open, and is named at the end.
    context.log.warn({ row, transaction: sent.transaction_id, why: result.message }, 'a transaction cannot be read');
    return;
  }
  if (!result.ok) throw haltFor(result);
  const record = result.data;
  if (!isSent(record, sent)) {
    const message = `row ${row}: transaction ${record.id} was accepted as ours and is not what we sent`;
    throw new Halt('person_needed', message);
  }
  if (record.status === 'COMPLETED' || record.status === 'FAILED') await context.record(finalOf(row, record));
}

/** Our token, amount and currency: what was sent is what became final. */
function isSent(record: Transaction, sent: Sent): boolean {
  const { value, code } = record.currency_out;
  const isSame = value === sent.amount_minor && code === sent.currency.code;
  return isSame && hasToken(record.metadata?.description, sent.token);
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
    message: record.status === 'COMPLETED' ? null : (why?.message ?? 'the service gives no reason'),
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
