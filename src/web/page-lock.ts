import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePageFolder } from '../app/people/store/page-files.ts';
import { Refusal } from '../domain/refusal.ts';
import type { PageHolder } from '../domain/refusals/page-reasons.ts';
import { BUSY, openDatabase, sqliteCode } from '../platform/sqlite.ts';

const holderShape = z.object({ pid: z.number(), host: z.string(), url: z.string().nullable() });

export type PageLock = {
  /** Notes where the page is, for the people who are refused. */
  at(url: string): void;
  release(): void;
};

/**
 * Takes the one place for a page on a data directory: sessions, plans being made and passkey challenges are in the memory
 * of one process, unless they are in a database that pages share. Throws a `Refusal` (`page_open`) that names the holder. The lock is SQLite's own, by an open transaction on a
 * file with nothing in it, so the kernel frees it with the process, also after SIGKILL; the holder's name is a file beside it.
 */
export function holdPage(dataDir: string, self: Pick<PageHolder, 'pid' | 'host'>): PageLock {
  const folder = makePageFolder(dataDir);
  const holderFile = join(folder, 'page.json');
  const database = openDatabase(join(folder, 'page.lock'), { timeoutMs: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (sqliteCode(error) !== BUSY) throw error;
    throw new Refusal({ code: 'page_open', dataDir, holder: readHolder(holderFile) });
  }
  const write = (url: string | null): void => {
    writeFileSync(`${holderFile}.new`, JSON.stringify({ ...self, url }), { mode: 0o600 });
    renameSync(`${holderFile}.new`, holderFile);
  };
  write(null);
  return {
    at: write,
    release() {
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

/** Null in the moment before it is written, and where it cannot be read: it only names the holder. */
function readHolder(file: string): PageHolder | null {
  try {
    return holderShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
