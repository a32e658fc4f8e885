import { NotBegun, type Outcome } from '../../client/client.ts';
import { lastAttempt } from '../../domain/ensure.ts';
import type { SignedRequest } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { isFinal, outliveRequest, sendRefusedAgain } from '../reconcile/refused.ts';
import { Halt } from '../submit/halt.ts';
import { accountRequest, recipientBody } from './create-requests.ts';
import {
  type Creation,
  idIn,
  isAnothers,
  listingLagMs,
  lookAgain,
  lookWhenListed,
  recordAmbiguous,
  settleCreation,
} from './creation.ts';
import type { Ensuring } from './ensuring.ts';
import { lookForAccount, lookForRecipient, type RecipientBook } from './find.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';

const ATTEMPTS_MAX = 20;
const UNREACHED_MAX = 6;
const UNREACHED_PAUSE_FIRST_MS = 500;
/** From the second refusal in a row on (429), before the next attempt and after the look. */
const REFUSED_PAUSE_FIRST_MS = 500;
const REFUSED_PAUSE_MAX_MS = 30_000;
/** Doubts of one creation that were settled as absent: after that many it is left to the next time. */
const DOUBTS_MAX = 3;
/** Creations left one after the other, with none made between them: the service is not well, and the run stops. */
const GIVEN_UP_MAX = 3;

/** Creates the payee's recipient, or settles what became of an earlier attempt. */
export function createRecipient(ensuring: Ensuring, recipient: NeededRecipient, book: RecipientBook): Promise<void> {
  const { key } = recipient;
  const isOwn = (ensuring.ensure('recipient', key)?.attempts ?? 0) === 0;
  return create(ensuring, {
    target: 'recipient',
    key,
    operation: 'account.recipient.create',
    body: recipientBody(recipient.payee),
    look: (sinceMs) => lookForRecipient(ensuring, recipient, book, { sinceMs, isOwn }),
  });
}

/** Creates one account of a recipient, or settles what became of an earlier attempt. */
export function createAccount(
  ensuring: Ensuring,
  recipientId: string,
  account: NeededAccount,
  siblings: NeededAccount[],
): Promise<void> {
  return create(ensuring, {
    target: 'account',
    key: account.key,
    ...accountRequest(recipientId, account),
    look: (sinceMs) => lookForAccount(ensuring, recipientId, account, sinceMs, siblings),
  });
}

/**
 * The same protocol as for payouts: durable intent, one send, and no second one without proof that there was no effect.
 * Ends when it is ensured, rejected, parked or given up for now, or when the run is told to stop.
 */
async function create(ensuring: Ensuring, creation: Creation): Promise<void> {
  const { clock, noMore } = ensuring.context;
  let unreached = 0;
  let refusals = 0;
  let doubts = 0;
  /** What is in doubt may be sent again by the process alone that made it durable. */
  let isOwn = false;
  for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
    const ensure = ensuring.ensure(creation.target, creation.key);
    if (ensure?.state === 'ensured' || ensure?.state === 'rejected') return;
    if (ensure && lastAttempt(ensure) !== null) {
      if ((await settleCreation(ensuring, creation, isOwn)) !== 'again') return;
      // One that was refused for its pace shows that the service is there.
      if (isOwn && refusals === 0 && ++doubts >= DOUBTS_MAX) return giveUp(ensuring, creation);
    } else if (ensure && ensure.attempts > 0 && unreached === 0) {
      // The network may have delivered the request twice, and its first copy, that nobody answered, be listed late.
      await clock.sleep(listingLagMs(ensuring), noMore);
      if (noMore.aborted) return;
      if ((await lookAgain(ensuring, creation)) !== null) return;
    }
    // Looking takes requests too: where the service allows few, the creation comes first in its next window.
    if (refusals > 1) await clock.sleep(Math.min(REFUSED_PAUSE_FIRST_MS * 2 ** refusals, REFUSED_PAUSE_MAX_MS), noMore);
    if (noMore.aborted) return;
    const attempt = (ensure?.attempts ?? 0) + 1;
    const outcome = await send(ensuring, creation, attempt);
    if (outcome === 'stopped') return;
    isOwn = true;
    await recordOutcome(ensuring, creation, attempt, outcome);
    if (ensuring.ensure(creation.target, creation.key)?.state === 'ambiguous') return;
    unreached = outcome.kind === 'no_effect' && outcome.unreached ? unreached + 1 : 0;
    refusals = outcome.kind === 'no_effect' && outcome.answered ? refusals + 1 : 0;
    if (unreached >= UNREACHED_MAX) throw new Halt('outage', 'the service cannot be reached');
    if (unreached > 0) await clock.sleep(UNREACHED_PAUSE_FIRST_MS * 2 ** (unreached - 1), noMore);
  }
  throw new Halt('outage', `${ATTEMPTS_MAX} attempts to create one ${creation.target} took no effect`);
}

/** One that the service cannot answer keeps nobody else from being paid. */
function giveUp(ensuring: Ensuring, { target }: Creation): void {
  ensuring.context.log.warn({ target }, 'the service gives no usable answer to a creation');
  if (++ensuring.givenUp < GIVEN_UP_MAX) return;
  throw new Halt('outage', `the service gives no usable answer to creations of a ${target}`);
}

async function send({ context }: Ensuring, creation: Creation, attempt: number): Promise<Outcome | 'stopped'> {
  const { operation, body, target, key } = creation;
  const makeDurable = (request: SignedRequest): Promise<void> =>
    context.record({ kind: 'ensure_intent', target, key, attempt, request });
  try {
    return await context.client.change(operation, body, makeDurable, context.noMore, context.holds);
  } catch (error) {
    if (error instanceof NotBegun) return 'stopped';
    throw error;
  }
}

/** What one answer means for the creation, on disk. */
async function recordOutcome(ensuring: Ensuring, creation: Creation, attempt: number, outcome: Outcome): Promise<void> {
  const { context } = ensuring;
  const { target, key } = creation;
  switch (outcome.kind) {
    case 'accepted': {
      const id = idIn(outcome.data);
      if (id === null) {
        return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: 'the answer has no id' });
      }
      if (isAnothers(ensuring, target, key, id)) {
        if ((await lookAgain(ensuring, creation)) === null) await recordAmbiguous(ensuring, target, key, [id]);
        return;
      }
      ensuring.givenUp = 0;
      return ensuring.ensured(target, key, id, 'created');
    }
    case 'rejected': {
      if ((await lookAgain(ensuring, creation)) !== null) return;
      const code = outcome.reason ?? outcome.code;
      return context.record({ kind: 'ensure_rejected', target, key, attempt, code, message: outcome.message });
    }
    case 'refused_credentials':
      await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.message });
      throw new Halt('outage', `the service refuses our credentials: ${outcome.message}`, { refusedCredentials: true });
    case 'no_effect':
      if (outcome.answered && !isFinal(context, outcome)) {
        return recordRefused(ensuring, creation, attempt, outcome.reason);
      }
      return context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.reason });
    case 'in_doubt':
      return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: outcome.reason });
  }
}

/** Refused for its pace (429): as for a payout, another copy of the same bytes may take effect until their deadline. */
async function recordRefused(ensuring: Ensuring, creation: Creation, attempt: number, reason: string): Promise<void> {
  const { context } = ensuring;
  const { target, key } = creation;
  const ensure = ensuring.ensure(target, key);
  assert(ensure?.state === 'sending', `${target} was refused and is ${ensure?.state}`);
  const outcome = await sendRefusedAgain(context, ensure.request);
  const isReplayed = outcome?.kind === 'in_doubt' && outcome.replayed !== undefined;
  if (outcome !== null && !isReplayed) return recordOutcome(ensuring, creation, attempt, outcome);
  const isDead = isReplayed || (await outliveRequest(context));
  const shown = isDead ? await lookWhenListed(ensuring, creation) : 'unclear';
  if (shown === 'absent') return context.record({ kind: 'ensure_no_effect', target, key, attempt, reason });
  if (shown === 'settled') return;
  const doubt = `${reason}, and another copy of the request may have arrived`;
  return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: doubt });
}
