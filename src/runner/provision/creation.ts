// Over 250 lines: because the attempts of a creation and its doubts are read together.

import { type ChangingOperation, NotBegun, type Outcome } from '../../client/client.ts';
import { type EnsureState, lastAttempt } from '../../domain/ensure.ts';
import type { Note, SimpleNote } from '../../domain/entries/note.ts';
import type { EnsureTarget, EnsureUnresolvedAbout, SignedRequest } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { Halt } from '../halt.ts';
import { isFinal, outliveRequest, resendRefused } from '../outcome.ts';
import {
  afterDeadlineMs,
  CLOCK_ALLOWANCE_MS,
  creationsListedWithinMs,
  isExpiryEnforced,
  isListedBy,
} from '../reconcile/deadlines.ts';
import { type Doubt, type Listed, reconcileDoubt } from '../reconcile/doubt.ts';
import type { RunContext } from '../run-context.ts';
import type { Look, Provision } from './provision.ts';

const ATTEMPTS_MAX = 20;
const UNREACHED_MAX = 6;
const UNREACHED_PAUSE_FIRST_MS = 500;
/** From the second refusal in a row on (429), before the next attempt and after the look. */
const REFUSED_PAUSE_FIRST_MS = 500;
const REFUSED_PAUSE_MAX_MS = 30_000;
/** Doubts of one creation that ended as absent: after that many it is left to the next time. */
const DOUBTS_MAX = 3;
/** Creations left one after the other, with none made between them: the service is not well, and the run stops. */
const GIVEN_UP_MAX = 3;
const INCOMPLETE_MAX = 3;

const WHY = {
  no_expiry: { code: 'no_expiry' },
  incomplete: { code: 'records_incomplete' },
} as const satisfies Readonly<Record<EnsureUnresolvedAbout, Note>>;

/** Which record is made, how, and how it is found when the answer is lost. */
export type Wanted = {
  target: EnsureTarget;
  key: string;
  operation: ChangingOperation;
  body: object;
  /** What an attempt at or after `sinceMs` (Unix) made. */
  look(sinceMs: number): Promise<Look>;
};

/**
 * Makes one recipient or account by the same protocol as for payouts: durable intent, one send, and no second one without
 * proof that there was no effect. A doubt is reconciled as theirs are, where absence rests on what the service promises of
 * expired requests.
 */
export class Creation {
  readonly #provision: Provision;
  readonly #context: RunContext;
  readonly #wanted: Wanted;
  /** What is in doubt may be sent again only by the process that made it durable. */
  #isOwn = false;

  constructor(provision: Provision, wanted: Wanted) {
    this.#provision = provision;
    this.#context = provision.context;
    this.#wanted = wanted;
  }

  /** Ends when it is ensured, rejected, parked or left for now, or when the run stops. */
  async make(): Promise<void> {
    const { clock, noMore } = this.#context;
    let unreached = 0;
    let refusals = 0;
    let doubts = 0;
    for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
      const ensure = this.#ensure();
      if (ensure?.state === 'ensured' || ensure?.state === 'rejected') return;
      if (ensure && lastAttempt(ensure) !== null) {
        await reconcileDoubt(this.#context, this.#doubt(ensure));
        if (this.#ensure()?.state !== 'waiting') return;
        // One that was refused for its pace shows that the service is there.
        if (this.#isOwn && refusals === 0 && ++doubts >= DOUBTS_MAX) return this.#giveUp();
      } else if (ensure && ensure.attempts > 0 && unreached === 0) {
        // The network may have delivered the request twice, and its first copy, that nobody answered, be listed late.
        await clock.sleep(creationsListedWithinMs(this.#context.run), noMore);
        if (noMore.aborted || (await this.#lookAgain())) return;
      }
      // Looking takes requests too: where the service allows few, the creation comes first in its next window.
      if (refusals > 1)
        await clock.sleep(Math.min(REFUSED_PAUSE_FIRST_MS * 2 ** refusals, REFUSED_PAUSE_MAX_MS), noMore);
      if (noMore.aborted) return;
      const outcome = await this.#send();
      if (outcome === 'stopped') return;
      this.#isOwn = true;
      await this.#recordOutcome(outcome);
      if (this.#ensure()?.state === 'ambiguous') return;
      unreached = outcome.kind === 'no_effect' && outcome.unreached ? unreached + 1 : 0;
      refusals = outcome.kind === 'no_effect' && outcome.answered ? refusals + 1 : 0;
      if (unreached >= UNREACHED_MAX) throw new Halt({ code: 'unreached', cause: null });
      if (unreached > 0) await clock.sleep(UNREACHED_PAUSE_FIRST_MS * 2 ** (unreached - 1), noMore);
    }
    throw new Halt({ code: 'attempts_used_up', of: this.#wanted.target, row: null, attempts: ATTEMPTS_MAX });
  }

  /** One that the service cannot answer keeps nobody else from being paid. */
  #giveUp(): void {
    const { target } = this.#wanted;
    this.#context.log.warn({ target }, 'the service gives no usable answer to a creation');
    if (++this.#provision.givenUp >= GIVEN_UP_MAX)
      throw new Halt({ code: 'no_usable_answer', to: target, cause: null });
  }

  async #send(): Promise<Outcome | 'stopped'> {
    const { client, noMore, holds } = this.#context;
    const { operation, body, target, key } = this.#wanted;
    const attempt = this.#attempts() + 1;
    const makeDurable = (request: SignedRequest): Promise<void> =>
      this.#context.record({ kind: 'ensure_intent', target, key, attempt, request });
    try {
      return await client.change(operation, body, makeDurable, { stop: noMore, isOurs: holds });
    } catch (error) {
      if (error instanceof NotBegun) return 'stopped';
      throw error;
    }
  }

  /** Records what one answer means for the creation. */
  async #recordOutcome(outcome: Outcome): Promise<void> {
    const { target, key } = this.#wanted;
    switch (outcome.kind) {
      case 'accepted': {
        const id = idIn(outcome.data);
        if (id === null) return this.#note('ensure_doubt', { code: 'no_record_id' });
        if (!this.#isAnothers(id)) {
          this.#provision.givenUp = 0;
          return this.#provision.ensured(target, key, id, 'created');
        }
        if (!(await this.#lookAgain())) await this.#provision.recordAmbiguous(target, key, [id]);
        return;
      }
      case 'rejected': {
        if (await this.#lookAgain()) return;
        const code = outcome.reason ?? outcome.code;
        const why = { attempt: this.#attempts(), code, message: outcome.message };
        return this.#context.record({ kind: 'ensure_rejected', target, key, ...why });
      }
      case 'refused_credentials':
        await this.#note('ensure_no_effect', outcome.message);
        throw new Halt({ code: 'credentials_refused', cause: outcome.message });
      case 'no_effect':
        if (outcome.answered && !isFinal(this.#context.run, outcome)) return this.#recordRefused(outcome.reason);
        return this.#note('ensure_no_effect', outcome.reason);
      case 'in_doubt':
        return this.#note('ensure_doubt', outcome.reason);
    }
  }

  /** Refused for its pace (429): as for a payout, another copy of the same bytes may take effect until their deadline. */
  async #recordRefused(reason: SimpleNote): Promise<void> {
    const ensure = this.#ensure();
    assert(ensure?.state === 'sending', `${this.#wanted.target} was refused and is ${ensure?.state}`);
    const outcome = await resendRefused(this.#context, ensure.request);
    const isReplayed = outcome?.kind === 'in_doubt' && outcome.replayed !== undefined;
    if (outcome !== null && !isReplayed) return this.#recordOutcome(outcome);
    const isDead = isReplayed || (await outliveRequest(this.#context));
    const shown = isDead ? await this.#lookWhenListed() : 'unclear';
    if (shown === 'absent') return this.#note('ensure_no_effect', reason);
    if (shown === 'settled') return;
    return this.#note('ensure_doubt', { code: 'copy_possible', about: reason });
  }

  #note(kind: 'ensure_doubt' | 'ensure_no_effect', reason: Note): Promise<void> {
    const { target, key } = this.#wanted;
    const noted = { target, key, attempt: this.#attempts(), reason };
    // One object for both is more alternatives than the compiler tries.
    return this.#context.record(kind === 'ensure_doubt' ? { kind, ...noted } : { kind, ...noted });
  }

  #doubt(ensure: EnsureState): Doubt {
    const { run, client, holds, noMore, resubmitAbsent } = this.#context;
    const { target, key } = this.#wanted;
    const request = lastAttempt(ensure)?.request;
    assert(request, `${target} is not in doubt`);
    return {
      request,
      stop: noMore,
      // What was parked before is looked at once more, and does not hold up the others.
      incompleteMax: ensure.state === 'unresolved' ? 1 : INCOMPLETE_MAX,
      listedWithinMs: () => creationsListedWithinMs(this.#context.run),
      look: async () => {
        if (await this.#lookAgain()) return true;
        // The service took it and named another account: that no list shows it does not make it absent.
        const now = this.#ensure();
        return now?.state === 'ambiguous' && now.ids.some((id) => this.#isAnothers(id));
      },
      mayResend: () => this.#isOwn && promisesOf(run).guarantees.replay_protection,
      resend: async () => {
        const outcome = await client.resend(request, holds);
        const id = outcome.kind === 'accepted' ? idIn(outcome.data) : null;
        if (id === null || this.#isAnothers(id)) return false;
        await this.#provision.ensured(target, key, id, 'created');
        return true;
      },
      list: () => this.#list(request),
      isParkedByObjection: async () => {
        // What a person accepts is the doubt that was there, and not one that this process raised.
        if (isExpiryEnforced(run) || (resubmitAbsent && !this.#isOwn)) return false;
        await this.#park('no_expiry');
        return true;
      },
      parkAsIncomplete: () => this.#park('incomplete'),
      recordAbsent: (lists) => {
        return this.#note('ensure_no_effect', { code: 'not_listed', lists, by_person: !isExpiryEnforced(run) });
      },
    };
  }

  async #list(request: SignedRequest): Promise<Listed> {
    const look = await this.#lookNow();
    if (await this.#recordLook(look)) return 'ended';
    if (look.result !== 'missing' || !look.complete || look.serverMs === null) return 'incomplete';
    return isListedBy(this.#context.run, request, creationsListedWithinMs(this.#context.run), look.serverMs)
      ? 'absent'
      : 'early';
  }

  /** Parks it for a person, unless it is parked for that already. */
  async #park(about: EnsureUnresolvedAbout): Promise<void> {
    const { target, key } = this.#wanted;
    const before = this.#ensure();
    if (before?.state === 'unresolved' && before.about === about) return;
    this.#context.log.warn({ target, about }, 'a creation needs a decision');
    const attempt = this.#attempts();
    await this.#context.record({ kind: 'ensure_unresolved', target, key, attempt, about, reason: WHY[about] });
  }

  /** Looks once for what any attempt made. True, and recorded, where it is found or several could be it. */
  async #lookAgain(): Promise<boolean> {
    return this.#recordLook(await this.#lookNow());
  }

  /** The same once what was made is listed: after an attempt whose bytes the service calls used up. */
  async #lookWhenListed(): Promise<'settled' | 'absent' | 'unclear'> {
    const { clock, noMore, run } = this.#context;
    // What the service took when it arrived may be carried out later.
    await clock.sleep(creationsListedWithinMs(this.#context.run) + afterDeadlineMs(run) - CLOCK_ALLOWANCE_MS, noMore);
    const look = await this.#lookNow();
    if (await this.#recordLook(look)) return 'settled';
    return look.result === 'missing' && look.complete && !noMore.aborted ? 'absent' : 'unclear';
  }

  #lookNow(): Promise<Look> {
    const since = this.#ensure()?.firstIntentAt;
    assert(since, `${this.#wanted.target} was not tried`);
    return this.#wanted.look(since);
  }

  #recordLook(look: Look): Promise<boolean> {
    return this.#provision.recordLook(this.#wanted.target, this.#wanted.key, look);
  }

  #isAnothers(id: string): boolean {
    return this.#provision.isAnothers(this.#wanted.target, this.#wanted.key, id);
  }

  #ensure(): EnsureState | undefined {
    return this.#provision.ensure(this.#wanted.target, this.#wanted.key);
  }

  #attempts(): number {
    return this.#ensure()?.attempts ?? 0;
  }
}

/** The id of what was made, or null where the answer has none. */
function idIn(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null;
  return typeof id === 'string' && id !== '' ? id : null;
}
