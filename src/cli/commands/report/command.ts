import type { Command } from '../../command.ts';
import { DATA, FORMATS, RUN, text } from '../../options.ts';

export const report: Command = {
  command: 'report <run>',
  describe: 'write the report of a run again',
  options: {
    ...DATA,
    'report-dir': text('where reports go (default: where the run put it)'),
    format: {
      choices: FORMATS,
      array: true,
      coerce: (given: string[]) => given.flatMap((formats) => formats.split(',')),
      describe: 'which files (default all)',
    },
  },
  positionals: RUN,
  examples: [['report R20261125-7K3M9QZ2 --format html,csv', 'the page and the spreadsheet']],
  work: () => import('./run.ts'),
};
