import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** When requests arrived (Unix ms, by the monotonic clock), and how many the service refused for their pace. */
export type Counted = { arrivedMs: number[]; refused: number };

const ANSWER_MAX_MS = 30_000;

/** Counts the requests that arrive at a service. */
export class Arrivals {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  /** `serviceUrl`: on 127.0.0.1. Requests go to `baseUrl` from now on. */
  static async start(serviceUrl: string): Promise<Arrivals> {
    const { port } = new URL(serviceUrl);
    const child = fork(fileURLToPath(new URL('./arrival-proxy.ts', import.meta.url)), [port]);
    await once(child, 'message');
    // Its end is found by those who ask it.
    child.on('error', () => {});
    return new Arrivals(`http://[::1]:${port}`, child);
  }

  async counted(): Promise<Counted> {
    this.#child.send('count');
    return ((await once(this.#child, 'message', { signal: AbortSignal.timeout(ANSWER_MAX_MS) })) as [Counted])[0];
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** The most that arrived in any window of this length. */
export function mostInWindow(arrivedMs: readonly number[], windowMs: number): number {
  let most = 0;
  let first = 0;
  for (const [at, ms] of arrivedMs.entries()) {
    while ((arrivedMs[first] ?? 0) <= ms - windowMs) first++;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

/** Of what is allowed, the share that arrived from the one moment to the other. */
export function shareUsed(
  { arrivedMs }: Counted,
  rate: { requests: number; windowMs: number },
  span: { fromMs: number; toMs: number },
): number {
  const within = arrivedMs.filter((ms) => ms >= span.fromMs && ms < span.toMs).length;
  return within / ((rate.requests * (span.toMs - span.fromMs)) / rate.windowMs);
}
