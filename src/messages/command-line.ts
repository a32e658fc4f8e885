/** Writes a command of payrun whole, so that it can be pasted: `payrun show R20261125-7K3M9QZ2 --data-dir pay`. */
export type CommandLine = (...words: string[]) => string;

/**
 * For a journal in the default data directory. Each word stays one word of the shell: ids come from a service, and
 * nothing that it says may become a command of its own.
 */
export const plainCommand: CommandLine = (...words) => ['payrun', ...words.map(shellWord)].join(' ');

/** The text as one word of a POSIX shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
