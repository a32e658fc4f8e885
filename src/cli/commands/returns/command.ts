import type { Command } from '../../command.ts';
import { SERVICE } from '../../options.ts';

export const returns: Command = {
  command: 'returns',
  describe: 'ask the service which completed payouts were returned by banks, and record them',
  options: SERVICE,
  examples: [['returns --json', 'daily from cron: exit 5 if payouts came back since the last time']],
  work: () => import('./run.ts'),
};
