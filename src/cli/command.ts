import type { Argv, CommandModule, Options, PositionalOptions } from 'yargs';
import type { z } from 'zod';

/** The options of a command as yargs gives them, by their names in camelCase. */
export type Given = Record<string, unknown>;

/**
 * What a command does. `output`: the schema of what it prints with `--json` (of several lines, each), or what loads the schema
 * where the command has no need of it.
 */
export type Work = { run(options: Given): unknown; output: z.ZodType | (() => Promise<z.ZodType>) };

/** A command as data, so that `--help` loads nothing but declarations. */
export type Command = {
  /** Its name and positionals, as yargs writes them: `show <run>`. */
  command: string;
  describe: string;
  options?: Readonly<Record<string, Options>>;
  positionals?: Readonly<Record<string, PositionalOptions>>;
  conflicts?: Readonly<Record<string, string[]>>;
  implies?: Readonly<Record<string, string>>;
  /** Whether words may follow that are no positionals. */
  takesMoreWords?: boolean;
  examples: readonly (readonly [command: string, what: string])[];
  below?: readonly Command[];
  /** What is missing where none of the commands below is given. */
  demand?: string;
  /** Null for a command that only has others below it. */
  work: (() => Promise<Work>) | null;
};

export function yargsCommand(declared: Command): CommandModule {
  const { command, describe, work } = declared;
  return {
    command,
    describe,
    builder: (argv) => withDeclared(argv, declared),
    handler: async (options) => void (await (await work?.())?.run(options)),
  };
}

function withDeclared(argv: Argv, declared: Command): Argv {
  const { options = {}, positionals = {}, conflicts = {}, implies = {}, examples, below = [], demand } = declared;
  // Scripts give --yes to every command; those that ask something declare what it answers.
  let parser = argv.options({ yes: { type: 'boolean', hidden: true }, ...options });
  for (const [name, positional] of Object.entries(positionals)) parser = parser.positional(name, positional);
  for (const [name, others] of Object.entries(conflicts)) parser = parser.conflicts(name, others);
  parser = parser.implies(implies);
  if (declared.takesMoreWords) parser = parser.strict(false).strictOptions();
  if (below.length > 0) parser = parser.command(below.map(yargsCommand));
  if (demand !== undefined) parser = parser.demandCommand(1, demand);
  for (const [example, what] of examples) parser = parser.example(`$0 ${example}`, what);
  return parser;
}

/** Every command that does something, by its words: `service webhook add`. */
export function workingCommands(
  commands: readonly Command[],
  above = '',
): Map<string, Command & { work: () => Promise<Work> }> {
  const found = new Map<string, Command & { work: () => Promise<Work> }>();
  for (const declared of commands) {
    const words = `${above}${nameOf(declared)}`;
    const { work, below = [] } = declared;
    if (work !== null) found.set(words, { ...declared, work });
    for (const [name, command] of workingCommands(below, `${words} `)) found.set(name, command);
  }
  return found;
}

export function nameOf({ command }: Command): string {
  return command.split(' ')[0] ?? '';
}

/** The options and positionals of all commands that may be given several times, in kebab-case and in camelCase. */
export function repeatableNames(commands: readonly Command[]): Set<string> {
  const names = commands.flatMap(({ options, positionals, below = [] }) => [
    ...Object.entries({ ...options, ...positionals }).flatMap(([name, { array }]) => (array === true ? [name] : [])),
    ...repeatableNames(below),
  ]);
  return new Set(names.flatMap((name) => [name, name.replace(/-[a-z]/g, (letter) => letter.charAt(1).toUpperCase())]));
}
