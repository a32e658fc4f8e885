import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const show: CommandModule = {
  command: 'show <run>',
  describe: 'the state of each payout of a run, doubts explained',
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .option('payouts', {
        type: 'boolean',
        default: true,
        describe: 'each payout in the JSON; --no-payouts leaves them out',
      })
      .example('$0 show R20261125-7K3M9QZ2', 'what happened to each payout, and what to do about those in doubt'),
  handler: async (options) => {
    const { withJournal } = await import('../../journal-command.ts');
    const { showCommand } = await import('./run.ts');
    const { commandsFor } = await import('../../../compose/command-hints.ts');
    const runId = String(options.run);
    await withJournal(options, ({ journal, io, settings }) =>
      showCommand(journal, io, runId, {
        json: settings.json,
        dataDir: settings.dataDir,
        payouts: options.payouts !== false,
        colour: io.colour,
        command: commandsFor(settings),
      }),
    );
  },
};
