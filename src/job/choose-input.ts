import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { Job } from './job.ts';
import { isPattern } from './parts/input-part.ts';

/** The file that a job pays. */
export type ChosenInput = {
  path: string;
  /** Where it is one of several. */
  pattern: string | null;
  /** The other files of the pattern, newest first. */
  others: readonly string[];
};

/**
 * The job's file, or the newest of its pattern: by the time of its last change, and by name where that is the same. No
 * older one is ever taken, whether or not it was paid: what lay in the folder before the job began was perhaps paid in
 * another way. Throws a `Refusal` (`usage`) where there is none.
 */
export function chooseInput({ input, inputWhere }: Pick<Job, 'input' | 'inputWhere'>): ChosenInput {
  if (!isPattern(basename(input))) {
    if (changedAt(input) !== null) return { path: input, pattern: null, others: [] };
    throw new Refusal({ code: 'no_input_file', where: inputWhere, input, isPattern: false });
  }
  const [path, ...others] = filesOf(input);
  if (path !== undefined) return { path, pattern: input, others };
  throw new Refusal({ code: 'no_input_file', where: inputWhere, input, isPattern: true });
}

/** The files of a pattern, newest first. Hidden files and those with which spreadsheet programs lock theirs are none. */
function filesOf(pattern: string): string[] {
  const folder = dirname(pattern);
  const isOfPattern = matcherOf(basename(pattern));
  const found = namesIn(folder)
    .filter((name) => isOfPattern(name) && !/^(?:\.|~\$)/.test(name))
    .map((name) => ({ path: join(folder, name), at: changedAt(join(folder, name)) }))
    .filter((file): file is { path: string; at: number } => file.at !== null);
  found.sort((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1));
  return found.map(({ path }) => path);
}

/** Whether a file of that name could be the input, wherever it is. */
export function isNamedLike(input: string, fileName: string): boolean {
  return matcherOf(basename(input))(fileName);
}

function matcherOf(pattern: string): (name: string) => boolean {
  const parts = pattern.split(/([*?])/).map((part) => (part === '*' ? '.*' : part === '?' ? '.' : RegExp.escape(part)));
  // Several stars in a row are one, so that the expression stays fast.
  const expression = new RegExp(`^${parts.join('').replace(/(?:\.\*)+/g, '.*')}$`, 'su');
  return (name) => expression.test(name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Null for what is no file. */
function changedAt(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.mtimeMs : null;
}
