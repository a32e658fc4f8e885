import type { CommandModule } from 'yargs';
import { ceilingOptions, inputOptions, preparerOptions, serviceOptions } from '../../options.ts';

export const plan: CommandModule = {
  command: 'plan <input>',
  describe: 'show exactly what would be paid; writes nothing to the service',
  builder: (argv) =>
    preparerOptions(inputOptions(ceilingOptions(serviceOptions(argv))))
      .positional('input', { type: 'string', demandOption: true, describe: 'a spreadsheet, or a job' })
      .option('only-valid', { type: 'boolean', describe: 'plan the rows without problems, report the others' })
      .option('skip-paid', { type: 'boolean', describe: 'leave out the rows that earlier runs paid, and report them' })
      .option('period', {
        type: 'string',
        describe: 'the period of a job that is paid (2026-11); the nearest, if not said',
      })
      .option('allow-repeat', {
        type: 'string',
        describe: 'plan what was paid before; names the earlier run, or several with commas',
      })
      .example('$0 plan payroll.csv', 'read the service, print the plan and the run id')
      .example('$0 run R20261125-7K3M9QZ2', 'then do exactly that'),
  handler: async (options) => {
    const { runPlan } = await import('./run.ts');
    await runPlan(options);
  },
};
