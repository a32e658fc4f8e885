import type { CommandModule } from 'yargs';
import { serviceOptions } from '../../options.ts';

export const resume: CommandModule = {
  command: 'resume <run>',
  describe: 'go on after a pause, crash, Ctrl-C, timeout or outage, from the journal alone',
  builder: (argv) =>
    serviceOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .option('resubmit-absent', {
        type: 'boolean',
        describe: 'send again what the service does not list, where it promises no expiry; may pay twice',
      })
      .example('$0 resume R20261125-7K3M9QZ2', 'settle what is in doubt, pay the rest, wait, report')
      .example('$0 resume R20261125-7K3M9QZ2 --resubmit-absent', 'the service says that it holds none of them'),
  handler: async (options) => {
    const { runResume } = await import('./run.ts');
    await runResume(options);
  },
};
