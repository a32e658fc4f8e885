// npm run soak:power: real payrolls whose power is cut at random syncs of the journal. README.md says how.
import process from 'node:process';
import yargs from 'yargs';
import { compilePreload } from '../support/preload.ts';
import { wholeNumber } from './options.ts';
import { type PowerEnd, powerSoak } from './power-cuts.ts';

const USAGE_EXIT = 2;

async function main(argv: string[]): Promise<number> {
  const parsed = await yargs(argv)
    .scriptName('soak:power')
    .usage(
      'npm run soak:power -- [options]\n\nCuts the power of real payrolls, and puts old copies of their journals back.',
    )
    .option('payrolls', { type: 'string', describe: 'how many (default 10)' })
    .option('rows', { type: 'string', describe: 'rows of each payroll (default 100)' })
    .option('every-rows', {
      type: 'string',
      describe: 'old copies: one of so many transfers (default a third of rows)',
    })
    .option('cuts', { type: 'string', describe: 'power cuts that are planned for each payroll (default 8)' })
    .option('seed', { type: 'string', describe: 'of the first payroll; the others count on from it' })
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': false, 'parse-numbers': false })
    .demandCommand(0, 0, '', 'Only options are understood.')
    .exitProcess(false)
    .version(false)
    .fail((message, error) => {
      throw error ?? new Error(message);
    })
    .parseAsync();
  if (parsed.help === true) return 0;
  const rows = wholeNumber('--rows', parsed.rows, 100, 10, 20_000);
  const payrolls = wholeNumber('--payrolls', parsed.payrolls, 10, 1, 1_000_000);
  const everyRows = wholeNumber('--every-rows', parsed.everyRows, Math.ceil(rows / 3), 1, 1_000_000);
  const cuts = wholeNumber('--cuts', parsed.cuts, 8, 0, 1_000);
  const seed = wholeNumber('--seed', parsed.seed, Date.now() % 1_000_000_000, 0, 4_294_967_295);
  const preload = compilePreload('failing-disk');
  if (preload === null) return 1;
  const startedMs = performance.now();
  const totals = await powerSoak(payrolls, seed, { rows, everyRows, cuts, preload }, (end) => print(progressText(end)));
  const { disagreements, ...counts } = totals;
  for (const text of disagreements) print(text);
  print('');
  for (const [name, count] of Object.entries(counts)) print(`${name.padEnd(16)}${count}`);
  print(`${'disagreements'.padEnd(16)}${disagreements.length}`);
  print(`${'seconds'.padEnd(16)}${((performance.now() - startedMs) / 1_000).toFixed(0)}`);
  return disagreements.length === 0 ? 0 : 1;
}

function progressText({ seed, cuts, copies, suspected, disagreements }: PowerEnd): string {
  const copied = `${copies} old copies, ${suspected} of which wait for a person`;
  return `seed ${seed}: ${cuts} cuts, ${copied}, ${disagreements.length} disagreements`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n\nSee: npm run soak:power -- --help\n`);
  process.exitCode = USAGE_EXIT;
}
