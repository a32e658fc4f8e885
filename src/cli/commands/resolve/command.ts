import type { Command } from '../../command.ts';
import { flag, RUN, required, SERVICE, text } from '../../options.ts';

export const resolve: Command = {
  command: 'resolve <run> <row>',
  describe: 'record what became of an unconfirmed payout: --sent TX or --not-sent',
  options: {
    ...SERVICE,
    sent: text('it is this transaction of the service; if that is another payment, the payee is not paid'),
    'not-sent': flag('it was never made, and resume sends it; if it was made after all, the payee is paid twice'),
    yes: flag('do not ask'),
  },
  positionals: { ...RUN, row: required('the row, as `payrun show` numbers it') },
  examples: [
    ['resolve R20261125-7K3M9QZ2 7 --sent tx_42', 'the service holds it as tx_42'],
    ['resolve R20261125-7K3M9QZ2 7 --not-sent', 'the service confirms that it never arrived'],
  ],
  work: () => import('./run.ts'),
};
