import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const verify: CommandModule = {
  command: 'verify [run]',
  describe: "prove that the run's journal was not altered, or of all runs, that none was deleted either",
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', describe: 'the run id (default: every run)' })
      .option('report-dir', { type: 'string', describe: 'where the reports are (default: where the runs put them)' })
      .option('witness', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'a report or a heads-….txt that was kept elsewhere, to compare the journal with (repeatable)',
      })
      .example('$0 verify R20261125-7K3M9QZ2', 'recompute the chain of every entry')
      .example(
        '$0 verify --witness /safe/heads-R20261125-7K3M9QZ2.txt',
        'compare every run with what was kept elsewhere',
      ),
  handler: async (options) => {
    const { withJournal } = await import('../../journal-command.ts');
    const { verifyAllCommand, verifyCommand } = await import('./run.ts');
    const witnesses = (options.witness as string[] | undefined) ?? [];
    await withJournal(options, ({ journal, io, settings }) => {
      const given = { json: settings.json, reportDir: settings.reportDir, witnesses };
      return options.run === undefined
        ? verifyAllCommand(journal, io, given)
        : verifyCommand(journal, io, String(options.run), given);
    });
  },
};
