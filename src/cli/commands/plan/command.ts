import type { Command } from '../../command.ts';
import { CEILINGS, INPUT, PAYING, PREPARER, required, SERVICE, START } from '../../options.ts';

export const plan: Command = {
  command: 'plan <input>',
  describe: 'show exactly what would be paid; changes nothing at the service',
  options: { ...SERVICE, ...CEILINGS, ...INPUT, ...PREPARER, ...PAYING, ...START },
  positionals: { input: required('a spreadsheet, or a job') },
  examples: [
    ['plan payroll.csv', 'read the service, print the plan and the run id'],
    [
      'plan payroll.csv --approval approvers.yaml --start-at "2026-11-27 09:00" --start-zone Europe/Berlin',
      'once approved, a page starts it at that time',
    ],
    ['run R20261125-7K3M9QZ2', 'then do exactly that'],
  ],
  work: () => import('./run.ts'),
};
