import type { Here } from '../../src/cli/here.ts';
import { hereWith } from '../../src/compose/machine/here.ts';
import { readSettings } from '../../src/compose/settings.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { plainCommand } from '../../src/messages/command-line.ts';

/** What a command works with over a journal of a test; commands for people name no data directory. */
export function hereOver(
  journal: Journal,
  io: { stdout(text: string): void; stderr?(text: string): void },
  options: Record<string, unknown>,
): Here {
  const here = hereWith(journal, readSettings(options, {}));
  const screen = { isInteractive: false, colour: false, ask: async () => null };
  return { ...here, command: plainCommand, io: { stderr: () => {}, ...screen, ...io } };
}
