import process from 'node:process';
import type { Tasks } from '../../src/app/launcher/tasks.ts';
import { tasksApart } from '../../src/app/launcher/tasks.ts';
import type { WorkerSetup } from '../../src/compose/page/worker.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';

/** Tasks in real processes. The data directory is known when the first is called. `cwd` is where jobs/ is. */
export function realTasks(dataDir: () => string, cwd: string): Tasks {
  let tasks: Tasks | null = null;
  const known = (): Tasks => {
    const setup: WorkerSetup = { given: { dataDir: dataDir(), rate: '0', pollEvery: '20ms' } };
    tasks ??= tasksApart({ file: PAYRUN_MAIN, execArgv: [], cwd, env: process.env }, setup, machineClock);
    return tasks;
  };
  return {
    check: (order) => known().check(order),
    plan: (order) => known().plan(order),
    retry: (order) => known().retry(order),
    run: (order) => known().run(order),
    resume: (order) => known().resume(order),
  };
}
