import { describe, expect, test } from 'vitest';
import { metBy, TO_BE_MET } from './coverage.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { CATCHING, MEETING, MEMORABLE, SEEDS } from './seeds.ts';

/** What came of the seeds that were tried, so that a later test need not try them again. */
const results = new Map<number, SeedResult>();

async function resultOf(seed: number): Promise<SeedResult> {
  const result = results.get(seed) ?? (await runSeed(seed));
  results.set(seed, result);
  return result;
}

describe('never twice, never lost, whatever the seed lets happen', () => {
  test.each([
    ['that catch mutants', Object.values(CATCHING)],
    ['that showed a mistake once', MEMORABLE],
    ['that meet what the others do not', MEETING],
  ])(
    'seeds %s',
    async (_, seeds) => {
      const failed: string[] = [];
      for (const seed of seeds) {
        const { violation } = await resultOf(seed);
        if (violation) failed.push(`${violation.message}\n  npm run -s simulate -- --seed ${seed} --trace`);
      }
      expect(failed.join('\n')).toBe('');
    },
    600_000,
  );
});

test('the same seed tells the same story', async () => {
  const story = ({ hash, events, virtualMs, endings }: SeedResult) => ({ hash, events, virtualMs, endings });
  const hashes = new Set<string>();
  for (const seed of [1, 3, 37, 62, 111713, 157182]) {
    const lines: string[] = [];
    const first = await runSeed(seed, { print: (line) => lines.push(line) });
    const second = await resultOf(seed);
    expect(first.violation).toBeNull();
    expect(story(second)).toEqual(story(first));
    expect(lines.length).toBeGreaterThan(10);
    hashes.add(first.hash);
  }
  expect(hashes.size).toBe(6);
});

test('the seeds between them meet everything that can go wrong, in every kind of world, twice at the least', async () => {
  const times = new Map(TO_BE_MET.map((what) => [what, 0]));
  for (const seed of SEEDS)
    for (const what of metBy(await resultOf(seed))) if (times.has(what)) times.set(what, (times.get(what) ?? 0) + 1);
  const rare = TO_BE_MET.filter((what) => (times.get(what) ?? 0) < 2);
  expect(rare.length === 0 ? [] : await advice(rare)).toEqual([]);
}, 600_000);

/** For each thing that is met too rarely: seeds that meet it, for the list MEETING. */
async function advice(rare: readonly string[]): Promise<string[]> {
  const meeting = new Map(rare.map((what) => [what, [] as number[]]));
  for (let seed = 1; seed <= 500 && [...meeting.values()].some(({ length }) => length < 2); seed++) {
    const met = metBy(await runSeed(seed));
    for (const [what, seeds] of meeting) if (met.has(what) && seeds.length < 2) seeds.push(seed);
  }
  return [...meeting].map(([what, seeds]) => `"${what}" is met by seeds ${seeds.join(' and ') || 'above 500'}`);
}
