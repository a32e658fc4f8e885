import { type AddressInfo, isIP } from 'node:net';
import { Refusal } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { type Clock, within } from '../platform/clock.ts';
import { createServer } from '../platform/http-server.ts';
import { machineClock } from '../platform/machine.ts';
import type { MissedTimes } from './metrics.ts';
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
    const answered = this.#journal.lastHint().then(
      () => true,
      () => false,
    );
    return (await within(this.#clock, ANSWER_MS, answered)) ?? false;
  }
}

/** Probes come from one supervisor or balancer, and one or two ask for metrics. */
const CONNECTIONS_MAX = 64;
const REQUEST_MAX_MS = 5_000;

export type HealthServer = { url: string; close(): Promise<void> };

/** What is answered: whether the process can do its work, and its metrics in Prometheus's text format. */
export type Probes = { isReady(): Promise<boolean>; metrics(): Promise<string> };

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Answers `GET /livez` with 200 while the event loop turns, `GET /readyz` with 200 while the process can do its work, else
 * 503, and `GET /metrics`. Everyone who reaches the address may ask. `listen`: `ADDRESS:PORT`, port 0 for any. Throws a `Refusal` where the address cannot be had.
 */
export async function answerHealth(listen: string, probes: Probes): Promise<HealthServer> {
  const address = listenAddress(listen);
  if (address === null) throw new Refusal({ code: 'health_unusable', listen, cause: null });
  const server = createServer({ requestTimeout: REQUEST_MAX_MS, maxHeaderSize: 8_192 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?')[0];
    void answerOf(isRead ? path : undefined, probes).then(({ status, text, type = 'text/plain; charset=utf-8' }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
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

type HealthAnswer = { status: 200 | 404 | 503; text: string; type?: string };

async function answerOf(path: string | undefined, probes: Probes): Promise<HealthAnswer> {
  switch (path) {
    case '/livez':
      return { status: 200, text: 'ok\n' };
    case '/readyz':
      return (await probes.isReady()) ? { status: 200, text: 'ok\n' } : { status: 503, text: 'not ready\n' };
    case '/metrics':
      return { status: 200, text: await probes.metrics(), type: METRICS_TYPE };
    default:
      return { status: 404, text: 'not here\n' };
  }
}

/** The journal of a process that stays, as it is asked how it is. */
export type AskedJournal = Pick<Journal, 'lastHint' | 'figures'>;

type Answering = { listen: string; journal: AskedJournal; stop: AbortSignal; missed?: MissedTimes | undefined };

/** Answers at `listen` until it is disposed of. Throws a `Refusal` where the address cannot be had. */
export async function answerOfProcess({ listen, journal, stop, missed }: Answering): Promise<AsyncDisposable> {
  const { Metrics } = await import('./metrics.ts');
  const readiness = new Readiness({ journal, clock: machineClock, stop });
  const metrics = new Metrics({ figures: journal.figures, clock: machineClock, missed });
  const server = await answerHealth(listen, { isReady: () => readiness.isReady(), metrics: () => metrics.text() });
  return {
    async [Symbol.asyncDispose]() {
      metrics.close();
      await server.close();
    },
  };
}
