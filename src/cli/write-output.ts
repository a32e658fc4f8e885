import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { Refusal } from '../domain/refusal.ts';

export type OutputRules = {
  /** Files that must stay as they are, such as the input. */
  neverOver: readonly string[];
  /** Whether another file at the path may be replaced. */
  mayReplace: boolean;
  /** The option that names the path, for messages. */
  option: string;
};

/** Refuses (kind `usage`) a path that must not be written, before any work is done for it. */
export async function refuseOutput(path: string, { neverOver, mayReplace, option }: OutputRules): Promise<void> {
  const found = await statOrNull(path);
  if (found === null) return;
  for (const other of neverOver) {
    const known = await statOrNull(other);
    if (known !== null && known.ino === found.ino && known.dev === found.dev)
      throw new Refusal('usage', `${option} names the input itself.`, 'Give another name: the input is never changed.');
  }
  if (!found.isFile()) throw new Refusal('usage', `${path} is not a plain file.`, `Give another name with ${option}.`);
  if (!mayReplace)
    throw new Refusal('usage', `${path} exists already.`, 'Give another name, or replace it with --force.');
}

/**
 * Writes a file whole or not at all: under a name of its own first, on disk before it takes its place. What
 * holds names and salaries is for its owner only, which is the default. Refuses (kind `usage`) where it cannot be written.
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
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('usage', `${path} cannot be written: ${why}`, 'Check the folder and the disk.');
  }
}

async function statOrNull(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new Refusal('usage', `${path} cannot be looked at: ${error.message}`, 'Check the name and the folder.');
  });
}
