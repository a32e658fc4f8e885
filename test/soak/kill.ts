// npm run soak:kill: real payrolls against a real service, killed or frozen at random moments. README.md says how.
import { cpus } from 'node:os';
import process from 'node:process';
import { parseOptions, type SoakOptions } from './options.ts';
import { type PayrollEnd, soak, totalsText } from './soak.ts';

const USAGE_EXIT = 2;

async function main(options: SoakOptions): Promise<number> {
  const { mode, rows, seed, lanes } = options;
  const startedMs = performance.now();
  print(`mode ${mode}, ${rows} rows a payroll, first seed ${seed}, ${lanes} at once, ${cpus().length} cores`);
  const totals = await soak(options, (end, { kills, freezes }) => print(progressText(end, options, kills + freezes)));
  print(`\n${totalsText(totals, (performance.now() - startedMs) / 1_000)}`);
  return totals.disagreements.length === 0 ? 0 : 1;
}

function progressText(end: PayrollEnd, { mode, rows }: SoakOptions, done: number): string {
  const kills = [...end.killsByPhase].map(([phase, count]) => `${count} ${phase}`).join(', ');
  const what = end.freeze ? `frozen ${end.freeze.phase}: ${end.freeze.outcome}` : `killed ${kills || 'never'}`;
  const head = `${done}: seed ${end.seed}, ${what}`;
  if (end.disagreements.length === 0) return head;
  const replay = `npm run soak:kill -- --mode ${mode} --rows ${rows} --seed ${end.seed} --lanes 1 --${mode === 'freeze' ? 'freezes' : 'kills'} 1`;
  return [
    `${head}: ${end.disagreements.length} DISAGREEMENTS`,
    ...end.disagreements.slice(0, 20).map((text) => `  - ${text}`),
    `  kept in ${end.folder}`,
    `  again: ${replay}`,
  ].join('\n');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const options = await parseOptions(process.argv.slice(2), Date.now());
  if (options !== null) process.exitCode = await main(options);
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n\nSee: npm run soak:kill -- --help\n`,
  );
  process.exitCode = USAGE_EXIT;
}
