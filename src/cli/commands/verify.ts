import type { CommandModule } from 'yargs';
import { dataOptions } from '../options.ts';

export const verify: CommandModule = {
  command: 'verify <run>',
  describe: "prove that the run's journal was not altered",
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .option('report-dir', { type: 'string', describe: 'where the report is (default: where the run put it)' })
      .example('$0 verify R20261125-7K3M9QZ2', 'recompute the chain of every entry'),
  handler: async (options) => {
    const { withJournal } = await import('../journal-command.ts');
    const { verifyCommand } = await import('./verify-run.ts');
    const runId = String(options.run);
    await withJournal(options, ({ journal, io, settings }) =>
      verifyCommand(journal, io, runId, { json: settings.json, reportDir: settings.reportDir }),
    );
  },
};
