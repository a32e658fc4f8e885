import { z } from 'zod';
import { parsePublicKey } from '../../keys/ed25519.ts';
import { accepted, badRequest, notFound, type Outcome, refused } from '../gateway/answers.ts';
import { faultRequest } from '../gateway/faults.ts';
import { endTransfer, returnPayout } from '../transfers/settlement.ts';
import { FAILURES, type FailureCode, findTransfer } from '../transfers/transfer.ts';
import { CLOCK_OPERATIONS } from './clock.ts';
import { MONEY_OPERATIONS } from './money.ts';
import {
  type AdminOperation,
  type AdminOperations,
  type AdminTools,
  byId,
  change,
  direct,
  nothing,
} from './operation.ts';
import { SNAPSHOT_OPERATIONS, STATE_OPERATIONS } from './state.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const failing = byId.extend({ reason: z.enum(Object.keys(FAILURES) as FailureCode[]).optional() });
const TRANSACTION = { id: 'txn_01jd2x3v9qk7m5p0h8rc' };

const TRANSACTION_OPERATIONS: AdminOperations = {
  'transaction.settle': change('ends a pending transaction now', byId, TRANSACTION, (tools, { id }) =>
    endNow(tools, id, null),
  ),
  'transaction.fail': change(
    'ends it FAILED',
    failing,
    { ...TRANSACTION, reason: 'ACCOUNT_CLOSED' },
    (tools, { id, reason = 'REJECTED_BY_BANK' }) => endNow(tools, id, reason),
  ),
  'transaction.return': change('a completed payout comes back as a deposit', byId, TRANSACTION, returnNow),
};

/** Settled without cover it fails, as it would on its own. */
function endNow({ core }: AdminTools, id: string, failure: FailureCode | null): Outcome {
  const transfer = findTransfer(core, id);
  if (!transfer) return notFound('transaction');
  if (transfer.status !== 'PENDING') return badRequest('INVALID', `the transaction is ${transfer.status} already`);
  return accepted({ id, status: endTransfer(core, transfer, failure) });
}

function returnNow({ core }: AdminTools, { id }: { id: string }): Outcome {
  const transfer = findTransfer(core, id);
  if (!transfer) return notFound('transaction');
  const isReturnable =
    transfer.kind === 'withdraw' && transfer.status === 'COMPLETED' && transfer.outcome !== 'RETURNED';
  if (!isReturnable) return badRequest('INVALID', 'only a completed payout can be returned, and only once');
  return accepted({ id, deposit_id: returnPayout(core, transfer) });
}

const FAULT_OPERATIONS: AdminOperations = {
  'fault.add': direct(
    'the third transfer from now on takes effect, and its answer is lost',
    faultRequest,
    { operation: 'transaction.transfer', kind: 'drop-after-commit', nth: 3 },
    ({ faults }, body) => {
      const fault = faults.add(body);
      return fault === null ? badRequest('INVALID', 'there are too many faults') : accepted(fault);
    },
  ),
  'fault.list': direct('with how often each was met', nothing, {}, ({ faults }) => accepted(faults.list())),
  'fault.remove': direct('by its id', byId, { id: 'fault_1' }, ({ faults }, { id }) =>
    faults.remove(id) ? accepted({ id }) : notFound('fault'),
  ),
};

const KEY_OPERATIONS: AdminOperations = {
  'key.add': change(
    'a public key, in hex or base64url; at most two are active, for rotating',
    z.strictObject({ public_key: z.string().max(100) }),
    { public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' },
    addKey,
  ),
  'key.revoke': change('by its id', byId, { id: 'key_01jd2x3v9qk7m5p0h8rc' }, ({ keys }, { id }) =>
    keys.revoke(id) ? accepted({ id }) : notFound('key'),
  ),
};

function addKey({ core, keys, customer }: AdminTools, { public_key }: { public_key: string }): Outcome {
  const bytes = parsePublicKey(public_key);
  if (!bytes) return badRequest('INVALID', 'public_key: give 32 bytes as hex or base64url');
  const added = keys.add(customer, bytes, core.stamps.id('key', core.stamps.nowMs()));
  if (added === 'NOT_A_KEY') return badRequest('INVALID', 'public_key: is no Ed25519 key that can be trusted');
  if (added === 'TOO_MANY') return refused('FORBIDDEN', 'two keys are active already: revoke one');
  return accepted({ id: added.id });
}

/** By name, in the order in which they are shown. */
export const ADMIN_OPERATIONS: ReadonlyMap<string, AdminOperation> = new Map(
  Object.entries({
    ...STATE_OPERATIONS,
    ...CLOCK_OPERATIONS,
    ...MONEY_OPERATIONS,
    ...TRANSACTION_OPERATIONS,
    ...FAULT_OPERATIONS,
    ...WEBHOOK_OPERATIONS,
    ...SNAPSHOT_OPERATIONS,
    ...KEY_OPERATIONS,
  }),
);
