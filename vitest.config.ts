import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fastTests, replacingTests } from './test/support/fast-tests.ts';
import { temporaryPlace } from './test/support/temporary-place.ts';

/**
 * When the files of each folder begin: one by one until this share of all tests has begun. What lasts longest begins at once,
 * since a soak that begins last is waited for alone; then those that wait, draw pages and calculate take turns, so that some
 * calculate while others wait; and what begins last is short.
 */
const BEGIN: readonly [folder: string, share: number][] = [
  ['test/soak/', 0],
  ['test/simulation/', 0],
  ['test/cli/schedule.', 0],
  ['test/acceptance/', 0.5],
  ['test/web/', 0.5],
  ['test/journal/', 0.5],
  ['test/', 1],
];

process.env.TMPDIR = temporaryPlace();

const FAST = fastTests(import.meta.dirname);
const REPLACING = replacingTests(import.meta.dirname);

const SLOW = { globalSetup: ['test/support/compiled-payrun.ts', 'test/support/shared-postgres.ts'] };

class InTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = Map.groupBy(await super.sort(files), ({ moduleId, project }) =>
      // A worker that files share lives on for as long as the next file is of its project.
      project.name === 'alone' ? -1 : BEGIN.findIndex(([folder]) => moduleId.includes(folder)),
    );
    const begin = Array.from(groups, ([at, group]) => {
      const share = BEGIN[at]?.[1] ?? -1;
      return group.map((file, turn) => ({ file, at: ((turn + 1) / group.length) * share }));
    });
    return begin
      .flat()
      .toSorted((one, other) => one.at - other.at)
      .map(({ file }) => file);
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    env: mode === 'many-cases' ? { MANY_CASES: 'yes' } : {},
    sequence: { sequencer: InTurns },
    // Half of the files wait for processes most of their time: six at once left a fifth of two quiet cores idle.
    maxWorkers: 8,
    // Tests that run side by side in a file wait most of the time, but start several processes each.
    maxConcurrency: 6,
    // A busy machine takes many times as long: these limits end what hangs, and measure nothing.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Most look at a page or ask a process: twice as often keeps those from what is waited for.
    expect: { poll: { timeout: 120_000, interval: 100 } },
    projects: [
      // Those of one worker share what is loaded: to load it anew for each file took two thirds of their time.
      {
        extends: true,
        test:
          mode === 'fast'
            ? { name: 'together', include: FAST, isolate: false }
            : { ...SLOW, name: 'together', include: ['test/**/*.test.ts'], exclude: REPLACING, isolate: false },
      },
      ...(mode === 'fast' ? [] : [{ extends: true as const, test: { ...SLOW, name: 'alone', include: REPLACING } }]),
    ],
  },
}));
