/** Writes a command of payrun whole, so that it can be pasted: `payrun show R20261125-7K3M9QZ2 --data-dir pay`. */
export type CommandLine = (...words: string[]) => string;

/**
 * For a journal in the default data directory. Each word stays one word of the shell: ids come from a service, and
 * nothing that it says may become a command of its own.
 */
export const plainCommand: CommandLine = (...words) => ['payrun', ...words.map(shellWord)].join(' ');

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

/** The text as one word of a POSIX shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
