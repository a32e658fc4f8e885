import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fastTests, replacingTests } from './test/support/fast-tests.ts';
import { temporaryPlace } from './test/support/temporary-place.ts';

/** What lasts longest begins first: a soak that begins last is waited for alone. */
const LONG_FIRST = [
  'test/soak/',
  'test/simulation/',
  'test/cli/schedule.',
  'test/acceptance/',
  'test/web/',
  'test/cli/',
];

process.env.TMPDIR = temporaryPlace();

const FAST = fastTests(import.meta.dirname);
const REPLACING = replacingTests(import.meta.dirname);

const SLOW = { globalSetup: ['test/support/compiled-payrun.ts', 'test/support/shared-postgres.ts'] };

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const fast = new Set(FAST.map((file) => join(import.meta.dirname, file)));
    const rank = ({ moduleId, project }: TestSpecification) => {
      // A worker that files share lives on for as long as the next file is of its project.
      if (project.name === 'alone') return -1;
      if (fast.has(moduleId)) return LONG_FIRST.length + 1;
      const at = LONG_FIRST.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? LONG_FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    env: mode === 'many-cases' ? { MANY_CASES: 'yes' } : {},
    sequence: { sequencer: LongFirst },
    // Acceptance tests start real processes and wait for them half of the time: four files at once left a quarter of two quiet
    // cores idle, and seven took a fifth more of the processors, because each loads what the others have loaded.
    maxWorkers: 6,
    // Tests that run side by side in a file wait most of the time, but start several processes each.
    maxConcurrency: 6,
    // A busy machine takes many times as long: these limits end what hangs, and measure nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
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
