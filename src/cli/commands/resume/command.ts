import type { Command } from '../../command.ts';
import { DETACH, flag, RUN, SERVICE } from '../../options.ts';

export const resume: Command = {
  command: 'resume <run>',
  describe: 'continue after a pause, crash, Ctrl-C, timeout or outage, from the journal alone',
  options: {
    ...SERVICE,
    ...DETACH,
    'resubmit-absent': flag('resend what the service does not list, where it promises no expiry; may pay twice'),
  },
  positionals: RUN,
  examples: [
    ['resume R20261125-7K3M9QZ2', 'reconcile what is in doubt, pay the rest, wait, report'],
    ['resume R20261125-7K3M9QZ2 --resubmit-absent', 'the service confirms that it holds none of them'],
  ],
  work: () => import('./run.ts'),
};
