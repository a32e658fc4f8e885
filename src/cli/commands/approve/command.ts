import type { Command } from '../../command.ts';
import { DATA, PASSPHRASE_FILE, required, text } from '../../options.ts';

export const approve: Command = {
  command: 'approve <run>',
  describe: 'sign a plan, so that it can be run',
  options: {
    ...DATA,
    key: text('the key file of the approver (default: keys/approver.age in the data directory)'),
    ...PASSPHRASE_FILE,
    total: text(
      'the total of the first currency: "2194.62 AUD"; with one currency the number is enough (default: asked)',
    ),
    rows: text(
      'the rows to accounts that are new or changed which are approved too: 17,23, all or none (default: asked)',
    ),
  },
  positionals: { run: required('the run id of the plan') },
  examples: [['approve R20261125-7K3M9QZ2 --key anna.age', 'look at the plan, type its total, sign it']],
  work: () => import('./run.ts'),
};
