import type { Command } from '../../command.ts';
import { DATA, flag, text } from '../../options.ts';

export const template: Command = {
  command: 'template [rails..]',
  describe: 'write an empty spreadsheet with the right columns, notes and one example per rail',
  options: {
    ...DATA,
    out: text('a .xlsx or .csv file (default payroll-template.xlsx)'),
    force: flag('replace an existing file'),
  },
  positionals: { rails: { ...text('the rails it is for, such as AUD_NPP (default: all)'), array: true } },
  examples: [
    ['template AUD_NPP GBP_FPS', 'write payroll-template.xlsx for these two'],
    ['template --out suppliers.csv', 'every rail, every column'],
  ],
  work: () => import('./run.ts'),
};
