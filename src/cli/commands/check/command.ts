import type { Command } from '../../command.ts';
import { DATA, flag, INPUT, required, text } from '../../options.ts';

export const check: Command = {
  command: 'check <input>',
  describe: 'report every error with its cell, cause and fix; no network',
  options: {
    ...DATA,
    ...INPUT,
    annotate: text('write a .xlsx copy in which the problems are marked'),
    fix: text('write a copy with the safe suggestions applied, and list them'),
    force: flag('let the copy replace a file of that name'),
  },
  positionals: {
    input: required(
      'a .csv, .tsv, .txt or .xlsx file, a bank file (.xml, .aba, .ach, .bac), or a job: its name in jobs/, or its .yaml file',
    ),
  },
  conflicts: { annotate: ['fix'] },
  examples: [
    ['check payroll.csv', 'list each problem with its cell and remedy'],
    ['check payroll.csv --expect-count 45 --expect-total AUD=46479.35', 'only with these figures'],
    ['check payroll.csv --annotate mend.xlsx', 'the same sheet with each problem at its cell'],
    ['check payroll.csv --fix mended.csv', 'a copy in which what is safe to change is changed'],
  ],
  work: () => import('./run.ts'),
};
