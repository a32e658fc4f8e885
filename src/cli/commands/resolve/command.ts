import type { CommandModule } from 'yargs';
import { serviceOptions } from '../../options.ts';

export const resolve: CommandModule = {
  command: 'resolve <run> <row>',
  describe: 'say what became of a payout in doubt: --sent TX or --not-sent',
  builder: (argv) =>
    serviceOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .positional('row', { type: 'string', demandOption: true, describe: 'the row, as `payrun show` numbers it' })
      .option('sent', {
        type: 'string',
        describe: 'it is this transaction of the service; if that is another payment, the payee is not paid',
      })
      .option('not-sent', {
        type: 'boolean',
        describe: 'it was never made, and resume sends it; if it was made after all, the payee is paid twice',
      })
      .option('yes', { type: 'boolean', describe: 'do not ask' })
      .example('$0 resolve R20261125-7K3M9QZ2 7 --sent tx_42', 'the service holds it as tx_42')
      .example('$0 resolve R20261125-7K3M9QZ2 7 --not-sent', 'the service says that it never came'),
  handler: async (options) => {
    const { runResolve } = await import('./run.ts');
    await runResolve(options);
  },
};
