import type { CommandModule } from 'yargs';
import { ceilingOptions, inputOptions, preparerOptions, serviceOptions } from '../../options.ts';

export const run: CommandModule = {
  command: 'run <input>',
  describe: 'check, confirm, pay, wait, report',
  builder: (argv) =>
    preparerOptions(inputOptions(ceilingOptions(serviceOptions(argv))))
      .positional('input', {
        type: 'string',
        demandOption: true,
        describe: 'a .csv, .tsv, .txt or .xlsx file, or a job: its name in jobs/, or its .yaml file',
      })
      .option('yes', { type: 'boolean', describe: 'do not ask before paying' })
      .option('only-valid', { type: 'boolean', describe: 'pay the rows without problems, report the others' })
      .option('skip-paid', { type: 'boolean', describe: 'leave out the rows that earlier runs paid, and report them' })
      .option('period', {
        type: 'string',
        describe: 'the period of a job that is paid (2026-11); the nearest, if not said',
      })
      .option('allow-repeat', {
        type: 'string',
        describe: 'pay what was paid before; names the earlier run, or several with commas',
      })
      .example('$0 run payroll.csv', 'rehearse: without --base-url no money moves')
      .example('$0 run monthly-payroll', 'what jobs/monthly-payroll.yaml says')
      .example('$0 run payroll.csv --profile production.yaml --yes', 'pay without asking, as cron does'),
  handler: async (options) => {
    const { runRun } = await import('./run.ts');
    await runRun(options);
  },
};
