import type { IncomingHttpHeaders } from 'node:http';
import {
  isTransactionEvent,
  transactionEventData,
  verifyWebhook,
  type WebhookRefusal,
  webhookEvent,
} from '../contract/webhook.ts';
import type { Hint } from '../journal/journal.ts';

/** What the receiver was given to know the sender by; one of the two at least. */
export type SenderKeys = Pick<Parameters<typeof verifyWebhook>[0], 'publicKey' | 'secret'>;

export type Delivery = {
  headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  body: Uint8Array;
  /** Unix ms, by the machine's clock. */
  receivedAtMs: number;
};

export type ReadDelivery =
  | { kind: 'hint'; hint: Hint }
  /** Signed well, and about nothing that a run waits for. */
  | { kind: 'other' }
  /** Not from the sender, or not now: 401. */
  | { kind: 'refused'; reason: WebhookRefusal }
  /** From the sender, and no event: 400, so that the sender's log shows it. */
  | { kind: 'unreadable' };

/**
 * What a delivery says, once its signature is verified over the raw bytes: nothing is decoded before. Of the event only
 * the webhook's id, the event's type and the transaction's id are taken; status and amounts are the service's to say.
 */
export function readDelivery({ headers, body, receivedAtMs }: Delivery, keys: SenderKeys): ReadDelivery {
  const verified = verifyWebhook({ headers, body, nowSeconds: receivedAtMs / 1_000, ...keys });
  if (!verified.ok) return { kind: 'refused', reason: verified.reason };
  const event = webhookEvent.safeParse(parsed(body));
  if (!event.success) return { kind: 'unreadable' };
  const { type } = event.data;
  if (!isTransactionEvent(type)) return { kind: 'other' };
  const data = transactionEventData.safeParse(event.data.data);
  if (!data.success) return { kind: 'unreadable' };
  return {
    kind: 'hint',
    hint: {
      webhook_id: verified.id,
      transaction_id: data.data.id,
      type,
      received_at: Math.trunc(receivedAtMs),
    },
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
