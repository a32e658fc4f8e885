import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileKind, kindOf } from '../../input/file-kinds.ts';
import { kindFault, shownName } from './file-name.ts';
import { type FormFile, MultipartFault, readForm } from './multipart.ts';

export const UPLOAD_BYTES_MAX = 25 * 1024 * 1024;
export const UPLOAD_MAX_TEXT = '25 MB';

/** A browser shows an answer only once it has sent everything: so much of what is too large is read and thrown away. */
const READ_BYTES_MAX = 4 * UPLOAD_BYTES_MAX;

export type ReceivedFile = { name: string; kind: FileKind; bytes: number; sha256: string };

export type Received =
  | { ok: true; file: ReceivedFile; fields: ReadonlyMap<string, string> }
  | { ok: false; status: 400 | 413 | 422; what: string; remedy: string; fields: ReadonlyMap<string, string> };

type Fault = Pick<Extract<Received, { ok: false }>, 'status' | 'what' | 'remedy'>;

/** Where the file of an upload is, in its folder. */
export function inputPath(folder: string, kind: FileKind): string {
  return join(folder, `input${kind}`);
}

/**
 * Reads the form of an upload: one file named `file`, written as it arrives to `folder`, which is there already, and some
 * short fields. What is refused leaves no file behind.
 */
export async function receiveUpload(
  { body, contentType }: { body: AsyncIterable<Uint8Array> | null; contentType: string },
  folder: string,
): Promise<Received> {
  const fields = new Map<string, string>();
  const kept: (ReceivedFile | Fault)[] = [];
  let files = 0;
  try {
    if (body === null) throw new MultipartFault('no body');
    await readForm(limited(body), contentType, {
      field: (name, value) => void fields.set(name, value),
      file: async (file) => {
        files += 1;
        kept.push(files === 1 ? await keep(file, folder) : await refuseTwo(file));
      },
    });
  } catch (error) {
    if (!(error instanceof MultipartFault || error instanceof TooMuch)) throw error;
    kept.push(error instanceof TooMuch ? TOO_LARGE : UNREADABLE);
  }
  const fault = kept.find((one) => 'what' in one);
  const file = kept.find((one) => 'sha256' in one);
  if (fault === undefined && file !== undefined) return { ok: true, file, fields };
  if (file !== undefined) rmSync(inputPath(folder, file.kind), { force: true });
  return { ok: false, ...(fault ?? NO_FILE), fields };
}

class TooMuch extends Error {}

const TOO_LARGE: Fault = {
  status: 413,
  what: `The file is larger than ${UPLOAD_MAX_TEXT}, and was not kept.`,
  remedy: 'Save the sheet with the payouts alone, or split the file; a hundred thousand payouts fit.',
};
const UNREADABLE: Fault = {
  status: 400,
  what: 'The file did not arrive whole, so it was not kept.',
  remedy: 'Choose it again, and upload it once more.',
};
const NO_FILE: Fault = { status: 422, what: 'No file was chosen.', remedy: 'Choose a spreadsheet, then upload it.' };
const TWO_FILES: Fault = { status: 422, what: 'More than one file was sent.', remedy: 'Upload one file at a time.' };

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > READ_BYTES_MAX) throw new TooMuch();
    yield chunk;
  }
}

async function refuseTwo(file: FormFile): Promise<Fault> {
  await passOver(file);
  return TWO_FILES;
}

async function passOver({ content }: FormFile): Promise<void> {
  for await (const _ of content);
}

/** Writes the file, or says why not; either way it is read to its end. */
async function keep(file: FormFile, folder: string): Promise<ReceivedFile | Fault> {
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
