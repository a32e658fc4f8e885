import type { Transaction } from '../../client/wire.ts';
import type { Intent } from '../../domain/entry.ts';
import type { Sent } from '../../domain/run/payout.ts';
import type { RunContext } from '../run-context.ts';
import { hasSomeToken } from '../token.ts';
import { BEFORE_INTENT_MS, isListedBy, isListHopeless, lagMs } from './deadlines.ts';
import { isPayment, isReceiptOf, listTransactions, type Match, matchOf, paysAnother, timeOf } from './transactions.ts';

/** Pages of one listing: half a million transactions. */
const PAGES_MAX = 1_000;
/** A record can be so much older, by the service's clock, than its intent by ours, and fall out of the listing. */
const NEIGHBOUR_MARGIN_MS = 60_000;
/** Payments of the same amount whose accounts are read, one by one. */
const CANDIDATES_READ_MAX = 50;

/**
 * What one listing shows of an attempt whose deadline has passed. `early`: by its own clock the service would still have
 * taken the request, or could still list it late. `candidate`: a payment is there that could be this one.
 */
export type Absence =
  | { result: 'seen'; match: Exclude<Match, { kind: 'none' }> }
  | { result: 'candidate'; ids: string[] }
  | { result: 'absent' | 'incomplete' | 'early' };

/**
 * Newest first, back to some minutes before the intent: shows whether the record is there. `listedWithinMs`: how much later
 * than it took effect the payout may be listed.
 */
export async function listForAbsence(context: RunContext, intent: Intent, listedWithinMs: number): Promise<Absence> {
  const untilMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
  const neighbours = neighboursSince(context, untilMs);
  const { records, complete, serverMs } = await listTransactions(context, {}, { pagesMax: PAGES_MAX, untilMs });
  const match = await matchOf(context, intent, records);
  if (match.kind !== 'none') return { result: 'seen', match };
  const shown = new Set(records.map((record) => record.id));
  // Without a `Date` nothing shows that the service's clock has passed the deadline. A record that stands twice in the
  // pages shows that they shifted while they were read, so that another may have been passed over.
  if (!complete || serverMs === null || shown.size < records.length) return { result: 'incomplete' };
  const ids = await candidates(context, records, intent, untilMs);
  if (ids.length > 0) return { result: 'candidate', ids };
  // What was learnt while the pages were read counts too.
  const withinMs = Math.max(listedWithinMs, lagMs(context.run));
  if (!isListedBy(context.run, intent.request, withinMs, serverMs)) return { result: 'early' };
  // What was accepted and is not shown shows that the listing is behind, whatever the service states.
  const missing = neighbours.find(({ transaction_id }) => !shown.has(transaction_id));
  if (missing === undefined) return { result: 'absent' };
  await recordLag(context, missing.transaction_id, context.clock.wallMs() - missing.submittedAt);
  return { result: 'early' };
}

/** A list did not show a transaction so long after it took effect: from now on the service is known to list so late. */
export async function recordLag(context: RunContext, transaction_id: string, lateMs: number): Promise<void> {
  const { run } = context;
  const lag_ms = Math.round(lateMs);
  const isNews = lag_ms > lagMs(run) && !isListHopeless(run);
  if (isNews) await context.record({ kind: 'lag_seen', transaction_id, lag_ms });
}

/**
 * The transactions of this run that a listing back to `untilMs` has to show. Where the service may list late, those that
 * it may have accepted within that time are left out, and always what a person named: that may be older than any intent.
 */
function neighboursSince({ clock, run, profile }: RunContext, untilMs: number): Sent[] {
  const lateMs = lagMs(run);
  const youngestMs = lateMs === 0 ? Infinity : clock.wallMs() - lateMs - profile.request_lifetime_ms;
  const oldestMs = untilMs + NEIGHBOUR_MARGIN_MS;
  const neighbours: Sent[] = [];
  for (const payout of run.payouts.values()) {
    if (!('sent' in payout) || payout.sent.by === 'person') continue;
    const { submittedAt } = payout.sent;
    if (submittedAt >= oldestMs && submittedAt <= youngestMs) neighbours.push(payout.sent);
  }
  return neighbours;
}

/**
 * Payments of the same amount since the intent that no row of this run owns and no other attempt's token marks: a
 * service that loses or changes descriptions shows our payout like this, and absence must not be concluded from it. One
 * that is known to go to another account is somebody else's.
 */
async function candidates(
  context: RunContext,
  records: readonly Transaction[],
  intent: Intent,
  sinceMs: number,
): Promise<string[]> {
  const ids: string[] = [];
  let read = 0;
  for (const record of records) {
    if (!isPayment(record) || timeOf(record) < sinceMs || !isReceiptOf(record, intent)) continue;
    if (context.owners.has(record.id) || context.run.dismissed.has(record.id)) continue;
    if (hasSomeToken(record.metadata?.description)) continue;
    const isElsewhere =
      ++read <= CANDIDATES_READ_MAX && (await paysAnother(context, record.id, intent.external_account_id));
    if (!isElsewhere) ids.push(record.id);
  }
  return ids;
}
