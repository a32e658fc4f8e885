import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';

const SEEDS = 500;

/** The first of the seeds that caught each, so that it is tried before the others: where it does so no more, all are. */
const CAUGHT_BY: Readonly<Record<string, number>> = {
  'retry on timeout': 12,
  'intent after send': 5,
  'the first list believed': 78,
  'epoch not checked': 11,
  'token without amount': 75,
  'a 429 for every copy': 305,
  'old copy not noticed': 1,
  'absence before the canary': 26,
  'lag believed': 196,
};

test.each(Object.keys(MUTANTS))(
  `%s is caught within ${SEEDS} seeds`,
  (mutant) => {
    const first = simulate(mutant, '--seeds', '1', '--from', String(CAUGHT_BY[mutant] ?? 1));
    const child = first.status === 0 ? simulate(mutant, '--seeds', String(SEEDS)) : first;
    expect(child.stderr).toBe('');
    expect(child.stdout).toMatch(
      /^seed \d+ FAILS: (never twice|never lost|write ahead|one writer|no blind retry|ceiling): /,
    );
    expect(child.status).toBe(1);
  },
  600_000,
);

function simulate(mutant: string, ...options: string[]) {
  const [loader, program] = ['mutate.ts', 'simulate.ts'].map((name) => join(import.meta.dirname, name));
  return spawnSync(process.execPath, ['--import', String(loader), String(program), ...options], {
    env: { ...process.env, PAYRUN_MUTANT: mutant },
    encoding: 'utf8',
  });
}
