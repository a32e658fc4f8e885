import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { InputEdit } from '../../domain/entries/edits.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { FileTrouble } from '../../domain/refusals/file-reasons.ts';
import { kindOf, OTHER_SPREADSHEETS } from './file-kinds.ts';

/**
 * Where an input's bytes come from. It is read more than once, so `open` must give the same bytes each time. A chunk is valid
 * until the next one is asked for: to keep it, copy it.
 */
export type InputSource = {
  /** What people call it: the file's name without its folder. */
  name: string;
  path: string;
  /** What people changed in its rows. A bank file has none. */
  edits?: readonly InputEdit[];
  open(): AsyncIterable<Uint8Array>;
};

/** SHA-256 (hex) of the input's bytes, as `InputFile.sha256` has it. */
export async function hashOf(source: InputSource): Promise<string> {
  return (await readWhole(source, 0)).sha256;
}

/** The input's bytes and their hash; no bytes where they are more than `bytesMax`. */
export async function readWhole(
  source: InputSource,
  bytesMax: number,
): Promise<{ bytes: Buffer | null; size: number; sha256: string }> {
  const hash = createHash('sha256');
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.open()) {
    hash.update(chunk);
    size += chunk.length;
    if (size <= bytesMax) chunks.push(Uint8Array.from(chunk));
    else chunks = [];
  }
  return { bytes: size <= bytesMax ? Buffer.concat(chunks) : null, size, sha256: hash.digest('hex') };
}

/** The input's first bytes, at most so many. */
export async function headOf(source: InputSource, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source.open()) {
    chunks.push(Uint8Array.from(chunk.subarray(0, bytesMax - bytes)));
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks);
}

/** The refusal where a source gave other bytes than the time before. */
export function changedMeanwhile({ name }: InputSource): Refusal {
  return new Refusal({ code: 'file_changed', name });
}

/** Two gibibytes hold more than ten million payouts. */
export const INPUT_BYTES_MAX = 2 ** 31;

const READ_BYTES = 256 * 1024;

/**
 * The file at `path`, ready to be read. Refuses (kind `usage`) what is not there, not a plain file, not readable, too
 * large, or of a kind that payrun does not read.
 */
export async function openFile(path: string): Promise<InputSource> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => refuseAccess(path, error));
  if (found.isDirectory()) throw unusable(path, { why: 'folder' });
  if (!found.isFile()) throw unusable(path, { why: 'not_plain' });
  refuseExtension(path);
  if (found.size > INPUT_BYTES_MAX) throw unusable(path, { why: 'too_large', gibibytes: INPUT_BYTES_MAX / 2 ** 30 });
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => refuseAccess(path, error));
  return { name: basename(path), path, open: () => chunksOf(path) };
}

/** One buffer serves all chunks, because a new one each would be garbage outside the heap, of which much gathers. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const buffer = Buffer.alloc(READ_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Whether a name is that of a spreadsheet, also of one that payrun does not read. */
export function isSpreadsheetName(path: string): boolean {
  const extension = extname(path).toLowerCase();
  return kindOf(path) !== null || OTHER_SPREADSHEETS.has(extension);
}

function refuseExtension(path: string): void {
  if (kindOf(path) !== null) return;
  const extension = extname(path).toLowerCase();
  throw unusable(path, { why: 'other_kind', extension, isSpreadsheet: OTHER_SPREADSHEETS.has(extension) });
}

function refuseAccess(path: string, error: NodeJS.ErrnoException): never {
  const { code, message } = error;
  if (code === 'ENOENT' || code === 'ENOTDIR') throw unusable(path, { why: 'absent' });
  if (code === 'EACCES' || code === 'EPERM') throw unusable(path, { why: 'not_permitted' });
  throw unusable(path, { why: 'unreadable', cause: message });
}

function unusable(path: string, trouble: FileTrouble): Refusal {
  return new Refusal({ code: 'file_unusable', path, ...trouble });
}
