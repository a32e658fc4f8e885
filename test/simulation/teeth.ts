// node --disable-warning=ExperimentalWarning test/simulation/teeth.ts [MUTANT ...]: which seed catches each mutant, or all of
// them, as a line of JSON.
import process from 'node:process';
import { MUTANTS } from './mutants.ts';
import { simulationOf } from './mutate.ts';
import { CATCHING } from './seeds.ts';

/** Where the seed that once caught a mutant does so no more, so many are tried. */
const SEEDS_MAX = 500;

export type Catch = { mutant: string; seed: number | null; invariant?: string; message?: string };

async function firstCatch(mutant: string): Promise<Catch> {
  const { runSeed } = await simulationOf(mutant);
  const all = Array.from({ length: SEEDS_MAX }, (_, at) => at + 1);
  for (const seed of new Set([CATCHING[mutant] ?? 1, ...all])) {
    const { violation } = await runSeed(seed);
    if (violation) return { mutant, seed, invariant: violation.invariant, message: violation.message };
  }
  return { mutant, seed: null };
}

const [...named] = process.argv.slice(2);
for (const mutant of named.length > 0 ? named : Object.keys(MUTANTS))
  process.stdout.write(`${JSON.stringify(await firstCatch(mutant))}\n`);
