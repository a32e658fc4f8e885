import type { Command } from '../../command.ts';
import { flag, SERVICE, text } from '../../options.ts';

export const cancel: Command = {
  command: 'cancel [run]',
  describe: 'submit nothing more, and wait for what was already submitted',
  options: { ...SERVICE, waiting: flag('end every waiting plan that can no longer be run') },
  positionals: { run: text('the run id') },
  examples: [['cancel R20261125-7K3M9QZ2', 'whatever was not sent stays unsent']],
  work: () => import('./run.ts'),
};
