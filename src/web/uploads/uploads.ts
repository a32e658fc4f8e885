import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FileOrder, type Reading, reading } from '../../app/check/reading.ts';
import { type Inside, randomId } from '../../app/people/page-store.ts';
import type { KnownJob } from '../../app/schedule/known-jobs.ts';
import { Refusal } from '../../domain/refusal.ts';
import { inputPath, type ReceivedFile } from './receive-file.ts';

/** How a file is read where nobody chose anything. */
export const DEFAULT_READING: Reading = reading.parse({});

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
  /** When its file was removed, and which person did that: null where it was kept long enough. */
  removed: { at: number; personId: string | null } | null;
};

type NewUpload = Pick<Upload, 'id' | 'personId' | 'job' | 'reading' | 'mends' | 'corrects'> & { file: ReceivedFile };

type UploadRow = Omit<Upload, 'reading' | 'removed'> & {
  reading: string;
  removedAt: number | null;
  removedBy: string | null;
};

const UPLOAD = `SELECT id, person_id AS personId, at, name, kind, bytes, sha256, job, reading, revision, mends, corrects,
    run_id AS runId, removed_at AS removedAt, removed_by AS removedBy FROM upload`;

/** The files that people uploaded: what is known of them, and where they are. */
export class Uploads {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** An id that nobody has, and its folder. */
  newFolder(): { id: string; folder: string } {
    const id = randomId(this.#inside.randomness);
    const folder = this.#folder(id);
    mkdirSync(folder, { mode: 0o700 });
    return { id, folder };
  }

  /** Removes the folder with everything in it. */
  discard(id: string): void {
    rmSync(this.#folder(id), { recursive: true, force: true });
  }

  add({ file, personId, reading: chosen, ...upload }: NewUpload): Upload {
    const { store, clock } = this.#inside;
    const known = { person_id: personId, at: clock.wallMs(), reading: JSON.stringify(chosen), revision: 1 };
    store.insert('upload', { ...upload, ...file, ...known });
    return this.get(upload.id) as Upload;
  }

  get(id: string): Upload | null {
    return this.#find('WHERE id = ?', id)[0] ?? null;
  }

  /** The upload of which a plan was made. */
  ofRun(runId: string): Upload | null {
    return this.#find('WHERE run_id = ? ORDER BY at DESC LIMIT 1', runId)[0] ?? null;
  }

  /** Newest first, those that are kept, of which no plan was made and that no corrected file took the place of. */
  open(limit: number): Upload[] {
    const isOpen = 'run_id IS NULL AND removed_at IS NULL';
    const isNotReplaced = 'id NOT IN (SELECT mends FROM upload WHERE mends IS NOT NULL)';
    return this.#find(`WHERE ${isOpen} AND ${isNotReplaced} ORDER BY at DESC, id LIMIT ?`, limit);
  }

  setReading(id: string, chosen: Reading): void {
    const sql = 'UPDATE upload SET reading = ?, revision = revision + 1 WHERE id = ?';
    this.#inside.store.run(sql, JSON.stringify(chosen), id);
  }

  setRun(id: string, runId: string): void {
    this.#inside.store.run('UPDATE upload SET run_id = ? WHERE id = ?', runId, id);
  }

  /** Oldest first, those that are kept and were uploaded by then. */
  keptSince(at: number): Upload[] {
    return this.#find('WHERE removed_at IS NULL AND at <= ? ORDER BY at', at);
  }

  /** Notes that the file is removed; `discard` removes it. `personId` is null where it is the rule. */
  setRemoved(id: string, personId: string | null): void {
    const { store, clock } = this.#inside;
    store.run('UPDATE upload SET removed_at = ?, removed_by = ? WHERE id = ?', clock.wallMs(), personId, id);
  }

  /** The folders that are there, and when something was last put into or taken out of each. */
  folders(): { id: string; changedAt: number }[] {
    const parent = join(this.#inside.store.folder, 'uploads');
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
    return join(this.#inside.store.folder, 'uploads', id);
  }

  #find(where: string, value: string | number): Upload[] {
    const rows = this.#inside.store.all<UploadRow>(`${UPLOAD} ${where}`, value);
    return rows.map(({ removedAt, removedBy, ...row }) => ({
      ...row,
      reading: reading.parse(JSON.parse(row.reading)),
      removed: removedAt === null ? null : { at: removedAt, personId: removedBy },
    }));
  }
}

/** An upload as it is read apart. Throws a `Refusal` where its job is gone. */
export function fileOrderOf(upload: Upload, uploads: Uploads, jobs: readonly KnownJob[]): FileOrder {
  const { name, job, reading: chosen, corrects } = upload;
  const listed = jobs.find((one) => one.name === job);
  if (job !== null && listed === undefined) throw new Refusal({ code: 'job_gone', job });
  return { path: uploads.input(upload), name, job: listed?.file ?? null, reading: chosen, corrects };
}
