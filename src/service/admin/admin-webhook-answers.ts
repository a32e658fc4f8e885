import { z } from 'zod';
import { endpointState } from '../webhooks/endpoints.ts';

const text = z.string();
const count = z.int().nonnegative();
const time = text.meta({ format: 'date-time' });
const publicKey = text.describe('Of its signatures: Ed25519.');

export const webhookAdded = z.strictObject({
  id: text,
  url: text,
  state: endpointState,
  public_key: publicKey,
  secret: text.optional().describe('Where one was asked for; it is shown only here.'),
});
export type WebhookAdded = z.output<typeof webhookAdded>;

export const webhooksListed = z.strictObject({
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
});
export type WebhooksListed = z.output<typeof webhooksListed>;

export const webhookRemoved = z.strictObject({ id: text });
export type WebhookRemoved = z.output<typeof webhookRemoved>;

export const webhookEnabled = z.strictObject({ id: text, state: z.literal('on') });
export type WebhookEnabled = z.output<typeof webhookEnabled>;

export const webhookDeliveries = z.strictObject({
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
});

export const webhooksReplayed = z.strictObject({ deliveries: count });
export type WebhooksReplayed = z.output<typeof webhooksReplayed>;
