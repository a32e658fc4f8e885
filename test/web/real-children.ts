import process from 'node:process';
import { tasksApart } from '../../src/app/launcher/launch-tasks.ts';
import type { Tasks } from '../../src/app/launcher/tasks.ts';
import type { WorkerSetup } from '../../src/cli/worker.ts';
import { machineClock } from '../../src/platform/machine.ts';
import type { Dependencies } from '../../src/web/dependencies.ts';
import { type Ended, PAYRUN_MAIN, type Started, spawnPayrun } from '../support/payrun-process.ts';

/** Real `payrun` processes on a data directory, as the page starts them. `cwd` is where jobs/ is. */
export function realChildren(
  dataDir: () => string,
  cwd: string,
): Pick<Dependencies, 'payrun' | 'start'> & { readonly tasks: Tasks } {
  const words = (said: readonly string[]) => [...said, '--json', '--data-dir', dataDir()];
  const env = { PAYRUN_RATE: '0', PAYRUN_POLL_EVERY: '20ms' };
  const envFor = (person: string | null = null) => (person === null ? env : { ...env, PAYRUN_PAGE_PERSON: person });
  return {
    tasks: realTasks(dataDir, cwd),
    payrun: async (said, { stdin = '', person } = {}) =>
      endOf(await spawnPayrun(words(said), { cwd, env: envFor(person), input: stdin }).ended),
    start(said, { person } = {}) {
      const started: Started = spawnPayrun(words(said), { cwd, env: envFor(person) });
      return { pid: started.child.pid ?? null, ended: started.ended.then(endOf) };
    },
  };
}

/** Tasks in real processes. The data directory is known when the first is called. */
export function realTasks(dataDir: () => string, cwd: string): Tasks {
  let tasks: Tasks | null = null;
  const known = (): Tasks => {
    const setup: WorkerSetup = { given: { dataDir: dataDir(), rate: '0', pollEvery: '20ms' } };
    tasks ??= tasksApart({ file: PAYRUN_MAIN, execArgv: [], cwd, env: process.env }, setup, machineClock);
    return tasks;
  };
  return { check: (order) => known().check(order) };
}

function endOf({ exit, signal, stdout, stderr }: Ended) {
  let result: unknown = null;
  try {
    result = JSON.parse(stdout);
  } catch {
    // What is no JSON is no answer.
  }
  return { exit, signal, result, said: stderr };
}
