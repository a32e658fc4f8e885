import { z } from 'zod';
import { type Serving, serveTask, type Worker } from '../../app/launcher/serve.ts';
import { TASKS, type TaskName, type TaskWork } from '../../app/launcher/tasks.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import type { Over } from '../../app/service/over.ts';
import { machineClock } from '../../platform/machine.ts';

/** What the page was started with, as options are written, for each task that it starts. */
export const workerSetup = z.object({ given: z.record(z.string(), z.unknown()) });

export type WorkerSetup = z.output<typeof workerSetup>;

/** What the page has done in processes of their own. */
export const SERVING: Serving = {
  tasks: TASKS,
  workerOf(name, setup): Worker {
    const { given } = workerSetup.parse(setup);
    const by = async (over: Over | undefined) =>
      over === undefined ? given : (await import('./over.ts')).givenOver(given, over);
    const work: TaskWork = {
      check: async (order) => (await import('./check-task.ts')).checkTask(given, order),
      plan: async (order) => (await import('./plan-tasks.ts')).planTask(await by(order.over), order),
      retry: async (order) => (await import('./plan-tasks.ts')).retryTask(await by(order.over), order),
      run: async (order, report) => (await import('./run-tasks.ts')).runTask(await by(order.over), order, report),
      resume: async (order, report) => (await import('./run-tasks.ts')).resumeTask(await by(order.over), order, report),
    };
    return (order, report) => work[name as TaskName](order as never, report);
  },
  refusalOf: refusalIn,
  clock: machineClock,
};

/** A process that does one task: `cli/main.ts` comes here where it is started as one. */
export function serveWorker(): void {
  serveTask(SERVING);
}
