import type { Dependencies } from '../../src/web/dependencies.ts';
import { type Ended, type Started, spawnPayrun } from '../support/payrun-process.ts';

/** Real `payrun` commands on a data directory, as the page starts them. `cwd` is where jobs/ is. */
export function realChildren(dataDir: () => string, cwd: string): Pick<Dependencies, 'payrun' | 'start'> {
  const words = (said: readonly string[]) => [...said, '--json', '--data-dir', dataDir()];
  const env = { PAYRUN_RATE: '0', PAYRUN_POLL_EVERY: '20ms' };
  const envFor = (person: string | null = null) => (person === null ? env : { ...env, PAYRUN_PAGE_PERSON: person });
  return {
    payrun: async (said, { stdin = '', person } = {}) =>
      endOf(await spawnPayrun(words(said), { cwd, env: envFor(person), input: stdin }).ended),
    start(said, { person } = {}) {
      const started: Started = spawnPayrun(words(said), { cwd, env: envFor(person) });
      return { pid: started.child.pid ?? null, ended: started.ended.then(endOf) };
    },
  };
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
