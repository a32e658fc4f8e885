import { z } from 'zod';
import { serveTask, type Worker } from '../../app/launcher/serve.ts';
import { TASKS, type TaskName, type TaskWork } from '../../app/launcher/tasks.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import { machineClock } from '../../platform/machine.ts';

/** What the page was started with, as options are written, for each task that it starts. */
export const workerSetup = z.object({ given: z.record(z.string(), z.unknown()) });

export type WorkerSetup = z.output<typeof workerSetup>;

/** A process that does one task: `cli/main.ts` comes here where it is started as one. */
export function serveWorker(): void {
  const workerOf = (name: string, setup: unknown): Worker => {
    const { given } = workerSetup.parse(setup);
    const work: TaskWork = {
      check: async (order) => (await import('./check-task.ts')).checkTask(given, order),
      plan: async (order) => (await import('./plan-tasks.ts')).planTask(given, order),
      retry: async (order) => (await import('./plan-tasks.ts')).retryTask(given, order),
      run: async (order) => (await import('./run-tasks.ts')).runTask(given, order),
      resume: async (order) => (await import('./run-tasks.ts')).resumeTask(given, order),
    };
    return (order) => work[name as TaskName](order as never);
  };
  serveTask({ tasks: TASKS, workerOf, refusalOf: refusalIn, clock: machineClock });
}
