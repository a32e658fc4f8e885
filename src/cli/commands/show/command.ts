import type { Command } from '../../command.ts';
import { DATA, flag, RUN } from '../../options.ts';

export const show: Command = {
  command: 'show <run>',
  describe: 'show the state of each payout of a run, and explain doubts',
  options: { ...DATA, payouts: { ...flag('each payout in the JSON; --no-payouts leaves them out'), default: true } },
  positionals: RUN,
  examples: [['show R20261125-7K3M9QZ2', 'what happened to each payout, and what to do about those in doubt']],
  work: () => import('./run.ts'),
};
