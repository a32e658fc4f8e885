import type { CommandModule } from 'yargs';
import { dataOptions, inputOptions } from '../options.ts';

export const check: CommandModule = {
  command: 'check <input>',
  describe: 'find every mistake in a spreadsheet, offline',
  builder: (argv) =>
    inputOptions(dataOptions(argv))
      .positional('input', { type: 'string', demandOption: true, describe: 'a .csv, .tsv, .txt or .xlsx file' })
      .example('$0 check payroll.csv', 'list each problem with its cell and remedy')
      .example('$0 check payroll.csv --expect-count 45 --expect-total AUD=46479.35', 'only with these figures'),
  handler: async (options) => {
    const { runCheck } = await import('./check-command.ts');
    await runCheck(options);
  },
};
