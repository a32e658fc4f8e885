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
      'the total of the first currency: "2194.62 AUD"; the number alone is enough for one currency (default: asked)',
    ),
    rows: text('rows to new or changed accounts to approve as well: 17,23, all or none (default: asked)'),
  },
  positionals: { run: required('the run id of the plan') },
  examples: [['approve R20261125-7K3M9QZ2 --key anna.age', 'view the plan, type its total, sign it']],
  work: () => import('./run.ts'),
};
