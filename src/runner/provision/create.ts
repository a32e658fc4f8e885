import { NotBegun, type Outcome } from '../../client/client.ts';
import type { RequestBody } from '../../client/wire.ts';
import { lastAttempt } from '../../domain/ensure.ts';
import type { SignedRequest } from '../../domain/entry.ts';
import type { Payee } from '../../domain/payee.ts';
import { assert } from '../../domain/refusal.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { Halt } from '../halt.ts';
import { isFinal, resendRefused } from '../outcome.ts';
import { CLOCK_ALLOWANCE_MS } from '../reconcile/deadlines.ts';
import { reconcileDoubt } from '../reconcile/doubt.ts';
import type { RunContext } from '../run-context.ts';
import {
  type Creation,
  CreationDoubt,
  idIn,
  listedWithinMs,
  lookAgain,
  lookWhenListed,
  recordAmbiguous,
} from './creation-doubt.ts';
import { lookForAccount, lookForRecipient, type RecipientBook } from './find.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';
import type { Provision } from './provision.ts';

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

/** Creates the payee's recipient, or reconciles an earlier attempt. */
export function createRecipient(provision: Provision, recipient: NeededRecipient, book: RecipientBook): Promise<void> {
  const { key } = recipient;
  const isOwn = (provision.ensure('recipient', key)?.attempts ?? 0) === 0;
  return create(provision, {
    target: 'recipient',
    key,
    operation: 'account.recipient.create',
    body: recipientBody(recipient.payee),
    look: (sinceMs) => lookForRecipient(provision, recipient, book, { sinceMs, isOwn }),
  });
}

/** Creates one account of a recipient, or reconciles an earlier attempt. */
export function createAccount(
  provision: Provision,
  recipientId: string,
  account: NeededAccount,
  siblings: readonly NeededAccount[],
): Promise<void> {
  return create(provision, {
    target: 'account',
    key: account.key,
    ...accountRequest(recipientId, account),
    look: (sinceMs) => lookForAccount(provision, recipientId, account, sinceMs, siblings),
  });
}

/**
 * The same protocol as for payouts: durable intent, one send, and no second one without proof that there was no effect.
 * Ends when it is ensured, rejected, parked or left for now, or when the run stops.
 */
async function create(provision: Provision, creation: Creation): Promise<void> {
  const { context } = provision;
  const { clock, noMore } = context;
  let unreached = 0;
  let refusals = 0;
  let doubts = 0;
  /** What is in doubt may be sent again only by the process that made it durable. */
  let isOwn = false;
  const current = () => provision.ensure(creation.target, creation.key);
  for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
    const ensure = current();
    if (ensure?.state === 'ensured' || ensure?.state === 'rejected') return;
    if (ensure && lastAttempt(ensure) !== null) {
      await reconcileDoubt(context, new CreationDoubt(provision, creation, isOwn));
      if (current()?.state !== 'waiting') return;
      // One that was refused for its pace shows that the service is there.
      if (isOwn && refusals === 0 && ++doubts >= DOUBTS_MAX) return giveUp(provision, creation);
    } else if (ensure && ensure.attempts > 0 && unreached === 0) {
      // The network may have delivered the request twice, and its first copy, that nobody answered, be listed late.
      await clock.sleep(listedWithinMs(context.run), noMore);
      if (noMore.aborted || (await lookAgain(provision, creation))) return;
    }
    // Looking takes requests too: where the service allows few, the creation comes first in its next window.
    if (refusals > 1) await clock.sleep(Math.min(REFUSED_PAUSE_FIRST_MS * 2 ** refusals, REFUSED_PAUSE_MAX_MS), noMore);
    if (noMore.aborted) return;
    const attempt = (current()?.attempts ?? 0) + 1;
    const outcome = await send(provision, creation, attempt);
    if (outcome === 'stopped') return;
    isOwn = true;
    await recordOutcome(provision, creation, attempt, outcome);
    if (current()?.state === 'ambiguous') return;
    unreached = outcome.kind === 'no_effect' && outcome.unreached ? unreached + 1 : 0;
    refusals = outcome.kind === 'no_effect' && outcome.answered ? refusals + 1 : 0;
    if (unreached >= UNREACHED_MAX) throw new Halt({ code: 'unreached', cause: null });
    if (unreached > 0) await clock.sleep(UNREACHED_PAUSE_FIRST_MS * 2 ** (unreached - 1), noMore);
  }
  throw new Halt({ code: 'attempts_used_up', of: creation.target, row: null, attempts: ATTEMPTS_MAX });
}

/** One that the service cannot answer keeps nobody else from being paid. */
function giveUp(provision: Provision, { target }: Creation): void {
  provision.context.log.warn({ target }, 'the service gives no usable answer to a creation');
  if (++provision.givenUp >= GIVEN_UP_MAX) throw new Halt({ code: 'no_usable_answer', to: target, cause: null });
}

async function send({ context }: Provision, creation: Creation, attempt: number): Promise<Outcome | 'stopped'> {
  const { operation, body, target, key } = creation;
  const makeDurable = (request: SignedRequest): Promise<void> =>
    context.record({ kind: 'ensure_intent', target, key, attempt, request });
  try {
    return await context.client.change(operation, body, makeDurable, { stop: context.noMore, isOurs: context.holds });
  } catch (error) {
    if (error instanceof NotBegun) return 'stopped';
    throw error;
  }
}

/** Records what one answer means for the creation. */
async function recordOutcome(
  provision: Provision,
  creation: Creation,
  attempt: number,
  outcome: Outcome,
): Promise<void> {
  const { context } = provision;
  const { target, key } = creation;
  switch (outcome.kind) {
    case 'accepted': {
      const id = idIn(outcome.data);
      if (id === null) {
        return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: 'the answer has no id' });
      }
      if (!provision.isAnothers(target, key, id)) {
        provision.givenUp = 0;
        return provision.ensured(target, key, id, 'created');
      }
      if (!(await lookAgain(provision, creation))) await recordAmbiguous(provision, creation, [id]);
      return;
    }
    case 'rejected': {
      if (await lookAgain(provision, creation)) return;
      const code = outcome.reason ?? outcome.code;
      return context.record({ kind: 'ensure_rejected', target, key, attempt, code, message: outcome.message });
    }
    case 'refused_credentials':
      await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.message });
      throw new Halt({ code: 'credentials_refused', cause: outcome.message });
    case 'no_effect':
      if (outcome.answered && !isFinal(context.run, outcome)) {
        return recordRefused(provision, creation, attempt, outcome.reason);
      }
      return context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.reason });
    case 'in_doubt':
      return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: outcome.reason });
  }
}

/** Refused for its pace (429): as for a payout, another copy of the same bytes may take effect until their deadline. */
async function recordRefused(provision: Provision, creation: Creation, attempt: number, reason: string): Promise<void> {
  const { context } = provision;
  const { target, key } = creation;
  const ensure = provision.ensure(target, key);
  assert(ensure?.state === 'sending', `${target} was refused and is ${ensure?.state}`);
  const outcome = await resendRefused(context, ensure.request);
  const isReplayed = outcome?.kind === 'in_doubt' && outcome.replayed !== undefined;
  if (outcome !== null && !isReplayed) return recordOutcome(provision, creation, attempt, outcome);
  const isDead = isReplayed || (await outliveRequest(context));
  const shown = isDead ? await lookWhenListed(provision, creation) : 'unclear';
  if (shown === 'absent') return context.record({ kind: 'ensure_no_effect', target, key, attempt, reason });
  if (shown === 'settled') return;
  const doubt = `${reason}, and another copy of the request may have arrived`;
  return context.record({ kind: 'ensure_doubt', target, key, attempt, reason: doubt });
}

/** Where a service promises no deadline, a creation that it refused is waited for as long as a request lives. */
async function outliveRequest({ clock, stop, run, profile }: RunContext): Promise<boolean> {
  if (promisesOf(run).guarantees.enforces_expiry !== false) return false;
  await clock.sleep(profile.request_lifetime_ms + CLOCK_ALLOWANCE_MS, stop);
  return !stop.aborted;
}

/** `account.external.bank.add` of section 4.8, or `account.external.web3.add`. */
function accountRequest(recipientId: string, account: NeededAccount): Pick<Creation, 'operation' | 'body'> {
  const { rail, account_name, fields } = account.destination;
  if (rail === 'WEB3') {
    const body: RequestBody<'account.external.web3.add'> = {
      recipient_id: recipientId,
      account_name,
      address: fields.wallet_address,
      chain: fields.chain,
    };
    return { operation: 'account.external.web3.add', body };
  }
  const body: RequestBody<'account.external.bank.add'> = {
    recipient_id: recipientId,
    type: rail,
    account_name,
    account_number: fields.account_number,
    ...(fields.national_clearing_code && { national_clearing_code: fields.national_clearing_code }),
    ...(fields.bic && { bic: fields.bic }),
    ...(fields.account_type && { account_type: fields.account_type === 'savings' ? 'savings' : 'checking' }),
  };
  return { operation: 'account.external.bank.add', body };
}

/** `account.recipient.create` of section 4.7; what the payee does not have is left out. */
function recipientBody({ name, email, phone, business }: Payee): RequestBody<'account.recipient.create'> {
  const address = present(business?.address ?? {});
  const info = {
    ...(business?.entity_name && { entity_name: business.entity_name }),
    ...(business?.registration_number && { registration_number: business.registration_number }),
    ...(Object.keys(address).length > 0 && { address }),
  };
  return {
    metadata: {
      name,
      ...(email !== null && { email }),
      ...(phone !== null && { phone_number: phone }),
      ...(Object.keys(info).length > 0 && { business_info: info }),
    },
  };
}

function present(fields: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null));
}
