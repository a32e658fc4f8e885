import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, PositionalOptions } from 'yargs';
import { type Command, workingCommands } from '../../src/cli/command.ts';
import { EXIT, exitWords } from '../../src/cli/exit.ts';
import { COMMANDS } from '../../src/cli/payrun.ts';
import { packageVersion } from '../../src/compose/version.ts';
import { PROJECT } from './payrun-process.ts';

type Declared = readonly [name: string, option: Options | PositionalOptions];

/** `payrun.1`, in the macros of man(7), from the same declarations as `--help`. */
export function manPage(): string {
  const commands = [...workingCommands(COMMANDS)];
  const shared = sharedOptions(commands.map(([, command]) => command));
  const isShared = (one: Declared) => shared.has(keyOf(one));
  return [
    `.TH PAYRUN 1 "" "payrun ${packageVersion()}" "User commands"`,
    '.ad l',
    '.SH NAME',
    'payrun \\- pay everyone in a spreadsheet, never twice, never lost',
    '.SH SYNOPSIS',
    '.B payrun',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    'payrun reads a CSV or XLSX file of payees and amounts, checks every cell, sends the payouts, waits until each is final,',
    'and writes a report. Results go to standard output, progress to standard error.',
    '.SH COMMANDS',
    ...commands.flatMap(([words, command]) => commandLines(words, command, isShared)),
    '.SH OPTIONS',
    'Commands take these where they name them above.',
    ...[...shared.values()].flatMap((one) => optionLines(one)),
    ...optionLines(['help', { type: 'boolean', describe: 'what a command does, with an example' }]),
    ...optionLines(['version', { type: 'boolean', describe: 'the version of payrun' }]),
    '.SH ENVIRONMENT',
    `Every option is also read from ${bold('PAYRUN_')} and its name in capitals, as ${bold('PAYRUN_BASE_URL')}, and most are`,
    'keys of a job. The option wins, then the environment, the job, the default.',
    '.SH EXIT STATUS',
    ...Object.values(EXIT).flatMap((exit) => ['.TP', bold(String(exit)), escaped(exitWords(exit))]),
    '',
  ].join('\n');
}

function commandLines(words: string, command: Command, isShared: (one: Declared) => boolean): string[] {
  const { describe, examples } = command;
  const positionals = Object.entries(command.positionals ?? {});
  const options = shownOptions(command);
  const others = options.filter(isShared).map(([name]) => optionName(name));
  const synopsis = [words, ...command.command.split(' ').slice(1)].join(' ');
  return [
    `.SS "${escaped(`payrun ${synopsis}`)}"`,
    `${escaped(describe)}.`,
    ...positionals.flatMap(([name, { describe: what = '' }]) => ['.TP', `.I ${escaped(name)}`, escaped(what)]),
    ...options.filter((one) => !isShared(one)).flatMap(optionLines),
    ...(others.length === 0 ? [] : ['.PP', `Also: ${others.join(', ')}.`]),
    ...examples.flatMap(([line, what]) => [
      '.PP',
      `${escaped(what)}:`,
      '.PP',
      '.EX',
      escaped(`    payrun ${line}`),
      '.EE',
    ]),
  ];
}

function optionLines([name, { describe = '', choices, type }]: Declared): string[] {
  const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
  const value = type === 'boolean' ? '' : ' \\fIvalue\\fR';
  return ['.TP', `${optionName(name)}${value}`, escaped(`${describe}${values}`)];
}

/** Those that several commands have, in the words of most of them: these are written once. */
function sharedOptions(commands: readonly Command[]): Map<string, Declared> {
  const byName = Map.groupBy(commands.flatMap(shownOptions), ([name]) => name);
  const most = [...byName.values()].flatMap((of) => {
    const [same = []] = [...Map.groupBy(of, keyOf).values()].toSorted((one, other) => other.length - one.length);
    return same.length > 1 ? same.slice(0, 1) : [];
  });
  return new Map(most.map((one) => [keyOf(one), one]));
}

function shownOptions({ options = {} }: Command): Declared[] {
  return Object.entries(options).filter(([, { hidden }]) => hidden !== true);
}

function keyOf([name, { describe = '' }]: Declared): string {
  return `${name}: ${describe}`;
}

/** It is not broken at the end of a line, so that it can be found and copied. */
function optionName(name: string): string {
  return bold(`--${name}`).replace('\\fB', '\\fB\\%');
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`;
}

/** Nothing in the text is a request of roff, and hyphens are those that can be copied. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&');
}

/** `npm run build`: the package's manual page. */
if (import.meta.main) {
  mkdirSync(join(PROJECT, 'dist'), { recursive: true });
  writeFileSync(join(PROJECT, 'dist/payrun.1'), manPage());
}
