import { sep } from 'node:path';

/** Writes a command of payrun whole, so that it can be pasted: `payrun show R20261125-7K3M9QZ2 --data-dir pay`. */
export type CommandLine = (...words: string[]) => string;

/**
 * For a journal in the default data directory. Each word stays one word of the shell: ids come from a service, and
 * nothing that it says may become a command of its own.
 */
export const plainCommand: CommandLine = (...words) => ['payrun', ...words.map(shellWord)].join(' ');

/** The text as one word of the shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  if (sep === '\\') return windowsWord(text);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * One word of PowerShell and of cmd.exe, which have only double quotes in common: what either reads inside them becomes `?`.
 * Programs take a backslash before the closing quote for an escape of it, unless there are two.
 */
function windowsWord(text: string): string {
  if (/^[\w+=:./\\-]+$/.test(text)) return text;
  return `"${text.replace(/["$`%!\p{Cc}]/gu, '?').replace(/\\+$/, '$&$&')}"`;
}
