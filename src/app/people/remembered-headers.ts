import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Inside, randomId } from './store/page-store.ts';

/** The file of what is remembered of headers, of which each set is understood by who reads the file. */
const memoryFile = z.object({
  version: z.literal(1),
  sets: z.array(z.looseObject({ headers: z.array(z.string()) })),
});

/** What each set of headers means (JSON), by the headers. */
type Sets = ReadonlyMap<string, string>;

/**
 * What people chose for headers, for all files with the same ones. Where the page is on one machine, it is in the data directory
 * and commands use it too; where hosts share a database, each task gets a file of what that holds, and what the task changed
 * in it is written back, set by set.
 */
export class RememberedHeaders {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Hands the path of the file to `work`; null for the file of the data directory. */
  async with<Result>(work: (memory: string | null) => Promise<Result>): Promise<Result> {
    const { store, randomness } = this.#inside;
    if (!store.isShared) return work(null);
    const before = await this.#load();
    const path = join(store.folder, `headers-${randomId(randomness)}.json`);
    const sets = Array.from(before.values(), (text) => JSON.parse(text));
    writeFileSync(path, JSON.stringify({ version: 1, sets }), { mode: 0o600 });
    try {
      const result = await work(path);
      await this.#keep(before, readSets(path) ?? before);
      return result;
    } finally {
      rmSync(path, { force: true });
    }
  }

  async #load(): Promise<Sets> {
    const sql = 'SELECT headers, meaning FROM header_set ORDER BY changed_at, headers';
    const rows = await this.#inside.store.all<{ headers: string; meaning: string }>(sql);
    return new Map(rows.map(({ headers, meaning }) => [headers, meaning]));
  }

  async #keep(before: Sets, after: Sets): Promise<void> {
    const { store, clock } = this.#inside;
    const changed = [...after].filter(([headers, meaning]) => before.get(headers) !== meaning);
    const forgotten = [...before.keys()].filter((headers) => !after.has(headers));
    if (changed.length + forgotten.length === 0) return;
    await store.transaction(async () => {
      for (const headers of forgotten) await store.run('DELETE FROM header_set WHERE headers = ?', headers);
      const sql = `INSERT INTO header_set (headers, meaning, changed_at) VALUES (?, ?, ?)
        ON CONFLICT (headers) DO UPDATE SET meaning = excluded.meaning, changed_at = excluded.changed_at`;
      for (const [headers, meaning] of changed) await store.run(sql, headers, meaning, clock.wallMs());
    });
  }
}

/** Null where a task that was ended left nothing that can be read. */
function readSets(path: string): Sets | null {
  try {
    const { sets } = memoryFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Map(sets.map((set) => [JSON.stringify(set.headers), JSON.stringify(set)]));
  } catch {
    return null;
  }
}
