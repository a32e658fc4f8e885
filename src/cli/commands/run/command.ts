import type { Command } from '../../command.ts';
import { CEILINGS, DETACH, flag, INPUT, PAYING, PREPARER, required, SERVICE } from '../../options.ts';

export const run: Command = {
  command: 'run <input>',
  describe: 'check, confirm, pay, wait, report',
  options: {
    ...SERVICE,
    ...CEILINGS,
    ...INPUT,
    ...PREPARER,
    yes: flag('do not ask before paying'),
    ...PAYING,
    ...DETACH,
  },
  positionals: {
    input: required(
      'a .csv, .tsv, .txt or .xlsx file, a bank file (.xml, .aba, .ach, .bac), or a job: its name in jobs/, or its .yaml file',
    ),
  },
  examples: [
    ['run payroll.csv', 'rehearse: without --base-url no money moves'],
    ['run monthly-payroll', 'pay the input of jobs/monthly-payroll.yaml'],
    ['run payroll.csv --profile production.yaml --yes', 'pay without asking, as cron does'],
    ['run payroll.csv --profile production.yaml --yes --detach', 'leave it to a worker, on any host'],
  ],
  work: () => import('./run.ts'),
};
