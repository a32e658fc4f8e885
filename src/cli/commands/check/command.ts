import type { Command } from '../../command.ts';
import { DATA, flag, INPUT, required, text } from '../../options.ts';

export const check: Command = {
  command: 'check <input>',
  describe: 'report every error with its cell, cause and fix; no network',
  options: {
    ...DATA,
    ...INPUT,
    annotate: text('write an .xlsx copy with the problems marked'),
    fix: text('write a copy with the safe suggestions applied, and list them'),
    force: flag('let the copy replace an existing file'),
  },
  positionals: {
    input: required(
      'a .csv, .tsv, .txt or .xlsx file, a bank file (.xml, .aba, .ach, .bac), or a job: its name in jobs/, or its .yaml file',
    ),
  },
  conflicts: { annotate: ['fix'] },
  examples: [
    ['check payroll.csv', 'list each problem with its cell and remedy'],
    ['check payroll.csv --expect-count 45 --expect-total AUD=46479.35', 'refuse any other count or total'],
    ['check payroll.csv --annotate mend.xlsx', 'the same sheet with a note on each wrong cell'],
    ['check payroll.csv --fix mended.csv', 'a copy with the safe changes made'],
  ],
  work: () => import('./run.ts'),
};
