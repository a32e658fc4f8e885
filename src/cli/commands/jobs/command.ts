import type { Command } from '../../command.ts';
import { DATA } from '../../options.ts';

export const jobs: Command = {
  command: 'jobs',
  describe: 'list the jobs in jobs/, each with its next input',
  options: DATA,
  examples: [['jobs --json', 'for programs']],
  work: () => import('./run.ts'),
};
