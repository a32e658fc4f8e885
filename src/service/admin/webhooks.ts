import { z } from 'zod';
import type { Core } from '../core.ts';
import { findEvent } from '../events.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { findTransfer } from '../transfers/transfer.ts';
import { listDeliveries, replay, replayFailed } from '../webhooks/deliveries.ts';
import type { DeliveryFault } from '../webhooks/delivery-faults.ts';
import { endpointState, findEndpoint, listEndpoints, removeEndpoint, switchOn } from '../webhooks/endpoints.ts';
import { type AdminOperations, type AdminTools, byId, change, direct, nothing } from './operation.ts';

const DELIVERIES_MAX = 500;
const DELIVERIES_DEFAULT = 50;
/** Deliveries that wait for each other when they are to go out in reverse. */
const REORDER_MAX = 100;
const NTH_MAX = 1_000_000;

const text = z.string();
const count = z.int().nonnegative();
const time = text.meta({ format: 'date-time' });
const publicKey = text.describe('Of its signatures: Ed25519.');

/** What the operations answer, by their names without `webhook.`. */
export const WEBHOOK_ANSWERS = {
  add: z.strictObject({
    id: text,
    url: text,
    state: endpointState,
    public_key: publicKey,
    secret: text.optional().describe('Where one was asked for; it is shown only here.'),
  }),
  list: z.strictObject({
    public_key: publicKey,
    endpoints: z.array(
      z.strictObject({
        id: text,
        url: text,
        state: endpointState,
        state_reason: text,
        has_secret: z.boolean(),
        created_at: time,
      }),
    ),
  }),
  remove: z.strictObject({ id: text }),
  enable: z.strictObject({ id: text, state: z.literal('on') }),
  deliveries: z.strictObject({
    deliveries: z.array(
      z.strictObject({
        event_id: text,
        endpoint_id: text,
        transaction_id: text,
        type: text,
        status: text,
        state: text,
        attempts: count,
        replays: count,
        due_at: time.nullable(),
        tried_at: time.nullable(),
        http_status: count.nullable(),
        problem: text.nullable(),
      }),
    ),
  }),
  replay: z.strictObject({ deliveries: count }),
};

type Answer<Name extends keyof typeof WEBHOOK_ANSWERS> = z.output<(typeof WEBHOOK_ANSWERS)[Name]>;

const WHAT_A_SECRET_IS = 'true to have one made, or your own, which begins with whsec_';
const addRequest = z.strictObject({
  url: text.max(4_096),
  secret: z.union([z.literal(true), text.regex(/^whsec_.{1,200}$/, WHAT_A_SECRET_IS)]).optional(),
});
const deliveriesRequest = z.strictObject({ limit: z.int().min(1).max(DELIVERIES_MAX).default(DELIVERIES_DEFAULT) });
const replayRequest = z.union(
  [
    z.strictObject({ event_id: text.max(200) }),
    z.strictObject({ transaction_id: text.max(200) }),
    z.strictObject({ all_failed: z.literal(true) }),
  ],
  { error: 'give one of event_id, transaction_id and all_failed, which is true' },
);
const nthRequest = z.strictObject({ nth: z.int().min(1).max(NTH_MAX).default(1) });
const dropRequest = z.union([nthRequest, z.strictObject({ probability: z.number().min(0).max(1) })], {
  error: 'give nth, from 1, or probability, from 0 to 1',
});
const reorderRequest = z.strictObject({ count: z.int().min(2).max(REORDER_MAX) });

const ENDPOINT = { id: 'whe_01jd2x3v9qk7m5p0h8rc' };

export const WEBHOOK_OPERATIONS: AdminOperations = {
  'webhook.add': direct(
    'sends every change of a status there; secret for v1 too',
    addRequest,
    { url: 'https://example.com/hook', secret: true },
    add,
  ),
  'webhook.list': direct('endpoints, and the public key of their signatures', nothing, {}, list),
  'webhook.remove': change('sends nothing more there', byId, ENDPOINT, remove),
  'webhook.enable': change('switches one on that was switched off', byId, ENDPOINT, enable),
  'webhook.deliveries': direct(
    'the newest, with what became of each',
    deliveriesRequest,
    { limit: 20 },
    ({ core }, { limit }) => accepted({ deliveries: listDeliveries(core, limit) }),
  ),
  'webhook.replay': change(
    'sends again: event_id, transaction_id or all_failed',
    replayRequest,
    { all_failed: true },
    sendAgain,
  ),
  'webhook.duplicate': direct('the nth delivery from now on goes out twice', nthRequest, { nth: 1 }, (tools, { nth }) =>
    addFault(tools, { kind: 'twice', left: nth }, { nth }),
  ),
  'webhook.drop': direct(
    'the nth is lost; or each by a probability',
    dropRequest,
    { probability: 0.2 },
    (tools, body) => addFault(tools, { kind: 'drop', ...('nth' in body ? { left: body.nth } : body) }, body),
  ),
  'webhook.reorder': direct(
    'the next ones, this many, go out in reverse',
    reorderRequest,
    { count: 3 },
    (tools, body) => addFault(tools, { kind: 'hold', left: body.count }, body),
  ),
  'webhook.clear': direct('no more of these three', nothing, {}, ({ webhooks }) => {
    webhooks.faults.clear();
    webhooks.sender.releaseHeld();
    return accepted({});
  }),
};

/** Not inside a transaction: the name is resolved first. */
async function add({ webhooks }: AdminTools, { url, secret }: z.output<typeof addRequest>): Promise<Outcome> {
  const added = await webhooks.add(url, secret ?? null);
  if (!added.ok) return badRequest('INVALID', `the URL ${added.problem}`);
  const { id, state } = added.endpoint;
  return accepted<Answer<'add'>>({
    id,
    url: added.endpoint.url,
    state,
    public_key: webhooks.publicKey(),
    ...(added.secret !== null && { secret: added.secret }),
  });
}

function list({ core, webhooks }: AdminTools): Outcome {
  const endpoints = listEndpoints(core).map(({ id, url, state, stateReason, secret, createdMs }) => ({
    id,
    url,
    state,
    state_reason: stateReason,
    has_secret: secret !== null,
    created_at: isoText(createdMs),
  }));
  return accepted<Answer<'list'>>({ public_key: webhooks.publicKey(), endpoints });
}

function remove({ core }: AdminTools, { id }: { id: string }): Outcome {
  const endpoint = findEndpoint(core, id);
  if (!endpoint) return notFound('webhook endpoint');
  removeEndpoint(core, endpoint);
  return accepted<Answer<'remove'>>({ id });
}

function enable({ core }: AdminTools, { id }: { id: string }): Outcome {
  const endpoint = findEndpoint(core, id);
  if (!endpoint) return notFound('webhook endpoint');
  switchOn(core, endpoint);
  return accepted<Answer<'enable'>>({ id, state: 'on' });
}

/** With the same id and the same bytes, to every endpoint that is on. */
function sendAgain({ core }: AdminTools, request: z.output<typeof replayRequest>): Outcome {
  const { endpoints } = core.outbox;
  if (endpoints.length === 0) return badRequest('INVALID', 'no webhook endpoint is on');
  const events = 'all_failed' in request ? [] : eventsOf(core, request);
  if (events === null) return notFound('event_id' in request ? 'event' : 'transaction');
  for (const event of events) replay(core, event, endpoints);
  const deliveries = 'all_failed' in request ? replayFailed(core) : events.length * endpoints.length;
  core.outbox.written();
  return accepted<Answer<'replay'>>({ deliveries });
}

function eventsOf(core: Core, request: { event_id: string } | { transaction_id: string }): Row[] | null {
  if ('event_id' in request) {
    const event = findEvent(core.store, request.event_id);
    return event ? [event] : null;
  }
  const transfer = findTransfer(core, request.transaction_id);
  return transfer ? core.store.all('SELECT * FROM event WHERE transfer = ? ORDER BY event', transfer.number) : null;
}

function addFault({ webhooks }: AdminTools, fault: DeliveryFault, answer: object): Outcome {
  return webhooks.faults.add(fault) ? accepted(answer) : badRequest('INVALID', 'there are too many faults');
}
