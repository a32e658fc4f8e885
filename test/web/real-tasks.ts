import process from 'node:process';
import { answerOf } from '../../src/app/launcher/launch.ts';
import { TASKS, type TaskName, type Tasks, tasksApart } from '../../src/app/launcher/tasks.ts';
import type { WorkerSetup } from '../../src/compose/page/worker.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { sharedTask } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';

const NAMES = Object.keys(TASKS) as TaskName[];

function setupOf(dataDir: string): WorkerSetup {
  return { given: { dataDir, rate: '0', pollEvery: '20ms' } };
}

/**
 * Tasks as the page has them done, in processes that do others before and after: most of what a task costs is to start its
 * process. The data directory is known when the first is called. `cwd` is where jobs/ is.
 */
export function realTasks(dataDir: () => string, cwd: string): Tasks {
  const calls = NAMES.map((name) => {
    const call = async (order: unknown) => {
      const { answer, ...ended } = await sharedTask({ task: name, setup: setupOf(dataDir()), order }, cwd);
      const { exit, signal, stderr } = ended;
      return answer === null ? { outcome: 'died', exit, signal, stderr } : answerOf(TASKS[name], answer);
    };
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Tasks;
}

/** Each task in a process of its own, as the page starts it: for tests of what becomes of such a process. */
export function tasksInProcesses(dataDir: () => string, cwd: string): Tasks {
  const program = { file: PAYRUN_MAIN, execArgv: [], cwd, env: process.env };
  let tasks: Tasks | null = null;
  const known = (): Tasks => {
    tasks ??= tasksApart(program, setupOf(dataDir()), machineClock);
    return tasks;
  };
  const calls = NAMES.map((name) => [name, (order: never) => known()[name](order)] as const);
  return Object.fromEntries(calls) as unknown as Tasks;
}
