import { fork } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import type { Counts } from './counts.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { MEMORABLE, MEMORABLE_LONG } from './seeds.ts';

/** What one job, and what all of them together have seen. */
type Totals = {
  seeds: number;
  events: number;
  virtualMs: number;
  counts: Counts;
  faults: Counts;
  doubts: Counts;
  endings: Counts;
  failed: { seed: number; message: string }[];
};

/** What one job tries: some seeds before all others, and then every so-many-th. */
type Slice = { before: readonly number[]; from: number; step: number; untilMs: number };

const options = await yargs(hideBin(process.argv))
  .usage('npm run soak -- --minutes MINUTES [--jobs N] [--from SEED]')
  .option('minutes', { type: 'number', default: 60, describe: 'how long' })
  .option('jobs', { type: 'number', default: availableParallelism(), describe: 'processes at once' })
  .option('from', { type: 'number', default: 1, describe: 'the first seed' })
  .option('slice', { type: 'string', hidden: true })
  .strict()
  .parseAsync();

if (options.slice === undefined) await soak();
else await work(JSON.parse(options.slice) as Slice);

async function soak(): Promise<void> {
  const { minutes, jobs, from } = options;
  const untilMs = Date.now() + minutes * 60_000;
  const slices = Array.from({ length: jobs }, (_, at): Slice => {
    const before = [...MEMORABLE_LONG, ...MEMORABLE].filter((_seed, nth) => nth % jobs === at);
    return { before, from: from + at, step: jobs, untilMs };
  });
  const totals = (await Promise.all(slices.map(inChild))).reduce(together);
  const { seeds, events, virtualMs, failed } = totals;
  const days = (virtualMs / 86_400_000).toFixed(1);
  process.stdout.write(`${seeds} seeds in ${minutes} minutes on ${jobs} of ${cpus().length} cores\n`);
  process.stdout.write(`${events} events in ${days} days of virtual time\n`);
  for (const what of ['counts', 'faults', 'doubts', 'endings'] as const) {
    const lines = Object.entries(totals[what]).sort(([a], [b]) => a.localeCompare(b));
    process.stdout.write(`${what}: ${lines.map(([name, times]) => `${name} ${times}`).join(', ')}\n`);
  }
  process.stdout.write(`${failed.length} seeds failed\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function inChild(slice: Slice): Promise<Totals> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['--slice', JSON.stringify(slice)]);
    child.on('message', (message: { failed: SeedResult } | { totals: Totals }) => {
      if ('totals' in message) return resolve(message.totals);
      const { seed, violation } = message.failed;
      process.stdout.write(
        `seed ${seed} FAILS: ${violation?.message}\n  npm run -s simulate -- --seed ${seed} --trace\n`,
      );
    });
    child.on('exit', (code) => reject(new Error(`a job ended with ${code}`)));
  });
}

async function work({ before, from, step, untilMs }: Slice): Promise<void> {
  let totals: Totals = {
    seeds: 0,
    events: 0,
    virtualMs: 0,
    counts: {},
    faults: {},
    doubts: {},
    endings: {},
    failed: [],
  };
  for (const seed of seedsOf(before, from, step)) {
    if (Date.now() >= untilMs) break;
    const result = await runSeed(seed);
    if (result.violation) process.send?.({ failed: result });
    const failed = result.violation ? [{ seed, message: result.violation.message }] : [];
    totals = together(totals, { ...result, seeds: 1, failed });
  }
  process.send?.({ totals });
  process.disconnect?.();
}

function* seedsOf(before: readonly number[], from: number, step: number): Generator<number> {
  yield* before;
  for (let seed = from; ; seed += step) yield seed;
}

function together(a: Totals, b: Totals): Totals {
  return {
    seeds: a.seeds + b.seeds,
    events: a.events + b.events,
    virtualMs: a.virtualMs + b.virtualMs,
    counts: sums(a.counts, b.counts),
    faults: sums(a.faults, b.faults),
    doubts: sums(a.doubts, b.doubts),
    endings: sums(a.endings, b.endings),
    failed: [...a.failed, ...b.failed],
  };
}

function sums(a: Counts, b: Counts): Counts {
  const sum = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
