import type { Transaction } from '../../client/wire.ts';
import type { Intent } from '../../domain/entry.ts';
import type { Sent } from '../../domain/run/payout.ts';
import type { RunContext } from '../run-context.ts';
import { hasSomeToken } from '../submit/token.ts';
import { listTransactions, timeOf } from './listing.ts';
import { isReceiptOf, isReturn, paysAnother, type Sight, sightOf } from './look.ts';
import { afterDeadlineMs, CLOCK_ALLOWANCE_MS, DATE_GRAIN_MS, isListHopeless, lagMs } from './patience.ts';

/** Pages of one absence listing: half a million transactions. */
const PAGES_MAX = 1_000;
/** How far back before the intent the listing reaches: a clock may have been set in between. */
export const BEFORE_INTENT_MS = 360_000;
/** A record can be so much older, by the service's clock, than its intent by ours, and fall out of the listing. */
const NEIGHBOUR_MARGIN_MS = 60_000;
/** Payments of the same amount whose accounts are asked for, one by one. */
const CANDIDATES_READ_MAX = 50;

/**
 * What one listing shows of an attempt whose deadline has passed. `early`: by its own clock the service would still have
 * taken the request, or could still list it late. `candidate`: a payment is there that could be this one.
 */
export type Absence =
  | { result: 'seen'; sight: Exclude<Sight, { kind: 'none' }> }
  | { result: 'absent' }
  | { result: 'candidate'; ids: string[] }
  | { result: 'incomplete' }
  | { result: 'early' };

/**
 * Newest first, back to some minutes before the intent: shows whether the record is there. `listedWithinMs`: how much later
 * than it took effect the payout may be listed.
 */
export async function listForAbsence(context: RunContext, intent: Intent, listedWithinMs: number): Promise<Absence> {
  const untilMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
  const neighbours = neighboursSince(context, untilMs);
  const options = { priority: 'settle' as const, pagesMax: PAGES_MAX, untilMs };
  const { records, complete, serverMs } = await listTransactions(context, {}, options);
  const sight = await sightOf(context, intent, records);
  if (sight.kind !== 'none') return { result: 'seen', sight };
  // Without a `Date` nothing shows that the service's clock has passed the deadline. A record that stands twice in the
  // pages shows that they shifted while they were read, so that another may have been passed over.
  if (!complete || serverMs === null || hasDouble(records)) return { result: 'incomplete' };
  const ids = await candidates(context, records, intent);
  if (ids.length > 0) return { result: 'candidate', ids };
  // The service's own clock must have passed the deadline when it listed, and its listing lag too: ours may be ahead.
  const commitMs = afterDeadlineMs(context) - CLOCK_ALLOWANCE_MS;
  const fromMs = intent.request.expires * 1_000 + DATE_GRAIN_MS + commitMs + listedWithinMs;
  if (serverMs <= fromMs) return { result: 'early' };
  // What was accepted and is not shown shows that the listing is behind, whatever the service states.
  const shown = new Set(records.map((record) => record.id));
  const missing = neighbours.find(({ transaction_id }) => !shown.has(transaction_id));
  if (missing === undefined) return { result: 'absent' };
  await recordLag(context, missing);
  return { result: 'early' };
}

/** A listing did not show a transaction by now: from now on the service is known to list so late. */
export async function recordLag(context: RunContext, { transaction_id, submittedAt }: Sent): Promise<void> {
  const lag_ms = Math.round(context.clock.wallMs() - submittedAt);
  const isNews = lag_ms > lagMs(context) && !isListHopeless(context);
  if (isNews) await context.record({ kind: 'lag_seen', transaction_id, lag_ms });
}

/**
 * The transactions of this run that a listing back to `untilMs` has to show. Where the service may list late, those that
 * it may have accepted within that time are left out.
 */
function neighboursSince(context: RunContext, untilMs: number): Sent[] {
  const { clock, run } = context;
  const lateMs = lagMs(context);
  const lifetimeMs = run.header?.profile.request_lifetime_ms ?? 0;
  const youngestMs = lateMs === 0 ? Number.POSITIVE_INFINITY : clock.wallMs() - lateMs - lifetimeMs;
  const oldestMs = untilMs + NEIGHBOUR_MARGIN_MS;
  const neighbours: Sent[] = [];
  for (const payout of run.payouts.values()) {
    if (!('sent' in payout)) continue;
    const { submittedAt, by } = payout.sent;
    // What a person named may be older than anything that we sent.
    if (by === 'person') continue;
    if (submittedAt >= oldestMs && submittedAt <= youngestMs) neighbours.push(payout.sent);
  }
  return neighbours;
}

function hasDouble(records: Transaction[]): boolean {
  return new Set(records.map((record) => record.id)).size !== records.length;
}

/**
 * Payments of the same amount since the intent that no row of this run owns and no other attempt's token marks: a
 * service that loses or changes descriptions shows our payout like this, and absence must not be concluded from it. One
 * that is known to go to another account is somebody else's.
 */
export async function candidates(
  context: RunContext,
  records: readonly Transaction[],
  intent: Intent,
): Promise<string[]> {
  // Our clock may have been set ahead when it was sent.
  const sinceMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
  const ids: string[] = [];
  let read = 0;
  for (const record of records) {
    if (isReturn(record) || record.status === 'FAILED' || timeOf(record) < sinceMs) continue;
    if (!isReceiptOf(record, intent) || context.owners.has(record.id) || context.run.dismissed.has(record.id)) continue;
    if (hasSomeToken(record.metadata?.description)) continue;
    const isElsewhere =
      ++read <= CANDIDATES_READ_MAX && (await paysAnother(context, record.id, intent.external_account_id));
    if (!isElsewhere) ids.push(record.id);
  }
  return ids;
}
