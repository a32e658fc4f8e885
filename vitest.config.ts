import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/compiled-payrun.ts'],
    // Acceptance tests start real processes and wait for them half of the time: three at once keep two cores busy.
    maxWorkers: 3,
    // Tests that run side by side in a file only wait.
    maxConcurrency: 8,
    // A busy machine takes many times as long: these limits end what hangs, and measure nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
