import type { Command } from '../../command.ts';
import { DATA } from '../../options.ts';

export const runs: Command = {
  command: 'runs',
  describe: 'list the runs, newest first',
  options: DATA,
  examples: [['runs --json', 'for programs']],
  work: () => import('./run.ts'),
};
