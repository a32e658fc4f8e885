import { mkdirSync } from 'node:fs';
import { type FileOrder, type Reading, reading } from '../../app/check/reading.ts';
import { EditLog } from '../../app/edits/edit-log.ts';
import { uploadFolder } from '../../app/people/store/page-files.ts';
import { type Inside, randomId } from '../../app/people/store/page-store.ts';
import type { KnownJob } from '../../app/schedule/known-jobs.ts';
import { Refusal } from '../../domain/refusal.ts';
import { inputName, type ReceivedFile } from './receive-file.ts';

/** Uploads among which an earlier one like it is looked for. */
const EARLIER_MAX = 200;

/** How a file is read where nobody chose anything. */
export const DEFAULT_READING: Reading = reading.parse({});

export type Upload = ReceivedFile & {
  id: string;
  personId: string;
  /** Unix ms. */
  at: number;
  job: string | null;
  /** What it is paid over; null for what the page was started with. */
  connectionId: string | null;
  reading: Reading;
  /** When it was last changed: how it is read, its job or its rows. Unix ms. */
  changedAt: number;
  /** Grows with each change of the reading. */
  revision: number;
  mends: string | null;
  /** The run whose failed and rejected rows it corrects. */
  corrects: string | null;
  runId: string | null;
  /** When its file was removed, and which person did that: null where it was kept long enough. */
  removed: { at: number; personId: string | null } | null;
};

type NewUpload = Pick<Upload, 'id' | 'personId' | 'job' | 'connectionId' | 'reading' | 'mends' | 'corrects'> & {
  file: ReceivedFile;
};

type UploadRow = Omit<Upload, 'reading' | 'removed'> & {
  reading: string;
  removedAt: number | null;
  removedBy: string | null;
};

const UPLOAD = `SELECT id, person_id AS "personId", at, name, kind, bytes, sha256, job, reading, revision, mends, corrects,
    run_id AS "runId", connection_id AS "connectionId", removed_at AS "removedAt", removed_by AS "removedBy",
    coalesce(changed_at, at) AS "changedAt" FROM upload`;

/** The files that people uploaded: what is known of them, and where they are. */
export class Uploads {
  readonly #inside: Inside;
  /** What people changed in their rows. */
  readonly edits: EditLog;

  constructor(inside: Inside) {
    this.#inside = inside;
    this.edits = new EditLog(inside);
  }

  /** Gives `work` an unused ID and its folder, which is deleted unless `keeps` is called. */
  async inNewFolder<Result>(
    work: (made: { id: string; folder: string; keeps(): void }) => Promise<Result>,
  ): Promise<Result> {
    const id = randomId(this.#inside.randomness);
    const folder = this.#inside.store.files.path(uploadFolder(id), '');
    mkdirSync(folder, { mode: 0o700 });
    let isKept = false;
    const keeps = () => {
      isKept = true;
    };
    try {
      return await work({ id, folder, keeps });
    } finally {
      if (!isKept) await this.discard(id);
    }
  }

  /** Removes the folder with everything in it. */
  discard(id: string): Promise<void> {
    return this.#inside.store.files.removeFolder(uploadFolder(id));
  }

  async add({ file, personId, connectionId, reading: chosen, ...upload }: NewUpload): Promise<Upload> {
    const { store, clock } = this.#inside;
    const over = { connection_id: connectionId };
    const known = { ...over, person_id: personId, at: clock.wallMs(), reading: JSON.stringify(chosen), revision: 1 };
    await store.insert('upload', { ...upload, ...file, ...known });
    return (await this.get(upload.id)) as Upload;
  }

  /** What somebody uploaded last. */
  async lastOf(personId: string): Promise<Upload | null> {
    return (await this.#find('WHERE person_id = ? ORDER BY at DESC, id LIMIT 1', personId))[0] ?? null;
  }

  async get(id: string): Promise<Upload | null> {
    return (await this.#find('WHERE id = ?', id))[0] ?? null;
  }

  /** The upload of which a plan was made. */
  async ofRun(runId: string): Promise<Upload | null> {
    return (await this.#find('WHERE run_id = ? ORDER BY at DESC LIMIT 1', runId))[0] ?? null;
  }

  /**
   * Newest first, those that are kept, of which no plan was made and that no corrected file took the place of; of one person
   * where one is named.
   */
  open(limit: number, personId: string | null = null): Promise<Upload[]> {
    const isOpen = 'person_id = coalesce(?, person_id) AND run_id IS NULL AND removed_at IS NULL';
    const isNotReplaced = 'id NOT IN (SELECT mends FROM upload WHERE mends IS NOT NULL)';
    return this.#find(`WHERE ${isOpen} AND ${isNotReplaced} ORDER BY at DESC, id LIMIT ?`, personId, limit);
  }

  async setReading(id: string, chosen: Reading): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE upload SET reading = ?, revision = revision + 1, changed_at = ? WHERE id = ?';
    await store.run(sql, JSON.stringify(chosen), clock.wallMs(), id);
  }

  /** What this person uploaded before it, newest first, those too that are removed. */
  earlier({ id, personId }: Pick<Upload, 'id' | 'personId'>): Promise<Upload[]> {
    return this.#find('WHERE person_id = ? AND id <> ? ORDER BY at DESC, id LIMIT ?', personId, id, EARLIER_MAX);
  }

  async setJob(id: string, job: string | null): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE upload SET job = ?, revision = revision + 1, changed_at = ? WHERE id = ? AND run_id IS NULL';
    await store.run(sql, job, clock.wallMs(), id);
  }

  async setRun(id: string, runId: string): Promise<void> {
    await this.#inside.store.run('UPDATE upload SET run_id = ? WHERE id = ?', runId, id);
  }

  /** Oldest first, those that are kept and were uploaded by then. */
  keptSince(at: number): Promise<Upload[]> {
    return this.#find('WHERE removed_at IS NULL AND at <= ? ORDER BY at', at);
  }

  /** Notes that the file is removed; `discard` removes it. `personId` is null where it is the rule. False where it was before. */
  async setRemoved(id: string, personId: string | null): Promise<boolean> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE upload SET removed_at = ?, removed_by = ? WHERE id = ? AND removed_at IS NULL';
    if ((await store.run(sql, clock.wallMs(), personId, id)) !== 1) return false;
    await this.edits.remove(id);
    return true;
  }

  /** The uploads that have files, and when something was last put into or taken out of each. */
  files(): Promise<{ id: string; changedAt: number }[]> {
    return this.#inside.store.files.uploads();
  }

  /** The path of the file itself on this host; of one that is gone it is the path where it was. */
  async input({ id, kind }: Pick<Upload, 'id' | 'kind'>): Promise<string> {
    const { files } = this.#inside.store;
    return (await files.find(uploadFolder(id), inputName(kind))) ?? files.path(uploadFolder(id), inputName(kind));
  }

  /** The path of something that is made beside it; the name is one of ours. */
  beside({ id }: Pick<Upload, 'id'>, name: string): string {
    return this.#inside.store.files.path(uploadFolder(id), name);
  }

  /** The path of something beside it that was kept, on whichever host. */
  find({ id }: Pick<Upload, 'id'>, name: string): Promise<string | null> {
    return this.#inside.store.files.find(uploadFolder(id), name);
  }

  /** Keeps what was written beside it, for all hosts. */
  keep({ id }: Pick<Upload, 'id'>, name: string): Promise<void> {
    return this.#inside.store.files.keep(uploadFolder(id), name);
  }

  async #find(where: string, ...values: (string | number | null)[]): Promise<Upload[]> {
    const rows = await this.#inside.store.all<UploadRow>(`${UPLOAD} ${where}`, ...values);
    return rows.map(({ removedAt, removedBy, ...row }) => ({
      ...row,
      reading: reading.parse(JSON.parse(row.reading)),
      removed: removedAt === null ? null : { at: removedAt, personId: removedBy },
    }));
  }
}

/** An upload as it is read apart. Throws a `Refusal` where its job is gone. */
export async function fileOrderOf(
  upload: Upload,
  uploads: Uploads,
  jobs: readonly KnownJob[],
): Promise<Omit<FileOrder, 'memory'>> {
  const { name, job, reading: chosen, corrects } = upload;
  const listed = jobs.find((one) => one.name === job);
  if (job !== null && listed === undefined) throw new Refusal({ code: 'job_gone', job });
  const [path, edits] = await Promise.all([uploads.input(upload), uploads.edits.editsOf(upload)]);
  const order = { path, name, job: listed?.file ?? null, reading: chosen, corrects };
  return edits.length === 0 ? order : { ...order, edits };
}
