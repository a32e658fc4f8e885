import { type AddressInfo, isIP } from 'node:net';
import { Refusal } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../platform/clock.ts';
import { createServer } from '../platform/http-server.ts';
import { listenAddress } from './profile.ts';

/** The database has so long to answer. */
const ANSWER_MS = 3_000;
/** However many ask, the database is asked so often at most. */
const ASK_EVERY_MS = 1_000;

/** Whether a process can do its work: its journal answers, and it is not stopping. */
export class Readiness {
  readonly #journal: Pick<Journal, 'lastHint'>;
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  #asked: { atMs: number; answer: Promise<boolean> } | null = null;

  constructor({ journal, clock, stop }: { journal: Pick<Journal, 'lastHint'>; clock: Clock; stop: AbortSignal }) {
    this.#journal = journal;
    this.#clock = clock;
    this.#stop = stop;
  }

  async isReady(): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#asked === null || nowMs - this.#asked.atMs >= ASK_EVERY_MS)
      this.#asked = { atMs: nowMs, answer: this.#ask() };
    return (await this.#asked.answer) && !this.#stop.aborted;
  }

  async #ask(): Promise<boolean> {
    const patience = new AbortController();
    const answered = this.#journal.lastHint().then(
      () => true,
      () => false,
    );
    const late = this.#clock.sleep(ANSWER_MS, patience.signal).then(() => false);
    return Promise.race([answered, late]).finally(() => patience.abort());
  }
}

/** Probes come from one supervisor or balancer. */
const CONNECTIONS_MAX = 64;
const REQUEST_MAX_MS = 5_000;

export type HealthServer = { url: string; close(): Promise<void> };

/**
 * Answers `GET /livez` with 200 while the event loop turns, and `GET /readyz` with 200 while the process can do its work, else
 * 503. `listen`: `ADDRESS:PORT`, port 0 for any. Throws a `Refusal` where the address cannot be had.
 */
export async function answerHealth(listen: string, readiness: Pick<Readiness, 'isReady'>): Promise<HealthServer> {
  const address = listenAddress(listen);
  if (address === null) throw new Refusal({ code: 'health_unusable', listen, cause: null });
  const server = createServer({ requestTimeout: REQUEST_MAX_MS, maxHeaderSize: 8_192 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?')[0];
    void answerOf(isRead ? path : undefined, readiness).then(({ status, text }) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
      response.end(text);
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(address.port, address.host, resolve);
    });
  } catch (error) {
    throw new Refusal({ code: 'health_unusable', listen, cause: (error as Error).message });
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${isIP(address.host) === 6 ? `[${address.host}]` : address.host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type HealthAnswer = { status: 200 | 404 | 503; text: string };

async function answerOf(path: string | undefined, readiness: Pick<Readiness, 'isReady'>): Promise<HealthAnswer> {
  switch (path) {
    case '/livez':
      return { status: 200, text: 'ok\n' };
    case '/readyz':
      return (await readiness.isReady()) ? { status: 200, text: 'ok\n' } : { status: 503, text: 'not ready\n' };
    default:
      return { status: 404, text: 'not here\n' };
  }
}
