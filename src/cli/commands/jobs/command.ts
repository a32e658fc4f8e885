import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const jobs: CommandModule = {
  command: 'jobs',
  describe: 'list the jobs in jobs/, with the input that each would take',
  builder: (argv) => dataOptions(argv).example('$0 jobs --json', 'for programs'),
  handler: async (options) => {
    const { runJobs } = await import('./run.ts');
    await runJobs(options);
  },
};
