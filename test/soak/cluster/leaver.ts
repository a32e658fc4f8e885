import { setTimeout as sleep } from 'node:timers/promises';
import { concurrently } from '../../../src/runner/concurrently.ts';
import type { Cluster } from './cluster.ts';
import type { JournalLook } from './journal-look.ts';
import { Office } from './office.ts';
import type { Payroll } from './payrolls.ts';
import type { TimedJob } from './timetable.ts';

export type Leaving = {
  pages: number;
  schedulers: number;
};

/** So many payrolls wait for workers, that there is always work. */
const WAITING_MOST = 24;
/** Payrolls that are left to workers at the same time. */
const LEFT_AT_ONCE = 3;
const BY_PAGE_AT_ONCE = 2;
const LOOK_MS = 1_000;
/** When no schedule begins a job any more: the last look at what another host began, or a second try, is over by then. */
const GIVEN_UP_MS = 150_000;

/** What `show --json` has of a payout in doubt. */
type Doubt = { row: number; about: string; candidates: readonly string[] };

/** Leaves payrolls to workers, each in its way, and again where the journal does not have it: a promoted standby may have lost some. */
export class Leaver {
  readonly #cluster: Cluster;
  readonly #look: JournalLook;
  readonly #payrolls: readonly Payroll[];
  readonly #options: Leaving;
  #office: Office | null = null;
  #jobs: TimedJob[] = [];
  /** Runs that a person resumed, payouts that a person recognized, and periods that a person ran. */
  resumed = 0;
  resolved = 0;
  ranByHand = 0;

  constructor(cluster: Cluster, look: JournalLook, payrolls: readonly Payroll[], options: Leaving) {
    this.#cluster = cluster;
    this.#look = look;
    this.#payrolls = payrolls;
    this.#options = options;
  }

  /** As many as wait at most. */
  async leaveFirst(): Promise<void> {
    await this.#byCommand(this.#of('command').slice(0, WAITING_MOST), new AbortController().signal);
  }

  /** Opens the pages, and starts the schedulers. */
  async open(): Promise<void> {
    const { pages, schedulers } = this.#options;
    this.#jobs = this.#cluster.startSchedulers(schedulers, this.#of('schedule'));
    const { ports, link } = await this.#cluster.startPages(pages);
    this.#office = await Office.open(ports, link, this.#look, this.#cluster.notes);
  }

  /** Resolves when each payroll was left once, but for those whose time has not come, or when it is to stop. */
  async leaveAll(stop: AbortSignal): Promise<void> {
    await Promise.all([this.#byCommand(this.#of('command'), stop), this.#byPage(stop), this.#bySchedule(stop)]);
  }

  /**
   * Where no worker goes on with a run that has not ended, a person has to say that what the service does not list is absent, and
   * which payment is a payout that was sent by entries which the new primary has lost.
   */
  async help(print: (line: string) => void): Promise<void> {
    const runs = await this.#look.runs();
    for (const { id } of runs.filter(({ isStarted, isEnded, isInHand }) => isStarted && !isEnded && !isInHand)) {
      const shown = await this.#cluster.command('show', id, '--json');
      const doubts = shown.exit === 0 ? JSON.parse(shown.stdout).doubts : shown.stderr;
      print(`a person is needed for ${id}: ${JSON.stringify(doubts).slice(0, 400)}`);
      if (shown.exit === 0) await this.#resolve(id, doubts, print);
      const ended = await this.#cluster.command('resume', id, '--resubmit-absent', '--poll-every', '200ms');
      print(`  exit ${ended.exit}: ${ended.stderr.trim().split('\n').slice(-3).join(' | ')}`);
      this.resumed++;
    }
  }

  async #resolve(id: string, doubts: readonly Doubt[], print: (line: string) => void): Promise<void> {
    for (const { row, about, candidates } of doubts) {
      const [candidate] = candidates;
      if (about !== 'old_copy' || candidate === undefined || candidates.length > 1) continue;
      const ended = await this.#cluster.command('resolve', id, String(row), '--sent', candidate, '--yes');
      if (ended.exit === 0) this.resolved++;
      else print(`  row ${row}, exit ${ended.exit}: ${ended.stderr.trim()}`);
    }
  }

  #of(way: Payroll['way']): Payroll[] {
    return this.#payrolls.filter((payroll) => payroll.way === way);
  }

  async #byCommand(payrolls: readonly Payroll[], stop: AbortSignal): Promise<void> {
    await concurrently(payrolls, LEFT_AT_ONCE, async (payroll) => {
      while (!stop.aborted && (await this.#look.waiting()) >= WAITING_MOST) await sleep(LOOK_MS);
      if (!stop.aborted && (await this.#look.runOf(payroll.sha256)) === null) await this.#cluster.leave(payroll);
    });
  }

  async #byPage(stop: AbortSignal): Promise<void> {
    await concurrently(this.#of('page'), BY_PAGE_AT_ONCE, async (payroll) => {
      while (!stop.aborted && !(await this.#office?.pay(payroll))) await sleep(LOOK_MS);
    });
  }

  async #bySchedule(stop: AbortSignal): Promise<void> {
    for (const job of this.#jobs) {
      while (!stop.aborted && (await this.#look.runOf(job.payroll.sha256)) === null) {
        await sleep(LOOK_MS);
        if (Date.now() - job.dueMs < GIVEN_UP_MS) continue;
        await this.#cluster.leaveJob(job);
        this.ranByHand++;
      }
    }
  }
}
