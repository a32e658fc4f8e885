import type { Command } from '../../command.ts';
import { DATA, DEFAULT_FORMATS, FORMATS, RUN, text } from '../../options.ts';

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
      describe: `which files (default ${DEFAULT_FORMATS.join(', ')}); pain002 and camt054 are bank files`,
    },
  },
  positionals: RUN,
  examples: [
    ['report R20261125-7K3M9QZ2 --format html,csv', 'the page and the spreadsheet'],
    ['report R20261125-7K3M9QZ2 --format pain002,camt054', 'statuses and debits as ISO 20022 files'],
  ],
  work: () => import('./run.ts'),
};
