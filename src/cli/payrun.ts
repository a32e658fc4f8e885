import yargs from 'yargs';
import { packageVersion } from '../compose/version.ts';
import { type Command, nameOf, repeatableNames, yargsCommand } from './command.ts';
import { approve } from './commands/approve/command.ts';
import { cancel } from './commands/cancel/command.ts';
import { check } from './commands/check/command.ts';
import { completion } from './commands/completion/command.ts';
import { hold } from './commands/hold/command.ts';
import { jobs } from './commands/jobs/command.ts';
import { journal } from './commands/journal/command.ts';
import { keys } from './commands/keys/command.ts';
import { pause } from './commands/pause/command.ts';
import { plan } from './commands/plan/command.ts';
import { report } from './commands/report/command.ts';
import { resolve } from './commands/resolve/command.ts';
import { resume } from './commands/resume/command.ts';
import { retry } from './commands/retry/command.ts';
import { returns } from './commands/returns/command.ts';
import { run } from './commands/run/command.ts';
import { runs } from './commands/runs/command.ts';
import { schedule } from './commands/schedule/command.ts';
import { service } from './commands/service/command.ts';
import { show } from './commands/show/command.ts';
import { template } from './commands/template/command.ts';
import { verify } from './commands/verify/command.ts';
import { web } from './commands/web/command.ts';
import { worker } from './commands/worker/command.ts';
import { EXIT } from './exit.ts';
import type { RefusalOutput } from './json/outputs.ts';
import { jsonLine } from './json/print.ts';

export const COMMANDS: readonly Command[] = [
  check,
  plan,
  approve,
  run,
  resume,
  retry,
  resolve,
  returns,
  pause,
  cancel,
  hold,
  jobs,
  runs,
  show,
  report,
  verify,
  journal,
  template,
  schedule,
  worker,
  web,
  service,
  keys,
  completion,
];

const NAMES = COMMANDS.map(nameOf);

/** Options that may be given several times, and then count together. Of every other option the last counts. */
const REPEATABLE = repeatableNames(COMMANDS);

/** A command line that yargs could not read. */
class UsageError extends Error {}

/**
 * The command line. Only yargs is loaded before a command is known; each command imports what it needs when it runs.
 * Sets the process's exit code and lets the process end on its own, so that nothing that is written is cut off.
 */
export async function payrun(words: string[]): Promise<void> {
  const argv = withoutHelpWord(words);
  let options: Record<string, unknown> = {};
  const parser = yargs(argv)
    .scriptName('payrun')
    // Our words are English: yargs would mix in its own in the language of the machine.
    .locale('en')
    .usage('$0 <command>\n\nPays everyone in a spreadsheet. Never twice, never lost.')
    .command(COMMANDS.map(yargsCommand))
    .demandCommand(1, 'A command is missing.')
    .recommendCommands()
    .strict()
    .parserConfiguration({
      'duplicate-arguments-array': true,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .middleware((given) => {
      lastCounts(given);
      options = given;
    }, true)
    .version(packageVersion())
    .help()
    .alias('help', 'h')
    .example('$0 check payroll.csv', 'report every error; no network')
    .example('$0 run payroll.csv', 'show what will be paid, ask, pay, wait, report')
    .example('$0 resume R20261125-7K3M9QZ2', 'go on after a crash or Ctrl-C')
    .epilogue(
      'Exit codes: 0 done, 2 usage, 3 input has problems, 4 some failed, 5 a person is needed, 6 refused, 7 held, 8 service unreachable, 130 interrupted.',
    )
    .wrap(isHelpAsked(argv) ? Math.min(100, process.stdout.columns ?? 100) : null)
    .exitProcess(false)
    // Without a throw here yargs goes on to run the command with the options that it could not read.
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError' ? new UsageError(message ?? error?.message) : error;
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    const json = await isJsonAsked(argv);
    if (error instanceof UsageError) {
      const remedy = `See: ${helpOf(argv)}`;
      const { message } = error;
      const result = { run_id: null, state: 'refused', message, remedy, exit: EXIT.usage } as const;
      if (json) process.stdout.write(jsonLine<RefusalOutput>(result));
      process.stderr.write(`${message}\n\n${remedy}\n`);
      process.exitCode = EXIT.usage;
      return;
    }
    const { explain } = await import('./explain.ts');
    const { placeOf } = await import('../compose/machine/refused-notices.ts');
    process.exitCode = explain(error, json, await placeOf(options));
  }
}

/** `help run` is `run --help`, and `version` is `--version`. */
function withoutHelpWord(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  const isKnown = rest[0] === undefined || rest[0].startsWith('-') || NAMES.includes(rest[0]);
  if (first === 'help') return isKnown ? [...rest, '--help'] : rest;
  return first === 'version' ? ['--version', ...rest] : [...words];
}

/** The command that shows the help of the command that was given, or of all where none was. */
function helpOf(argv: readonly string[]): string {
  const name = argv.find((word) => !word.startsWith('-'));
  return name !== undefined && NAMES.includes(name) ? `payrun ${name} --help` : 'payrun --help';
}

/** Of words that could not be read: the option where it is given, else the environment. */
async function isJsonAsked(argv: readonly string[]): Promise<boolean> {
  const option = argv.findLast((word) => /^--(no-)?json(=|$)/.test(word));
  if (option !== undefined) return ['--json', '--json=true', '--no-json=false'].includes(option);
  const { isOn } = await import('../compose/settings.ts');
  return isOn(process.env.PAYRUN_JSON ?? '');
}

function lastCounts(given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given))
    if (Array.isArray(value) && name !== '_' && !REPEATABLE.has(name)) given[name] = value.at(-1);
}

/** yargs sets the help of every command that it runs; lines that nobody reads are not measured, which takes 20 ms. */
function isHelpAsked(argv: readonly string[]): boolean {
  return argv.some((word) => /^(?:-\w*h|--help|help$)/.test(word));
}
