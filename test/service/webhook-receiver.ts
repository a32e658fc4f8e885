import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { parseWebhookPublicKey, parseWebhookSecret, verifyWebhook } from '../../src/contract/webhook.ts';
import { until } from './harness.ts';

/** A delivery as it came over the wire. */
export type Received = {
  id: string;
  headers: Record<string, string>;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  event: any;
};

export type Receiver = {
  url: string;
  port: number;
  received: Received[];
  /** Names of `type status` by transaction, in the order of arrival. */
  of(transaction: string): string[];
  /** Changes how the next deliveries are answered. */
  answerWith(answer: Answering): void;
  /** Waits until so many have come. */
  arrived(count: number): Promise<Received[]>;
  close(): Promise<void>;
};

/** `place` counts deliveries from 0. */
export type Answering = (response: ServerResponse, delivery: Received, place: number) => void;

export const accepts: Answering = (response) => void response.writeHead(204).end();

/** A status, and what else its head says. */
export function answers(status: number, headers: Record<string, string> = {}): Answering {
  return (response) => void response.writeHead(status, headers).end('no');
}

/** A real HTTP server on loopback that keeps what comes. */
export async function startReceiver(answer: Answering = accepts, host = '127.0.0.1'): Promise<Receiver> {
  let answering = answer;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void bytesOf(request).then((bytes) => {
      const delivery = deliveryOf(request, bytes);
      received.push(delivery);
      answering(response, delivery, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks?tenant=1`,
    port,
    received,
    of: (transaction) =>
      received
        .filter(({ event }) => event.data.id === transaction)
        .map(({ event }) => `${event.type} ${event.data.status}`),
    answerWith: (next) => {
      answering = next;
    },
    arrived: (count) => until(async () => (received.length >= count ? received : null)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function deliveryOf(request: IncomingMessage, bytes: Buffer): Received {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  headers[':path'] = request.url ?? '';
  headers[':method'] = request.method ?? '';
  return { id: headers['webhook-id'] ?? '', headers, bytes, event: JSON.parse(bytes.toString('utf8')) };
}

/** Whether the receiver's side of the contract takes it, with the keys that registration gave. */
export function verified(delivery: Received, keys: { public_key?: string; secret?: string }): string {
  const publicKey = keys.public_key === undefined ? null : parseWebhookPublicKey(keys.public_key);
  if (publicKey !== null && !publicKey.ok) expect.fail('the public key cannot be read');
  const result = verifyWebhook({
    headers: delivery.headers,
    body: delivery.bytes,
    nowSeconds: Math.floor(Date.now() / 1_000),
    publicKey: publicKey?.key ?? null,
    secret: keys.secret === undefined ? null : parseWebhookSecret(keys.secret),
  });
  return result.ok ? 'ok' : result.reason;
}
