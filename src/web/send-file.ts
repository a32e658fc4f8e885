import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { WebContext } from './web.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Sends bytes, or the file at a path. Always as a file to be kept: what stands in it came from strangers, and nothing of it
 * is shown as a page of ours. Only browsers read a name that is not plain ASCII (RFC 6266, encoded by RFC 8187).
 */
export async function sendFile(
  context: WebContext,
  content: Uint8Array | string,
  name: string,
  type: string,
): Promise<Response> {
  const isBytes = typeof content !== 'string';
  const size = isBytes ? content.length : (await stat(content)).size;
  const body = isBytes ? new Uint8Array(content) : (Readable.toWeb(createReadStream(content)) as ReadableStream);
  return context.body(body, 200, {
    'content-type': type,
    'content-length': String(size),
    'content-disposition': disposition(name),
  });
}

function disposition(name: string): string {
  if (/^[\w.-]+$/.test(name)) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="upload.xlsx"; filename*=UTF-8''${encoded}`;
}
