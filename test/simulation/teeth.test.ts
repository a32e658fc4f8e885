import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';

const SEEDS = 500;

test.each(Object.keys(MUTANTS))(
  `%s is caught within ${SEEDS} seeds`,
  (mutant) => {
    const loader = join(import.meta.dirname, 'mutate.ts');
    const simulate = join(import.meta.dirname, 'simulate.ts');
    const child = spawnSync(process.execPath, ['--import', loader, simulate, '--seeds', String(SEEDS)], {
      env: { ...process.env, PAYRUN_MUTANT: mutant },
      encoding: 'utf8',
    });
    expect(child.stderr).toBe('');
    expect(child.stdout).toMatch(/^seed \d+ FAILS: (never twice|never lost|write ahead|one writer|no blind retry): /);
    expect(child.status).toBe(1);
  },
  600_000,
);
