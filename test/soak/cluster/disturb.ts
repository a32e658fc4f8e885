import process from 'node:process';
import type { Cluster, Kind } from './cluster.ts';
import type { KeptRunning } from './kept-running.ts';
import { count, total } from './notes.ts';

/** What is done to a cluster, and how likely each is. */
const DISTURBANCES = {
  'a connection to the database cut': 64,
  'a worker killed': 14,
  'a worker frozen past its lease': 4,
  'a page killed': 4,
  'a scheduler killed': 4,
  'the database killed': 3,
  'a standby promoted': 2,
} as const;
export type Disturbance = keyof typeof DISTURBANCES;

/** Past the lease of 30 s. */
const FROZEN_LEAST_MS = 31_500;
const FROZEN_SPAN_MS = 5_000;
const FROZEN_AT_ONCE_MAX = 2;

const PIECES_MAX = 60;
const DOWN_MAX_MS = 1_500;
const LAG_LEAST_MS = 200;
const LAG_SPAN_MS = 800;

/** Disturbs a cluster, by chance. */
export class Disturber {
  readonly done = new Map<Disturbance, number>();
  /** Of the log, which promoted standbys did not have. */
  lostBytes = 0;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  readonly #frozen = new Map<KeptRunning, Promise<void>>();

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  get total(): number {
    return total(this.done);
  }

  /** Any of them. */
  async any(): Promise<void> {
    const all = Object.entries(DISTURBANCES) as [Disturbance, number][];
    let at = this.#random() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of all) {
      at -= weight;
      if (at >= 0) continue;
      await this.one(name);
      return;
    }
  }

  /** False where it cannot be done now. */
  async one(name: Disturbance): Promise<boolean> {
    // A connection is cut when somebody uses it.
    if (name === 'a connection to the database cut') return this.#cut(() => this.#note(name));
    const isDone = await this.#does(name);
    if (isDone) this.#note(name);
    return isDone;
  }

  /** What is frozen goes on. */
  async end(): Promise<void> {
    await Promise.all(this.#frozen.values());
  }

  #note(name: Disturbance): void {
    this.#cluster.notes.write(null, name);
    count(this.done, name);
  }

  async #does(name: Exclude<Disturbance, 'a connection to the database cut'>): Promise<boolean> {
    const { database } = this.#cluster;
    switch (name) {
      case 'a worker killed':
        return this.#kill('worker');
      case 'a page killed':
        return this.#kill('page');
      case 'a scheduler killed':
        return this.#kill('scheduler');
      case 'a worker frozen past its lease':
        return this.#freeze();
      case 'the database killed':
        await database.crash(this.#upTo(DOWN_MAX_MS));
        return true;
      case 'a standby promoted': {
        const end = await database.failOver(LAG_LEAST_MS + this.#upTo(LAG_SPAN_MS));
        if (end === null) return false;
        this.lostBytes += end.lostBytes;
        await database.startStandby();
        return true;
      }
    }
  }

  #cut(onCut: () => void): boolean {
    return this.#cluster.database.cutIn(1 + this.#upTo(PIECES_MAX), this.#random() < 0.5 ? 'before' : 'after', onCut);
  }

  /** A process, and every other time the jobs that it has begun too: else those go on without it. */
  #kill(kind: Kind): boolean {
    const chosen = this.#awake(kind);
    if (chosen === null) return false;
    const jobs = this.#cluster.notes.takeJobs(chosen);
    if (this.#random() < 0.5) for (const pid of jobs) killIfThere(pid);
    chosen.kill();
    return true;
  }

  #freeze(): boolean {
    const worker = this.#frozen.size < FROZEN_AT_ONCE_MAX ? this.#awake('worker') : null;
    if (worker === null) return false;
    const thawed = worker.freeze(FROZEN_LEAST_MS + this.#upTo(FROZEN_SPAN_MS)).then(() => {
      this.#frozen.delete(worker);
    });
    this.#frozen.set(worker, thawed);
    return true;
  }

  /** One that runs, and is not frozen. */
  #awake(kind: Kind): KeptRunning | null {
    const awake = this.#cluster.of(kind).filter((one) => one.isRunning && !this.#frozen.has(one));
    return awake[this.#upTo(awake.length)] ?? null;
  }

  /** Below the limit, which is not in it. */
  #upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
