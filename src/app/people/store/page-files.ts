import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the files that sign for people. */
export const KEYS = 'keys';

/** The folders of uploads, each named by its id. */
const UPLOADS = 'uploads';

/**
 * The files that the page keeps, in folders below its own: `keys`, and one for each upload. A file is written once, at its
 * path, and then kept: from then on every host finds it.
 */
export type PageFiles = {
  /** Where a file is, or is to be written, on this host. */
  path(folder: string, name: string): string;
  /** The path of a file that was kept, brought to this host where another one wrote it; null where nobody did. */
  find(folder: string, name: string): Promise<string | null>;
  /** Keeps what was written at its path. One that is kept already stays as it is. */
  keep(folder: string, name: string): Promise<void>;
  /** The same of a secret, of which no host keeps a copy. */
  keepSecret(folder: string, name: string): Promise<void>;
  /** Hands the path of a secret that was kept to `work`, which may use it until it is done. */
  useSecret<Result>(folder: string, name: string, work: (path: string) => Promise<Result>): Promise<Result>;
  remove(folder: string, name: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** The uploads that have files on this host or on all of them, and when something of each last changed (Unix ms). */
  uploads(): Promise<{ id: string; changedAt: number }[]>;
};

/** The folder of all that is the page's alone, with those in it. */
export function makePageFolder(dataDir: string): string {
  const folder = pageFolder(dataDir);
  for (const made of [UPLOADS, KEYS]) mkdirSync(join(folder, made), { recursive: true, mode: 0o700 });
  return folder;
}

export function pageFolder(dataDir: string): string {
  return join(dataDir, 'web');
}

export function uploadFolder(id: string): string {
  return join(UPLOADS, id);
}

/** Files of one host alone. */
export class LocalFiles implements PageFiles {
  readonly #root: string;

  /** `root` is the page's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  path(folder: string, name: string): string {
    return join(this.#root, folder, name);
  }

  async find(folder: string, name: string): Promise<string | null> {
    const path = this.path(folder, name);
    return statSync(path, { throwIfNoEntry: false }) === undefined ? null : path;
  }

  async keep(_folder: string, _name: string): Promise<void> {}

  async keepSecret(_folder: string, _name: string): Promise<void> {}

  useSecret<Result>(folder: string, name: string, work: (path: string) => Promise<Result>): Promise<Result> {
    return work(this.path(folder, name));
  }

  async remove(folder: string, name: string): Promise<void> {
    rmSync(this.path(folder, name), { force: true });
  }

  async removeFolder(folder: string): Promise<void> {
    rmSync(join(this.#root, folder), { recursive: true, force: true });
  }

  async uploads(): Promise<{ id: string; changedAt: number }[]> {
    const parent = join(this.#root, UPLOADS);
    return readdirSync(parent).map((id) => ({ id, changedAt: statSync(join(parent, id)).mtimeMs }));
  }
}
