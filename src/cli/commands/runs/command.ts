import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const runs: CommandModule = {
  command: 'runs',
  describe: 'list the runs, newest first',
  builder: (argv) => dataOptions(argv).example('$0 runs --json', 'for programs'),
  handler: async (options) => {
    const { withJournal } = await import('../../journal-command.ts');
    const { runsCommand } = await import('./run.ts');
    await withJournal(options, ({ journal, io, settings }) => runsCommand(journal, io, { json: settings.json }));
  },
};
