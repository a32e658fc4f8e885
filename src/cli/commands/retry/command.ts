import type { Command } from '../../command.ts';
import { flag, INPUT, PREPARER, RUN, SERVICE, text } from '../../options.ts';

export const retry: Command = {
  command: 'retry <run>',
  describe: 'plan a new run of the failed and rejected rows of a finished one, and of those that cancel left unsent',
  options: {
    ...SERVICE,
    ...INPUT,
    ...PREPARER,
    from: text('a spreadsheet of those rows, corrected'),
    to: text('write those rows to a .xlsx, to be corrected, and plan nothing'),
    force: flag('let what --to writes replace a file of that name'),
    yes: flag('run it at once, without asking'),
  },
  positionals: RUN,
  conflicts: { to: ['from', 'yes'] },
  examples: [
    ['retry R20261125-7K3M9QZ2', 'print the plan and its run id; run it with `payrun run`'],
    ['retry R20261125-7K3M9QZ2 --from corrected.csv --yes', 'pay the corrected rows at once'],
  ],
  work: () => import('./run.ts'),
};
