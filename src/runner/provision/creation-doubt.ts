import type { ChangingOperation } from '../../client/client.ts';
import { lastAttempt } from '../../domain/ensure.ts';
import type { EnsureTarget, EnsureUnresolvedAbout, SignedRequest } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import {
  afterDeadlineMs,
  CLOCK_ALLOWANCE_MS,
  isExpiryEnforced,
  isListedBy,
  lagMs,
  lagSeenMs,
} from '../reconcile/deadlines.ts';
import type { Doubt, Listed } from '../reconcile/doubt.ts';
import type { Look } from './find.ts';
import type { Provision } from './provision.ts';

/** How one record is made and, when the answer is lost, found. */
export type Creation = {
  target: EnsureTarget;
  key: string;
  operation: ChangingOperation;
  body: object;
  /** What an attempt at or after `sinceMs` (Unix) made. */
  look(sinceMs: number): Promise<Look>;
};

const INCOMPLETE_MAX = 3;

/** A creation in doubt: reconciled as payouts are, where absence rests on what the service promises of expired requests. */
export class CreationDoubt implements Doubt {
  readonly request: SignedRequest;
  readonly stop: AbortSignal;
  readonly incompleteMax: number;
  readonly #provision: Provision;
  readonly #creation: Creation;
  readonly #isOwn: boolean;

  /** `isOwn`: this process made the request durable. */
  constructor(provision: Provision, creation: Creation, isOwn: boolean) {
    const ensure = provision.ensure(creation.target, creation.key);
    const last = ensure && lastAttempt(ensure);
    assert(ensure && last, `${creation.target} is not in doubt`);
    this.request = last.request;
    this.stop = provision.context.noMore;
    // What was parked before is looked at once more, and does not hold up the others.
    this.incompleteMax = ensure.state === 'unresolved' ? 1 : INCOMPLETE_MAX;
    this.#provision = provision;
    this.#creation = creation;
    this.#isOwn = isOwn;
  }

  listedWithinMs(): number {
    return listedWithinMs(this.#provision.context.run);
  }

  async look(): Promise<boolean> {
    if (await lookAgain(this.#provision, this.#creation)) return true;
    // The service took it and named another account: that no list shows it does not make it absent.
    const { target, key } = this.#creation;
    const ensure = this.#provision.ensure(target, key);
    return ensure?.state === 'ambiguous' && ensure.ids.some((id) => this.#provision.isAnothers(target, key, id));
  }

  mayResend(): boolean {
    return this.#isOwn && promisesOf(this.#provision.context.run).guarantees.replay_protection;
  }

  async resend(): Promise<boolean> {
    const { client, holds } = this.#provision.context;
    const { target, key } = this.#creation;
    const outcome = await client.resend(this.request, holds);
    const id = outcome.kind === 'accepted' ? idIn(outcome.data) : null;
    if (id === null || this.#provision.isAnothers(target, key, id)) return false;
    await this.#provision.ensured(target, key, id, 'created');
    return true;
  }

  async list(): Promise<Listed> {
    const look = await lookNow(this.#provision, this.#creation);
    if (await recordLook(this.#provision, this.#creation, look)) return 'ended';
    if (look.result !== 'missing' || !look.complete || look.serverMs === null) return 'incomplete';
    const { run } = this.#provision.context;
    return isListedBy(run, this.request, this.listedWithinMs(), look.serverMs) ? 'absent' : 'early';
  }

  async isParkedByObjection(): Promise<boolean> {
    const { run, resubmitAbsent } = this.#provision.context;
    // What a person accepts is the doubt that was there, and not one that this process raised.
    if (isExpiryEnforced(run) || (resubmitAbsent && !this.#isOwn)) return false;
    await this.#park('no_expiry');
    return true;
  }

  parkAsIncomplete(): Promise<void> {
    return this.#park('incomplete');
  }

  async recordAbsent(lists: number): Promise<void> {
    const { context } = this.#provision;
    const { target, key } = this.#creation;
    const byPerson = !isExpiryEnforced(context.run);
    const reason = `not in ${lists} complete lists after its deadline${byPerson ? '; a person accepts that' : ''}`;
    const attempt = this.#attempts();
    await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason });
  }

  #attempts(): number {
    return this.#provision.ensure(this.#creation.target, this.#creation.key)?.attempts ?? 0;
  }

  /** Parks it for a person, unless it is parked for that already. */
  async #park(about: EnsureUnresolvedAbout): Promise<void> {
    const { context } = this.#provision;
    const { target, key } = this.#creation;
    const before = this.#provision.ensure(target, key);
    if (before?.state === 'unresolved' && before.about === about) return;
    context.log.warn({ target, about }, 'a creation needs a decision');
    const attempt = this.#attempts();
    await context.record({ kind: 'ensure_unresolved', target, key, attempt, about, reason: WHY[about] });
  }
}

const WHY: Readonly<Record<EnsureUnresolvedAbout, string>> = {
  no_expiry: 'the service does not promise that an expired request takes no effect, so absence proves nothing',
  incomplete: 'the list of the service is not complete or says no time, so absence is not proven',
};

/** How late the service lists what is made for payees: as its profile states and payouts showed, or as late as payouts are assumed to be. */
export function listedWithinMs(run: RunState): number {
  const statedMs = promisesOf(run).listing_lag_ms;
  return statedMs === null ? lagMs(run) : Math.max(statedMs, lagSeenMs(run));
}

/** Looks once for what any attempt made. True, and recorded, where it is found or several could be it. */
export async function lookAgain(provision: Provision, creation: Creation): Promise<boolean> {
  return recordLook(provision, creation, await lookNow(provision, creation));
}

/** The same once what was made is listed: after an attempt whose bytes the service calls used up. */
export async function lookWhenListed(
  provision: Provision,
  creation: Creation,
): Promise<'settled' | 'absent' | 'unclear'> {
  const { clock, noMore, run } = provision.context;
  // What the service took when it arrived may be carried out later.
  await clock.sleep(listedWithinMs(run) + afterDeadlineMs(run) - CLOCK_ALLOWANCE_MS, noMore);
  const look = await lookNow(provision, creation);
  if (await recordLook(provision, creation, look)) return 'settled';
  return look.result === 'missing' && look.complete && !noMore.aborted ? 'absent' : 'unclear';
}

function lookNow(provision: Provision, { target, key, look }: Creation): Promise<Look> {
  const ensure = provision.ensure(target, key);
  assert(ensure?.firstIntentAt, `${target} was not tried`);
  return look(ensure.firstIntentAt);
}

/** Whether the look ends the search: recorded then. */
export async function recordLook(
  provision: Provision,
  { target, key }: Pick<Creation, 'target' | 'key'>,
  look: Look,
): Promise<boolean> {
  if (look.result === 'found') await provision.ensured(target, key, look.id, 'found');
  if (look.result === 'ambiguous') await recordAmbiguous(provision, { target, key }, look.ids);
  return look.result !== 'missing';
}

/** Parks it for a person, unless it is parked for the same records. */
export async function recordAmbiguous(
  provision: Provision,
  { target, key }: Pick<Creation, 'target' | 'key'>,
  ids: string[],
): Promise<void> {
  const { context } = provision;
  const before = provision.ensure(target, key);
  if (before?.state === 'ambiguous' && before.ids.join() === ids.join()) return;
  context.log.warn({ target, ids }, 'several records could be the one');
  await context.record({ kind: 'ensure_ambiguous', target, key, ids });
}

/** The id of what was made, or null where the answer has none. */
export function idIn(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null;
  return typeof id === 'string' && id !== '' ? id : null;
}
