// npm run soak:cluster: several workers at one database and one service, all of it disturbed. README.md says how.
import process from 'node:process';
import yargs from 'yargs';
import { spawnPayrun } from '../support/payrun-process.ts';
import { clusterSoak } from './cluster/soak.ts';
import { wholeNumber } from './options.ts';

const USAGE_EXIT = 2;
const PATIENCE_MS = 900_000;

type Numbered =
  | 'workers'
  | 'pages'
  | 'schedulers'
  | 'payrolls'
  | 'rows'
  | 'pause'
  | 'disturbances'
  | 'seed'
  | 'requests'
  | 'quiet';
const AT_LEAST_ONE: ReadonlySet<Numbered> = new Set(['workers', 'pages', 'schedulers', 'payrolls']);

async function main(): Promise<number> {
  const parsed = await yargs(process.argv.slice(2))
    .scriptName('soak:cluster')
    .usage(
      'npm run soak:cluster -- [options]\n\nPays payrolls by workers, pages and schedulers while they and their database are disturbed.',
    )
    .option('workers', { type: 'string', describe: 'default 4' })
    .option('pages', { type: 'string', describe: 'default 2' })
    .option('schedulers', { type: 'string', describe: 'default 2' })
    .option('payrolls', { type: 'string', describe: 'default 200' })
    .option('rows', { type: 'string', describe: 'at most, of a payroll; default 500' })
    .option('disturbances', { type: 'string', describe: 'default 500' })
    .option('pause', { type: 'string', describe: 'at most, between two disturbances, in ms; default 2000' })
    .option('seed', { type: 'string', describe: 'of what is paid and disturbed' })
    .option('requests', { type: 'string', describe: 'the limit of the service in 4 s; default 200' })
    .option('quiet', { type: 'string', describe: 'seconds in which nothing is disturbed at first; default 30' })
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': false, 'parse-numbers': false })
    .exitProcess(false)
    .version(false)
    .fail((message, error) => {
      throw error ?? new Error(message);
    })
    .parseAsync();
  if (parsed.help === true) return 0;
  const number = (name: Numbered, byDefault: number) =>
    wholeNumber(`--${name}`, parsed[name], byDefault, AT_LEAST_ONE.has(name) ? 1 : 0, 4_294_967_295);
  const seed = number('seed', Date.now() % 1_000_000_000);
  print(`seed ${seed}`);
  const options = {
    workers: number('workers', 4),
    pages: number('pages', 2),
    schedulers: number('schedulers', 2),
    payrolls: number('payrolls', 200),
    rowsMax: number('rows', 500),
    disturbances: number('disturbances', 500),
    pauseMaxMs: number('pause', 2_000),
    quietMs: number('quiet', 30) * 1_000,
    rate: { requests: number('requests', 200), windowMs: 4_000 },
    seed,
    patienceMs: PATIENCE_MS,
    run: (args: string[]) => spawnPayrun(args).ended,
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(new Error('stopped')));
  // A fault of the soak itself ends what it has started, too.
  process.on('uncaughtException', (error) => stop.abort(error));
  process.on('unhandledRejection', (error) => stop.abort(error));
  const { wrong, figures, folder, isKept } = await clusterSoak(options, print, stop.signal);
  for (const text of wrong) print(`  - ${text}`);
  if (isKept) print(`  kept in ${folder}`);
  print(`\n${figures.map(([name, value]) => `${name.padEnd(28)}${value}`).join('\n')}`);
  print(`${'seed'.padEnd(28)}${seed}`);
  return wrong.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  // What a stop has left waiting is not waited for.
  process.exit(await main());
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n\nSee: npm run soak:cluster -- --help\n`,
  );
  process.exitCode = USAGE_EXIT;
}
