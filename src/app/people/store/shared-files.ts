import type { Buffer } from 'node:buffer';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { assert } from '../../../domain/refusal.ts';
import { LocalFiles } from './page-files.ts';
import type { PageStore } from './page-store.ts';

/** What one row holds of a file. */
const PART_BYTES = 1024 * 1024;

/**
 * Files in the database, of which each host has copies of those that it was asked for. A file is written once: a copy is never
 * out of date.
 */
export class SharedFiles extends LocalFiles {
  readonly #store: PageStore;
  #copies = 0;

  constructor(store: PageStore, root: string) {
    super(root);
    this.#store = store;
  }

  override async find(folder: string, name: string): Promise<string | null> {
    return (await super.find(folder, name)) ?? (await this.#bring(folder, name));
  }

  /** Parts of a megabyte in one transaction, so that a file is there whole or not at all. */
  override async keep(folder: string, name: string): Promise<void> {
    const content = readFileSync(this.path(folder, name));
    await this.#store.transaction(async () => {
      const sql = `INSERT INTO kept_file (folder, name, bytes, kept_at) VALUES (?, ?, ?, clock_ms())
        ON CONFLICT (folder, name) DO NOTHING`;
      if ((await this.#store.run(sql, folder, name, content.length)) === 0) return;
      for (let at = 0, part = 0; at < content.length; at += PART_BYTES, part++)
        await this.#store.insert('file_part', { folder, name, part, content: content.subarray(at, at + PART_BYTES) });
    });
  }

  override async keepSecret(folder: string, name: string): Promise<void> {
    await this.keep(folder, name);
    await super.remove(folder, name);
  }

  override async useSecret<Result>(
    folder: string,
    name: string,
    work: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const copy = (await this.#copy(folder, name)) ?? this.path(folder, name);
    try {
      return await work(copy);
    } finally {
      rmSync(copy, { force: true });
    }
  }

  override async remove(folder: string, name: string): Promise<void> {
    await this.#store.run('DELETE FROM kept_file WHERE folder = ? AND name = ?', folder, name);
    await super.remove(folder, name);
  }

  override async removeFolder(folder: string): Promise<void> {
    await this.#store.run('DELETE FROM kept_file WHERE folder = ?', folder);
    await super.removeFolder(folder);
  }

  override async uploads(): Promise<{ id: string; changedAt: number }[]> {
    const sql = `SELECT folder, max(kept_at) AS "changedAt" FROM kept_file WHERE folder LIKE 'uploads/%' GROUP BY folder`;
    const kept = await this.#store.all<{ folder: string; changedAt: number }>(sql);
    const ofAll = kept.map(({ folder, changedAt }) => ({ id: folder.slice('uploads/'.length), changedAt }));
    return [...ofAll, ...(await super.uploads())];
  }

  async #bring(folder: string, name: string): Promise<string | null> {
    const copy = await this.#copy(folder, name);
    if (copy === null) return null;
    const path = this.path(folder, name);
    renameSync(copy, path);
    return path;
  }

  /** A copy of the file at a path of its own; null where there is none. */
  async #copy(folder: string, name: string): Promise<string | null> {
    const sql = 'SELECT bytes FROM kept_file WHERE folder = ? AND name = ?';
    const kept = await this.#store.get<{ bytes: number }>(sql, folder, name);
    if (kept === undefined) return null;
    const path = this.path(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}-${++this.#copies}`;
    if (await this.#write(draft, { folder, name, bytes: kept.bytes })) return draft;
    rmSync(draft, { force: true });
    return null;
  }

  /** False where the file was removed meanwhile. */
  async #write(
    draft: string,
    { folder, name, bytes }: { folder: string; name: string; bytes: number },
  ): Promise<boolean> {
    const sql = 'SELECT content FROM file_part WHERE folder = ? AND name = ? AND part = ?';
    const file = openSync(draft, 'wx', 0o600);
    try {
      for (let at = 0, part = 0; at < bytes; part++) {
        const row = await this.#store.get<{ content: Buffer }>(sql, folder, name, part);
        if (row === undefined) return false;
        assert(row.content.length > 0, 'a part of a file is empty');
        at += writeSync(file, row.content);
      }
      return true;
    } finally {
      closeSync(file);
    }
  }
}
