import type { Ended } from '../../app/launcher/launch.ts';
import type { Tasks } from '../../app/launcher/tasks.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import type { Over } from '../../app/service/over.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Log } from '../../platform/log.ts';
import type { RunningService } from '../../service/start.ts';
import { startShippedService } from '../shipped.ts';

/** The shipped service of the data directory, for all that the page starts: begun when somebody first works over it. */
export class Rehearsal {
  readonly #place: { dataDir: string; log: Log };
  #begun: Promise<RunningService | null> | null = null;

  constructor(place: { dataDir: string; log: Log }) {
    this.#place = place;
  }

  /** Resolves when it answers; one that is open already on the same data serves too. Throws a `Refusal`. */
  async ready(): Promise<void> {
    this.#begun ??= this.#startOrJoin();
    try {
      await this.#begun;
    } catch (error) {
      this.#begun = null;
      throw error;
    }
  }

  async stop(): Promise<void> {
    await (await this.#begun?.catch(() => null))?.stop();
  }

  async #startOrJoin(): Promise<RunningService | null> {
    try {
      return await startShippedService({ ...this.#place, port: 0, adminPort: 0 });
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'held') return null;
      throw error;
    }
  }
}

/** The same tasks, before which the rehearsal is there where they work over it. */
export function tasksWith(rehearsal: Rehearsal, tasks: Tasks): Tasks {
  const after =
    <Order extends { over?: Over | undefined }, Rest extends unknown[], Value>(
      task: (order: Order, ...rest: Rest) => Promise<Ended<Value>>,
    ) =>
    async (order: Order, ...rest: Rest): Promise<Ended<Value>> => {
      try {
        if (isRehearsal(order.over)) await rehearsal.ready();
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === null) throw error;
        return { outcome: 'refused', refusal: { reason: refusal.reason } };
      }
      return task(order, ...rest);
    };
  const { check, plan, retry, run, resume } = tasks;
  return { check, plan: after(plan), retry: after(retry), run: after(run), resume: after(resume) };
}

/** Only what is built in is no connection that somebody made. */
export function isRehearsal(over: Over | undefined): boolean {
  return over !== undefined && over.connection === null;
}
