import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  isTransactionEvent,
  transactionEventData,
  verifyWebhook,
  WEBHOOK_BODY_BYTES_MAX,
  webhookEvent,
} from '../contract/webhook.ts';
import { assert } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../platform/clock.ts';
import { createServer } from '../platform/http-server.ts';
import type { Log } from '../platform/log.ts';
import { HintWriter } from './hint-writer.ts';

export type Receiver = {
  /** Where it listens, with the port that it got. */
  url: string;
  /** How many deliveries were refused so far, and why the last one was. */
  refusals(): { count: number; lastWhy: string };
  /** Answers what has come and takes nothing more. Close the journal afterwards. */
  stop(): Promise<void>;
};

/** The keys of the sender; one of the two at least. */
export type SenderKeys = Pick<Parameters<typeof verifyWebhook>[0], 'publicKey' | 'secret'>;

export type ReceiverOptions = {
  /** An address of this machine; port 0 takes any. */
  host: string;
  port: number;
  keys: SenderKeys;
  journal: Pick<Journal, 'addHints'>;
  clock: Clock;
  log: Log;
};

/** A sender uses some dozens; each can hold a body of 1 MiB in memory. */
const CONNECTIONS_MAX = 128;
/** A delivery is some KiB from a machine: one that takes longer than this only holds a connection. */
const REQUEST_MS_MAX = 10_000;
/** How often connections are checked for that. */
const CHECK_MS = 5_000;
const HEADERS_BYTES_MAX = 16_384;

/**
 * Receives webhooks (Standard Webhooks) and keeps a hint of each in the journal. A delivery is answered by 204 when its
 * hint is on disk, and not before; a repeated one by 204 without a trace. The sender tries again after any other answer:
 * 401 for a signature that does not verify, 400 for what is no event, 405, 413 and 415 for what is no delivery, 503
 * where the journal cannot take it now. Rejects with the error of `listen` where the address is not available.
 */
export async function startReceiver({ host, port, ...options }: ReceiverOptions): Promise<Receiver> {
  const { keys, journal, clock } = options;
  assert(keys.publicKey !== null || keys.secret !== null, 'webhooks are received without a key');
  const receiving: Receiving = {
    ...options,
    hints: new HintWriter(journal, clock),
    finishing: new Set(),
    refused: 0,
    lastWhy: '',
  };
  const server = createServer(
    { maxHeaderSize: HEADERS_BYTES_MAX, requestTimeout: REQUEST_MS_MAX, connectionsCheckingInterval: CHECK_MS },
    (request, response) => void receive(receiving, request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', listening.reject);
  const { address, port: given, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${given}/`,
    refusals: () => ({ count: receiving.refused, lastWhy: receiving.lastWhy }),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(receiving.finishing);
      // A sender that has not sent all of its delivery by now sends it again.
      server.closeAllConnections();
      await closed;
    },
  };
}

type Receiving = Pick<ReceiverOptions, 'keys' | 'clock' | 'log'> & {
  hints: HintWriter;
  /** Deliveries that came whole and are not answered. */
  finishing: Set<Promise<void>>;
  refused: number;
  lastWhy: string;
};

/** Never rejects: whatever a stranger sends, the run beside goes on. */
async function receive(receiving: Receiving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return refuse(receiving, response, 405, 'webhooks are posted');
  }
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    return refuse(receiving, response, 415, 'a webhook is application/json');
  }
  const body = await readBody(request);
  if (body === 'cut_off') return;
  if (body === 'too_large') return refuse(receiving, response, 413, `more than ${WEBHOOK_BODY_BYTES_MAX} bytes`);
  const sent = new Promise<void>((resolve) => response.once('close', resolve));
  receiving.finishing.add(sent);
  await take(receiving, request.headers, response, body);
  await sent;
  receiving.finishing.delete(sent);
}

/**
 * Takes a hint from a delivery, once its signature is verified over the raw bytes: nothing is decoded before. Of the event
 * only the webhook's id, the event's type and the transaction's id are kept; the service alone states status and amounts.
 */
async function take(
  receiving: Receiving,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  body: Uint8Array,
): Promise<void> {
  const { keys, clock, log, hints } = receiving;
  const receivedAtMs = clock.wallMs();
  const verified = verifyWebhook({ headers, body, nowSeconds: receivedAtMs / 1_000, ...keys });
  if (!verified.ok) return refuse(receiving, response, 401, verified.reason);
  const event = webhookEvent.safeParse(parsed(body));
  if (!event.success) return refuse(receiving, response, 400, NO_EVENT);
  const { type, data: about } = event.data;
  // Signed well, and about nothing that a run waits for.
  if (!isTransactionEvent(type)) return end(response, 204);
  const data = transactionEventData.safeParse(about);
  if (!data.success) return refuse(receiving, response, 400, NO_EVENT);
  try {
    await hints.add({
      webhook_id: verified.id,
      transaction_id: data.data.id,
      type,
      received_at: Math.trunc(receivedAtMs),
    });
  } catch (error) {
    log.error({ error: String(error) }, 'a webhook could not be kept; its sender tries again');
    return end(response, 503, 'the journal cannot take it now');
  }
  return end(response, 204);
}

const NO_EVENT = 'the body is no event';

/** Logs the first refusal, the second, the fourth and so on, so that a flood of requests does not fill the disk. */
function refuse(receiving: Receiving, response: ServerResponse, status: number, why: string): void {
  receiving.refused++;
  receiving.lastWhy = why;
  if (Number.isInteger(Math.log2(receiving.refused))) {
    receiving.log.warn({ status, why, count: receiving.refused }, 'a webhook was refused');
  }
  end(response, status, why);
}

function end(response: ServerResponse, status: number, why?: string): void {
  // What is left of a refused body is not read, so the connection cannot carry another request.
  if (status >= 400) response.setHeader('connection', 'close');
  response.writeHead(status, why === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' });
  response.end(why === undefined ? undefined : `${why}\n`);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | 'too_large' | 'cut_off'> {
  if (Number(request.headers['content-length'] ?? 0) > WEBHOOK_BODY_BYTES_MAX) return 'too_large';
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > WEBHOOK_BODY_BYTES_MAX) return 'too_large';
      chunks.push(chunk);
    }
  } catch {
    return 'cut_off';
  }
  return Buffer.concat(chunks, bytes);
}
