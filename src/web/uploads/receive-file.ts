import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type FileKind, fileKind } from '../../app/check/reading.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Failure } from '../shell/parts.ts';
import { FormFault, type FormFile, paced, readForm } from './multipart.ts';

export const UPLOAD_BYTES_MAX = 25 * 1024 * 1024;
export const uploadMaxText = () => t`25 MB`;

/** A browser shows an answer only once it has sent everything: this much of what is too large is read and thrown away. */
const READ_BYTES_MAX = 4 * UPLOAD_BYTES_MAX;

const NAME_MAX = 120;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

export type ReceivedFile = { name: string; kind: FileKind; bytes: number; sha256: string };

/** The fields of the form; and its file, or why that is not kept. */
type Received = { fields: ReadonlyMap<string, string>; file: ReceivedFile | Failure };

/** The name of the file of an upload, in its folder. */
export function inputName(kind: FileKind): string {
  return `input${kind}`;
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
  const kept: (ReceivedFile | Failure)[] = [];
  let files = 0;
  try {
    if (body === null) throw new FormFault('unreadable', 'no body');
    await readForm(paced(body, { clock, bytesMax: READ_BYTES_MAX }), contentType, {
      field: (name, value) => void fields.set(name, value),
      file: async (file) => {
        files += 1;
        kept.push(files === 1 ? await keep(file, folder) : await passOver(file, TWO_FILES));
      },
    });
  } catch (error) {
    kept.push(faultOf(error));
  }
  const fault = kept.find((one) => 'status' in one);
  const file = kept.find((one) => 'sha256' in one);
  if (fault === undefined && file !== undefined) return { file, fields };
  if (file !== undefined) rmSync(join(folder, inputName(file.kind)), { force: true });
  return { file: fault ?? NO_FILE, fields };
}

/** Reads a body that is the file itself, as `receiveUpload` reads a form. */
export async function receiveBytes(
  { body, name, clock }: { body: AsyncIterable<Uint8Array> | null; name: string; clock: Clock },
  folder: string,
): Promise<ReceivedFile | Failure> {
  if (body === null) return NO_FILE;
  try {
    return await keep({ fileName: name, content: paced(body, { clock, bytesMax: READ_BYTES_MAX }) }, folder);
  } catch (error) {
    return faultOf(error);
  }
}

/** Throws what is the fault of the machine. */
function faultOf(error: unknown): Failure {
  if (!(error instanceof FormFault)) throw error;
  return { unreadable: UNREADABLE, too_large: TOO_LARGE, too_slow: TOO_SLOW }[error.why];
}

const TOO_LARGE: Failure = textTable({
  status: 413,
  get message() {
    return t`The file is larger than ${uploadMaxText()}, and was not kept.`;
  },
  remedy: 'Save the sheet with the payouts alone, or split the file; a hundred thousand payouts fit.',
});
const TOO_SLOW: Failure = textTable({
  status: 408,
  message: 'The upload was too slow. The file was not kept.',
  remedy: 'Upload it again on a better connection.',
});
const UNREADABLE: Failure = textTable({
  status: 400,
  message: 'The upload was incomplete. The file was not kept.',
  remedy: 'Choose it again and upload it again.',
});
const NO_FILE: Failure = textTable({
  status: 422,
  message: 'No file was chosen.',
  remedy: 'Choose a spreadsheet, then upload it.',
});
const TWO_FILES: Failure = textTable({
  status: 422,
  message: 'More than one file was sent.',
  remedy: 'Upload one file at a time.',
});

/** Reads a file that is not kept to its end. */
async function passOver({ content }: FormFile, why: Failure): Promise<Failure> {
  for await (const _ of content);
  return why;
}

/** Writes the file, or gives why not; either way it is read to its end. */
async function keep(file: FormFile, folder: string): Promise<ReceivedFile | Failure> {
  const name = shownName(file.fileName);
  const known = fileKind(name);
  if (known.kind === null) return passOver(file, name === '' ? NO_FILE : wrongKind(name, known.isSpreadsheet));
  const { kind } = known;
  const path = join(folder, inputName(kind));
  const { bytes, sha256 } = await write(file, path);
  if (bytes <= UPLOAD_BYTES_MAX) return { name, kind, bytes, sha256 };
  rmSync(path, { force: true });
  return TOO_LARGE;
}

/** No byte beyond the limit reaches the disk. Where it fails, the file is removed. */
async function write({ content }: FormFile, path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > UPLOAD_BYTES_MAX) continue;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What people call a file, from the name that a browser sends: its last part, without what cannot be seen. */
function shownName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const letters = [...last.normalize('NFC').replace(UNPRINTABLE, '').trim()];
  if (letters.length <= NAME_MAX) return letters.join('');
  const kind = extname(last);
  return `${letters.slice(0, NAME_MAX - kind.length).join('')}${kind}`;
}

/** Why a file with that name is not taken, and what to do about it. */
function wrongKind(name: string, isSpreadsheet: boolean): Failure {
  const extension = extname(name).toLowerCase();
  const message = extension === '' ? t`“${name}” has no file extension.` : t`“${name}” is a ${extension} file.`;
  const remedy = isSpreadsheet
    ? t`Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8, then upload that.`
    : t`Upload a spreadsheet (.xlsx, .xls, .ods, .csv, .tsv or .txt) or a bank file (.xml, .aba, .ach, .bac).`;
  return { status: 422, message, remedy };
}
