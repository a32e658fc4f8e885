import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import { type FileKind, kindOf, OTHER_SPREADSHEETS } from '../../input/source/file-kinds.ts';
import { BodyFault, type FormFile, MultipartFault, paced, readForm } from './multipart.ts';

export const UPLOAD_BYTES_MAX = 25 * 1024 * 1024;
export const UPLOAD_MAX_TEXT = '25 MB';

/** A browser shows an answer only once it has sent everything: so much of what is too large is read and thrown away. */
const READ_BYTES_MAX = 4 * UPLOAD_BYTES_MAX;

export type ReceivedFile = { name: string; kind: FileKind; bytes: number; sha256: string };

export type Received =
  | { ok: true; file: ReceivedFile; fields: ReadonlyMap<string, string> }
  | ({ ok: false; fields: ReadonlyMap<string, string> } & Refused);

/** Why a file is not kept, and what to do about it. */
export type Refused = { status: 400 | 408 | 413 | 422 | 429 | 507; what: string; remedy: string };

/** Where the file of an upload is, in its folder. */
export function inputPath(folder: string, kind: FileKind): string {
  return join(folder, `input${kind}`);
}

/**
 * Reads the form of an upload: one file named `file`, written as it arrives to `folder`, which is there already, and some
 * short fields. What is refused leaves no file behind.
 */
export async function receiveUpload(
  { body, contentType, clock }: { body: AsyncIterable<Uint8Array> | null; contentType: string; clock: Clock },
  folder: string,
): Promise<Received> {
  const fields = new Map<string, string>();
  const kept: (ReceivedFile | Refused)[] = [];
  let files = 0;
  try {
    if (body === null) throw new MultipartFault('no body');
    await readForm(paced(body, { clock, bytesMax: READ_BYTES_MAX }), contentType, {
      field: (name, value) => void fields.set(name, value),
      file: async (file) => {
        files += 1;
        kept.push(files === 1 ? await keep(file, folder) : await refuseTwo(file));
      },
    });
  } catch (error) {
    kept.push(faultOf(error));
  }
  const fault = kept.find((one) => 'what' in one);
  const file = kept.find((one) => 'sha256' in one);
  if (fault === undefined && file !== undefined) return { ok: true, file, fields };
  if (file !== undefined) rmSync(inputPath(folder, file.kind), { force: true });
  return { ok: false, ...(fault ?? NO_FILE), fields };
}

/** Throws what is the fault of the machine. */
function faultOf(error: unknown): Refused {
  if (error instanceof MultipartFault) return UNREADABLE;
  if (!(error instanceof BodyFault)) throw error;
  return { 'too much': TOO_LARGE, 'too slow': TOO_SLOW, 'cut off': UNREADABLE }[error.why];
}

const TOO_LARGE: Refused = {
  status: 413,
  what: `The file is larger than ${UPLOAD_MAX_TEXT}, and was not kept.`,
  remedy: 'Save the sheet with the payouts alone, or split the file; a hundred thousand payouts fit.',
};
const TOO_SLOW: Refused = {
  status: 408,
  what: 'The file came too slowly, so it was not kept.',
  remedy: 'Upload it again where the connection is better.',
};
const UNREADABLE: Refused = {
  status: 400,
  what: 'The file did not arrive whole, so it was not kept.',
  remedy: 'Choose it again, and upload it once more.',
};
const NO_FILE: Refused = { status: 422, what: 'No file was chosen.', remedy: 'Choose a spreadsheet, then upload it.' };
const TWO_FILES: Refused = { status: 422, what: 'More than one file was sent.', remedy: 'Upload one file at a time.' };

async function refuseTwo(file: FormFile): Promise<Refused> {
  await passOver(file);
  return TWO_FILES;
}

async function passOver({ content }: FormFile): Promise<void> {
  for await (const _ of content);
}

/** Writes the file, or says why not; either way it is read to its end. */
async function keep(file: FormFile, folder: string): Promise<ReceivedFile | Refused> {
  const name = shownName(file.fileName);
  const kind = kindOf(name);
  if (kind === null) {
    await passOver(file);
    return name === '' ? NO_FILE : { status: 422, ...kindFault(name) };
  }
  const path = inputPath(folder, kind);
  const handle = await open(path, 'wx', 0o600);
  try {
    const { bytes, sha256 } = await write(file, handle);
    if (bytes <= UPLOAD_BYTES_MAX) return { name, kind, bytes, sha256 };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  rmSync(path, { force: true });
  return TOO_LARGE;
}

/** No byte beyond the limit reaches the disk. */
async function write({ content }: FormFile, handle: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > UPLOAD_BYTES_MAX) continue;
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

const NAME_MAX = 120;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** What people call a file, from what a browser says of it: its last part, without what cannot be seen. */
function shownName(said: string): string {
  const last = said.split(/[/\\]/).at(-1) ?? '';
  const letters = [...last.normalize('NFC').replace(UNPRINTABLE, '').trim()];
  if (letters.length <= NAME_MAX) return letters.join('');
  const kind = extname(last);
  return `${letters.slice(0, NAME_MAX - kind.length).join('')}${kind}`;
}

/** Why a file with that name is not taken, and what to do about it. */
function kindFault(name: string): { what: string; remedy: string } {
  const extension = extname(name).toLowerCase();
  const what = extension === '' ? `“${name}” has no ending that says what it is.` : `“${name}” is a ${extension} file.`;
  const remedy = OTHER_SPREADSHEETS.has(extension)
    ? 'Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8, then upload that.'
    : 'Upload a spreadsheet: an .xlsx, .csv, .tsv or .txt file.';
  return { what, remedy };
}

/** Uploads that arrive at once: of one person, and of all. */
const OF_ONE_MAX = 3;
const OF_ALL_MAX = 12;

/** The uploads that are arriving, so that nobody takes all the room for themselves by sending slowly. */
export class Arriving {
  readonly #of = new Map<string, number>();

  /** A place, to be left when the file is there or is not; null where none is free. */
  enter(personId: string): (() => void) | null {
    const own = this.#of.get(personId) ?? 0;
    const all = this.#of.values().reduce((sum, count) => sum + count, 0);
    if (own >= OF_ONE_MAX || all >= OF_ALL_MAX) return null;
    this.#of.set(personId, own + 1);
    return () => {
      const left = (this.#of.get(personId) ?? 1) - 1;
      if (left > 0) this.#of.set(personId, left);
      else this.#of.delete(personId);
    };
  }
}
