import { closeSync, fsyncSync, linkSync, lstatSync, openSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { Refusal } from '../../domain/refusal.ts';
import { backUpDatabase } from '../../platform/sqlite.ts';

/**
 * Copies the journal at `path` as it is at one moment to a new file, also while others write to it. `prove` is given the copy
 * before it has its name; what it throws leaves no file. Throws a `Refusal` where a file is there already, or cannot be written.
 * Returns the bytes of the copy, which is on disk.
 */
export async function backUp(path: string, to: string, prove: (draft: string) => Promise<void>): Promise<number> {
  refuseExisting(to);
  const draft = join(dirname(to), `.${basename(to)}.${process.pid}.draft`);
  try {
    // Made before SQLite does, for its mode: it holds names and account numbers.
    writing(to, () => closeSync(openSync(draft, 'wx', 0o600)));
    await backUpDatabase(path, draft).catch((error: unknown) => {
      throw failed(to, error);
    });
    await prove(draft);
    writing(to, () => sync(draft));
    takeName(draft, to);
    return statSync(to).size;
  } finally {
    for (const file of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(file, { force: true });
  }
}

/** Unlike a renaming, a link never takes the place of a file. */
function takeName(draft: string, to: string): void {
  try {
    linkSync(draft, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(to);
    throw failed(to, error);
  }
  unlinkSync(draft);
  writing(to, () => sync(dirname(to)));
}

function refuseExisting(to: string): void {
  const found = writing(to, () => lstatSync(to, { throwIfNoEntry: false }));
  if (found !== undefined) throw exists(to);
}

function sync(path: string): void {
  // Windows opens no directories and needs no such sync.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writing<Result>(to: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failed(to, error);
  }
}

function exists(path: string): Refusal {
  return new Refusal({ code: 'journal_backup_exists', path });
}

function failed(path: string, error: unknown): Refusal {
  return new Refusal({
    code: 'journal_backup_failed',
    path,
    cause: error instanceof Error ? error.message : String(error),
  });
}
