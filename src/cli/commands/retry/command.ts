import type { Command } from '../../command.ts';
import { flag, INPUT, PREPARER, RUN, SERVICE, text } from '../../options.ts';

export const retry: Command = {
  command: 'retry <run>',
  describe: 'plan a new run of the failed, rejected and unsent rows of a finished run',
  options: {
    ...SERVICE,
    ...INPUT,
    ...PREPARER,
    from: text('a spreadsheet of those rows, corrected'),
    to: text('write those rows to an .xlsx file to correct, and plan nothing'),
    force: flag('let --to replace an existing file'),
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
