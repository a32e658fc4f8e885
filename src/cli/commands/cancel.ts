import type { CommandModule } from 'yargs';
import { serviceOptions } from '../options.ts';

export const cancel: CommandModule = {
  command: 'cancel <run>',
  describe: 'submit nothing more; what is submitted is still waited for',
  builder: (argv) =>
    serviceOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .example('$0 cancel R20261125-7K3M9QZ2', 'what was not sent yet is not sent'),
  handler: async (options) => {
    const { runCancel } = await import('./cancel-command.ts');
    await runCancel(options);
  },
};
