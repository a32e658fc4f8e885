import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_BODY_BYTES_MAX } from '../contract/webhook.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { assert } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { readDelivery, type SenderKeys } from './delivery.ts';
import { HintWriter } from './hint-writer.ts';

export type Receiver = {
  /** Where it listens, with the port that it got. */
  url: string;
  /** How many deliveries were refused so far, and why the last one was. */
  refusals(): { count: number; lastWhy: string };
  /** Answers what has come and takes nothing more. Close the journal afterwards. */
  stop(): Promise<void>;
};

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
/** A delivery is some KiB from a machine: who takes longer than this is holding a connection. */
const REQUEST_MS_MAX = 10_000;
/** How often connections are looked at for that. */
const CHECK_MS = 5_000;
const HEADERS_BYTES_MAX = 16_384;

/**
 * Receives webhooks (Standard Webhooks) and keeps a hint of each in the journal. A delivery is answered by 204 when its
 * hint is on disk, and not before; a repeated one by 204 without a trace. The sender tries again after any other answer:
 * 401 for a signature that does not verify, 400 for what is no event, 405, 413 and 415 for what is no delivery, 503
 * where the journal cannot take it now. Rejects with the error of `listen` where the address cannot be had.
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { keys, journal, clock, log, host, port } = options;
  assert(keys.publicKey !== null || keys.secret !== null, 'webhooks are received without a key');
  const finishing = new Set<Promise<void>>();
  const receiving: Receiving = {
    keys,
    clock,
    log,
    hints: new HintWriter(journal, clock),
    finishing,
    refused: 0,
    lastWhy: '',
  };
  const server = createServer(
    { maxHeaderSize: HEADERS_BYTES_MAX, requestTimeout: REQUEST_MS_MAX, connectionsCheckingInterval: CHECK_MS },
    (request, response) => void receive(receiving, request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listening(server, host, port);
  const { address, port: given, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${given}/`,
    refusals: () => ({ count: receiving.refused, lastWhy: receiving.lastWhy }),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(finishing);
      // Whoever has not sent all of his delivery by now sends it again.
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

type Receiving = {
  keys: SenderKeys;
  clock: Pick<Clock, 'wallMs'>;
  log: Log;
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
  if (!isJson(request.headers['content-type'])) {
    return refuse(receiving, response, 415, 'a webhook is application/json');
  }
  const body = await readBody(request);
  if (body === 'cut_off') return;
  if (body === 'too_large') return refuse(receiving, response, 413, `more than ${WEBHOOK_BODY_BYTES_MAX} bytes`);
  const sent = new Promise<void>((resolve) => response.once('close', resolve));
  receiving.finishing.add(sent);
  await take(receiving, request, response, body);
  await sent;
  receiving.finishing.delete(sent);
}

async function take(
  receiving: Receiving,
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
): Promise<void> {
  const read = readDelivery({ headers, body, receivedAtMs: receiving.clock.wallMs() }, receiving.keys);
  switch (read.kind) {
    case 'refused':
      return refuse(receiving, response, 401, read.reason);
    case 'unreadable':
      return refuse(receiving, response, 400, 'the body is no event');
    case 'other':
      return end(response, 204);
    case 'hint':
      try {
        await receiving.hints.add(read.hint);
      } catch (error) {
        receiving.log.error({ error: String(error) }, 'a webhook could not be kept; its sender tries again');
        return end(response, 503, 'the journal cannot take it now');
      }
      return end(response, 204);
  }
}

/** Logs the first refusal, the second, the fourth and so on: nobody fills the disk by knocking. */
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

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
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
