import { setMaxListeners } from 'node:events';
import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { rfc9421Signer } from '../../src/contract/signer.ts';
import type { Entry, RunCreated, RunRow } from '../../src/domain/entry.ts';
import type { Decision } from '../../src/domain/outcomes/resolve-outcome.ts';
import type { Ceilings } from '../../src/domain/plan.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { CommitUncertain, Deposed, type RunWriter } from '../../src/journal/journal.ts';
import { packedRows } from '../../src/journal/packed-rows.ts';
import { foldPages } from '../../src/journal/pages.ts';
import type { SigningKey } from '../../src/keys/ed25519.ts';
import { silentLog } from '../../src/platform/log.ts';
import { endCancelled, markCancelled } from '../../src/runner/cancel.ts';
import { Halt } from '../../src/runner/halt.ts';
import { newRunId, planDigest, planFacts, RowGatherer } from '../../src/runner/plan/plan.ts';
import { plannedConversions } from '../../src/runner/plan/planned-conversions.ts';
import { preflight } from '../../src/runner/plan/preflight.ts';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { openContext } from '../../src/runner/recorder.ts';
import { execute, type RunEnd } from '../../src/runner/run.ts';
import type { RunContext } from '../../src/runner/run-context.ts';
import type { Network } from './network.ts';
import type { Random } from './random.ts';
import type { Process, SimJournal } from './sim-journal.ts';
import { clockOf, type Machine, type World } from './world.ts';

export const LEASE_MS = 30_000;
const WAIT_TIMEOUT_MS = 300_000;

/** How a process ended by itself. */
export type Ending =
  | RunEnd
  /** Nothing was done: the run is held, the service is away, or the clocks disagree. */
  | { end: 'refused'; message: string }
  /** The lease was lost, or a commit was uncertain. */
  | { end: 'stopped'; message: string }
  /** A person's word is written. */
  | { end: 'said' };

/** What a process is started for: the commands `run` and `resume`, `resolve`, and `cancel`. */
export type Task =
  | { kind: 'run'; resubmitAbsent: boolean }
  | { kind: 'resolve'; row: number; verdict: Decision }
  | { kind: 'cancel' };

export type RunnerParts = {
  world: World;
  random: Random;
  journal: SimJournal;
  network: Network;
  key: SigningKey;
  apiKey: string;
  profile: Profile;
  rows: RunRow[];
  ceilings: Ceilings;
  turnMs: number;
  pollEveryMs: number;
  die(process: Process): void;
};

/** One process of the runner, as the commands `run` and `resume` put it together, without files and terminals. */
export class SimRunner {
  readonly process: Process;
  readonly #parts: RunnerParts;
  readonly #machine: Machine;
  readonly #stop = new AbortController();
  readonly #clock: ReturnType<typeof clockOf>;

  constructor(parts: RunnerParts, machine: Machine, pid: number) {
    this.#parts = parts;
    this.#machine = machine;
    this.process = { name: `run${pid}`, isGone: false, frozenUntilMs: 0, host: machine.name, pid };
    this.#clock = clockOf(parts.world, this.process, machine, parts.turnMs);
    setMaxListeners(0, this.#stop.signal);
  }

  get machine(): Machine {
    return this.#machine;
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.#stop.abort();
  }

  /** Begins the run, or continues it. Rejects where the program has a bug. */
  async work(task: Task): Promise<Ending> {
    try {
      return await this.#execute(task);
    } catch (error) {
      if (error instanceof Halt) return { end: 'refused', message: error.message };
      if (error instanceof Refusal) return { end: 'refused', message: error.message };
      if (error instanceof Deposed || error instanceof CommitUncertain)
        return { end: 'stopped', message: error.message };
      throw error;
    }
  }

  async #execute(task: Task): Promise<Ending> {
    const { random, profile, network, key, apiKey, die } = this.#parts;
    const clock = this.#clock;
    const journal = this.#parts.journal.open(this.process, clock, LEASE_MS);
    const randomness = random;
    const client = createClient({
      transport: network.transport(this.process, (actor) => die(actor as Process)),
      queue: requestQueue({ rate: profile.rate, concurrency: profile.concurrency, clock }),
      signer: rfc9421Signer({ keyId: apiKey, key }),
      clock,
      randomness,
      log: silentLog,
      requestLifetimeMs: profile.request_lifetime_ms,
    });
    const known = (await journal.listRuns(1))[0]?.run_id ?? null;
    let writer: RunWriter;
    if (known === null) {
      await preflight(client, clock, []);
      const { header, entries } = await this.#plan(client);
      const created = await journal.createRun({ header, rows: entries, refuseRepeat: true });
      if (created.outcome !== 'created') return { end: 'refused', message: 'this file was run before' };
      writer = created.writer;
    } else {
      const opened = await journal.openRun(known);
      if (opened.outcome !== 'opened') return { end: 'refused', message: `the run is ${opened.outcome}` };
      writer = opened.writer;
    }
    try {
      const run = await foldPages(journal.readRun(writer.runId, { withTexts: true }), packedRows());
      if (task.kind === 'cancel') await markCancelled(run, writer, { by: 'somebody' });
      if (known !== null) await preflight(client, clock, []);
      const resubmitAbsent = task.kind === 'run' && task.resubmitAbsent;
      const given = { clock, randomness, log: silentLog, stop: this.#stop.signal, hints: null, resubmitAbsent };
      const context = openContext({ run, writer, journal, client, ...given });
      return await this.#perform(task, context);
    } finally {
      await writer.release().catch((error: unknown) => {
        if (!(error instanceof CommitUncertain)) throw error;
      });
    }
  }

  async #perform(task: Task, context: RunContext): Promise<Ending> {
    switch (task.kind) {
      case 'run':
        return execute(context, {
          leaseMs: LEASE_MS,
          pollEveryMs: this.#parts.pollEveryMs,
          waitTimeoutMs: WAIT_TIMEOUT_MS,
          onPhase: (phase) => this.#parts.world.note(`${this.process.name} is ${phase}`),
        });
      case 'resolve': {
        const said = await resolveRow(context, task.row, task.verdict, { by: 'somebody' });
        return said.outcome === 'resolved' ? { end: 'said' } : { end: 'refused', message: said.refused.why };
      }
      case 'cancel':
        await endCancelled(context, { leaseMs: LEASE_MS });
        return { end: 'said' };
    }
  }

  async #plan(client: Client): Promise<{ header: RunCreated; entries: Entry[] }> {
    const { rows, profile, random, pollEveryMs, ceilings } = this.#parts;
    const sha256 = 'a1'.repeat(32);
    const gatherer = new RowGatherer();
    for (const row of rows) gatherer.add(row);
    const entries = gatherer.finish();
    const header: RunCreated = {
      kind: 'run_created',
      run_id: newRunId(this.#clock.wallMs(), random),
      input: {
        name: 'payroll.csv',
        path: 'payroll.csv',
        sha256,
        bytes: 100,
        header: ['name', 'amount'],
        columns: ['name', 'amount'],
      },
      job: null,
      period: null,
      rehearsal: true,
      profile,
      settings: { poll_every_ms: pollEveryMs, wait_timeout_ms: WAIT_TIMEOUT_MS },
      digest: '',
      payouts: gatherer.payouts,
      scope: 'https://service.example/|key',
      report_dir: 'reports',
      repeats: null,
      retries: null,
      corrections_sha256: null,
      job_source: null,
    };
    const plan = planFacts(header, [], {
      conversions: await plannedConversions(client, entries, ceilings),
      payees: null,
      warnings: 0,
      limits: null,
      cooling_off: [],
      approval: null,
      repeat_window_ms: null,
    });
    header.digest = planDigest(plan, rows);
    return { header, entries: [...entries, { kind: 'planned', plan }, { kind: 'started', by: 'somebody' }] };
  }
}
