import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a journal, by their numbers in the log. */
const FILES = ['journal.db', 'journal.db-wal', 'journal.db-journal'];

const KINDS = { W: 'written', T: 'cut', S: 'synced', F: 'sync failed', U: 'deleted', P: 'sent' } as const;

export type DiskRecord = {
  kind: (typeof KINDS)[keyof typeof KINDS];
  /** Which of the journal's files; nothing of what was sent. */
  file: number;
  /** Where it was written, or the length to which it was cut. */
  offset: number;
  bytes: Buffer;
};

const HEAD_BYTES = 16;

/** What `failing-disk.c` noted, in order. A record that was cut off with its process is left out. */
export function readDiskLog(path: string): DiskRecord[] {
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const records: DiskRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const kind = KINDS[String.fromCharCode(log[at] ?? 0) as keyof typeof KINDS];
    if (kind === undefined) throw new Error(`the log of the disk has no record at ${at}`);
    const end = at + HEAD_BYTES + log.readUInt32LE(at + 4);
    if (end > log.length) break;
    const bytes = log.subarray(at + HEAD_BYTES, end);
    records.push({ kind, file: log[at + 1] ?? 0, offset: Number(log.readBigUInt64LE(at + 8)), bytes });
    at = end;
  }
  return records;
}

/** The tokens of all attempts that left by a socket in this record. */
export function tokensIn({ bytes }: DiskRecord): string[] {
  return bytes.toString('latin1').match(/PR[0-9A-HJKMNP-TV-Z]{13}(?![0-9A-Z])/g) ?? [];
}

/** The content of a file. */
class Content {
  #room: Buffer;
  #length: number;

  constructor(bytes: Buffer) {
    this.#room = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  change({ kind, offset, bytes }: DiskRecord): void {
    const length = kind === 'cut' ? offset : Math.max(this.#length, offset + bytes.length);
    if (length > this.#room.length) this.#room = Buffer.concat([this.bytes], 2 * length);
    // What a longer file did not have is zeros, whatever stood there before it was cut.
    if (length > this.#length) this.#room.fill(0, this.#length, length);
    this.#length = length;
    this.#room.set(bytes, offset);
  }
}

type File = { durable: Content | null; pending: DiskRecord[] };

/** What a power cut would leave of a journal's files: what was synced of each, and of the rest anything or nothing. */
export class Disk {
  readonly #files: File[];

  /** The files as they stood, all synced, before the process whose log is replayed began. */
  constructor(base: string) {
    this.#files = FILES.map((name) => {
      const path = join(base, name);
      return { durable: existsSync(path) ? new Content(readFileSync(path)) : null, pending: [] };
    });
  }

  apply(record: DiskRecord): void {
    const file = this.#files[record.file];
    if (!file || record.kind === 'sent') return;
    if (record.kind === 'written' || record.kind === 'cut') {
      file.pending.push(record);
      return;
    }
    if (record.kind === 'synced') {
      file.durable ??= new Content(Buffer.alloc(0));
      for (const change of file.pending) file.durable.change(change);
    }
    if (record.kind === 'deleted') file.durable = null;
    // Also where the sync failed: to the kernel the pages are clean now, and the next sync does not bring them back.
    file.pending = [];
  }

  /**
   * Writes the files into `folder`, which may hold others. Without `random` nothing is there but what was synced; with it
   * (numbers from 0 to 1) some of what was written since is there too, in pieces of a sector, as a drive may have kept it.
   */
  write(folder: string, random: (() => number) | null = null): void {
    mkdirSync(folder, { recursive: true });
    for (const [index, file] of this.#files.entries()) {
      const path = join(folder, FILES[index] ?? '');
      const content = afterCut(file, random);
      rmSync(path, { force: true });
      if (content !== null) writeFileSync(path, content.bytes, { mode: 0o600 });
    }
    // An index of other files, which the next process makes anew.
    rmSync(join(folder, 'journal.db-shm'), { force: true });
  }
}

function afterCut({ durable, pending }: File, random: (() => number) | null): Content | null {
  const kept = random === null ? [] : pending.flatMap((record) => sectorsOf(record, random));
  if (kept.length === 0) return durable;
  const content = new Content(durable?.bytes ?? Buffer.alloc(0));
  for (const change of kept) content.change(change);
  return content;
}

const SECTOR_BYTES = 512;

/** Some of the sectors of a write, or all, or none. A change of the length is kept or not. */
function sectorsOf(record: DiskRecord, random: () => number): DiskRecord[] {
  const whole = random();
  if (whole < 0.25) return [];
  if (whole < 0.5 || record.kind === 'cut') return [record];
  const kept: DiskRecord[] = [];
  for (let at = 0; at < record.bytes.length; at += SECTOR_BYTES) {
    const bytes = record.bytes.subarray(at, at + SECTOR_BYTES);
    if (random() < 0.5) kept.push({ ...record, offset: record.offset + at, bytes });
  }
  return kept;
}
