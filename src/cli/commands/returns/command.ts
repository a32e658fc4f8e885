import type { Command } from '../../command.ts';
import { SERVICE } from '../../options.ts';

export const returns: Command = {
  command: 'returns',
  describe: 'ask the service which completed payouts the banks returned, and record it in their runs',
  options: SERVICE,
  examples: [['returns --json', 'from cron, each day: exit 5 where payouts came back since the last time']],
  work: () => import('./run.ts'),
};
