import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';

const SEEDS = 500;

/** The first of the seeds that caught each, so that it is tried before the others: where it does so no more, all are. */
const CAUGHT_BY: Readonly<Record<string, number>> = {
  'retry on timeout': 3,
  'intent after send': 1,
  'the first list believed': 27,
  'epoch not checked': 14,
  'token without amount': 17,
  'a 429 for every copy': 356,
  'ceiling of a payout not kept': 37,
  'ceiling of a run not counted': 50,
  'what is sent looked for in place of what is received': 190,
  'where it went not looked at': 689,
  'the id of another row accepted': 96,
  'REPLAYED ignored': 210,
  'absence before the canary': 8,
  'lag believed': 62,
  'last look left out': 68,
  'tokens not counted': 68,
  'a refusal believed of every copy': 320,
  'old copy not noticed': 1,
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
