import type { Command } from '../../command.ts';
import { flag, SERVICE, text } from '../../options.ts';

export const cancel: Command = {
  command: 'cancel [run]',
  describe: 'submit nothing more; what is submitted is still waited for',
  options: { ...SERVICE, waiting: flag('end every plan that waits and cannot be run any more') },
  positionals: { run: text('the run id') },
  examples: [['cancel R20261125-7K3M9QZ2', 'what was not sent yet is not sent']],
  work: () => import('./run.ts'),
};
