import { describe, expect, test } from 'vitest';
import { FAULT_KINDS } from './faults.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** Seeds that every run of the tests tries. `npm run soak` tries as many as there is time for. */
const SEEDS = 60;
const SEEDS_PER_TEST = 20;
/** Each meets something that few others meet, and is tried before as many others as it takes. */
const RARE = [113, 151, 152, 212, 240];
const SEEDS_MAX = 500;
/** Each showed a mistake once. */
const MEMORABLE = [
  101380, 101509, 101881, 110296, 110417, 111713, 112570, 114527, 118246, 118275, 118349, 118707, 134035, 134210,
  134553, 140368, 145491, 145962, 151259, 155083, 156865, 157182,
];

/** What came of the seeds that were tried, so that a later test need not try them again. */
const results = new Map<number, SeedResult>();

async function resultOf(seed: number): Promise<SeedResult> {
  const result = results.get(seed) ?? (await runSeed(seed));
  results.set(seed, result);
  return result;
}

describe('never twice, never lost, whatever the seed lets happen', () => {
  const from = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, at) => at * SEEDS_PER_TEST + 1);
  test.each(from)(
    `${SEEDS_PER_TEST} seeds from %i`,
    async (first) => {
      const failed: string[] = [];
      for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) {
        const { violation } = await resultOf(seed);
        if (violation) failed.push(`${violation.message}\n  npm run -s simulate -- --seed ${seed} --trace`);
      }
      expect(failed.join('\n')).toBe('');
    },
    600_000,
  );
});

test('seeds that showed a mistake once', async () => {
  for (const seed of MEMORABLE) expect((await runSeed(seed)).violation?.message, `seed ${seed}`).toBeUndefined();
});

test('the same seed tells the same story', async () => {
  const story = ({ hash, events, virtualMs, endings }: SeedResult) => ({ hash, events, virtualMs, endings });
  const hashes = new Set<string>();
  for (const seed of [1, 2, 3, 20, 77, 1_000_000]) {
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

/** Beside every fault. */
const TO_BE_MET = [
  'crashes',
  'restarts',
  'freezes',
  'takeovers',
  'jumps',
  'interrupts',
  'payments by hand',
  'payments elsewhere',
  'prices moved',
  'persons',
  'old copies',
  'accepted by look',
  'accepted by resend',
  'absent by listing',
  'absent by first_copy',
  'absent by person',
  'unresolved',
  'resolved by somebody',
  'suspected',
  'surfaced',
  'replayed',
];

test('the seeds between them meet everything that can go wrong', async () => {
  const unmet = new Set<string>([...FAULT_KINDS, ...TO_BE_MET]);
  const all = Array.from({ length: SEEDS_MAX }, (_, at) => at + 1);
  for (const seed of new Set([...all.slice(0, SEEDS), ...RARE, ...all])) {
    if (unmet.size === 0) break;
    const { faults, counts, doubts, violation } = await resultOf(seed);
    expect(violation?.message, `seed ${seed}`).toBeUndefined();
    for (const [what, times] of Object.entries({ ...faults, ...counts, ...doubts })) if (times > 0) unmet.delete(what);
  }
  expect([...unmet]).toEqual([]);
}, 600_000);
