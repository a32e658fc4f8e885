import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type Ended, spawnPayrun } from '../../support/payrun-process.ts';
import { readyServiceOf, type ServiceProcess } from '../../support/ready-service.ts';
import { QUICK_PASSWORDS } from '../../support/web-environment.ts';
import { ORIGIN } from '../../web/roaming.ts';
import { Arrivals } from './arrivals.ts';
import { SoakDatabase } from './database.ts';
import { KeptRunning } from './kept-running.ts';
import { Notes } from './notes.ts';
import type { Payroll } from './payrolls.ts';
import { type TimedJob, writeJobs } from './timetable.ts';

export type Rate = { requests: number; windowMs: number };

/** Runs a command of payrun to its end. */
export type Run = (args: string[]) => Promise<Ended>;

/** Processes of a kind. */
export type Kind = 'worker' | 'page' | 'scheduler';

/** A service, a database, and workers, pages and schedulers at both, each a real process. */
export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'payrun-cluster-'));
  readonly notes = new Notes(join(this.folder, 'soak.log'));
  readonly rate: Rate;
  readonly #run: Run;
  readonly #kept: KeptRunning[] = [];
  // There when it is started.
  database!: SoakDatabase;
  service!: ServiceProcess;
  arrivals!: Arrivals;

  constructor(rate: Rate, run: Run) {
    this.rate = rate;
    this.#run = run;
  }

  /** Without workers, pages and schedulers at first. */
  async start(): Promise<void> {
    const { rate } = this;
    this.database = await SoakDatabase.start(this.#run);
    // The service counts in windows of 10 s, into which that many of the others can fall; the proxy in front counts in those.
    const limit = rate.requests * Math.ceil(10_000 / rate.windowMs);
    const args = ['service', '--json', '--port', '0', '--admin-port', '0', '--settle-after', '0ms'];
    const where = ['--rate-limit', String(limit), '--data-dir', join(this.folder, 'service')];
    this.service = await readyServiceOf(spawnPayrun([...args, ...where]));
    this.arrivals = await Arrivals.start(this.service.base_url);
    const profile = Object.entries(this.#pace).map(([name, value]) => `${name}: ${value}\n`);
    writeFileSync(this.#profile, profile.join(''));
  }

  of(kind: Kind): KeptRunning[] {
    return this.#kept.filter((one) => one.kind === kind);
  }

  startWorker(): void {
    const reports = ['--report-dir', join(this.folder, 'reports')];
    this.#keep('worker', ['worker', '--json', ...reports, '--database', this.database.as('payrun_worker')]);
  }

  /** Pages, at these ports. Gives the link of the first person. */
  async startPages(count: number): Promise<{ ports: number[]; link: string }> {
    const ports: number[] = [];
    for (let n = 0; n < count; n++) ports.push(await freePort());
    const all = [
      '--detach',
      '--behind-proxy',
      ORIGIN,
      ...this.#wayToPay,
      '--database',
      this.database.as('payrun_office'),
    ];
    const pages = ports.map((port) =>
      this.#keep('page', ['web', '--json', '--port', String(port), ...all], QUICK_PASSWORDS),
    );
    const [first] = (await Promise.all(pages.map(({ ready }) => ready))) as { first_user_url: string | null }[];
    return { ports, link: first?.first_user_url ?? '' };
  }

  /** Schedulers of the jobs that pay these payrolls. */
  startSchedulers(count: number, payrolls: readonly Payroll[]): TimedJob[] {
    const { api_key, signing_key_file } = this.service;
    const service = { base_url: this.arrivals.baseUrl, api_key, signing_key_file, ...this.#pace };
    const jobs = writeJobs(this.folder, payrolls, service);
    const words = ['schedule', '--json', '--detach', '--database', this.database.as('payrun_worker')];
    for (let n = 0; n < count; n++) this.#keep('scheduler', words);
    return jobs;
  }

  /** Leaves a payroll to the workers. */
  leave({ file }: Payroll): Promise<void> {
    return this.#left(['run', file, ...this.#wayToPay]);
  }

  /** Leaves what a schedule should have paid to the workers. */
  leaveJob({ file, period }: TimedJob): Promise<void> {
    return this.#left(['run', file, '--period', period]);
  }

  /** Pays a payroll in a process of its own. */
  async pay({ file }: Payroll): Promise<void> {
    const words = ['run', file, '--yes', ...this.#wayToPay, '--report-dir', join(this.folder, 'own')];
    const { exit, stderr } = await this.#run([...words, ...this.#caller]);
    if (exit !== 0) throw new Error(`a payroll was not paid: ${stderr}`);
  }

  /** A command on the journal. */
  command(...words: string[]): Promise<Ended> {
    return this.#run([...words, ...this.#caller]);
  }

  async end(keep: boolean): Promise<void> {
    await Promise.all(this.#kept.map((one) => one.end()));
    this.arrivals?.stop();
    this.service?.started.child.kill('SIGTERM');
    await this.service?.started.ended;
    await this.database?.end(keep ? join(this.folder, 'database') : null);
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }

  async #left(words: string[]): Promise<void> {
    const left = await this.#run([...words, '--yes', '--detach', '--json', ...this.#caller]);
    if (left.exit !== 0) this.notes.message(`command: not left: ${left.exit}: ${left.stderr.split('\n')[0]}`);
  }

  /** Each process has a host of its own, as far as it knows: a data directory. */
  #keep(kind: Kind, words: string[], env: Record<string, string> = {}): KeptRunning {
    const dataDir = join(this.folder, `${kind}-${this.of(kind).length}`);
    // Only schedulers look for jobs in their folder.
    const cwd = kind === 'scheduler' ? this.folder : dataDir;
    mkdirSync(dataDir);
    const spawn = () => spawnPayrun([...words, '--data-dir', dataDir], { cwd, env });
    const kept = new KeptRunning(kind, spawn, this.notes);
    this.#kept.push(kept);
    return kept;
  }

  get #pace(): Record<string, string> {
    const { requests, windowMs } = this.rate;
    return { request_lifetime: '6s', listing_lag: '0s', rate: `${requests}/${windowMs / 1_000}s` };
  }

  get #profile(): string {
    return join(this.folder, 'profile.yaml');
  }

  get #wayToPay(): string[] {
    const at = ['--base-url', this.arrivals.baseUrl, ...this.service.options.slice(2)];
    return ['--profile', this.#profile, ...at, '--poll-every', '200ms'];
  }

  get #caller(): string[] {
    return ['--data-dir', join(this.folder, 'caller'), '--database', this.database.as('payrun_worker')];
  }
}
