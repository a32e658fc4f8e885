import type { LeavingDeps } from '../../app/run/left-run.ts';
import type { RunDeps } from '../../app/run/run-deps.ts';
import { Refusal } from '../../domain/refusal.ts';
import { shownUrl } from '../../journal/place.ts';
import type { Log } from '../../platform/log.ts';
import type { RunQueue } from '../../queue/run-queue.ts';
import type { Settings } from '../settings.ts';

type Named = Pick<Settings, 'database'>;

/** The database of the journal. Throws a `Refusal` (`workers_need_database`) where none is named. */
export function requireDatabase({ database }: Named, what: 'worker' | 'detach'): string {
  if (database === undefined) throw new Refusal({ code: 'workers_need_database', what });
  return database;
}

/** Makes the tables of the queue. Throws a `Refusal` where this user may not. */
export async function prepareQueueHere(settings: Named, log: Log): Promise<void> {
  const { prepareQueue } = await import('../../queue/run-queue.ts');
  await prepareQueue(optionsOf(requireDatabase(settings, 'worker'), log));
}

/** The queue of a worker, which also clears up in it. Throws a `Refusal`. */
export async function openQueueOfWorker(settings: Named, log: Log): Promise<RunQueue> {
  const { openQueue } = await import('../../queue/run-queue.ts');
  return openQueue({ ...optionsOf(requireDatabase(settings, 'worker'), log), isWorker: true });
}

/** Does the work of a command that leaves runs to workers. Throws a `Refusal`. */
export async function withQueue<Result>(
  settings: Named,
  log: Log,
  work: (queue: RunQueue) => Promise<Result>,
): Promise<Result> {
  const database = requireDatabase(settings, 'detach');
  const { openQueue } = await import('../../queue/run-queue.ts');
  const queue = await openQueue({ ...optionsOf(database, log), isWorker: false });
  return work(queue).finally(() => queue.close());
}

/** What a run is left to workers by. */
export type Leaving = LeavingDeps & Pick<RunDeps, 'whileReceiving'>;

/** Webhooks are received where the run is executed. */
export function leavingBy(queue: RunQueue): Leaving {
  return { queue, whileReceiving: (_, work) => work(null) };
}

function optionsOf(database: string, log: Log) {
  const shown = shownUrl(database);
  return { database, shown, onTrouble: (cause: string) => log.warn({ cause, database: shown }, 'the queue') };
}
