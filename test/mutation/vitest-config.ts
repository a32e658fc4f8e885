import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/mutation/rails.ts'], testTimeout: 60_000 } });
