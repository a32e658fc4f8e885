import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { Clock } from '../../platform/clock.ts';
import { within } from '../once.ts';

/** Why a form was not read to its end: no browser of ours would have sent it, it was cut off, too large or too slow. */
export class FormFault extends Error {
  readonly why: 'unreadable' | 'too_large' | 'too_slow';

  constructor(why: FormFault['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/** One file of a form: what the browser calls it, and its content, which has to be read to its end. */
export type FormFile = { fileName: string; content: AsyncIterable<Uint8Array> };

/** Headers that are longer the parser cuts; names in them are bounded below. */
const LIMITS = { parts: 16, headerPairs: 16, headerSize: 4_096, fieldSize: 1_024 };
const FIELD_NAME_MAX = 64;
const FILE_NAME_MAX = 1_024;
const BOUNDARY_MAX = 70;

/** What becomes of the parts of a form. A file that is taken slowly lets the body wait. */
type FormReader = { field(name: string, value: string): void; file(file: FormFile): Promise<void> };

/**
 * Reads a form (RFC 7578) as it arrives. Rejects with a `FormFault` for what is no such form, has too many or too long
 * parts, or ends too early, and with what the reader or the body rejects with. When it settles, every file is done with.
 */
export async function readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  reader: FormReader,
): Promise<void> {
  if (!isForm(contentType)) throw new FormFault('unreadable', 'no form');
  const taken: Promise<void>[] = [];
  const open: Readable[] = [];
  const failures: unknown[] = [];
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    limits: LIMITS,
  });
  const fail = (error: unknown): void => {
    failures.push(error);
    parser.destroy(new FormFault('unreadable', 'given up'));
  };
  parser.on('partsLimit', () => fail(new FormFault('unreadable', 'too many parts')));
  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut || !isFieldName(name)) fail(new FormFault('unreadable', 'a field is too long, or has no name'));
    else reader.field(plain(name), value);
  });
  parser.on('file', (field, content, fileName) => {
    // A form that ends too early fails its file too, and the reader of the file may see that first.
    let early: unknown = null;
    content.on('error', (error: unknown) => {
      early = error;
    });
    open.push(content);
    const cut = (error: unknown): void =>
      fail(error === early ? new FormFault('unreadable', 'it ends too early', { cause: error }) : error);
    if (isFieldName(field) && fileName.length <= FILE_NAME_MAX)
      taken.push(reader.file({ fileName: plain(fileName), content }).catch(cut));
    else fail(new FormFault('unreadable', 'a name is too long, or missing'));
  });
  try {
    await pipeline(telling(body, fail), parser);
  } catch (error) {
    failures.push(new FormFault('unreadable', 'no form, or it ends too early', { cause: error }));
    for (const content of open) content.destroy(new FormFault('unreadable', 'given up'));
  }
  await Promise.all(taken);
  if (failures.length > 0) throw failures[0];
}

/** Whether it is the content type of a form with files, and its boundary one that RFC 2046 allows. */
function isForm(contentType: string): boolean {
  const match = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))\s*$/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  return boundary !== '' && boundary.length <= BOUNDARY_MAX;
}

/** The types of the parser say that there always is one. */
function isFieldName(name: string | undefined): boolean {
  return name !== undefined && name.length <= FIELD_NAME_MAX;
}

/** Browsers write `"`, CR and LF in names as %22, %0D and %0A. */
function plain(text: string): string {
  return text.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function* telling(body: AsyncIterable<Uint8Array>, fail: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    fail(error);
    throw error;
  }
}

/** 25 MB at 110 KB a second. */
const WHOLE_MAX_MS = 240_000;
/** So long nothing at all may come. */
const SILENCE_MAX_MS = 30_000;

/** A body as it comes, for as long as it does. Throws a `FormFault`. */
export async function* paced(
  body: AsyncIterable<Uint8Array>,
  { clock, bytesMax }: { clock: Clock; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  const untilMs = clock.monotonicMs() + WHOLE_MAX_MS;
  let bytes = 0;
  try {
    for (;;) {
      const waitMs = Math.min(untilMs - clock.monotonicMs(), SILENCE_MAX_MS);
      const coming = source.next().catch((cause: unknown) => {
        throw new FormFault('unreadable', 'the body was cut off', { cause });
      });
      const next = await within(clock, coming, Math.max(waitMs, 0));
      if (next === null) throw new FormFault('too_slow', 'the body came too slowly');
      if (next.done) return;
      bytes += next.value.length;
      if (bytes > bytesMax) throw new FormFault('too_large', 'the body is too large');
      yield next.value;
    }
  } finally {
    // Where something is still waited for, this waits too, and nobody waits for it.
    source.return?.().catch(() => {});
  }
}
