import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { commandTests, fastTests } from './test/support/fast-tests.ts';
import { temporaryPlace } from './test/support/temporary-place.ts';

/** What lasts longest begins first: a soak that begins last is waited for alone. */
const LONG_FIRST = ['test/soak/', 'test/simulation/', 'test/acceptance/', 'test/web/', 'test/cli/'];

process.env.TMPDIR = temporaryPlace();

const FAST = fastTests(import.meta.dirname);
const OF_COMMANDS = commandTests(import.meta.dirname);

const SLOW = { globalSetup: ['test/support/compiled-payrun.ts'] };

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG_FIRST.findIndex((folder) => moduleId.includes(folder));
      if (project.name === 'together') return LONG_FIRST.length + 1;
      // A worker that files share lives on for as long as the next file is of its project.
      return (at === -1 ? LONG_FIRST.length : at) + (project.name === 'commands' ? 0.5 : 0);
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
            // Each would load the service anew, and what checks the output of commands.
            { extends: true as const, test: { ...SLOW, name: 'commands', include: OF_COMMANDS, isolate: false } },
            {
              extends: true as const,
              test: { ...SLOW, name: 'alone', include: ['test/**/*.test.ts'], exclude: [...FAST, ...OF_COMMANDS] },
            },
          ]),
    ],
  },
}));
