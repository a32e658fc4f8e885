import type { CommandModule } from 'yargs';
import { dataOptions } from '../options.ts';

export const show: CommandModule = {
  command: 'show <run>',
  describe: 'the state of each payout of a run',
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .example('$0 show R20261125-7K3M9QZ2', 'each payout, doubts explained'),
  handler: async (options) => {
    const { withJournal } = await import('../journal-command.ts');
    const { showCommand } = await import('./show-run.ts');
    const runId = String(options.run);
    await withJournal(options, ({ journal, io, settings }) => showCommand(journal, io, runId, { json: settings.json }));
  },
};
