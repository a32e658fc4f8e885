import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const schedule: CommandModule = {
  command: 'schedule [jobs..]',
  describe: 'stay, and run the jobs in jobs/ when they are due',
  builder: (argv) =>
    dataOptions(argv)
      .positional('jobs', {
        type: 'string',
        array: true,
        describe: 'the jobs to run, by name or .yaml file (default: all that have a schedule)',
      })
      .option('once', { type: 'boolean', describe: 'run what is due now and end, for cron' })
      .example('$0 schedule', 'stay until Ctrl-C or SIGTERM')
      .example('$0 schedule --once', 'what came due in the last ten minutes'),
  handler: async (options) => {
    const { runSchedule } = await import('./run.ts');
    await runSchedule(options);
  },
};
