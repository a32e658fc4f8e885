import type { CommandModule } from 'yargs';
import { inputOptions, preparerOptions, serviceOptions } from '../../options.ts';

export const retry: CommandModule = {
  command: 'retry <run>',
  describe: 'plan a new run of the failed and rejected rows of a finished one, and of those that cancel left unsent',
  builder: (argv) =>
    preparerOptions(inputOptions(serviceOptions(argv)))
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .option('from', { type: 'string', describe: 'a spreadsheet of those rows, corrected' })
      .option('to', { type: 'string', describe: 'write those rows to a .xlsx, to be corrected, and plan nothing' })
      .option('force', { type: 'boolean', describe: 'let what --to writes replace a file of that name' })
      .conflicts('to', ['from', 'yes'])
      .option('yes', { type: 'boolean', describe: 'run it at once, without asking' })
      .example('$0 retry R20261125-7K3M9QZ2', 'print the plan and its run id; run it with `payrun run`')
      .example('$0 retry R20261125-7K3M9QZ2 --from corrected.csv --yes', 'pay the corrected rows at once'),
  handler: async (options) => {
    const { runRetry } = await import('./run.ts');
    await runRetry(options);
  },
};
