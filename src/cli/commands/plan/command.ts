import type { Command } from '../../command.ts';
import { CEILINGS, INPUT, PAYING, PREPARER, required, SERVICE } from '../../options.ts';

export const plan: Command = {
  command: 'plan <input>',
  describe: 'show exactly what would be paid; writes nothing to the service',
  options: { ...SERVICE, ...CEILINGS, ...INPUT, ...PREPARER, ...PAYING },
  positionals: { input: required('a spreadsheet, or a job') },
  examples: [
    ['plan payroll.csv', 'read the service, print the plan and the run id'],
    ['run R20261125-7K3M9QZ2', 'then do exactly that'],
  ],
  work: () => import('./run.ts'),
};
