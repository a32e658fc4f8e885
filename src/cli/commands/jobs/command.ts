import type { Command } from '../../command.ts';
import { DATA } from '../../options.ts';

export const jobs: Command = {
  command: 'jobs',
  describe: 'list the jobs in jobs/, with the input that each would take',
  options: DATA,
  examples: [['jobs --json', 'for programs']],
  work: () => import('./run.ts'),
};
