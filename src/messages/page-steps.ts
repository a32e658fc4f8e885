import type { CommandLine } from './command-line.ts';

/**
 * For readers of a report from the page, who have no command line: where the same is done there. Empty where it is done by
 * command only.
 */
export const pageSteps: CommandLine = (word = '', runId = '', ...rest) => {
  const page = `on the page of run ${runId}`;
  const [row, option, id] = rest;
  const settled = `at row ${row} under “Needs you”, ${page}`;
  switch (word) {
    case 'run':
      return `“Start paying” ${page}`;
    case 'resume':
      return `“Go on” ${page}`;
    case 'retry':
      return rest.includes('--from') ? `“Correct these rows” ${page}` : `“Plan again as they are” ${page}`;
    case 'resolve':
      return option === '--sent' ? `“It was sent”, as ${id}, ${settled}` : `“It was not sent” ${settled}`;
    case 'show':
      return `the page of run ${runId}`;
    default:
      return '';
  }
};
