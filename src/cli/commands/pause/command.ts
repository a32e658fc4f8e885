import type { Command } from '../../command.ts';
import { DATA, RUN } from '../../options.ts';

export const pause: Command = {
  command: 'pause <run>',
  describe: 'submit nothing more until `resume`; what is in flight is settled',
  options: DATA,
  positionals: RUN,
  examples: [['pause R20261125-7K3M9QZ2', 'go on with it later, by `resume`']],
  work: () => import('./run.ts'),
};
