import type yargs from 'yargs';
import type { Argv, CommandModule } from 'yargs';
import { parseSettings } from '../../src/compose/settings.ts';

/** What was declared and reached so far by `parseOnly`. */
export const parsed = { declared: new Set<CommandModule>(), reached: 0 };

/**
 * yargs, whose commands check the values of their options and do nothing else. It stands alone, so that it is there before
 * `vi.mock` makes a yargs of it: what imports the command line imports yargs.
 */
export function parseOnly(original: typeof yargs): (words: string[]) => Argv {
  return (words) => {
    const parser: Argv = original(words);
    const declare = parser.command.bind(parser) as (commands: CommandModule[]) => Argv;
    const command = (commands: CommandModule[]) => {
      for (const module of commands) parsed.declared.add(module);
      return declare(commands.map((module) => ({ ...module, handler: checkValues })));
    };
    return Object.assign(parser, { command });
  };
}

function checkValues(options: Record<string, unknown>): void {
  parsed.reached += 1;
  parseSettings(options, {}, null);
}
