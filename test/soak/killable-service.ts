import { setTimeout as sleep } from 'node:timers/promises';
import { spawnPayrun } from '../support/payrun-process.ts';
import { readyServiceOf, type ServiceProcess } from '../support/ready-service.ts';
import { arrivals } from '../support/service-admin.ts';

/** A port may be taken for a moment by somebody's outgoing connection. */
const START_ATTEMPTS_MAX = 20;
const START_PAUSE_MS = 250;

/** Operations that make something at the service. */
const CHANGING = /transfer|create|add/;

/** A real `payrun service` on data of its own, which is killed and comes back on the same ports. */
export class KillableService {
  readonly #dataDir: string;
  readonly #settleAfterMs: number;
  #ready: ServiceProcess | null = null;
  /** The service counts since its start. What was counted before a kill is kept, as far as it was read. */
  #before: Record<string, number> = {};
  #last: Record<string, number> = {};

  constructor(dataDir: string, settleAfterMs: number) {
    this.#dataDir = dataDir;
    this.#settleAfterMs = settleAfterMs;
  }

  get ready(): ServiceProcess {
    if (this.#ready === null) throw new Error('the service is not running');
    return this.#ready;
  }

  /** Starts it, on the ports that it had before. */
  async start(): Promise<void> {
    const ports = this.#ready === null ? ['0', '0'] : [this.#ready.base_url, this.#ready.admin_url].map(portOf);
    const where = ['--port', ports[0] ?? '', '--admin-port', ports[1] ?? '', '--data-dir', this.#dataDir];
    const settle = ['--settle-after', `${this.#settleAfterMs}ms`];
    for (let attempt = 1; ; attempt++) {
      const started = spawnPayrun(['service', '--json', '--rate-limit', '0', ...settle, ...where]);
      try {
        this.#ready = await readyServiceOf(started);
        return;
      } catch (error) {
        started.child.kill('SIGKILL');
        if (attempt === START_ATTEMPTS_MAX) throw error;
        await sleep(START_PAUSE_MS);
      }
    }
  }

  /** SIGKILL, and until it is gone. */
  async kill(): Promise<void> {
    const { started } = this.ready;
    started.child.kill('SIGKILL');
    await started.ended;
    for (const [name, count] of Object.entries(this.#last)) this.#before[name] = (this.#before[name] ?? 0) + count;
    this.#last = {};
  }

  async stop(): Promise<void> {
    if (this.#ready === null) return;
    const { child, ended } = this.#ready.started;
    child.kill('SIGTERM');
    await ended;
  }

  /** How often each operation was asked for, over all its starts. What came just before a kill may be missing. */
  async arrivals(): Promise<Record<string, number>> {
    try {
      this.#last = await arrivals(this.ready);
    } catch {
      // It is down just now; what is known stays known.
    }
    const total = { ...this.#before };
    for (const [name, count] of Object.entries(this.#last)) total[name] = (total[name] ?? 0) + count;
    return total;
  }

  /** The same as one number: of everything, or of what makes something. */
  async arrived(what: 'anything' | 'changes'): Promise<number> {
    const counted = Object.entries(await this.arrivals());
    const meant = counted.filter(([name]) => what === 'anything' || CHANGING.test(name));
    return meant.reduce((sum, [, count]) => sum + count, 0);
  }
}

function portOf(url: string): string {
  return new URL(url).port;
}
