import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const approve: CommandModule = {
  command: 'approve <run>',
  describe: 'sign a plan, so that it can be run',
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id of the plan' })
      .option('key', {
        type: 'string',
        describe: 'the key file of the approver (default: keys/approver.age in the data directory)',
      })
      .option('passphrase-file', {
        type: 'string',
        nargs: 1,
        describe: 'a file of mode 0600 with the passphrase, or - for standard input (default: asked)',
      })
      .option('total', {
        type: 'string',
        describe:
          'the total of the first currency: "2194.62 AUD"; with one currency the number is enough (default: asked)',
      })
      .option('rows', {
        type: 'string',
        describe:
          'the rows to accounts that are new or changed which are approved too: 17,23, all or none (default: asked)',
      })
      .example('$0 approve R20261125-7K3M9QZ2 --key anna.age', 'look at the plan, type its total, sign it'),
  handler: async (options) => {
    const { runApprove } = await import('./run.ts');
    await runApprove(options);
  },
};
