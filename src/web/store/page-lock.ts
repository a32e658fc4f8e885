import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import { BUSY, openDatabase, sqliteCode } from '../../platform/sqlite.ts';
import { makeWebFolder } from './open.ts';

const holderShape = z.object({ pid: z.number(), host: z.string(), url: z.string().nullable() });

/** Who shows the page of a data directory; `url` is null until it is known. */
type PageHolder = z.output<typeof holderShape>;

export type PageLock = {
  /** Says where the page is, for whoever is refused. */
  at(url: string): void;
  release(): void;
};

/**
 * Takes the one place for a page on a data directory: sessions, plans being made and passkey challenges are in the memory
 * of one process. Throws a `Refusal` (`held`) that names the holder. The lock is SQLite's own, by an open transaction on a
 * file with nothing in it, so the kernel frees it with the process, also after SIGKILL; the holder's name is a file beside it.
 */
export function holdPage(dataDir: string, self: Pick<PageHolder, 'pid' | 'host'>): PageLock {
  const folder = makeWebFolder(dataDir);
  const holderFile = join(folder, 'page.json');
  const database = openDatabase(join(folder, 'page.lock'), { timeoutMs: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw sqliteCode(error) === BUSY ? held(dataDir, readHolder(holderFile)) : error;
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

function held(dataDir: string, holder: PageHolder | null): Refusal {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  const where = holder?.url ? ` at ${holder.url}` : '';
  return new Refusal(
    'held',
    `The page for ${dataDir} is open already: ${who} shows it${where}.`,
    'Use that page, or stop that process first. For a page of its own, name another --data-dir.',
    holder === null ? {} : { ...holder },
  );
}

/** Null in the moment before it is written, and where it cannot be read: it only names the holder. */
function readHolder(file: string): PageHolder | null {
  try {
    return holderShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
