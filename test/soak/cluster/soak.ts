import { setTimeout as sleep } from 'node:timers/promises';
import { mulberry32 } from '../../support/generate-payroll.ts';
import { admin } from '../../support/service-admin.ts';
import { shareUsed } from './arrivals.ts';
import { Cluster, type Rate, type Run } from './cluster.ts';
import { type Disturbance, Disturber } from './disturb.ts';
import { JournalLook } from './journal-look.ts';
import { Leaver, type Leaving } from './leaver.ts';
import { total } from './notes.ts';
import { type Payroll, sizesOf, writePayrolls } from './payrolls.ts';
import { figuresOf, wrongIn } from './proof.ts';

export type ClusterOptions = Leaving & {
  workers: number;
  payrolls: number;
  rowsMax: number;
  seed: number;
  rate: Rate;
  /** How many, by chance; or just these, in this order. */
  disturbances: number | readonly Disturbance[];
  /** Between two of them. */
  pauseMaxMs: number;
  /** How long nothing is disturbed at first, to see how much of the limit is used. */
  quietMs: number;
  /** For so long no payroll is given up. */
  patienceMs: number;
  run: Run;
};

export type ClusterEnd = {
  wrong: string[];
  /** The figures, in the order in which they are printed. */
  figures: [string, string][];
  folder: string;
  isKept: boolean;
};

/** Of quiet time: until all workers that are ready are at work. */
const WARM_UP_MS = 4_000;
const LOOK_MS = 1_000;
const PROGRESS_MS = 15_000;

/**
 * Pays payrolls by several workers, pages and schedulers while all of it is disturbed, and proves what became of them. `stop` ends
 * it, with what it started.
 */
export async function clusterSoak(
  options: ClusterOptions,
  print: (line: string) => void,
  stop?: AbortSignal,
): Promise<ClusterEnd> {
  const startedMs = performance.now();
  const cluster = new Cluster(options.rate, options.run);
  const soak = new Soak(cluster, options, print);
  const wrong: string[] = [];
  let figures: [string, string][] = [];
  try {
    const stopped = Promise.withResolvers<never>();
    stop?.addEventListener('abort', () => stopped.reject(stop.reason));
    wrong.push(...(await Promise.race([soak.run(), stopped.promise])));
  } catch (error) {
    wrong.push(failureText(error));
  }
  soak.end();
  wrong.push(...cluster.notes.findings);
  try {
    figures = await soak.figures(wrong);
  } catch (error) {
    wrong.push(failureText(error));
  }
  const isKept = wrong.length > 0;
  await cluster.end(isKept);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  return { wrong, figures: [...figures, ['seconds', seconds]], folder: cluster.folder, isKept };
}

function failureText(error: unknown): string {
  return `the soak itself failed: ${error instanceof Error ? error.stack : String(error)}`;
}

class Soak {
  readonly #cluster: Cluster;
  readonly #options: ClusterOptions;
  readonly #disturber: Disturber;
  readonly #random: () => number;
  readonly #print: (line: string) => void;
  readonly #look: JournalLook;
  readonly #over = new AbortController();
  readonly #beganMs = performance.now();
  #payrolls: Payroll[] = [];
  #leaver: Leaver | null = null;
  #shareQuiet: number | null = null;

  constructor(cluster: Cluster, options: ClusterOptions, print: (line: string) => void) {
    this.#cluster = cluster;
    this.#options = options;
    this.#random = mulberry32(options.seed);
    this.#print = print;
    this.#disturber = new Disturber(cluster, this.#random);
    this.#look = new JournalLook(() => cluster.database.admin);
  }

  /** What is wrong at the end. */
  async run(): Promise<string[]> {
    const { payrolls, rowsMax, quietMs, workers } = this.#options;
    await this.#cluster.start();
    await admin(this.#cluster.service, 'balance.set', { code: 'AUD', value: `1${'0'.repeat(15)}` });
    // The first one makes all payees.
    const sizes = [rowsMax, ...sizesOf(payrolls - 1, rowsMax, this.#random)];
    this.#payrolls = writePayrolls(this.#cluster.folder, sizes);
    await this.#cluster.database.startStandby();
    await this.#cluster.pay(this.#payrolls[0] as Payroll);
    this.#print(`${sizes[0]} payees are made, ${sizes.reduce((sum, one) => sum + one, 0)} rows in all`);
    const leaver = new Leaver(this.#cluster, this.#look, this.#payrolls, this.#options);
    this.#leaver = leaver;
    await leaver.leaveFirst();
    for (let n = 0; n < workers; n++) this.#cluster.startWorker();
    if (quietMs > 0) this.#shareQuiet = await this.#quiet(quietMs);
    await leaver.open();
    void this.#progress();
    const leaving = leaver.leaveAll(this.#over.signal);
    leaving.catch(() => {});
    await this.#disturb();
    await leaving;
    await this.#disturber.end();
    await this.#untilEnded();
    return wrongIn(this.#cluster, this.#payrolls, this.#look);
  }

  end(): void {
    this.#over.abort();
  }

  async figures(wrong: string[]): Promise<[string, string][]> {
    return figuresOf(this.#cluster, wrong, {
      payrolls: this.#payrolls,
      disturber: this.#disturber,
      shareQuiet: this.#shareQuiet,
      leaver: this.#leaver,
    });
  }

  /** The share of the limit that is used while nothing is disturbed. */
  async #quiet(ms: number): Promise<number> {
    await Promise.all(this.#cluster.of('worker').map(({ ready }) => ready));
    await sleep(WARM_UP_MS);
    const fromMs = performance.timeOrigin + performance.now();
    await sleep(ms);
    const toMs = performance.timeOrigin + performance.now();
    const share = shareUsed(await this.#cluster.arrivals.counted(), this.#options.rate, { fromMs, toMs });
    this.#print(`${(share * 100).toFixed(1)} % of the limit is used while nothing is disturbed`);
    return share;
  }

  async #disturb(): Promise<void> {
    const { disturbances } = this.#options;
    if (typeof disturbances !== 'number') {
      for (const name of disturbances) {
        while (!(await this.#disturber.one(name))) await sleep(LOOK_MS / 4);
        await sleep(this.#random() * this.#options.pauseMaxMs);
      }
      return;
    }
    let nextLookMs = 0;
    while (this.#disturber.total < disturbances) {
      await this.#disturber.any();
      await sleep(this.#random() * this.#options.pauseMaxMs);
      if (performance.now() < nextLookMs) continue;
      nextLookMs = performance.now() + LOOK_MS;
      if ((await this.#ended()) === this.#payrolls.length) return;
    }
  }

  /** Until all payrolls have ended; what was lost is left again, and the part of a person is taken where one is needed. */
  async #untilEnded(): Promise<void> {
    const untilMs = performance.now() + this.#options.patienceMs;
    while (performance.now() < untilMs && !this.#over.signal.aborted) {
      await this.#leaver?.leaveAll(this.#over.signal);
      if ((await this.#ended()) === this.#payrolls.length) return;
      await this.#leaver?.help(this.#print);
      await sleep(LOOK_MS);
    }
  }

  /** How many payrolls have a run that has ended, and none that has not. */
  async #ended(): Promise<number> {
    const runs = (await this.#look.runs()).filter(({ isStarted }) => isStarted);
    const open = new Set(runs.filter(({ isEnded }) => !isEnded).map(({ input }) => input));
    const ended = new Set(runs.map(({ input }) => input)).difference(open);
    return this.#payrolls.filter(({ sha256 }) => ended.has(sha256)).length;
  }

  async #progress(): Promise<void> {
    const rows = this.#payrolls.reduce((sum, { amounts }) => sum + amounts.length, 0);
    while (!this.#over.signal.aborted) {
      const seconds = ((performance.now() - this.#beganMs) / 1_000).toFixed(0);
      try {
        const { transactions } = (await admin(this.#cluster.service, 'state')) as {
          transactions: Record<string, number>;
        };
        const ended = `${await this.#ended()} of ${this.#payrolls.length} runs ended`;
        const paid = `${transactions.COMPLETED ?? 0} of ${rows} rows paid`;
        const done = [...this.#disturber.done].map(([name, times]) => `${times} ${name}`).join(', ');
        this.#print(`${seconds} s: ${ended}, ${paid}, ${total(this.#disturber.done)} disturbances (${done})`);
      } catch (error) {
        this.#print(`${seconds} s: ${error instanceof Error ? error.message : String(error)}`);
      }
      await sleep(PROGRESS_MS, null, { ref: false, signal: this.#over.signal }).catch(() => {});
    }
  }
}
