import type { CommandLine } from '../../report/command-line.ts';

/** Where the command line is told a command, the page names the button that does the same. */
export const pageCommand: CommandLine = (word) => BUTTONS[word ?? ''] ?? '';

const BUTTONS: Readonly<Record<string, string>> = {
  resume: '“Go on”',
  retry: '“Plan again as they are”',
};
