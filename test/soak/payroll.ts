import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mulberry32 } from '../support/generate-payroll.ts';
import { type Ended, type Started, spawnPayrun } from '../support/payrun-process.ts';
import { allTransactions } from '../support/service-admin.ts';
import { KillableService } from './killable-service.ts';
import { type Shape, writeSoakInput } from './soak-input.ts';

const SHAPES: readonly Shape[] = ['distinct', 'equal amounts', 'payees repeated'];

/** Doubts are settled when a request's deadline has passed: a short life keeps each kill short. */
const REQUEST_LIFETIME = '6s';
/** Payouts are final so long after they were accepted, at most. */
const SETTLE_MAX_MS = 3_000;
const PERSON_NEEDED = 5;
const RUN_ID = /run (R\d{8}-\w+): \d+ payouts/;

/**
 * Most payrolls have a rate at which their phases take a second or two, a third goes as fast as it can. A slow one is
 * found in the middle of a commit less often: a process that is frozen there keeps the lock, and nobody can take over.
 */
export type Pace = 'fast' | 'slow';

/** Of what `show --json` says. */
type Shown = { doubts: { row: number; about: string }[]; payouts: { row: number; token: string | null }[] };

/** One payroll of its own: a folder, a service with its data, an input, and the command that pays it. */
export class SoakPayroll {
  readonly folder: string;
  readonly service: KillableService;
  readonly random: () => number;
  readonly rows: number;
  readonly file: string;
  readonly dataDir: string;
  readonly reportDir: string;
  /** Known as soon as a process has said it, or the journal lists it. */
  runId: string | null = null;
  #resumed: Started | null = null;
  /** A person has looked at the service: the next `resume` takes for absent what it does not list. */
  #isAccepted = false;

  private constructor(rows: number, seed: number) {
    this.rows = rows;
    this.random = mulberry32(seed);
    this.folder = mkdtempSync(join(tmpdir(), `payrun-soak-${seed}-`));
    this.file = join(this.folder, 'payroll.csv');
    this.dataDir = join(this.folder, 'data');
    this.reportDir = join(this.folder, 'reports');
    this.service = new KillableService(join(this.folder, 'service'), Math.floor(this.random() * SETTLE_MAX_MS));
  }

  static async create(rows: number, seed: number, pace: Pace): Promise<SoakPayroll> {
    const payroll = new SoakPayroll(rows, seed);
    const shape = SHAPES[Math.floor(payroll.random() * SHAPES.length)] ?? 'distinct';
    await writeSoakInput(payroll.file, rows, seed, shape);
    writeFileSync(join(payroll.folder, 'profile.yaml'), payroll.#profile(pace));
    await payroll.service.start();
    return payroll;
  }

  #profile(pace: Pace): string {
    const seconds = pace === 'fast' ? 1.5 + 3 * this.random() : 6 + 20 * this.random();
    const rate = this.random() < 0.3 ? 0 : Math.ceil((3 * this.rows) / seconds);
    const concurrency = 1 + Math.floor(this.random() * 24);
    return `request_lifetime: ${REQUEST_LIFETIME}\nlisting_lag: 0s\nrate: ${rate}/s\nconcurrency: ${concurrency}\n`;
  }

  /** `payrun run`, or `payrun resume` once there is a run. */
  async go(env: Record<string, string> = {}): Promise<Started> {
    const paths = ['--data-dir', this.dataDir, '--report-dir', this.reportDir];
    const common = ['--json', '--poll-every', '100ms', ...paths];
    const runId = await this.findRun();
    const word = this.#isAccepted ? ['--resubmit-absent'] : [];
    this.#isAccepted = false;
    if (runId !== null) return this.#watched(spawnPayrun(['resume', runId, ...word, ...common], { env }));
    const profile = ['--profile', join(this.folder, 'profile.yaml'), ...this.service.ready.options];
    return this.#watched(spawnPayrun(['run', this.file, '--yes', ...profile, ...common], { env }));
  }

  /**
   * Takes the part of the person whom a run needs whose first payout was lost before any had come back. True where it is so,
   * and the service has no transaction at all: then the next `go` says that its list is proof.
   */
  async acceptLostFirst({ exit }: Ended): Promise<boolean> {
    if (exit !== PERSON_NEEDED) return false;
    const shown = await spawnPayrun(['show', String(await this.findRun()), '--json', '--data-dir', this.dataDir]).ended;
    const { doubts, payouts }: Shown = JSON.parse(shown.stdout);
    const sent = payouts.filter(({ token }) => token !== null).map(({ row }) => row);
    const isFirst = sent.length === 1 && doubts.length === 1 && doubts[0]?.row === sent[0];
    if (!isFirst || doubts[0]?.about !== 'no_canary') return false;
    this.#isAccepted = (await allTransactions(this.service.ready)).length === 0;
    return this.#isAccepted;
  }

  /** The run's id, once one was created. */
  async findRun(): Promise<string | null> {
    this.runId ??= RUN_ID.exec(this.#resumed?.stderr() ?? '')?.[1] ?? null;
    if (this.runId !== null) return this.runId;
    const listed = await spawnPayrun(['runs', '--json', '--data-dir', this.dataDir]).ended;
    if (listed.exit === 0) this.runId = JSON.parse(listed.stdout).runs[0]?.run_id ?? null;
    return this.runId;
  }

  #watched(started: Started): Started {
    this.#resumed = started;
    return started;
  }

  /** Ends what still runs. The folder stays for whoever wants to look. */
  async end(): Promise<void> {
    const last = this.#resumed;
    if (last && last.child.exitCode === null && last.child.signalCode === null) {
      last.child.kill('SIGKILL');
      await last.ended;
    }
    await this.service.stop();
  }
}

/** How a process ended, for people. */
export function endText({ exit, signal, stderr, stdout }: Ended): string {
  return `exit ${exit ?? signal}: ${`${stderr}${stdout}`.trim().split('\n').slice(-4).join(' | ')}`;
}
