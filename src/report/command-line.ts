/** Writes a command of payrun whole, so that it can be pasted: `payrun show R20261125-7K3M9QZ2 --data-dir pay`. */
export type CommandLine = (...words: string[]) => string;

/** For a journal in the default data directory. */
export const plainCommand: CommandLine = (...words) => ['payrun', ...words].join(' ');
