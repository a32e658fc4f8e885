import { describe, expect, it } from 'vitest';
import type { ExecutedRun } from '../../src/app/run/run-deps.ts';
import type { Taken } from '../../src/app/worker/take-run.ts';
import { serveRuns, type WorkerDeps } from '../../src/app/worker/worker.ts';
import type { WorkerEvent } from '../../src/app/worker/worker-event.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { DatabaseFault } from '../../src/domain/refusals/journal-reasons.ts';
import type { RefusalReason } from '../../src/domain/refusals/reason.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import { Deposed, type Journal, JournalUnreadable } from '../../src/journal/journal.ts';
import type { QueuedRun, QueuedRuns } from '../../src/journal/queued-run.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { RunQueue } from '../../src/queue/run-queue.ts';
import { ManualClock } from '../journal/place.ts';

/** Sleeps at once, and lets what is under way go on first. */
class QuickClock extends ManualClock {
  override async sleep(ms: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.now += ms;
  }
}

/** The run R1, left to workers in a place where everything takes no time. `due` may be made to fail. */
function office(take: () => Taken, { hoursMax = 2 } = {}) {
  const clock = new QuickClock();
  const start = clock.now;
  const stop = new AbortController();
  const row: { run: QueuedRun | null } = {
    run: {
      ...{ runId: 'R1', task: { person: null, resubmitAbsent: false } },
      ...{ queuedAt: start, tries: 0, dueAt: start, isDue: true, why: null },
    },
  };
  const failures: Error[] = [];
  const find = (): QueuedRun | null => row.run && { ...row.run, isDue: (row.run.dueAt ?? Infinity) <= clock.now };
  const queued: QueuedRuns = {
    add: async () => {},
    find: async () => find(),
    list: async () => [],
    async due() {
      if (clock.now - start > hoursMax * 3_600_000) stop.abort();
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      const run = find();
      return run?.isDue ? [run] : [];
    },
    async leave(_, why, pauseMs) {
      if (row.run === null) return;
      row.run = { ...row.run, tries: row.run.tries + 1, why, dueAt: pauseMs === null ? null : clock.now + pauseMs };
    },
    async remove() {
      row.run = null;
    },
  };
  let work: ((runId: string) => Promise<void>) | null = null;
  const sent: string[] = [];
  const underWay: Promise<void>[] = [];
  const queue: RunQueue = {
    async send(runIds) {
      sent.push(...runIds);
      if (work !== null) underWay.push(...runIds.map(work));
    },
    async start(_, given) {
      work = given;
    },
    async stop() {
      work = null;
      await Promise.all(underWay);
    },
    async close() {},
  };
  const events: WorkerEvent[] = [];
  const takenAfterMs: number[] = [];
  const opened: number[] = [];
  const deps: WorkerDeps = {
    ...{ clock, log: silentLog, concurrency: 1, stop: stop.signal },
    async open() {
      opened.push(clock.now - start);
      return { journal: { queued, holder: async () => null } as unknown as Journal, queue, close: async () => {} };
    },
    async take() {
      takenAfterMs.push(clock.now - start);
      return take();
    },
    report: (event) => void events.push(event),
  };
  return { deps, row, stop, sent, events, takenAfterMs, opened, failures, serve: () => serveRuns(deps) };
}

function refused(reason: RefusalReason): Taken {
  return { outcome: 'refused', reason };
}

function executed(end: ExecutedRun['end'], run = new RunState()): Taken {
  const result = { report: [] } as unknown as ExecutedRun['result'];
  return { outcome: 'executed', executed: { ending: 'ok', end, run, result } };
}

const AWAY: RefusalReason = { code: 'credentials_refused', cause: 'no such key' };
const PAUSED = Object.assign(new RunState(), { paused: true });
const COUNTS = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

describe('a worker', () => {
  it('is done with a run that is finished, was paused, or needs a person', async () => {
    for (const taken of [
      executed({ end: 'finished', counts: COUNTS }),
      executed({ end: 'interrupted' }, PAUSED),
      executed({ end: 'halted', reason: 'person_needed', why: { code: 'old_copy', rows: 1 } }),
      refused({ code: 'run_paused', runId: 'R1' }),
    ]) {
      const place = office(() => taken, { hoursMax: 0.1 });
      await place.serve();
      expect(place.row.run).toBe(null);
      expect(place.takenAfterMs).toHaveLength(1);
    }
  });

  it('hands a run over that it was stopped at: the run stays, and the queue has it again', async () => {
    const place = office(() => {
      place.stop.abort();
      return executed({ end: 'interrupted' });
    });
    await place.serve();
    expect(place.row.run).toMatchObject({ tries: 0, why: null });
    expect(place.events.at(-1)).toEqual({ event: 'handed_over', runId: 'R1' });
    // By the sweep, and when it was handed over.
    expect(place.sent).toEqual(['R1', 'R1']);
  });

  it.each([
    ['the service is away', refused(AWAY)],
    [
      'the service stopped the run',
      executed({ end: 'halted', reason: 'outage', why: { code: 'unreadable', cause: '?' } }),
    ],
    ['the worker has failed', { outcome: 'failed', error: new Error('no space left') } as Taken],
  ])('lets a run rest where %s, for longer each time, and gives it up after nine tries', async (_, taken) => {
    const place = office(() => taken);
    await place.serve();
    expect(place.takenAfterMs).toHaveLength(9);
    const pauses = place.takenAfterMs.slice(1).map((at, index) => at - (place.takenAfterMs[index] ?? 0));
    expect(pauses.map((ms) => Math.floor(ms / 15_000) * 15)).toEqual([15, 60, 120, 240, 480, 900, 1_800, 1_800]);
    expect(place.row.run).toMatchObject({ tries: 9, dueAt: null });
    const left = place.events.filter(({ event }) => event === 'left');
    expect(left.map((event) => 'isTriedAgain' in event && event.isTriedAgain)).toEqual([...Array(8).fill(true), false]);
  });

  it('without the key of a run leaves it due to others, looks ever more rarely, and gives it up after 40 tries', async () => {
    const why: RefusalReason = { code: 'worker_lacks_key', runId: 'R1', service: 'https://pay.example/', cause: AWAY };
    const place = office(() => refused(why), { hoursMax: 7 });
    const dues: unknown[] = [];
    const { take } = place.deps;
    place.deps.take = (...given) => {
      dues.push(place.row.run?.dueAt);
      return take(...given);
    };
    await place.serve();
    expect(place.takenAfterMs).toHaveLength(40);
    const pauses = place.takenAfterMs.slice(1).map((at, index) => at - (place.takenAfterMs[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(15_000);
    expect(Math.floor(Math.max(...pauses) / 10_000)).toBe(60);
    expect(dues).not.toContain(null);
    expect(place.row.run).toMatchObject({ dueAt: null, why });
  });

  it('keeps silent where another was faster, and leaves the run as it is', async () => {
    const held: RefusalReason = { code: 'held', runId: 'R1', holder: { pid: 1, host: 'h' } };
    const place = office(() => refused(held), { hoursMax: 0.01 });
    await place.serve();
    expect(place.row.run).toMatchObject({ tries: 0, why: null });
    expect(place.events).toEqual([{ event: 'ready' }]);
  });

  it('loses a run whose connection was cut, and tries it again without counting that', async () => {
    const fault = { why: 'unreachable', cause: 'Connection terminated unexpectedly' } as const;
    const cut = refused({ code: 'database_unusable', database: 'postgres://db/payrun', fault });
    const answers = [cut, executed({ end: 'finished', counts: COUNTS })];
    const place = office(() => answers.shift() ?? cut, { hoursMax: 0.01 });
    const tries: unknown[] = [];
    const { take } = place.deps;
    place.deps.take = (...given) => {
      tries.push(place.row.run?.tries);
      return take(...given);
    };
    await place.serve();
    expect(place.events.map(({ event }) => event)).toEqual(['ready', 'lost', 'ended']);
    expect(tries).toEqual([0, 0]);
  });

  it('tries until the database is back, at longer pauses, and reports both', async () => {
    const place = office(() => executed({ end: 'finished', counts: COUNTS }), { hoursMax: 0.1 });
    place.failures.push(...Array.from({ length: 8 }, () => new JournalUnreadable(new Error('connection refused'))));
    await place.serve();
    expect(place.takenAfterMs).toEqual([
      [1, 2, 4, 8, 16, 30, 30, 30].reduce((sum, seconds) => sum + seconds * 1_000, 0),
    ]);
    expect(place.events.map(({ event }) => event)).toEqual([
      'ready',
      ...Array(8).fill('database_away'),
      'database_back',
      'ended',
    ]);
  });

  it('opens the database anew where another one stands in its place', async () => {
    const place = office(() => executed({ end: 'finished', counts: COUNTS }), { hoursMax: 0.1 });
    place.failures.push(new Deposed({ why: 'replaced' }, 'another database'));
    await place.serve();
    expect(place.opened).toHaveLength(2);
    expect(place.row.run).toBe(null);
  });

  it('at its start waits ten seconds for a database that is away, and for nothing that somebody has to mend', async () => {
    const fails: (DatabaseFault | null)[] = [];
    const started = async (...faults: (DatabaseFault | null)[]) => {
      const place = office(() => executed({ end: 'finished', counts: COUNTS }), { hoursMax: 0.1 });
      const { open, clock } = place.deps;
      const begin = clock.wallMs();
      fails.splice(0, fails.length, ...faults);
      place.deps.open = async () => {
        const fault = fails.length > 1 ? fails.shift() : fails[0];
        if (fault == null) return open();
        throw new Refusal({ code: 'database_unusable', database: 'postgres://db/payrun', fault });
      };
      const error = await place.serve().catch((thrown: unknown) => thrown);
      return { error, events: place.events.map(({ event }) => event), ms: clock.wallMs() - begin };
    };
    const away = { why: 'unreachable', cause: 'connection refused' } as const;
    expect(await started(away, away, away, null)).toMatchObject({
      error: undefined,
      events: ['database_away', 'database_away', 'database_away', 'database_back', 'ready', 'ended'],
    });
    const ended = await started(away);
    expect(ended).toMatchObject({ error: { reason: { code: 'database_unusable', fault: away } }, ms: 10_000 });
    expect(ended.events).toEqual(Array(4).fill('database_away'));
    for (const why of ['login', 'rights', 'missing', 'tls'] as const)
      expect(await started({ why, cause: 'no' })).toMatchObject({ error: expect.any(Refusal), events: [], ms: 0 });
  });

  it('ends without having begun where it is stopped while the database is away', async () => {
    const place = office(() => refused(AWAY));
    place.deps.open = async () => {
      place.stop.abort();
      throw new JournalUnreadable(new Error('connection reset'), 'postgres://db/payrun');
    };
    await place.serve();
    expect(place.events).toEqual([{ event: 'database_away', message: 'connection reset' }]);
  });
});
