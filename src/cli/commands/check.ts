import type { CommandModule } from 'yargs';
import { dataOptions } from '../options.ts';

export const check: CommandModule = {
  command: 'check <input>',
  describe: 'find every mistake in a spreadsheet, offline',
  builder: (argv) =>
    dataOptions(argv)
      .positional('input', { type: 'string', demandOption: true, describe: 'a .csv, .tsv or .txt file' })
      .option('decimal', { choices: ['.', ','], describe: 'the decimal separator, where the file does not prove it' })
      .example('$0 check payroll.csv', 'list each problem with its cell and remedy'),
  handler: async (options) => {
    const { runCheck } = await import('./check-command.ts');
    await runCheck(options);
  },
};
