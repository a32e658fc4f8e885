import type { Command } from '../../command.ts';
import { DATA, LOG, RUN } from '../../options.ts';

export const pause: Command = {
  command: 'pause <run>',
  describe: 'submit nothing more until `resume`, and finish what is in flight',
  options: { ...DATA, ...LOG },
  positionals: RUN,
  examples: [['pause R20261125-7K3M9QZ2', 'continue later with `resume`']],
  work: () => import('./run.ts'),
};
