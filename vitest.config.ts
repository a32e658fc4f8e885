import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fastTests } from './test/support/fast-tests.ts';
import { temporaryPlace } from './test/support/temporary-place.ts';

/** What lasts longest begins first: a soak that begins last is waited for alone. */
const LONG_FIRST = ['test/soak/', 'test/simulation/', 'test/acceptance/', 'test/web/', 'test/cli/'];

process.env.TMPDIR = temporaryPlace();

const FAST = fastTests(import.meta.dirname);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG_FIRST.findIndex((folder) => moduleId.includes(folder));
      return project.name === 'together' ? LONG_FIRST.length + 1 : at === -1 ? LONG_FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongFirst },
    // Acceptance tests start real processes and wait for them half of the time: five at once keep two cores busy.
    maxWorkers: 5,
    // Tests that run side by side in a file only wait.
    maxConcurrency: 8,
    // A busy machine takes many times as long: these limits end what hangs, and measure nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // Those of one worker share what is loaded: to load it anew for each file took two thirds of their time.
      { extends: true, test: { name: 'together', include: FAST, isolate: false } },
      ...(mode === 'fast'
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'alone',
                include: ['test/**/*.test.ts'],
                exclude: FAST,
                globalSetup: ['test/support/compiled-payrun.ts'],
              },
            },
          ]),
    ],
  },
}));
