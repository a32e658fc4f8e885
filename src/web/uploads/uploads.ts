import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type FileOrder, type Reading, reading } from '../../app/check/reading.ts';
import type { Clock, Randomness } from '../../domain/clock.ts';
import { Refusal } from '../../domain/refusal.ts';
import { FILE_KINDS, type FileKind } from '../../input/source/file-kinds.ts';
import type { ListedJob } from '../../job/jobs-folder.ts';
import type { Row } from '../../platform/sqlite.ts';
import { randomId, type WebStore } from '../store/open.ts';
import { inputPath, type ReceivedFile } from './receive-file.ts';

export const NOTHING_SAID: Reading = reading.parse({});

export type Upload = ReceivedFile & {
  id: string;
  personId: string;
  /** Unix ms. */
  at: number;
  job: string | null;
  reading: Reading;
  /** Grows with each change of the reading. */
  revision: number;
  mends: string | null;
  /** The run whose failed and rejected rows it corrects. */
  corrects: string | null;
  runId: string | null;
  /** When its file was removed, and by whom; null where that was the rule. */
  removed: { at: number; personId: string | null } | null;
};

type NewUpload = {
  id: string;
  file: ReceivedFile;
  personId: string;
  job: string | null;
  reading: Reading;
  mends: string | null;
  corrects: string | null;
};

const uploadKind = z.enum(FILE_KINDS);

/** The files that people uploaded: what is known of them, and where they are. */
export class Uploads {
  readonly #store: WebStore;
  readonly #clock: Clock;
  readonly #randomness: Randomness;

  constructor(store: WebStore, clock: Clock, randomness: Randomness) {
    this.#store = store;
    this.#clock = clock;
    this.#randomness = randomness;
  }

  /** An id that nobody has, and its folder. */
  newFolder(): { id: string; folder: string } {
    const id = randomId(this.#randomness);
    const folder = this.#folder(id);
    mkdirSync(folder, { mode: 0o700 });
    return { id, folder };
  }

  /** Removes the folder with everything in it. */
  discard(id: string): void {
    rmSync(this.#folder(id), { recursive: true, force: true });
  }

  add({ id, file, personId, job, reading: said, mends, corrects }: NewUpload): Upload {
    const { name, kind, bytes, sha256 } = file;
    this.#store.run(
      'INSERT INTO upload (id, person_id, at, name, kind, bytes, sha256, job, reading, revision, mends, corrects) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)',
      id,
      personId,
      this.#clock.wallMs(),
      name,
      kind,
      bytes,
      sha256,
      job,
      JSON.stringify(said),
      mends,
      corrects,
    );
    return this.get(id) as Upload;
  }

  get(id: string): Upload | null {
    const row = this.#store.get('SELECT * FROM upload WHERE id = ?', id);
    return row === undefined ? null : uploadOf(row);
  }

  /** Of which a plan was made. */
  ofRun(runId: string): Upload | null {
    const row = this.#store.get('SELECT * FROM upload WHERE run_id = ? ORDER BY at DESC LIMIT 1', runId);
    return row === undefined ? null : uploadOf(row);
  }

  /** Newest first, those that are kept, of which no plan was made and that no mended file took the place of. */
  open(limit: number): Upload[] {
    const sql =
      'SELECT * FROM upload WHERE run_id IS NULL AND removed_at IS NULL AND id NOT IN (SELECT mends FROM upload WHERE mends IS NOT NULL) ORDER BY at DESC, id LIMIT ?';
    return this.#store.all(sql, limit).map(uploadOf);
  }

  setReading(id: string, said: Reading): void {
    this.#store.run('UPDATE upload SET reading = ?, revision = revision + 1 WHERE id = ?', JSON.stringify(said), id);
  }

  setRun(id: string, runId: string): void {
    this.#store.run('UPDATE upload SET run_id = ? WHERE id = ?', runId, id);
  }

  /** Oldest first, those that are kept and were uploaded by then. */
  keptSince(at: number): Upload[] {
    return this.#store.all('SELECT * FROM upload WHERE removed_at IS NULL AND at <= ? ORDER BY at', at).map(uploadOf);
  }

  /** Says that the file is removed; `discard` removes it. `personId` is null where it is the rule. */
  setRemoved(id: string, personId: string | null): void {
    const sql = 'UPDATE upload SET removed_at = ?, removed_by = ? WHERE id = ?';
    this.#store.run(sql, this.#clock.wallMs(), personId, id);
  }

  /** The folders that are there, and when something was last put into or taken out of each. */
  folders(): { id: string; changedAt: number }[] {
    const parent = join(this.#store.folder, 'uploads');
    return readdirSync(parent).map((id) => ({ id, changedAt: statSync(join(parent, id)).mtimeMs }));
  }

  /** The path of the file itself. */
  input({ id, kind }: Pick<Upload, 'id' | 'kind'>): string {
    return inputPath(this.#folder(id), kind);
  }

  /** The path of something that is kept beside it; the name is one of ours. */
  beside({ id }: Pick<Upload, 'id'>, name: string): string {
    return join(this.#folder(id), name);
  }

  #folder(id: string): string {
    return join(this.#store.folder, 'uploads', id);
  }
}

function uploadOf(row: Row): Upload {
  const text = (value: unknown): string | null => (value === null ? null : String(value));
  const kind: FileKind = uploadKind.parse(row.kind);
  return {
    id: String(row.id),
    personId: String(row.person_id),
    at: Number(row.at),
    name: String(row.name),
    kind,
    bytes: Number(row.bytes),
    sha256: String(row.sha256),
    job: text(row.job),
    reading: reading.parse(JSON.parse(String(row.reading))),
    revision: Number(row.revision),
    mends: text(row.mends),
    corrects: text(row.corrects),
    runId: text(row.run_id),
    removed: row.removed_at === null ? null : { at: Number(row.removed_at), personId: text(row.removed_by) },
  };
}

/** An upload as it is read apart. Throws a `Refusal` where its job is gone. */
export function fileOrderOf(upload: Upload, uploads: Uploads, jobs: readonly ListedJob[]): FileOrder {
  const { name, job, reading, corrects } = upload;
  const listed = jobs.find((one) => one.name === job);
  if (job !== null && listed === undefined)
    throw new Refusal(
      'usage',
      `There is no job ${job} any more.`,
      'Upload the file again, for another job or for none.',
    );
  return { path: uploads.input(upload), name, job: listed?.file ?? null, reading, corrects };
}
