import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import process from 'node:process';
import { Refusal } from '../../domain/refusal.ts';
import type { OutputFault } from '../../domain/refusals/command-reasons.ts';

/** A file that is to be written, and the option that names it. */
export type Output = {
  path: string;
  option: string;
  /** Whether another file at the path may be replaced. */
  mayReplace: boolean;
  /** A file that must stay as it is, such as the input. */
  neverOver?: string;
};

/** Refuses (`output_unusable`) a path that must not be written, before any work is done for it. */
export async function refuseOutput({ path, option, mayReplace, neverOver }: Output): Promise<void> {
  const refusing = (fault: OutputFault) => new Refusal({ code: 'output_unusable', path, option, ...fault });
  const look = (file: string) =>
    stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw refusing({ why: 'not_read', cause: error.message });
    });
  const found = await look(path);
  if (found === null) return;
  const input = neverOver === undefined ? null : await look(neverOver);
  if (input !== null && input.ino === found.ino && input.dev === found.dev) throw refusing({ why: 'is_input' });
  if (!found.isFile()) throw refusing({ why: 'not_a_file' });
  if (!mayReplace) throw refusing({ why: 'exists' });
}

/** Refuses (`output_unusable`) a name that ends in none of `endings`. `isOfInput`: the ending is that of the input. */
export function requireEnding(
  { path, option }: Pick<Output, 'path' | 'option'>,
  endings: readonly string[],
  { isOfInput = false } = {},
): void {
  if (endings.includes(extname(path).toLowerCase())) return;
  throw new Refusal({ code: 'output_unusable', path, option, why: 'wrong_ending', endings, isOfInput });
}

/**
 * Writes a file whole or not at all: under a name of its own first, on disk before it takes its place. What holds names and
 * salaries is for its owner only, which is the default. Refuses (`output_not_written`) where it cannot be written.
 */
export async function writeOutput(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    const cause = error instanceof Error ? error.message : String(error);
    throw new Refusal({ code: 'output_not_written', path, cause });
  }
}
