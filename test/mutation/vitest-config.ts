import { defineConfig } from 'vitest/config';

// The modulus check stands alone: what its tests import would be loaded for each mutant of every rail otherwise.
const include = ['test/mutation/rails.ts', 'test/domain/gbp-modulus.test.ts'];

export default defineConfig({ test: { include, testTimeout: 60_000 } });
