import { type ChangingOperation, NotBegun, type Outcome } from '../client/client.ts';
import type { RequestBody } from '../client/wire.ts';
import { ensureKey } from '../domain/ensure.ts';
import type { EnsureTarget, SignedRequest } from '../domain/entry.ts';
import type { Payee } from '../domain/payee.ts';
import { assert } from '../domain/refusal.ts';
import { parseIso } from '../domain/time.ts';
import { findAccount, isSamePayee, readRecipients } from './find.ts';
import { Halt } from './halt.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';
import { type RunContext, scopeOf } from './recorder.ts';
import { CLOCK_ALLOWANCE_MS } from './settle.ts';

const ATTEMPTS_MAX = 20;
const UNREACHED_MAX = 6;
const PAUSE_FIRST_MS = 500;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Looks after the deadline, spread over the listing lag, that together prove absence. */
const LOOKS_AFTER_DEADLINE = 3;

/** How one record is made and, when the answer is lost, found. */
type Creation = {
  target: EnsureTarget;
  key: string;
  operation: ChangingOperation;
  body: object;
  /** The id of the record that a create at or after `sentMs` (Unix) made; null for none, and where nobody can tell. */
  find(sentMs: number): Promise<string | null | 'unknown'>;
};

/** Creates the payee's recipient. Null where the service refused it. */
export function createRecipient(context: RunContext, recipient: NeededRecipient): Promise<string | null> {
  return create(context, {
    target: 'recipient',
    key: recipient.key,
    operation: 'account.recipient.create',
    body: recipientBody(recipient.payee),
    async find(sentMs) {
      const { records, complete } = await readRecipients(context);
      const made = records.filter(
        (record) =>
          isSamePayee(record, recipient.payee) &&
          !context.claimed.has(record.id) &&
          (parseIso(record.created_at ?? '') ?? sentMs) >= sentMs - CLOCK_ALLOWANCE_MS,
      );
      // Two alike are litter of equal content: either serves, and the oldest is taken every time.
      const id = made.map((record) => record.id).sort()[0] ?? null;
      // Claimed at once: another payee of the same name may be looking at the same moment.
      if (id !== null) context.claimed.add(id);
      return id === null && !complete ? 'unknown' : id;
    },
  });
}

/** Creates one account of a recipient. Null where the service refused it. */
export function createAccount(
  context: RunContext,
  recipientId: string,
  account: NeededAccount,
): Promise<string | null> {
  return create(context, {
    target: 'account',
    key: account.key,
    ...accountRequest(recipientId, account),
    find: () => findAccount(context, recipientId, account),
  });
}

/** The same protocol as for payouts: durable intent, one send, and no second one without proof that there was no effect. */
async function create(context: RunContext, creation: Creation): Promise<string | null> {
  const { target, key } = creation;
  let unreached = 0;
  for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
    const state = context.run.ensures.get(ensureKey(target, key));
    if (state?.state === 'ensured') return state.id;
    if (state?.state === 'rejected' || context.stop.aborted) return null;
    if (state?.state === 'sending' || state?.state === 'in_doubt') {
      const id = await settleCreation(context, creation, false);
      if (id !== null) return id;
      continue;
    }
    const attempt = (state?.attempts ?? 0) + 1;
    const outcome = await send(context, creation, attempt);
    if (outcome === 'stopped') return null;
    const done = await recordOutcome(context, creation, attempt, outcome);
    if (done !== 'again') return done.id;
    unreached = outcome.kind === 'no_effect' && outcome.unreached ? unreached + 1 : 0;
    if (unreached >= UNREACHED_MAX) throw new Halt('outage', 'the service cannot be reached');
    if (unreached > 0) await context.clock.sleep(PAUSE_FIRST_MS * 2 ** (unreached - 1), context.stop);
  }
  throw new Halt('outage', `${ATTEMPTS_MAX} attempts to create one ${target} took no effect`);
}

async function send(context: RunContext, creation: Creation, attempt: number): Promise<Outcome | 'stopped'> {
  const { operation, body, target, key } = creation;
  const makeDurable = (request: SignedRequest): Promise<void> =>
    context.record({ kind: 'ensure_intent', target, key, attempt, request });
  try {
    return await context.client.change(operation, body, makeDurable, context.stop);
  } catch (error) {
    if (error instanceof NotBegun) return 'stopped';
    throw error;
  }
}

async function recordOutcome(
  context: RunContext,
  creation: Creation,
  attempt: number,
  outcome: Outcome,
): Promise<{ id: string | null } | 'again'> {
  const { target, key } = creation;
  switch (outcome.kind) {
    case 'accepted': {
      const id = idIn(outcome.data);
      if (id !== null) {
        if (target === 'recipient') context.claimed.add(id);
        await context.record({ kind: 'ensured', target, key, id, by: 'created', scope: scopeOf(context) });
        return { id };
      }
      return recordDoubt(context, creation, attempt, 'the answer has no id');
    }
    case 'rejected': {
      const code = outcome.reason ?? outcome.code;
      await context.record({ kind: 'ensure_rejected', target, key, attempt, code, message: outcome.message });
      return { id: null };
    }
    case 'refused_credentials':
      await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.message });
      throw new Halt('outage', `the service refuses our credentials: ${outcome.message}`, true);
    case 'no_effect':
      await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: outcome.reason });
      return 'again';
    case 'in_doubt':
      return recordDoubt(context, creation, attempt, outcome.reason);
  }
}

async function recordDoubt(
  context: RunContext,
  creation: Creation,
  attempt: number,
  reason: string,
): Promise<{ id: string } | 'again'> {
  const { target, key } = creation;
  await context.record({ kind: 'ensure_doubt', target, key, attempt, reason });
  const id = await settleCreation(context, creation, true);
  return id === null ? 'again' : { id };
}

/** The id, or null where it is proven that nothing was made (then it is `waiting` again) or we were told to stop. */
async function settleCreation(context: RunContext, creation: Creation, mayResend: boolean): Promise<string | null> {
  const { target, key } = creation;
  const { clock, stop } = context;
  const state = context.run.ensures.get(ensureKey(target, key));
  assert(state?.state === 'sending' || state?.state === 'in_doubt', `${target} is not in doubt`);
  const { request, attempts: attempt } = state;
  const profile = context.run.header?.profile;
  assert(profile, 'a run without its header');
  const deadMs = request.expires * 1_000 + CLOCK_ALLOWANCE_MS;
  const lagMs = Math.max(profile.listing_lag_ms, 1_000);
  let looksAfterDeadline = 0;
  let resends = 0;
  let pauseMs = PAUSE_FIRST_MS;
  for (;;) {
    const isDead = clock.wallMs() > deadMs;
    const found = await creation.find(request.created * 1_000);
    let id = found === 'unknown' ? null : found;
    const canResend = mayResend && profile.guarantees.replay_protection && resends < RESENDS_MAX;
    if (id === null && canResend && clock.wallMs() < request.expires * 1_000) {
      resends++;
      const outcome = await context.client.resend(request);
      if (outcome.kind === 'accepted') id = idIn(outcome.data);
    }
    if (id !== null) {
      await context.record({ kind: 'ensured', target, key, id, by: 'found', scope: scopeOf(context) });
      return id;
    }
    if (isDead) looksAfterDeadline++;
    if (looksAfterDeadline >= LOOKS_AFTER_DEADLINE) {
      if (found === null) break;
      throw new Halt(
        'person_needed',
        `whether a ${target} was created is not known: the service's list is not complete`,
      );
    }
    if (stop.aborted) return null;
    await clock.sleep(isDead ? lagMs : Math.min(pauseMs, deadMs - clock.wallMs() + 1), stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
  if (!profile.guarantees.enforces_expiry) {
    throw new Halt('person_needed', `whether a ${target} was created is not known, and the service promises no expiry`);
  }
  await context.record({ kind: 'ensure_no_effect', target, key, attempt, reason: 'proven absent after its deadline' });
  return null;
}

function idIn(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null;
  return typeof id === 'string' && id !== '' ? id : null;
}

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
export function recipientBody(payee: Payee): RequestBody<'account.recipient.create'> {
  const { name, email, phone, business } = payee;
  const address = business?.address ? present(business.address) : {};
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
