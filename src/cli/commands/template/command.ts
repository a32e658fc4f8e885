import type { CommandModule } from 'yargs';
import { dataOptions } from '../../options.ts';

export const template: CommandModule = {
  command: 'template [rails..]',
  describe: 'an empty spreadsheet with the right columns, notes and one example per rail',
  builder: (argv) =>
    dataOptions(argv)
      .positional('rails', {
        type: 'string',
        array: true,
        describe: 'the rails that it is for, such as AUD_NPP; without any, all',
      })
      .option('out', { type: 'string', describe: 'a .xlsx or .csv file (default payroll-template.xlsx)' })
      .option('force', { type: 'boolean', describe: 'replace a file of that name' })
      .example('$0 template AUD_NPP GBP_FPS', 'write payroll-template.xlsx for these two')
      .example('$0 template --out suppliers.csv', 'every rail, every column'),
  handler: async (options) => {
    const { runTemplate } = await import('./run.ts');
    await runTemplate(options);
  },
};
