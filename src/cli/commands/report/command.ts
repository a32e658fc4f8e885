import type { CommandModule } from 'yargs';
import type { ReportFormat } from '../../../report/report-text.ts';
import { dataOptions } from '../../options.ts';

/** Written here too, so that `--help` loads nothing but declarations; a format that is missing here does not compile. */
const FORMATS = Object.keys({ csv: true, html: true, json: true, xlsx: true } satisfies Record<ReportFormat, true>);

export const report: CommandModule = {
  command: 'report <run>',
  describe: 'write the report of a run again',
  builder: (argv) =>
    dataOptions(argv)
      .positional('run', { type: 'string', demandOption: true, describe: 'the run id' })
      .option('report-dir', { type: 'string', describe: 'where reports go (default: where the run put it)' })
      .option('format', {
        choices: FORMATS,
        array: true,
        coerce: (given: string[]) => given.flatMap((formats) => formats.split(',')),
        describe: 'which files (default all)',
      })
      .example('$0 report R20261125-7K3M9QZ2 --format html,csv', 'the page and the spreadsheet'),
  handler: async (options) => {
    const { withJournal } = await import('../../journal-command.ts');
    const { reportCommand } = await import('./run.ts');
    const { commandsFor } = await import('../../../compose/command-hints.ts');
    const runId = String(options.run);
    const formats = (options.format ?? FORMATS) as ReportFormat[];
    await withJournal(options, ({ journal, io, settings }) =>
      reportCommand(journal, io, runId, {
        reportDir: settings.reportDir,
        formats,
        json: settings.json,
        command: commandsFor(settings),
      }),
    );
  },
};
