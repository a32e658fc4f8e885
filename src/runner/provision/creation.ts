import type { ChangingOperation } from '../../client/client.ts';
import { type EnsureState, lastAttempt } from '../../domain/ensure.ts';
import type { EnsureTarget, EnsureUnresolvedAbout } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { afterDeadlineMs, CLOCK_ALLOWANCE_MS, isExpiryEnforced, lagMs, lagSeenMs } from '../reconcile/patience.ts';
import type { Ensuring } from './ensuring.ts';
import { fingerprintIn } from './payees.ts';

const LOOK_FIRST_MS = 500;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Complete lists after the deadline and the listing lag that together prove absence. */
const LISTS_FOR_ABSENCE = 3;
const LIST_PAUSE_MIN_MS = 1_000;
const LIST_PAUSE_MAX_MS = 10_000;
/** A service whose clock stands still must not hold the run for ever. */
const TURNS_AFTER_DEADLINE_MAX = 60;
/** The `Date` of an answer has whole seconds. */
const DATE_GRAIN_MS = 1_000;

/** How one record is made and, when the answer is lost, found. */
export type Creation = {
  target: EnsureTarget;
  key: string;
  operation: ChangingOperation;
  body: object;
  /** What an attempt at or after `sinceMs` (Unix) made. */
  look(sinceMs: number): Promise<CreationLook>;
};

/** What the service shows of a record that a payee needs. */
export type CreationLook =
  | { result: 'found'; id: string }
  /** These could be it, and nothing says which. */
  | { result: 'ambiguous'; ids: string[] }
  /** `serverMs`: the service's own time (Unix), null where it does not say. */
  | { result: 'missing'; complete: boolean; serverMs: number | null };

/** `again`: proven to have had no effect. `parked`: only a person can go on. */
export type Settled = 'ensured' | 'again' | 'parked' | 'stopped';

/**
 * Settles a creation in doubt by the protocol of payouts: look; the same bytes again while they live, where this process
 * made them durable (`isOwn`) and the service promises to refuse a repetition; after the deadline, absence by repeated
 * complete lists, where it promises that expired requests take no effect; else parked for a person.
 */
export async function settleCreation(ensuring: Ensuring, creation: Creation, isOwn: boolean): Promise<Settled> {
  const { clock, noMore, run } = ensuring.context;
  const ensure = ensuring.ensure(creation.target, creation.key);
  const last = ensure && lastAttempt(ensure);
  assert(ensure && last, `${creation.target} is not in doubt`);
  const { guarantees } = promisesOf(run);
  const listedMs = listingLagMs(ensuring);
  const expiresMs = last.request.expires * 1_000;
  const sinceMs = ensure.firstIntentAt ?? last.intentAt;
  const canResend = isOwn && guarantees.replay_protection;
  const deadMs = expiresMs + afterDeadlineMs(ensuring.context);
  const absence = new Absence(deadMs - CLOCK_ALLOWANCE_MS + listedMs + DATE_GRAIN_MS);
  const acceptsAbsence = isExpiryEnforced(ensuring.context) || (ensuring.context.resubmitAbsent && !isOwn);
  const listPauseMs = Math.min(Math.max(listedMs, LIST_PAUSE_MIN_MS), LIST_PAUSE_MAX_MS);
  let resends = 0;
  let pauseMs = LOOK_FIRST_MS;
  for (;;) {
    const deadInMs = deadMs + listedMs - clock.wallMs();
    const look = await creation.look(sinceMs);
    const done = await recordLook(ensuring, creation, look);
    if (done !== null) return done;
    if (hasAnothers(ensuring, creation, ensure)) return 'parked';
    if (canResend && resends < RESENDS_MAX && clock.wallMs() < expiresMs) {
      resends++;
      if (await resend(ensuring, creation, last.request)) return 'ensured';
    }
    if (deadInMs < 0 && look.result === 'missing') {
      const shown = absence.add(look);
      if (shown === 'absent' && acceptsAbsence) return recordAbsence(ensuring, creation);
      // What was parked for this very reason before is looked at once more, and does not hold up the others.
      const isFutile = ensure.state === 'unresolved' && (!acceptsAbsence || shown === 'unproven');
      if (shown === 'nothing' || (shown === 'unproven' && isFutile)) return park(ensuring, creation, 'incomplete');
      if (shown === 'absent' || isFutile) return park(ensuring, creation, 'no_expiry');
    }
    if (noMore.aborted) return 'stopped';
    await clock.sleep(deadInMs < 0 ? listPauseMs : Math.min(pauseMs, deadInMs + 1), noMore);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
}

/** Looks once, after an attempt that the service refused: the network may have delivered the request twice. */
export async function lookAgain(ensuring: Ensuring, creation: Creation): Promise<Settled | null> {
  const ensure = ensuring.ensure(creation.target, creation.key);
  const sinceMs = ensure?.firstIntentAt ?? null;
  if (sinceMs === null) return null;
  return recordLook(ensuring, creation, await creation.look(sinceMs));
}

/** Looks once, when what was made is listed: after an attempt whose bytes the service calls used up. */
export async function lookWhenListed(
  ensuring: Ensuring,
  creation: Creation,
): Promise<'settled' | 'absent' | 'unclear'> {
  const { clock, noMore } = ensuring.context;
  // What the service took when it arrived may be carried out later.
  const commitMs = afterDeadlineMs(ensuring.context) - CLOCK_ALLOWANCE_MS;
  await clock.sleep(listingLagMs(ensuring) + commitMs, noMore);
  const sinceMs = ensuring.ensure(creation.target, creation.key)?.firstIntentAt;
  assert(sinceMs, `${creation.target} was not tried`);
  const look = await creation.look(sinceMs);
  if ((await recordLook(ensuring, creation, look)) !== null) return 'settled';
  return look.result === 'missing' && look.complete && !noMore.aborted ? 'absent' : 'unclear';
}

/** The service took it and named another account: that no list shows it does not make it absent. */
function hasAnothers(ensuring: Ensuring, { target, key }: Creation, ensure: EnsureState): boolean {
  return ensure.state === 'ambiguous' && ensure.ids.some((id) => isAnothers(ensuring, target, key, id));
}

/** What the lists after the deadline show together. */
class Absence {
  readonly #fromMs: number;
  #proofs = 0;
  #unproven = 0;
  #turns = 0;

  /** A list proves something when the service's own clock is past `fromMs`. */
  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  /** `early`: by its own clock the service may yet take or list it. `nothing`: no more lists will help. */
  add(look: Extract<CreationLook, { result: 'missing' }>): 'absent' | 'nothing' | 'unproven' | 'proven' | 'early' {
    this.#turns++;
    const isUnproven = !look.complete || look.serverMs === null;
    if (isUnproven) this.#unproven++;
    else if (look.serverMs !== null && look.serverMs > this.#fromMs) this.#proofs++;
    if (this.#proofs >= LISTS_FOR_ABSENCE) return 'absent';
    if (this.#unproven >= LISTS_FOR_ABSENCE || this.#turns >= TURNS_AFTER_DEADLINE_MAX) return 'nothing';
    if (isUnproven) return 'unproven';
    return this.#proofs > 0 ? 'proven' : 'early';
  }
}

/** How late the service lists what is made for payees: as its profile states and payouts showed, or as late as payouts are assumed to be. */
export function listingLagMs({ context }: Ensuring): number {
  const { run } = context;
  const statedMs = promisesOf(run).listing_lag_ms;
  return statedMs === null ? lagMs(context) : Math.max(statedMs, lagSeenMs(context));
}

async function recordLook(ensuring: Ensuring, { target, key }: Creation, look: CreationLook): Promise<Settled | null> {
  switch (look.result) {
    case 'found':
      await ensuring.ensured(target, key, look.id, 'found');
      return 'ensured';
    case 'ambiguous':
      await recordAmbiguous(ensuring, target, key, look.ids);
      return 'parked';
    case 'missing':
      return null;
  }
}

/** Parks it, unless it is parked for the same records. */
export async function recordAmbiguous(
  { context, ensure }: Ensuring,
  target: EnsureTarget,
  key: string,
  ids: string[],
): Promise<void> {
  const before = ensure(target, key);
  if (before?.state === 'ambiguous' && before.ids.join() === ids.join()) return;
  context.log.warn({ target, ids }, 'several records could be the one');
  await context.record({ kind: 'ensure_ambiguous', target, key, ids });
}

async function resend(ensuring: Ensuring, { target, key }: Creation, request: Parameters<Resend>[0]): Promise<boolean> {
  const outcome = await ensuring.context.client.resend(request, ensuring.context.holds);
  const id = outcome.kind === 'accepted' ? idIn(outcome.data) : null;
  if (id === null || isAnothers(ensuring, target, key, id)) return false;
  await ensuring.ensured(target, key, id, 'created');
  return true;
}

type Resend = Ensuring['context']['client']['resend'];

async function recordAbsence({ context, ensure }: Ensuring, { target, key }: Creation): Promise<Settled> {
  const byPerson = !isExpiryEnforced(context);
  const reason = `not in ${LISTS_FOR_ABSENCE} complete lists after its deadline${byPerson ? '; a person accepts that' : ''}`;
  const attempt = ensure(target, key)?.attempts ?? 0;
  await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason });
  return 'again';
}

const WHY: Record<EnsureUnresolvedAbout, string> = {
  no_expiry: 'the service does not promise that an expired request takes no effect, so absence proves nothing',
  incomplete: 'the list of the service is not complete or says no time, so absence is not proven',
};

async function park(
  { context, ensure }: Ensuring,
  { target, key }: Creation,
  about: EnsureUnresolvedAbout,
): Promise<Settled> {
  const before = ensure(target, key);
  if (before?.state === 'unresolved' && before.about === about) return 'parked';
  const attempt = before?.attempts ?? 0;
  context.log.warn({ target, about }, 'a creation is parked');
  await context.record({ kind: 'ensure_unresolved', target, key, attempt, about, reason: WHY[about] });
  return 'parked';
}

/** The id of what was made, or null where the answer has none. */
export function idIn(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null;
  return typeof id === 'string' && id !== '' ? id : null;
}

/** An answer that names an account that is known to be another must not be believed: it would be paid. */
export function isAnothers({ claims }: Ensuring, target: EnsureTarget, key: string, id: string): boolean {
  return target === 'account' && claims.isAnother(id, fingerprintIn(key));
}
