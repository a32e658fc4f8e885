import { isRefusal } from '../../client/classify.ts';
import type { FirstCopy, Intent, UnresolvedAbout } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { PayoutState, Sent } from '../../domain/run/payout.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunContext } from '../run-context.ts';
import { listForAbsence } from './absence.ts';
import { haltFor } from './listing.ts';
import { park, type Sight, search, sightOf } from './look.ts';
import { afterDeadlineMs, isExpiryEnforced, isListHopeless, lagMs } from './patience.ts';

const LOOK_FIRST_MS = 250;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Complete listings that together prove absence, after the time in which a listing may be late. */
const LISTINGS_FOR_ABSENCE = 3;
const LISTING_PAUSE_MIN_MS = 1_000;
const LISTING_PAUSE_MAX_MS = 5_000;
/** Listings that prove nothing because they are not complete: pages may shift for a moment, but not for long. */
const INCOMPLETE_MAX = 3;
/** Looks after the deadline: a service whose clock stands still must not hold the run for ever. */
const TURNS_AFTER_DEADLINE_MAX = 60;
/** How many listing lags a request is looked for that the service says it had. */
const REPLAYED_LAGS = 3;

type Open = Extract<PayoutState, { state: 'in_doubt' | 'unresolved' }>;

/**
 * Settles one in-doubt payout: adopted, proven absent (it is `waiting` again), or unresolved. `mayResend` only for the
 * process that made the intent durable: whoever reads an intent from a journal may only look.
 *
 * Order, by the protocol: look; what the service says of the first copy; the same bytes again while they live; after the
 * deadline and the listing lag, absence by repeated complete listings, unless anything speaks against it; else parked for
 * a person.
 */
export async function settle(context: RunContext, row: number, mayResend: boolean): Promise<void> {
  const { clock, stop } = context;
  const { intent } = openOf(context, row);
  const startedMs = clock.monotonicMs();
  const lifetimeMs = (intent.request.expires - intent.request.created) * 1_000;
  // The request can take effect until its deadline and be listed as much later as the service lists late. Whatever the
  // wall clock is set to meanwhile, a request that was there when we began is dead after one lifetime.
  const leftMs = (): number => {
    const patienceMs = afterDeadlineMs(context) + listedWithinMs(context, row);
    const byWallMs = intent.request.expires * 1_000 + patienceMs - clock.wallMs();
    return Math.min(byWallMs, lifetimeMs + patienceMs - (clock.monotonicMs() - startedMs));
  };
  const canResend = mayResend && promisesOf(context.run).guarantees.replay_protection;
  let pauseMs = LOOK_FIRST_MS;
  let resends = 0;
  for (;;) {
    const { isSettled } = await look(context, intent);
    if (isSettled || (await settleByFirstCopy(context, intent))) return;
    if (leftMs() < 0) break;
    const isAlive = clock.wallMs() < intent.request.expires * 1_000;
    if (canResend && resends < RESENDS_MAX && isAlive && openOf(context, row).replayed === null) {
      resends++;
      if (await resend(context, intent)) return;
      if (await settleByFirstCopy(context, intent)) return;
    }
    if (stop.aborted) return;
    await clock.sleep(Math.min(pauseMs, Math.max(leftMs(), 0) + 1), stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
  await settleDead(context, intent);
}

/** The request can take effect no more, as far as our clocks tell. */
async function settleDead(context: RunContext, intent: Intent): Promise<void> {
  const { clock, stop } = context;
  const { row } = intent;
  let listings = 0;
  let incomplete = 0;
  for (let turn = 0; turn < TURNS_AFTER_DEADLINE_MAX; turn++) {
    const { isSettled, complete } = await look(context, intent);
    if (isSettled) return;
    const absence = await listForAbsence(context, intent, listedWithinMs(context, row));
    if (absence.result === 'seen') return conclude(context, intent, absence.sight);
    if (absence.result === 'candidate') {
      const reason = 'a payment of that amount is there which could be this one, so its absence is not proven';
      return park(context, intent, 'candidate', reason, absence.ids);
    }
    const objection = objectionTo(context, openOf(context, row));
    const isWaived = objection?.isWaivable === true && context.resubmitAbsent;
    if (objection !== null && !isWaived) return park(context, intent, objection.about, objection.reason);
    if (!complete || absence.result === 'incomplete') {
      if (++incomplete >= INCOMPLETE_MAX) return park(context, intent, 'incomplete', INCOMPLETE);
    } else if (absence.result === 'absent' && ++listings >= LISTINGS_FOR_ABSENCE) {
      const by = objection === null ? 'listing' : 'person';
      return context.record({ kind: 'absent', row, attempt: intent.attempt, witness: null, listings, by });
    }
    if (stop.aborted) return;
    const pauseMs = Math.max(lagMs(context) / LISTINGS_FOR_ABSENCE, LISTING_PAUSE_MIN_MS);
    await clock.sleep(Math.min(pauseMs, LISTING_PAUSE_MAX_MS), stop);
  }
  await park(
    context,
    intent,
    'incomplete',
    'the service’s own clock does not pass its deadline, or its list stays behind',
  );
}

const INCOMPLETE = 'the listing of the service is not complete, so it proves nothing';

/**
 * How long after it took effect the request is looked for in listings: longer where the service says that it had it, and its
 * absence may be concluded all the same.
 */
function listedWithinMs(context: RunContext, row: number): number {
  const isLagStated = promisesOf(context.run).listing_lag_ms !== null;
  const isLonger = openOf(context, row).replayed !== null && isLagStated;
  return lagMs(context) * (isLonger ? REPLAYED_LAGS : 1);
}

type Objection = { about: Exclude<UnresolvedAbout, 'old_copy'>; reason: string; isWaivable: boolean };

/**
 * What forbids to conclude from any listing that the payout was not made; null where nothing does. A person may accept
 * listings as proof where a promise is missing (`isWaivable`), and not against what the service itself said of the payout.
 */
function objectionTo(context: RunContext, { replayed, answeredId }: Open): Objection | null {
  const { run } = context;
  if (answeredId !== null) {
    const reason = `the service accepted it as ${answeredId}, and does not know ${answeredId}`;
    return { about: 'unknown_id', reason, isWaivable: false };
  }
  if (replayed !== null && promisesOf(run).listing_lag_ms === null) {
    const reason = 'the service had this request before, and does not show what became of it';
    return { about: 'replayed', reason, isWaivable: false };
  }
  if (isListHopeless(context)) {
    const reason = 'the service lists what it accepted half an hour late or never, so its list proves nothing';
    return { about: 'incomplete', reason, isWaivable: false };
  }
  if (run.canary === null) {
    const reason =
      'no payout of this run has come back from the service yet, so what its list does not show proves nothing';
    return { about: 'no_canary', reason, isWaivable: true };
  }
  const isUsedUp = replayed !== null && promisesOf(run).guarantees.replay_protection;
  if (isUsedUp || isExpiryEnforced(context)) return null;
  const reason = 'the service does not promise that an expired request takes no effect, so absence proves nothing';
  return { about: 'no_expiry', reason, isWaivable: true };
}

/** Searches by the token. Settled where exactly one record is ours, and where what is there needs a person. */
async function look(context: RunContext, intent: Intent): Promise<{ isSettled: boolean; complete: boolean }> {
  const { row, attempt } = intent;
  const { sight, complete } = await search(context, intent);
  const found = sight.kind === 'none' ? 0 : sight.kind === 'one' ? 1 : sight.ids.length;
  await context.record({ kind: 'looked', row, attempt, found, complete });
  if (sight.kind === 'none') return { isSettled: false, complete };
  await conclude(context, intent, sight);
  return { isSettled: true, complete };
}

async function conclude(context: RunContext, intent: Intent, sight: Exclude<Sight, { kind: 'none' }>): Promise<void> {
  const { row, attempt } = intent;
  if (sight.kind !== 'one') return park(context, intent, sight.kind, sight.why, sight.ids);
  await context.record({ kind: 'accepted', row, attempt, transaction_id: sight.id, by: 'look' });
}

async function resend(context: RunContext, intent: Intent): Promise<boolean> {
  const { row, attempt, request } = intent;
  const outcome = await context.client.resend(request, context.holds);
  if (outcome.kind === 'in_doubt' && outcome.replayed) await recordReplayed(context, intent, outcome.replayed.first);
  if (outcome.kind !== 'accepted' || typeof outcome.data !== 'string') return false;
  if (context.owners.has(outcome.data)) return false;
  await context.record({ kind: 'accepted', row, attempt, transaction_id: outcome.data, by: 'resend' });
  return true;
}

/** The service had these bytes: durable, so that a process that goes on with the run knows it too. */
export async function recordReplayed(context: RunContext, intent: Intent, first: FirstCopy | null): Promise<void> {
  const { row, attempt } = intent;
  context.log.warn({ row, attempt, first }, 'the service had this request before');
  await context.record({ kind: 'replayed', row, attempt, first });
}

/** What the service says became of the first copy settles the doubt, where it says it and nothing it shows differs. */
async function settleByFirstCopy(context: RunContext, intent: Intent): Promise<boolean> {
  const { row, attempt } = intent;
  const first = openOf(context, row).replayed?.first ?? null;
  if (first === null) return false;
  if (first.transaction_id === null) {
    if (!isRefusal(first.status)) return false;
    await context.record({ kind: 'absent', row, attempt, witness: null, listings: 0, by: 'first_copy' });
    return true;
  }
  const result = await context.client.read('transaction.get', { id: first.transaction_id }, 'settle');
  if (!result.ok && (result.kind === 'rejected' || result.kind === 'unreadable')) return false;
  if (!result.ok) throw haltFor(result);
  const sight = await sightOf(context, intent, [result.data]);
  if (sight.kind === 'none') return false;
  if (sight.kind === 'one') {
    await context.record({ kind: 'accepted', row, attempt, transaction_id: sight.id, by: 'resend' });
  } else await conclude(context, intent, sight);
  return true;
}

/** The service does not know the transaction that it answered with, after the time in which it may list late. */
export async function doubtTransaction(context: RunContext, row: number, { transaction_id }: Sent): Promise<void> {
  const { attempts: attempt } = context.payout(row);
  context.log.warn(
    { row, attempt, transaction: transaction_id },
    'the service does not know a transaction that it accepted',
  );
  await context.record({ kind: 'unknown_transaction', row, attempt, transaction_id });
  await settle(context, row, false);
}

function openOf(context: RunContext, row: number): Open {
  const payout = context.payout(row);
  assert(payout.state === 'in_doubt' || payout.state === 'unresolved', `row ${row} is ${payout.state}, not in doubt`);
  return payout;
}
