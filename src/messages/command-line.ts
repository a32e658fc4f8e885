import { sep } from 'node:path';

/** Writes a command of payrun whole, so that it can be pasted: `payrun show R20261125-7K3M9QZ2 --data-dir pay`. */
export type CommandLine = (...words: string[]) => string;

/**
 * For a journal in the default data directory. Each word stays one word of the shell: ids come from a service, and
 * nothing that it says may become a command of its own.
 */
export const plainCommand: CommandLine = (...words) => ['payrun', ...words.map(shellWord)].join(' ');

/** Quotes the text as one shell word, if it needs quotes. */
export function shellWord(text: string): string {
  if (sep === '\\') return windowsWord(text);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * One word for both PowerShell and cmd.exe, which share only double quotes. Characters that either would expand inside
 * them become `?`. A trailing backslash is doubled, since it would otherwise escape the closing quote.
 */
function windowsWord(text: string): string {
  if (/^[\w+=:./\\-]+$/.test(text)) return text;
  return `"${text.replace(/["$`%!\p{Cc}]/gu, '?').replace(/\\+$/, '$&$&')}"`;
}
