import type { Command } from '../../command.ts';
import { flag, HEALTH, SERVICE, text } from '../../options.ts';

export const worker: Command = {
  command: 'worker',
  describe: 'execute detached runs (run --detach) on this host; needs --database',
  options: {
    ...SERVICE,
    ...HEALTH,
    concurrency: text('runs at once (default 4)'),
    prepare: flag('create or upgrade the tables of journal and queue, as their owner, and exit'),
  },
  examples: [
    [
      'worker --database postgres://payrun_worker@db.example/payrun --profile production.yaml',
      'until Ctrl-C or SIGTERM',
    ],
    ['worker --prepare --database postgres://payrun_owner@db.example/payrun', 'once, and after each upgrade'],
  ],
  work: () => import('./run.ts'),
};
