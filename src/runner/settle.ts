import type { Transaction } from '../client/wire.ts';
import type { Intent } from '../domain/entry.ts';
import { assert } from '../domain/refusal.ts';
import { Halt } from './halt.ts';
import { haltFor, listTransactions, timeOf } from './listing.ts';
import type { RunContext } from './recorder.ts';
import { hasSomeToken, hasToken } from './token.ts';

/** How far the service's clock may be from ours (a run does not start at more), with a second for rounding. */
export const CLOCK_ALLOWANCE_MS = 6_000;
const LOOK_FIRST_MS = 250;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Complete listings without a witness that together prove absence, spread over the listing lag. */
const LISTINGS_WITHOUT_WITNESS = 3;
const LISTING_PAUSE_MIN_MS = 1_000;
/** Looks after the deadline: a service whose clock stands still must not hold the run for ever. */
const TURNS_AFTER_DEADLINE_MAX = 60;
/** Pages of one look or one absence listing: half a million transactions. */
const PAGES_MAX = 1_000;
/** How far back before the intent the absence listing reaches. */
const BEFORE_INTENT_MS = 60_000;

/**
 * Settles one in-doubt payout: adopted, proven absent (it is `waiting` again), or unresolved. `mayResend` only for the
 * process that made the intent durable: whoever reads an intent from a journal may only look.
 *
 * Order, by the protocol: look; the same bytes again while they live; after the deadline, absence by a witness or by
 * repeated complete listings, where the profile guarantees enforced expiry; else parked for a person.
 */
export async function settle(context: RunContext, row: number, mayResend: boolean): Promise<void> {
  const { clock, stop } = context;
  const intent = intentOf(context, row);
  const profile = profileOf(context);
  let pauseMs = LOOK_FIRST_MS;
  let resends = 0;
  const canResend = mayResend && profile.guarantees.replay_protection;
  // The request can take effect until its deadline and be listed as much later as the service lists late.
  const deadMs = intent.request.expires * 1_000 + CLOCK_ALLOWANCE_MS + lagMs(context);
  for (;;) {
    if ((await look(context, intent)) === 'found') return;
    if (clock.wallMs() > deadMs) break;
    if (canResend && resends < RESENDS_MAX && clock.wallMs() < intent.request.expires * 1_000) {
      resends++;
      if (await resend(context, intent)) return;
    }
    if (stop.aborted) return;
    await clock.sleep(Math.min(pauseMs, Math.max(deadMs - clock.wallMs(), 0) + 1), stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
  await settleDead(context, intent);
}

/** The request can take effect no more, as far as the clocks tell. */
async function settleDead(context: RunContext, intent: Intent): Promise<void> {
  const { clock, stop } = context;
  const { guarantees } = profileOf(context);
  let listings = 0;
  for (let turn = 0; turn < TURNS_AFTER_DEADLINE_MAX; turn++) {
    const looked = await look(context, intent);
    if (looked === 'found') return;
    const absence = await listForAbsence(context, intent);
    if (absence.result === 'found') return;
    if (absence.result === 'incomplete' || looked === 'incomplete') break;
    if (absence.result === 'absent') listings++;
    const { witness } = absence;
    const isProven = witness !== null || listings >= LISTINGS_WITHOUT_WITNESS;
    if (absence.result === 'absent' && isProven) {
      if (!guarantees.enforces_expiry) break;
      await context.record({
        kind: 'absent',
        row: intent.row,
        attempt: intent.attempt,
        witness,
        listings,
        by: 'listing',
      });
      return;
    }
    if (stop.aborted) return;
    await clock.sleep(Math.max(lagMs(context), LISTING_PAUSE_MIN_MS), stop);
  }
  const reason = guarantees.enforces_expiry
    ? 'the listing of the service is not complete or shows a payment that could be this one, so it proves nothing'
    : 'the service does not promise that an expired request takes no effect, so absence proves nothing';
  if (context.payout(intent.row).state === 'unresolved') return;
  await context.record({
    kind: 'unresolved',
    row: intent.row,
    attempt: intent.attempt,
    about: guarantees.enforces_expiry ? 'incomplete' : 'no_expiry',
    reason,
    transactions: [],
  });
}

/** Searches by the token. Adopts exactly one record of ours; two stop the run. */
async function look(context: RunContext, intent: Intent): Promise<'found' | 'missing' | 'incomplete'> {
  const { records, complete } = await listTransactions(
    context,
    { search: intent.token },
    { priority: 'settle', pagesMax: PAGES_MAX },
  );
  const ours = oursAmong(records, intent);
  await context.record({ kind: 'looked', row: intent.row, attempt: intent.attempt, found: ours.length, complete });
  if (await adopt(context, intent, ours)) return 'found';
  return complete ? 'missing' : 'incomplete';
}

/**
 * Newest first, back to a minute before the intent: shows whether the record is there, and a witness, which is another
 * payout of this run that was accepted after the doubtful one was sent.
 */
async function listForAbsence(context: RunContext, intent: Intent): Promise<Absence> {
  const untilMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
  const { records, complete, serverMs } = await listTransactions(
    context,
    {},
    { priority: 'settle', pagesMax: PAGES_MAX, untilMs },
  );
  const ours = oursAmong(records, intent);
  if (await adopt(context, intent, ours)) return { result: 'found', witness: null };
  // Without a `Date` nothing shows that the service's clock has passed the deadline.
  if (!complete || serverMs === null) return { result: 'incomplete', witness: null };
  if (records.some((record) => couldBeOurs(context, record, intent))) return { result: 'incomplete', witness: null };
  // The service's own clock must have passed the deadline when it listed: ours may be ahead of it.
  if (serverMs <= intent.request.expires * 1_000 + 1_000) {
    return { result: 'early', witness: null };
  }
  const later = acceptedAfter(context, intent);
  const witness = records.find((record) => later.has(record.id) && timeOf(record) >= untilMs);
  return { result: 'absent', witness: witness?.id ?? null };
}

/**
 * A payment of the same amount since the intent that no row of this run owns and no other attempt's token marks: a
 * service that loses or changes descriptions shows our payout like this, and absence must not be concluded from it.
 */
function couldBeOurs(context: RunContext, record: Transaction, intent: Intent): boolean {
  if (record.external_reference_type === 'RETURN' || record.status === 'FAILED') return false;
  if (timeOf(record) < intent.request.created * 1_000 - CLOCK_ALLOWANCE_MS) return false;
  const { value, code } = record.currency_out;
  if (value !== intent.amount_minor || code !== intent.currency.code) return false;
  return !context.owners.has(record.id) && !hasSomeToken(record.metadata?.description);
}

type Absence = {
  /** `early`: by its own clock the service would still have taken the request when it listed. */
  result: 'found' | 'absent' | 'incomplete' | 'early';
  witness: string | null;
};

/** The transactions of this run whose intents came after the doubtful one's. */
function acceptedAfter(context: RunContext, intent: Intent): Set<string> {
  const sentMs = intent.request.created * 1_000;
  const ids = new Set<string>();
  for (const payout of context.run.payouts.values()) {
    if ('sent' in payout && payout.sent.submittedAt > sentMs + 1_000) ids.add(payout.sent.transaction_id);
  }
  return ids;
}

async function adopt(context: RunContext, intent: Intent, ours: Transaction[]): Promise<boolean> {
  const ids = [...new Set(ours.map((record) => record.id))];
  if (ids.length > 1) {
    const message = `row ${intent.row}: the service holds ${ids.length} transactions with the token ${intent.token} (${ids.join(', ')})`;
    throw new Halt('person_needed', message);
  }
  const [id] = ids;
  if (id === undefined) return false;
  const owner = context.owners.get(id);
  if (owner !== undefined && owner !== intent.row) {
    throw new Halt('person_needed', `transaction ${id} carries the token of row ${intent.row} and is row ${owner}'s`);
  }
  await confirmAccount(context, intent, id);
  await context.record({
    kind: 'accepted',
    row: intent.row,
    attempt: intent.attempt,
    transaction_id: id,
    by: 'look',
  });
  return true;
}

/** A listing does not show where the money went; the single record does. Another account's record is not ours. */
async function confirmAccount(context: RunContext, intent: Intent, id: string): Promise<void> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (!result.ok) throw haltFor(result);
  const account = result.data.external_account_metadata?.id;
  if (account && account !== intent.external_account_id) {
    const message = `row ${intent.row}: transaction ${id} carries our token but pays another account`;
    throw new Halt('person_needed', message);
  }
}

/**
 * The records that are this attempt's. One that carries the token and differs in anything else is neither ours nor a sign
 * of absence: sending again would be wrong, adopting it too, so the run stops for a person.
 */
function oursAmong(records: Transaction[], intent: Intent): Transaction[] {
  const marked = records.filter((record) => mentions(record, intent.token));
  const stranger = marked.find((record) => !isOurs(record, intent));
  if (stranger === undefined) return marked;
  const message = `row ${intent.row}: transaction ${stranger.id} carries our token ${intent.token} but is not what we sent`;
  throw new Halt('person_needed', message);
}

/** Anywhere in the description and in any case. A bank's return is no second payout, whatever it quotes. */
function mentions(record: Transaction, token: string): boolean {
  if (record.external_reference_type === 'RETURN') return false;
  return record.metadata?.description?.toUpperCase().includes(token) === true;
}

/** Ours: the token as a whole word, and the currency and amount of the intent. */
export function isOurs(record: Transaction, intent: Intent): boolean {
  if (!hasToken(record.metadata?.description, intent.token)) return false;
  const { value, code, chain } = record.currency_out;
  return value === intent.amount_minor && code === intent.currency.code && (chain ?? null) === intent.currency.chain;
}

async function resend(context: RunContext, intent: Intent): Promise<boolean> {
  const outcome = await context.client.resend(intent.request);
  if (outcome.kind !== 'accepted' || typeof outcome.data !== 'string') return false;
  await context.record({
    kind: 'accepted',
    row: intent.row,
    attempt: intent.attempt,
    transaction_id: outcome.data,
    by: 'resend',
  });
  return true;
}

function intentOf(context: RunContext, row: number): Intent {
  const payout = context.payout(row);
  assert(payout.state === 'in_doubt' || payout.state === 'unresolved', `row ${row} is ${payout.state}, not in doubt`);
  return payout.intent;
}

/** How late the service may list: as its profile says, or as the canary showed. */
function lagMs(context: RunContext): number {
  return Math.max(profileOf(context).listing_lag_ms, context.run.canary?.visible_after_ms ?? 0);
}

function profileOf(context: RunContext) {
  assert(context.run.header, 'a run without its header');
  return context.run.header.profile;
}
