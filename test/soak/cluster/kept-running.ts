import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, Started } from '../../support/payrun-process.ts';

/** Longer in the units of systemd; the soak waits for nobody. */
const RESTART_MS = 2_000;

/** As they may end by themselves: asked to, another process holds what they need, or the database cannot be used at their start. */
const FINE_EXITS: ReadonlySet<number | null> = new Set([0, 7, 8]);
const STACK_LINE = /\n\s+at .+:\d+:\d+/;
const TOLD_MAX = 2_000;

/** Hears what becomes of processes. */
export type Ear = {
  /** A whole line of JSON on standard output. */
  line(from: KeptRunning, line: unknown): void;
  /** One that nobody had killed. */
  endedItself(from: KeptRunning, exit: number | string, stderr: string): void;
  /** It ended as none should. */
  finding(text: string): void;
};

/** A process that is started again when it ends, at once where the soak has killed it, else after a pause as systemd would. */
export class KeptRunning {
  readonly kind: string;
  /** Resolves with the first line that the first one has printed. */
  readonly ready: Promise<unknown>;
  readonly #spawn: () => Started;
  readonly #ear: Ear;
  #started!: Started;
  #isKilled = false;
  #isOver = false;
  readonly #ready = Promise.withResolvers<unknown>();

  constructor(kind: string, spawn: () => Started, ear: Ear) {
    this.kind = kind;
    this.#spawn = spawn;
    this.#ear = ear;
    this.ready = this.#ready.promise;
    this.#start();
  }

  get started(): Started {
    return this.#started;
  }

  /** False in the pause before it is started again. */
  get isRunning(): boolean {
    const { exitCode, signalCode } = this.#started.child;
    return exitCode === null && signalCode === null;
  }

  /** SIGKILL; the next one is started when it has ended. */
  kill(): void {
    this.#isKilled = true;
    this.#started.child.kill('SIGKILL');
  }

  /** SIGSTOP, for so long. */
  async freeze(ms: number): Promise<void> {
    const { child } = this.#started;
    child.kill('SIGSTOP');
    await sleep(ms);
    child.kill('SIGCONT');
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    this.#isOver = true;
    if (!this.isRunning) return;
    this.#started.child.kill('SIGKILL');
    await this.#started.ended.catch(() => {});
  }

  #start(): void {
    this.#isKilled = false;
    const started = this.#spawn();
    this.#started = started;
    let rest = '';
    started.child.stdout?.on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.map((one) => JSON.parse(one) as unknown)) {
        this.#ready.resolve(line);
        this.#ear.line(this, line);
      }
    });
    void this.#startNext(started);
  }

  async #startNext({ ended }: Started): Promise<void> {
    try {
      this.#note(await ended);
    } catch (error) {
      // What it prints has to be as published; one that was killed may print half of it.
      if (!this.#isKilled && !this.#isOver) this.#ear.finding(`${this.kind}: ${String(error)}`.slice(0, TOLD_MAX));
    }
    if (!this.#isKilled && !this.#isOver) await sleep(RESTART_MS);
    if (!this.#isOver) this.#start();
  }

  #note({ exit, signal, stderr }: Ended): void {
    if (this.#isKilled || this.#isOver) return;
    this.#ear.endedItself(this, exit ?? signal ?? '', stderr);
    if (!FINE_EXITS.has(exit) || STACK_LINE.test(stderr))
      this.#ear.finding(`${this.kind} ended with ${exit ?? signal}: ${stderr.trim().slice(-TOLD_MAX)}`);
  }
}
