import { hash } from 'node:crypto';
import { REHEARSAL_HEADER } from '../../contract/rehearsal.ts';
import { answerOf, refused } from '../gateway/answers.ts';
import { openapiDocument } from './document.ts';

export const OPENAPI_PATH = '/openapi.json';

/** Readers may keep it so long before they ask again. */
const MAX_AGE_SECONDS = 300;

type Written = { text: string; etag: string };

/**
 * `GET /openapi.json`: the document of the public port, unsigned. It is the same for everybody and as long as the
 * process runs, so it is written once, when it is first asked for.
 */
export function openapiEndpoint(isOwnHost: (authority: string) => boolean): (request: Request) => Response {
  let written: Written | null = null;
  return (request) => {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    if (!isOwnHost(host)) return error('FORBIDDEN', 'the Host is not one of this service');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return error('METHOD_NOT_SUPPORTED', 'the document is read with GET', { allow: 'GET, HEAD' });
    written ??= write();
    const headers = {
      etag: written.etag,
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
      [REHEARSAL_HEADER]: 'true',
    };
    if (request.headers.get('if-none-match') === written.etag) return new Response(null, { status: 304, headers });
    const body = request.method === 'HEAD' ? null : written.text;
    return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } });
  };
}

function write(): Written {
  const text = JSON.stringify(openapiDocument());
  return { text, etag: `"${hash('sha256', text, 'base64url')}"` };
}

function error(
  code: 'FORBIDDEN' | 'METHOD_NOT_SUPPORTED',
  message: string,
  more: Record<string, string> = {},
): Response {
  const { status, body } = answerOf(refused(code, message));
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...more } });
}
