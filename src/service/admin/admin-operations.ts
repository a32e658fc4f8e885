import { z } from 'zod';
import { parsePublicKey } from '../../keys/ed25519.ts';
import { assetOf } from '../accounts/assets.ts';
import type { Core } from '../core.ts';
import { accepted, BROKEN, badRequest, notFound, type Outcome, refused } from '../gateway/answers.ts';
import { faultRequest } from '../gateway/faults.ts';
import { availableMinor } from '../ledger/ledger.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import type { ServiceClock } from '../time/clock.ts';
import { keepClock } from '../time/kept-clock.ts';
import { isoText } from '../time/time-text.ts';
import { FAILURES, type FailureCode } from '../transfers/rehearsal.ts';
import { returnPayout } from '../transfers/returns.ts';
import { endTransfer, findTransfer } from '../transfers/settlement.ts';
import { listPrices, priceSetRequest, priceWalkRequest, setPrice, walkPrices } from './admin-prices.ts';
import { forgetSnapshot, getSnapshots, restoreSnapshot, snapshotRequest, takeSnapshot } from './admin-state.ts';
import type { AdminTools } from './admin-tools.ts';
import * as hooks from './admin-webhooks.ts';

/**
 * An operation of the admin port. A change runs inside a transaction of the committer, a direct one outside, and one that
 * is alone runs while no other does.
 */
export type AdminOperation = {
  kind: 'direct' | 'change' | 'alone';
  schema: z.ZodType;
  run(tools: AdminTools, body: unknown): Outcome | Promise<Outcome>;
};

const nothing = z.strictObject({});
const byId = z.strictObject({ id: z.string().max(200) });
const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]];
/** A hundred years: the clock goes only forward, so nobody should get it wrong by more. */
const ADVANCE_MAX_MS = 3_155_760_000_000;
/** The beginning of the year 9999: times have four digits for the year, and what is planned lies less than one ahead. */
const CLOCK_END_MS = 253_370_764_800_000;

/** By name; `README.md` has an example of each. */
export const ADMIN_OPERATIONS: ReadonlyMap<string, AdminOperation> = new Map([
  operation('clock.advance', 'direct', z.strictObject({ ms: z.int().min(0).max(ADVANCE_MAX_MS) }), advanceClock),
  operation('clock.set', 'direct', z.strictObject({ unix_ms: z.int().min(0) }), setClock),
  operation('clock.skew', 'direct', z.strictObject({ ms: z.int().min(0).max(ADVANCE_MAX_MS) }), skewClock),
  operation('clock.freeze', 'direct', nothing, (tools) => changeClock(tools, ({ freeze }) => freeze())),
  operation('clock.resume', 'direct', nothing, (tools) => changeClock(tools, ({ resume }) => resume())),
  operation('balance.set', 'change', balanceRequest(), setBalance),
  operation('price.set', 'change', priceSetRequest, setPrice),
  operation('price.walk', 'change', priceWalkRequest, walkPrices),
  operation('price.list', 'direct', nothing, listPrices),
  operation('transaction.settle', 'change', byId, (tools, { id }) => end(tools, id, null)),
  operation('transaction.fail', 'change', byId.extend({ reason: z.enum(failureCodes).optional() }), failTransaction),
  operation('transaction.return', 'change', byId, returnTransaction),
  operation('fault.add', 'direct', faultRequest, addFault),
  operation('fault.list', 'direct', nothing, ({ faults }) => accepted(faults.list())),
  operation('fault.remove', 'direct', byId, removeFault),
  operation('state.snapshot', 'alone', snapshotRequest, takeSnapshot),
  operation('state.restore', 'alone', snapshotRequest, restoreSnapshot),
  operation('state.forget', 'alone', snapshotRequest, forgetSnapshot),
  operation('state.snapshots', 'direct', nothing, getSnapshots),
  operation('key.add', 'change', z.strictObject({ public_key: z.string().max(100) }), addKey),
  operation('key.revoke', 'change', byId, ({ keys }, { id }) => (keys.revoke(id) ? accepted({ id }) : notFound('key'))),
  operation('webhook.add', 'direct', hooks.webhookAddRequest, hooks.addWebhook),
  operation('webhook.list', 'direct', nothing, hooks.listWebhooks),
  operation('webhook.remove', 'change', byId, hooks.removeWebhook),
  operation('webhook.enable', 'change', byId, hooks.enableWebhook),
  operation('webhook.deliveries', 'direct', hooks.webhookDeliveriesRequest, hooks.readDeliveries),
  operation('webhook.replay', 'change', hooks.webhookReplayRequest, hooks.replayWebhooks),
  operation('webhook.duplicate', 'direct', hooks.webhookDuplicateRequest, hooks.duplicateWebhook),
  operation('webhook.drop', 'direct', hooks.webhookDropRequest, hooks.dropWebhook),
  operation('webhook.reorder', 'direct', hooks.webhookReorderRequest, hooks.reorderWebhooks),
  operation('webhook.clear', 'direct', nothing, hooks.clearWebhookFaults),
  operation('state', 'direct', nothing, readState),
  operation('stats', 'direct', nothing, ({ gateway }) => accepted({ arrivals: gateway.arrivals() })),
  operation('verify', 'direct', nothing, ({ core }) => accepted({ findings: verifyLedger(core.store) })),
]);

function operation<Body>(
  name: string,
  kind: AdminOperation['kind'],
  schema: z.ZodType<Body>,
  run: (tools: AdminTools, body: Body) => Outcome | Promise<Outcome>,
): readonly [string, AdminOperation] {
  return [name, { kind, schema, run: run as AdminOperation['run'] }];
}

/**
 * Moves the clock first and then keeps how it stands, so that a restart goes on in the same time. Not inside a
 * transaction: one that holds a request which is late is run again, and would move the clock again.
 */
async function changeClock(tools: AdminTools, change: (clock: ServiceClock) => void): Promise<Outcome> {
  const { clock, store, committer } = tools.core;
  change(clock);
  const outcome = await committer.submit<Outcome>({
    run: () => {
      keepClock(store, { offsetMs: clock.offsetMs(), frozenAtMs: clock.frozenAtMs() });
      return accepted(clockState(tools.core));
    },
    notAfterMs: null,
    late: () => BROKEN,
    crashed: () => BROKEN,
  });
  tools.clockMoved();
  return outcome;
}

async function advanceClock(tools: AdminTools, { ms }: { ms: number }): Promise<Outcome> {
  if (tools.core.clock.wallMs() + ms > CLOCK_END_MS) return badRequest('INVALID', 'the clock ends with the year 9998');
  return changeClock(tools, (clock) => clock.advance(ms));
}

/** The clock by which requests live and die: as if the machine's were wrong. Forgotten at a restart. */
function skewClock({ core }: AdminTools, { ms }: { ms: number }): Outcome {
  try {
    core.machine.skew(ms);
  } catch {
    return badRequest('INVALID', 'ms: the skew only grows, because a request that has died must not live again');
  }
  return accepted({ skew_ms: ms });
}

function clockState({ clock }: Core) {
  return {
    now: isoText(clock.wallMs()),
    unix_ms: Math.floor(clock.wallMs()),
    clock_offset_ms: Math.round(clock.offsetMs()),
    frozen: clock.frozenAtMs() !== null,
  };
}

async function setClock(tools: AdminTools, { unix_ms }: { unix_ms: number }): Promise<Outcome> {
  const ms = unix_ms - tools.core.clock.wallMs();
  if (ms < 0) return badRequest('INVALID', 'unix_ms: the clock goes only forward');
  if (ms > ADVANCE_MAX_MS) return badRequest('INVALID', 'unix_ms: is more than a hundred years ahead');
  return advanceClock(tools, { ms });
}

function balanceRequest() {
  const value = z.string().regex(/^(0|[1-9]\d{0,37})$/, 'must be a whole number of the smallest denomination');
  return z.strictObject({ code: z.string().max(20), chain: z.string().max(40).optional(), value });
}

/** Lets money come in from outside, or leave, until exactly `value` can be spent. It makes no transaction. */
function setBalance(
  { core, customer }: AdminTools,
  body: { code: string; chain?: string | undefined; value: string },
): Outcome {
  const asset = assetOf(body.code, body.chain ?? null);
  if (!asset) return badRequest('INVALID', 'code, chain: the service does not keep this currency');
  const own = core.ledger.account(`customer:${customer.customer}`, asset.currency);
  const world = core.ledger.account('world', asset.currency);
  const missing = BigInt(body.value) - availableMinor(own);
  const atMs = core.stamps.nowMs();
  if (missing > 0n) core.ledger.move(null, atMs, [{ debit: world, credit: own, amountMinor: missing }]);
  if (missing < 0n) core.ledger.move(null, atMs, [{ debit: own, credit: world, amountMinor: -missing }]);
  return accepted({ available: body.value });
}

function failTransaction(tools: AdminTools, body: { id: string; reason?: FailureCode | undefined }): Outcome {
  return end(tools, body.id, body.reason ?? 'REJECTED_BY_BANK');
}

/** Ends a pending transfer now. Settled without cover it fails, as it would by itself. */
function end({ core }: AdminTools, id: string, failure: FailureCode | null): Outcome {
  const row = findTransfer(core, id);
  if (!row) return notFound('transaction');
  if (row.status !== 'PENDING') return badRequest('INVALID', `the transaction is ${row.status} already`);
  return accepted({ id, status: endTransfer(core, row, failure) });
}

function returnTransaction({ core }: AdminTools, { id }: { id: string }): Outcome {
  const row = findTransfer(core, id);
  if (!row) return notFound('transaction');
  const isReturnable = row.kind === 'withdraw' && row.status === 'COMPLETED' && row.outcome !== 'RETURNED';
  if (!isReturnable) return badRequest('INVALID', 'only a completed payout can be returned, and only once');
  return accepted({ id, deposit_id: returnPayout(core, row) });
}

function addFault({ faults }: AdminTools, body: z.infer<typeof faultRequest>): Outcome {
  const fault = faults.add(body);
  return fault === 'TOO_MANY' ? badRequest('INVALID', 'there are too many faults') : accepted(fault);
}

function removeFault({ faults }: AdminTools, { id }: { id: string }): Outcome {
  return faults.remove(id) ? accepted({ id }) : notFound('fault');
}

function addKey({ core, keys, customer }: AdminTools, { public_key }: { public_key: string }): Outcome {
  const bytes = parsePublicKey(public_key);
  if (!bytes) return badRequest('INVALID', 'public_key: give 32 bytes as hex or base64url');
  const added = keys.add(customer, bytes, core.stamps.id('key', core.stamps.nowMs()));
  if (added === 'NOT_A_KEY') return badRequest('INVALID', 'public_key: is no Ed25519 key that can be trusted');
  if (added === 'TOO_MANY') return refused('FORBIDDEN', 'two keys are active already: revoke one');
  return accepted({ id: added.id });
}

function readState({ core, customer, keys }: AdminTools): Outcome {
  const counts = core.store.get(COUNTS) ?? {};
  return accepted({
    ...clockState(core),
    customer_id: customer.customerId,
    active_keys: keys.activeOf(customer.customer).map(({ id }) => id),
    transactions: Object.fromEntries(core.store.all(BY_STATUS).map(({ status, count }) => [status, count])),
    ...counts,
  });
}

const COUNTS = `SELECT (SELECT count(*) FROM recipient) AS recipients, (SELECT count(*) FROM external_account) AS
  external_accounts, (SELECT count(*) FROM posting) AS postings, (SELECT count(*) FROM nonce) AS nonces`;
const BY_STATUS = 'SELECT status, count(*) AS count FROM transfer GROUP BY status ORDER BY status';
