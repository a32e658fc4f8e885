import { z } from 'zod';
import type { Core } from '../core.ts';
import { findEvent } from '../events.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/time-text.ts';
import { findTransfer } from '../transfers/settlement.ts';
import { listDeliveries, replay, replayFailed } from '../webhooks/deliveries.ts';
import { findEndpoint, listEndpoints, removeEndpoint, switchOn } from '../webhooks/endpoints.ts';
import type { AdminTools } from './admin-tools.ts';
import type {
  WebhookAdded,
  WebhookEnabled,
  WebhookRemoved,
  WebhooksListed,
  WebhooksReplayed,
} from './admin-webhook-answers.ts';

const DELIVERIES_MAX = 500;
const DELIVERIES_DEFAULT = 50;
/** Deliveries that wait for each other when they are to go out in reverse. */
const REORDER_MAX = 100;
const NTH_MAX = 1_000_000;

const nth = z.int().min(1).max(NTH_MAX);
const id = z.string().max(200);

const WHAT_A_SECRET_IS = 'true to have one made, or your own, which begins with whsec_';

export const webhookAddRequest = z.strictObject({
  url: z.string().max(4_096),
  secret: z.union([z.literal(true), z.string().regex(/^whsec_.{1,200}$/, WHAT_A_SECRET_IS)]).optional(),
});
export const webhookDeliveriesRequest = z.strictObject({ limit: z.int().min(1).max(DELIVERIES_MAX).optional() });
export const webhookReplayRequest = z.union(
  [
    z.strictObject({ event_id: id }),
    z.strictObject({ transaction_id: id }),
    z.strictObject({ all_failed: z.literal(true) }),
  ],
  { error: 'give one of event_id, transaction_id and all_failed, which is true' },
);
export const webhookDuplicateRequest = z.strictObject({ nth: nth.default(1) });
export const webhookDropRequest = z.union(
  [z.strictObject({ nth: nth.default(1) }), z.strictObject({ probability: z.number().min(0).max(1) })],
  { error: 'give nth, from 1, or probability, from 0 to 1' },
);
export const webhookReorderRequest = z.strictObject({ count: z.int().min(2).max(REORDER_MAX) });

/** Not inside a transaction: the name is resolved first. */
export async function addWebhook(
  { webhooks }: AdminTools,
  { url, secret }: z.output<typeof webhookAddRequest>,
): Promise<Outcome> {
  const added = await webhooks.add(url, secret ?? null);
  if (!added.ok) return badRequest('INVALID', `the URL ${added.problem}`);
  const { endpoint } = added;
  return accepted<WebhookAdded>({
    id: endpoint.id,
    url: endpoint.url,
    state: endpoint.state,
    public_key: webhooks.publicKey(),
    ...(added.secret === null ? {} : { secret: added.secret }),
  });
}

export function listWebhooks({ core, webhooks }: AdminTools): Outcome {
  const endpoints = listEndpoints(core);
  return accepted<WebhooksListed>({
    public_key: webhooks.publicKey(),
    endpoints: endpoints.map((endpoint) => ({
      id: endpoint.id,
      url: endpoint.url,
      state: endpoint.state,
      state_reason: endpoint.stateReason,
      has_secret: endpoint.secret !== null,
      created_at: isoText(endpoint.createdMs),
    })),
  });
}

export function removeWebhook({ core }: AdminTools, request: { id: string }): Outcome {
  const endpoint = findEndpoint(core, request.id);
  if (!endpoint) return notFound('webhook endpoint');
  removeEndpoint(core, endpoint);
  return accepted<WebhookRemoved>({ id: endpoint.id });
}

export function enableWebhook({ core }: AdminTools, request: { id: string }): Outcome {
  const endpoint = findEndpoint(core, request.id);
  if (!endpoint) return notFound('webhook endpoint');
  switchOn(core, endpoint);
  return accepted<WebhookEnabled>({ id: endpoint.id, state: 'on' });
}

export function readDeliveries({ core }: AdminTools, { limit }: z.output<typeof webhookDeliveriesRequest>): Outcome {
  return accepted({ deliveries: listDeliveries(core, limit ?? DELIVERIES_DEFAULT) });
}

/** Sends again, with the same id and the same bytes, to every endpoint that is on. */
export function replayWebhooks({ core }: AdminTools, request: z.output<typeof webhookReplayRequest>): Outcome {
  if (core.outbox.endpoints.length === 0) return badRequest('INVALID', 'no webhook endpoint is on');
  const events = 'all_failed' in request ? [] : eventsOf(core, request);
  if (events === null) return notFound('event_id' in request ? 'event' : 'transaction');
  for (const event of events) replay(core, event, core.outbox.endpoints);
  const deliveries = 'all_failed' in request ? replayFailed(core) : events.length * core.outbox.endpoints.length;
  core.outbox.written();
  return accepted<WebhooksReplayed>({ deliveries });
}

function eventsOf(core: Core, request: { event_id: string } | { transaction_id: string }): Row[] | null {
  if ('event_id' in request) {
    const event = findEvent(core.store, request.event_id);
    return event ? [event] : null;
  }
  const transfer = findTransfer(core, request.transaction_id);
  return transfer ? core.store.all(EVENTS, transfer.transfer ?? null) : null;
}

export function duplicateWebhook(tools: AdminTools, request: z.output<typeof webhookDuplicateRequest>): Outcome {
  return addFault(tools, { kind: 'twice', left: request.nth }, request);
}

export function dropWebhook(tools: AdminTools, request: z.output<typeof webhookDropRequest>): Outcome {
  const fault =
    'probability' in request
      ? ({ kind: 'drop', probability: request.probability } as const)
      : ({ kind: 'drop', left: request.nth } as const);
  return addFault(tools, fault, request);
}

export function reorderWebhooks(tools: AdminTools, request: z.output<typeof webhookReorderRequest>): Outcome {
  return addFault(tools, { kind: 'hold', left: request.count }, request);
}

export function clearWebhookFaults({ webhooks }: AdminTools): Outcome {
  webhooks.faults.clear();
  webhooks.sender.releaseHeld();
  return accepted({});
}

function addFault(
  { webhooks }: AdminTools,
  fault: Parameters<AdminTools['webhooks']['faults']['add']>[0],
  answer: object,
): Outcome {
  return webhooks.faults.add(fault) ? accepted(answer) : badRequest('INVALID', 'there are too many faults');
}

const EVENTS = 'SELECT * FROM event WHERE transfer = ? ORDER BY event';
