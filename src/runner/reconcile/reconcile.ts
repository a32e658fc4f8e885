import { isRefusal } from '../../client/classify.ts';
import { isSameNote, type Note } from '../../domain/entries/note.ts';
import type { FirstCopy, Intent, Unresolved } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { PayoutState, Sent } from '../../domain/run/payout.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunContext } from '../run-context.ts';
import { listForAbsence, recordLag } from './absence.ts';
import { isExpiryEnforced, isListHopeless, lagMs } from './deadlines.ts';
import { type Doubt, type Listed, reconcileDoubt } from './doubt.ts';
import { type Match, matchOf, readTransaction, search } from './transactions.ts';

/** How many listing lags a request is looked for of which the service reports that it had it. */
const REPLAYED_LAGS = 3;
const INCOMPLETE_MAX = 3;

type Open = Extract<PayoutState, { state: 'in_doubt' | 'unresolved' }>;

/**
 * Reconciles one payout in doubt: adopted, proven absent (it is `waiting` again), or unresolved. `mayResend` only for the
 * process that made the intent durable: a process that reads an intent from a journal may only look.
 */
export async function reconcile(context: RunContext, row: number, mayResend: boolean): Promise<void> {
  await reconcileDoubt(context, new PayoutDoubt(context, openOf(context, row).intent, mayResend));
}

/** The service does not know the transaction that it answered with, after the time in which it may list late. */
export async function doubtTransaction(context: RunContext, row: number, { transaction_id }: Sent): Promise<void> {
  const { attempts: attempt } = context.payout(row);
  context.logOf(row).warn({}, 'the service does not know a transaction that it accepted');
  await context.record({ kind: 'unknown_transaction', row, attempt, transaction_id });
  await reconcile(context, row, false);
}

/** The service had these bytes: durable, so that a process that continues the run knows it too. */
export async function recordReplayed(context: RunContext, intent: Intent, first: FirstCopy | null): Promise<void> {
  const { row, attempt } = intent;
  context.logOf(row).warn({ attempt, first }, 'the service had this request before');
  await context.record({ kind: 'replayed', row, attempt, first });
}

class PayoutDoubt implements Doubt {
  readonly request: Intent['request'];
  readonly stop: AbortSignal;
  readonly incompleteMax = INCOMPLETE_MAX;
  readonly #context: RunContext;
  readonly #intent: Intent;
  readonly #isOwn: boolean;
  /** When the last search was asked that was complete and did not show it, Unix ms. */
  #missedAtMs: number | null = null;

  constructor(context: RunContext, intent: Intent, isOwn: boolean) {
    this.request = intent.request;
    this.stop = context.stop;
    this.#context = context;
    this.#intent = intent;
    this.#isOwn = isOwn;
  }

  /** Longer where the service reports that it had the request, and its absence may be concluded all the same. */
  listedWithinMs(): number {
    const { run } = this.#context;
    const isLonger = this.#open().replayed !== null && promisesOf(run).listing_lag_ms !== null;
    return lagMs(run) * (isLonger ? REPLAYED_LAGS : 1);
  }

  async look(): Promise<boolean> {
    return (await this.#search()).isEnded || (await this.#adoptFirstCopy());
  }

  mayResend(): boolean {
    const { guarantees } = promisesOf(this.#context.run);
    return this.#isOwn && guarantees.replay_protection && this.#open().replayed === null;
  }

  async resend(): Promise<boolean> {
    const { client, holds, owners } = this.#context;
    const outcome = await client.resend(this.request, holds);
    if (outcome.kind === 'in_doubt' && outcome.replayed) {
      await recordReplayed(this.#context, this.#intent, outcome.replayed.first);
    }
    if (outcome.kind === 'accepted' && typeof outcome.data === 'string' && !owners.has(outcome.data)) {
      await this.#accept(outcome.data, 'resend');
      return true;
    }
    return this.#adoptFirstCopy();
  }

  async list(): Promise<Listed> {
    const { isEnded, complete } = await this.#search();
    if (isEnded) return 'ended';
    const absence = await listForAbsence(this.#context, this.#intent, this.listedWithinMs());
    switch (absence.result) {
      case 'seen':
        await this.#conclude(absence.match);
        return 'ended';
      case 'candidate':
        await this.#park('candidate', { code: 'candidate' }, absence.ids);
        return 'ended';
      default:
        return complete ? absence.result : 'incomplete';
    }
  }

  async isParkedByObjection(): Promise<boolean> {
    const objection = objectionTo(this.#context, this.#open());
    if (objection === null || (objection.isWaivable && this.#context.resubmitAbsent)) return false;
    await this.#park(objection.about, objection.reason);
    return true;
  }

  async parkAsIncomplete(why: 'incomplete' | 'early'): Promise<void> {
    await this.#park('incomplete', { code: why === 'early' ? 'list_behind' : 'list_incomplete' });
  }

  async recordAbsent(listings: number): Promise<void> {
    const { row, attempt } = this.#intent;
    const by = objectionTo(this.#context, this.#open()) === null ? 'listing' : 'person';
    await this.#context.record({ kind: 'absent', row, attempt, witness: null, listings, by });
  }

  #open(): Open {
    return openOf(this.#context, this.#intent.row);
  }

  /** Searches by the token. The doubt ends where exactly one record is ours, and where what is there needs a person. */
  async #search(): Promise<{ isEnded: boolean; complete: boolean }> {
    const { row, attempt } = this.#intent;
    const askedAtMs = this.#context.clock.wallMs();
    const { match, complete } = await search(this.#context, this.#intent);
    const found = match.kind === 'none' ? 0 : match.kind === 'one' ? 1 : match.ids.length;
    await this.#context.record({ kind: 'looked', row, attempt, found, complete });
    if (match.kind === 'none') {
      if (complete) this.#missedAtMs = askedAtMs;
      return { isEnded: false, complete };
    }
    await this.#conclude(match);
    return { isEnded: true, complete };
  }

  /** What the service reports of the first copy ends the doubt, where it reports it and nothing it shows differs. */
  async #adoptFirstCopy(): Promise<boolean> {
    const { row, attempt } = this.#intent;
    const first = this.#open().replayed?.first ?? null;
    if (first === null) return false;
    if (first.transaction_id === null) {
      if (!isRefusal(first.status)) return false;
      await this.#context.record({ kind: 'absent', row, attempt, witness: null, listings: 0, by: 'first_copy' });
      return true;
    }
    const record = await readTransaction(this.#context, first.transaction_id);
    const match = record === null ? null : await matchOf(this.#context, this.#intent, [record]);
    if (match === null || match.kind === 'none') return false;
    await this.#conclude(match, 'resend');
    return true;
  }

  async #conclude(match: Exclude<Match, { kind: 'none' }>, by: 'look' | 'resend' = 'look'): Promise<void> {
    if (match.kind === 'one') await this.#accept(match.id, by);
    else await this.#park(match.kind, match.why, match.ids);
  }

  async #accept(transaction_id: string, by: 'look' | 'resend'): Promise<void> {
    const { row, attempt } = this.#intent;
    await this.#context.record({ kind: 'accepted', row, attempt, transaction_id, by });
    // Counted from before it took effect: too long a lag costs time, and one too short a second payment.
    if (by === 'look' && this.#missedAtMs !== null)
      await recordLag(this.#context, transaction_id, this.#missedAtMs - this.request.created * 1_000);
  }

  /** Parks it for a person, unless it is parked for just that already. */
  async #park(about: Unresolved['about'], reason: Note, transactions: string[] = []): Promise<void> {
    const { row, attempt } = this.#intent;
    const payout = this.#open();
    const isSame =
      payout.state === 'unresolved' &&
      payout.about === about &&
      isSameNote(payout.reason, reason) &&
      payout.transactions.toSorted().join() === transactions.toSorted().join();
    if (!isSame) await this.#context.record({ kind: 'unresolved', row, attempt, about, reason, transactions });
  }
}

type Objection = { about: Unresolved['about']; reason: Note; isWaivable: boolean };

/**
 * What forbids to conclude from any list that the payout was not made, in order of precedence; null where nothing does. A
 * person may accept lists as proof where a promise is missing (`isWaivable`), and not against what the service itself
 * reported of the payout.
 */
function objectionTo({ run }: RunContext, { replayed, answeredId }: Open): Objection | null {
  if (answeredId !== null) {
    const reason = { code: 'unknown_accepted' as const, transaction_id: answeredId };
    return { about: 'unknown_id', reason, isWaivable: false };
  }
  if (replayed !== null && promisesOf(run).listing_lag_ms === null)
    return { about: 'replayed', reason: { code: 'first_copy_not_shown' }, isWaivable: false };
  if (isListHopeless(run)) return { about: 'incomplete', reason: { code: 'list_too_late' }, isWaivable: false };
  if (run.canary === null) return { about: 'no_canary', reason: { code: 'no_canary' }, isWaivable: true };
  const isUsedUp = replayed !== null && promisesOf(run).guarantees.replay_protection;
  if (isUsedUp || isExpiryEnforced(run)) return null;
  return { about: 'no_expiry', reason: { code: 'no_expiry' }, isWaivable: true };
}

function openOf(context: RunContext, row: number): Open {
  const payout = context.payout(row);
  assert(payout.state === 'in_doubt' || payout.state === 'unresolved', `row ${row} is ${payout.state}, not in doubt`);
  return payout;
}
