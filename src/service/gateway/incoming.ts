import type { IncomingMessage } from 'node:http';

/** A request as the gateway looks at it, independent of where it came from. */
export type IncomingRequest = {
  /** What stands after `/v1/`. */
  operation: string;
  method: string;
  /** Path and query as they stand on the request line. */
  target: string;
  /** The Host of the request. */
  authority: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came; asked for once. */
  body(): Uint8Array | Promise<Uint8Array | 'TOO_LARGE'>;
};

/** Longest body (`decisions.md`, errors). */
export const BODY_BYTES_MAX = 1_048_576;

/** From a web `Request`; `incoming` is Node's own request where there is a port, and gives the headers as they came. */
export function incomingRequest(request: Request, operation: string, incoming?: IncomingMessage): IncomingRequest {
  const headers = incoming?.headers ?? Object.fromEntries(request.headers);
  return {
    operation,
    method: request.method,
    target: targetOf(request.url),
    // A whole URL on the request line says more than the Host (RFC 9112, 3.2.2).
    authority: (incoming?.url?.startsWith('/') && headers.host) || authorityOf(request.url),
    headers,
    body: () => readBody(request, headers['content-length']),
  };
}

/**
 * The bytes of a body, unless there are too many. Where the length was announced, Node reads no more than that; where
 * it was not (chunked), the bytes are counted as they come.
 */
export async function readBody(
  request: Request,
  announced: string | string[] | undefined,
): Promise<Uint8Array | 'TOO_LARGE'> {
  if (typeof announced === 'string' && /^\d{1,15}$/.test(announced)) {
    if (Number(announced) > BODY_BYTES_MAX) return 'TOO_LARGE';
    return new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body) {
    length += part.byteLength;
    if (length > BODY_BYTES_MAX) return 'TOO_LARGE';
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function targetOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('//') + 2);
  return path < 0 ? '/' : url.slice(path);
}

function authorityOf(url: string): string {
  return new URL(url).host;
}
