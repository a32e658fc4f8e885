import process from 'node:process';
import type { RunDeps } from '../../app/run/run-deps.ts';
import { takeRun } from '../../app/worker/take-run.ts';
import { serveRuns, type WorkerPlace } from '../../app/worker/worker.ts';
import type { WorkerEvent } from '../../app/worker/worker-event.ts';
import { assert } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import { messages } from '../../messages/messages.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock } from '../../platform/machine.ts';
import { hintsFromNow } from '../../runner/hinted.ts';
import { connect } from '../connect.ts';
import { openDataJournal } from '../data-dir.ts';
import { answerOfProcess } from '../health.ts';
import { withLog } from '../machine/here.ts';
import { notifyHere, unseen } from '../machine/notifying.ts';
import { actorHere } from '../person.ts';
import { runDeps } from '../run-deps.ts';
import type { Settings } from '../settings.ts';
import { type ErrorOutput, noteOf, readWebhookKeys, startReceiving } from '../webhooks.ts';
import { openQueueOfWorker, prepareQueueHere, requireDatabase } from './queue.ts';
import { ownService, type RunService, serviceOfRun } from './run-service.ts';

const RUNS_AT_ONCE = 4;

/** What a worker is started with. */
export type WorkerStart = { settings: Settings; io: ErrorOutput; stop: AbortSignal; report(event: WorkerEvent): void };

/** Makes or upgrades the tables of journal and queue, as their owner. Throws a `Refusal` where this user may not. */
export async function prepareDatabase(settings: Settings): Promise<void> {
  requireDatabase(settings, 'worker');
  await (await openDataJournal(settings)).close();
  await withLog(settings, (log) => prepareQueueHere(settings, log));
}

/** Executes runs that are left to workers until `stop`. Throws a `Refusal` where it cannot begin. */
export async function startWorker(start: WorkerStart): Promise<void> {
  const { settings, stop, report } = start;
  requireDatabase(settings, 'worker');
  const own = ownService(settings);
  await withLog(settings, async (log) => {
    const worker = { ...start, own, log };
    const opened: { place: WorkerPlace | null } = { place: null };
    await using _health = await healthOf(opened, settings, stop);
    await serveRuns({
      clock: machineClock,
      log,
      concurrency: settings.concurrency ?? RUNS_AT_ONCE,
      stop,
      report,
      async open() {
        opened.place = await openPlace(worker);
        return opened.place;
      },
      take: (place, queued) => takeRun(depsOf(worker, place, queued), queued),
    });
  });
}

/** Answers at `--health`, also while the database is away; null where that is not asked for. */
async function healthOf(opened: { place: WorkerPlace | null }, { health }: Settings, stop: AbortSignal) {
  if (health === undefined) return null;
  const journal = (): Journal => {
    assert(opened.place, 'the database is not open');
    return opened.place.journal;
  };
  const asked = { lastHint: async () => journal().lastHint(), figures: { read: async () => journal().figures.read() } };
  return answerOfProcess({ listen: health, journal: asked, stop });
}

type Worker = WorkerStart & { own: RunService | null; log: Log };

/** Webhooks are received by the worker, for all of its runs, and by none of them. */
async function openPlace({ settings, own, log, io }: Worker): Promise<WorkerPlace> {
  await using open = new AsyncDisposableStack();
  const journal = open.adopt(await openDataJournal(settings), (opened) => opened.close());
  const queue = open.adopt(await openQueueOfWorker(settings, log), (opened) => opened.close());
  const webhooks = own?.profile.webhooks ?? null;
  const keys = own && readWebhookKeys(own.profile, process.env);
  if (webhooks !== null && keys !== null) {
    const receiver = open.adopt(await startReceiving(webhooks, keys, { journal, log }), (one) => one.stop());
    noteOf(io, settings)(messages.process.receivedAtText(receiver.url));
  }
  const opened = open.move();
  return { journal, queue, close: () => opened.disposeAsync() };
}

function depsOf(worker: Worker, { journal }: WorkerPlace, { task }: QueuedRun): RunDeps {
  const { settings, own, log, io, stop, report } = worker;
  const deps = runDeps(
    { journal, settings: { ...settings, concurrency: undefined }, log, io },
    {
      actor: actorHere(task.person),
      // A run that is handed over is no news, and one that a person has stopped none for that person.
      isSeen: true,
      notify: notifyHere({ settings, log, io }),
      watch(run) {
        report({ event: 'taken', runId: run.header?.run_id ?? '' });
        return {
          ...unseen(stop),
          onEvent: (event) => log.info({ run: run.header?.run_id, ...event }, 'beside paying'),
        };
      },
    },
  );
  return {
    ...deps,
    isProfileNamed: own !== null && settings.profile !== undefined,
    async wayOf(run) {
      const { profile, key } = await serviceOfRun(run, settings, own);
      return { profile, connect: () => connect({ profile, key, dataDir: settings.dataDir, journal, log }) };
    },
    whileReceiving: async (_, work) => work(own?.profile.webhooks == null ? null : await hintsFromNow(journal)),
  };
}
