import process from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { runSeed } from './run-seed.ts';

const options = await yargs(hideBin(process.argv))
  .usage('npm run -s simulate -- --seeds COUNT [--from N] | --seed N [--trace]')
  .option('seeds', { type: 'number', default: 100, describe: 'how many seeds' })
  .option('from', { type: 'number', default: 1, describe: 'the first of them' })
  .option('seed', { type: 'number', describe: 'this one alone' })
  .option('trace', { type: 'boolean', default: false, describe: 'print what happens' })
  .option('keep-going', { type: 'boolean', default: false, describe: 'go on after a seed that fails' })
  .strict()
  .parseAsync();

const from = options.seed ?? options.from;
const count = options.seed === undefined ? options.seeds : 1;
const print = options.trace ? (line: string) => process.stdout.write(`${line}\n`) : undefined;
let failed = 0;
let events = 0;
for (let seed = from; seed < from + count; seed++) {
  const result = await runSeed(seed, print ? { print } : {});
  events += result.events;
  if (result.violation === null) {
    if (options.seed !== undefined) process.stdout.write(`seed ${seed}: holds (${JSON.stringify(result)})\n`);
    continue;
  }
  failed++;
  const { message, stack } = result.violation;
  process.stdout.write(`seed ${seed} FAILS: ${message}\n  npm run -s simulate -- --seed ${seed} --trace\n`);
  if (options.seed !== undefined) process.stdout.write(`${stack}\n`);
  if (!options.keepGoing) break;
}
process.stdout.write(`${count} seeds, ${events} events, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
