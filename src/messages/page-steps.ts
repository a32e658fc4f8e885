import type { CommandLine } from './command-line.ts';
import { t } from './translate.ts';

/**
 * For readers of a report from the page, who have no command line: where the same is done there. Empty where it is done by
 * command only.
 */
export const pageSteps: CommandLine = (word = '', runId = '', ...rest) => {
  const page = t`on the page of run ${runId}`;
  const [row, option, id] = rest;
  const settled = t`at row ${row} under “Needs you”, ${page}`;
  switch (word) {
    case 'run':
      return t`“Start paying” ${page}`;
    case 'resume':
      return t`“Go on” ${page}`;
    case 'retry':
      return rest.includes('--from') ? t`“Correct these rows” ${page}` : t`“Pay again unchanged” ${page}`;
    case 'resolve':
      return option === '--sent' ? t`“It was sent”, as ${id}, ${settled}` : t`“It was not sent” ${settled}`;
    case 'show':
      return t`the page of run ${runId}`;
    default:
      return '';
  }
};
