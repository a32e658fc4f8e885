import type { Intent } from '../domain/entry.ts';
import type { Attempt } from '../domain/payout.ts';
import { assert } from '../domain/refusal.ts';
import { promisesOf } from '../domain/run.ts';
import { type Absence, listForAbsence } from './absence.ts';
import { park, type Sight, search } from './look.ts';
import { CLOCK_ALLOWANCE_MS, lagMs } from './patience.ts';
import type { RunContext } from './recorder.ts';

const LOOK_FIRST_MS = 250;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Complete listings without a witness that together prove absence, spread over the listing lag. */
const LISTINGS_WITHOUT_WITNESS = 3;
const LISTING_PAUSE_MIN_MS = 1_000;
/** Listings that prove nothing because they are not complete: pages may shift for a moment, but not for long. */
const INCOMPLETE_MAX = 3;
/** Looks after the deadline: a service whose clock stands still must not hold the run for ever. */
const TURNS_AFTER_DEADLINE_MAX = 60;

/**
 * Settles one in-doubt payout: adopted, proven absent (it is `waiting` again), or unresolved. `mayResend` only for the
 * process that made the intent durable: whoever reads an intent from a journal may only look.
 *
 * Order, by the protocol: look; the same bytes again while they live; after the deadline, absence by a witness or by
 * repeated complete listings, where enforced expiry is promised; else parked for a person.
 */
export async function settle(context: RunContext, row: number, mayResend: boolean): Promise<void> {
  const { clock, stop } = context;
  const { intent, order } = attemptOf(context, row);
  const startedMs = clock.monotonicMs();
  const patienceMs = CLOCK_ALLOWANCE_MS + lagMs(context);
  const lifetimeMs = (intent.request.expires - intent.request.created) * 1_000;
  // The request can take effect until its deadline and be listed as much later as the service lists late. Whatever the
  // wall clock is set to meanwhile, a request that was there when we began is dead after one lifetime.
  const leftMs = (): number =>
    Math.min(
      intent.request.expires * 1_000 + patienceMs - clock.wallMs(),
      lifetimeMs + patienceMs - (clock.monotonicMs() - startedMs),
    );
  const canResend = mayResend && promisesOf(context.run).guarantees.replay_protection;
  let pauseMs = LOOK_FIRST_MS;
  let resends = 0;
  for (;;) {
    const { isSettled } = await look(context, intent);
    if (isSettled) return;
    if (leftMs() < 0) break;
    if (canResend && resends < RESENDS_MAX && clock.wallMs() < intent.request.expires * 1_000) {
      resends++;
      if (await resend(context, intent)) return;
    }
    if (stop.aborted) return;
    await clock.sleep(Math.min(pauseMs, Math.max(leftMs(), 0) + 1), stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
  await settleDead(context, intent, order);
}

/** The request can take effect no more, as far as our clocks tell. */
async function settleDead(context: RunContext, intent: Intent, order: number): Promise<void> {
  const { clock, stop } = context;
  let listings = 0;
  let incomplete = 0;
  for (let turn = 0; turn < TURNS_AFTER_DEADLINE_MAX; turn++) {
    const { isSettled, complete } = await look(context, intent);
    if (isSettled) return;
    const absence = await listForAbsence(context, intent, order);
    if (absence.result === 'seen') return conclude(context, intent, absence.sight);
    if (absence.result === 'candidate') {
      const reason = 'a payment of that amount is there which could be this one, so its absence is not proven';
      return park(context, intent, 'candidate', reason, absence.ids);
    }
    if (!complete || absence.result === 'incomplete') {
      if (++incomplete >= INCOMPLETE_MAX) return park(context, intent, 'incomplete', INCOMPLETE);
    } else if (absence.result === 'absent') {
      listings++;
      if (isProven(absence, listings)) return believe(context, intent, absence.witness, listings);
    }
    if (stop.aborted) return;
    await clock.sleep(Math.max(promisesOf(context.run).listing_lag_ms, LISTING_PAUSE_MIN_MS), stop);
  }
  await park(context, intent, 'incomplete', 'the service’s own clock does not pass its deadline');
}

const INCOMPLETE = 'the listing of the service is not complete, so it proves nothing';

function isProven(absence: Extract<Absence, { result: 'absent' }>, listings: number): boolean {
  return absence.witness !== null || listings >= LISTINGS_WITHOUT_WITNESS;
}

/** Absence counts where expiry is promised; elsewhere only where a person accepts the evidence. */
async function believe(context: RunContext, intent: Intent, witness: string | null, listings: number): Promise<void> {
  const { row, attempt } = intent;
  const isPromised = promisesOf(context.run).guarantees.enforces_expiry;
  if (isPromised || context.resubmitAbsent) {
    const by = isPromised ? 'listing' : 'person';
    return context.record({ kind: 'absent', row, attempt, witness, listings, by });
  }
  const reason = 'the service does not promise that an expired request takes no effect, so absence proves nothing';
  await park(context, intent, 'no_expiry', reason);
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
  if (outcome.kind !== 'accepted' || typeof outcome.data !== 'string') return false;
  if (context.owners.has(outcome.data)) return false;
  await context.record({ kind: 'accepted', row, attempt, transaction_id: outcome.data, by: 'resend' });
  return true;
}

function attemptOf(context: RunContext, row: number): Attempt {
  const payout = context.payout(row);
  assert(payout.state === 'in_doubt' || payout.state === 'unresolved', `row ${row} is ${payout.state}, not in doubt`);
  return payout;
}
