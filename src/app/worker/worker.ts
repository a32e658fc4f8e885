import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { kindOf } from '../../domain/refusals/reason.ts';
import { Deposed, type Journal } from '../../journal/journal.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { RunQueue } from '../../queue/run-queue.ts';
import { AT_START, withDatabase } from '../database-wait.ts';
import { queuedRuns } from '../run/left-run.ts';
import type { ExecutedRun } from '../run/run-deps.ts';
import type { Taken } from './take-run.ts';
import type { WorkerEvent } from './worker-event.ts';

/** The database of a worker, open. */
export type WorkerPlace = { journal: Journal; queue: RunQueue; close(): Promise<void> };

export type WorkerDeps = {
  clock: Clock;
  log: Log;
  /** How many runs it executes at once. */
  concurrency: number;
  /** Opens the database. Throws a `Refusal` where it cannot be used. */
  open(): Promise<WorkerPlace>;
  /** Does what is to be done with a run. Never rejects. */
  take(place: WorkerPlace, queued: QueuedRun): Promise<Taken>;
  report(event: WorkerEvent): void;
  /** Aborted when the worker is to hand over and end; the runs that it executes listen to it too. */
  stop: AbortSignal;
};

/** The runs that nobody works on are looked for so often. */
const SWEEP_EVERY_MS = 2_000;

/** How long a run rests that a worker could not work on, because the service was away or the worker failed; then it is given up. */
const REST_MS = [15_000, 60_000, 120_000, 240_000, 480_000, 900_000, 1_800_000, 1_800_000] as const;

/**
 * How long a worker without the key of a run leaves it alone, so that others find it: twice as long each time, to ten
 * minutes. After so many tries of all workers together the run is given up.
 */
const KEYLESS_FIRST_MS = 15_000;
const KEYLESS_MAX_MS = 600_000;
const KEYLESS_TRIES_MAX = 40;
const KEYLESS_RUNS_MAX = 10_000;

/**
 * Executes runs that are left to workers, until it is stopped. The queue and the sweep only bring ids: whether it may work on a
 * run, the run's lease decides. At the start it waits for its database for a while, and throws a `Refusal` then; later it waits for
 * as long as it takes.
 */
export async function serveRuns(deps: WorkerDeps): Promise<void> {
  let place = await withDatabase(deps, deps.open, AT_START);
  if (place !== null) deps.report({ event: 'ready' });
  while (place !== null) {
    const worker = new Worker(deps, place);
    try {
      await worker.serve();
    } finally {
      await place.close();
    }
    if (deps.stop.aborted) return;
    // Another database stands in place of the one that was opened, such as a promoted standby.
    place = await withDatabase(deps, deps.open, { isAway: () => true });
  }
}

/** A worker at one open database. */
class Worker {
  readonly #deps: WorkerDeps;
  readonly #place: WorkerPlace;
  readonly #inHand = new Set<string>();
  /** Runs whose key it lacks: until when it leaves each alone (monotonic ms), and for how long it did last. */
  readonly #keyless = new Map<string, { untilMs: number; pauseMs: number }>();

  constructor(deps: WorkerDeps, place: WorkerPlace) {
    this.#deps = deps;
    this.#place = place;
  }

  /** Returns when the worker is stopped, or the database is another one. */
  async serve(): Promise<void> {
    const { concurrency } = this.#deps;
    const { queue } = this.#place;
    await queue.start(concurrency, (runId) => this.#work(runId));
    await this.#sweep();
    await queue.stop();
  }

  /** Puts runs in the queue that nobody works on: their worker ended or was frozen, or the queue has lost them. */
  async #sweep(): Promise<void> {
    const { clock, stop } = this.#deps;
    try {
      while (!stop.aborted) {
        await withDatabase(this.#deps, () => this.#sendDue(), { isAway: (error) => !(error instanceof Deposed) });
        await clock.sleep(SWEEP_EVERY_MS, stop);
      }
    } catch (error) {
      if (!(error instanceof Deposed)) throw error;
    }
  }

  async #sendDue(): Promise<void> {
    const due = await queuedRuns(this.#place.journal).due();
    await this.#place.queue.send(due.map(({ runId }) => runId).filter((runId) => this.#isFree(runId)));
  }

  #isFree(runId: string): boolean {
    const keyless = this.#keyless.get(runId);
    return !this.#inHand.has(runId) && (keyless === undefined || keyless.untilMs <= this.#deps.clock.monotonicMs());
  }

  /** Never rejects: what cannot be noted now, the next sweep of any worker finds. */
  async #work(runId: string): Promise<void> {
    const { log, stop } = this.#deps;
    if (stop.aborted || !this.#isFree(runId)) return;
    this.#inHand.add(runId);
    try {
      const { journal } = this.#place;
      const queued = await queuedRuns(journal).find(runId);
      if (queued === null || !queued.isDue || (await journal.holder(runId)) !== null) return;
      await this.#note(queued, await this.#deps.take(this.#place, queued));
    } catch (error) {
      log.warn({ error, run: runId }, 'what became of a run was not noted');
    } finally {
      this.#inHand.delete(runId);
    }
  }

  #note(queued: QueuedRun, taken: Taken): Promise<void> {
    switch (taken.outcome) {
      case 'executed':
        return this.#noteExecuted(queued, taken.executed);
      case 'refused':
        return this.#noteRefused(queued, taken.reason);
      case 'failed': {
        const { runId } = queued;
        this.#deps.log.error({ error: taken.error, run: runId }, 'a run could not be worked on');
        return this.#rest(queued, { code: 'worker_failed', runId, cause: causeOf(taken.error) });
      }
    }
  }

  async #noteExecuted(queued: QueuedRun, { ending, end, run, result }: ExecutedRun): Promise<void> {
    const { report } = this.#deps;
    const { runId } = queued;
    if (end.end === 'interrupted' && !run.paused) {
      await this.#place.queue.send([runId]);
      return report({ event: 'handed_over', runId });
    }
    report({ event: 'ended', runId, ending, report: result.report });
    if (end.end === 'halted' && end.reason === 'outage')
      return this.#rest(queued, { code: 'run_stopped', runId, why: end.why });
    await queuedRuns(this.#place.journal).remove(runId);
  }

  async #noteRefused(queued: QueuedRun, why: RefusalReason): Promise<void> {
    const { runId } = queued;
    const { report } = this.#deps;
    const kind = kindOf(why);
    // Another worker was faster.
    if (why.code === 'held' || why.code === 'journal_locked') return;
    // The connection was cut: it is no fault of the run, which the next look at the database finds.
    if (why.code === 'lost' || why.code === 'database_unusable') return report({ event: 'lost', runId, why });
    if (why.code === 'worker_lacks_key') return this.#leaveToOthers(queued, why);
    if (why.code === 'run_paused') {
      report({ event: 'left', runId, why, isTriedAgain: false });
      return queuedRuns(this.#place.journal).remove(runId);
    }
    if (kind === 'unreachable' || kind === 'held' || why.code === 'service_away') return this.#rest(queued, why);
    return this.#leave(queued, why, null);
  }

  /** No worker can help it for now. */
  #rest(queued: QueuedRun, why: RefusalReason): Promise<void> {
    return this.#leave(queued, why, REST_MS[queued.tries] ?? null);
  }

  /** It stays due, and this worker does not look at it for some time. */
  #leaveToOthers(queued: QueuedRun, why: RefusalReason): Promise<void> {
    const { runId } = queued;
    const last = this.#keyless.get(runId)?.pauseMs;
    const pauseMs = last === undefined ? KEYLESS_FIRST_MS : Math.min(2 * last, KEYLESS_MAX_MS);
    if (this.#keyless.size >= KEYLESS_RUNS_MAX) this.#keyless.clear();
    this.#keyless.set(runId, { untilMs: this.#deps.clock.monotonicMs() + pauseMs, pauseMs });
    return this.#leave(queued, why, queued.tries + 1 < KEYLESS_TRIES_MAX ? 0 : null);
  }

  async #leave({ runId }: QueuedRun, why: RefusalReason, pauseMs: number | null): Promise<void> {
    this.#deps.report({ event: 'left', runId, why, isTriedAgain: pauseMs !== null });
    await queuedRuns(this.#place.journal).leave(runId, why, pauseMs);
  }
}

function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
