import type { CommandModule } from 'yargs';
import { dataOptions, inputOptions } from '../../options.ts';

export const check: CommandModule = {
  command: 'check <input>',
  describe: 'find every mistake in a spreadsheet, offline',
  builder: (argv) =>
    inputOptions(dataOptions(argv))
      .positional('input', {
        type: 'string',
        demandOption: true,
        describe: 'a .csv, .tsv, .txt or .xlsx file, or a job: its name in jobs/, or its .yaml file',
      })
      .option('annotate', { type: 'string', describe: 'write a .xlsx copy in which the problems are marked' })
      .option('fix', { type: 'string', describe: 'write a copy with the safe suggestions applied, and list them' })
      .option('force', { type: 'boolean', describe: 'let the copy replace a file of that name' })
      .conflicts('annotate', 'fix')
      .example('$0 check payroll.csv', 'list each problem with its cell and remedy')
      .example('$0 check payroll.csv --expect-count 45 --expect-total AUD=46479.35', 'only with these figures')
      .example('$0 check payroll.csv --annotate mend.xlsx', 'the same sheet with each problem at its cell')
      .example('$0 check payroll.csv --fix mended.csv', 'a copy in which what is safe to change is changed'),
  handler: async (options) => {
    const { runCheck } = await import('./run.ts');
    await runCheck(options);
  },
};
