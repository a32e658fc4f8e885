import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const pause: CommandModule = {
  command: 'pause <run>',
  describe: 'submit nothing more until `resume`; what is in flight is settled',
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .example('$0 pause R20261125-7K3M9QZ2', 'go on with it later, by `resume`'),
  handler: async (options) => {
    const { runPause } = await import('./run.ts');
    await runPause(options);
  },
};
