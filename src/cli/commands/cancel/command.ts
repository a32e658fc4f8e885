import type { CommandModule } from 'yargs';
import { serviceOptions } from '../../options.ts';

export const cancel: CommandModule = {
  command: 'cancel [run]',
  describe: 'submit nothing more; what is submitted is still waited for',
  builder: (argv) =>
    serviceOptions(argv)
      .positional('run', { type: 'string', describe: 'the run id' })
      .option('waiting', { type: 'boolean', describe: 'end every plan that waits and cannot be run any more' })
      .example('$0 cancel R20261125-7K3M9QZ2', 'what was not sent yet is not sent'),
  handler: async (options) => {
    if (options.waiting === true && options.run === undefined) {
      const { runCancelWaiting } = await import('./waiting.ts');
      return runCancelWaiting(options);
    }
    const { runCancel } = await import('./run.ts');
    await runCancel(options);
  },
};
