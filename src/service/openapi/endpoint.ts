import { hash } from 'node:crypto';
import { REHEARSAL_HEADER } from '../../contract/headers.ts';
import { type Answer, answerOf, refused } from '../gateway/answers.ts';
import type { HttpRequest } from '../http.ts';
import { openapiDocument } from './document.ts';

/** Readers may keep it so long before they ask again. */
const MAX_AGE_SECONDS = 300;

/**
 * `GET /openapi.json`: the document of the public port, unsigned. It is the same for everybody and as long as the
 * process runs, so it is written once, when it is first asked for. Null for a request of something else.
 */
export function openapiEndpoint(isOwnHost: (authority: string) => boolean): (request: HttpRequest) => Answer | null {
  let written: { body: string; etag: string } | null = null;
  return ({ target, method, authority, headers }) => {
    if (!/^\/openapi\.json(\?|$)/.test(target)) return null;
    if (!isOwnHost(authority)) return answerOf(refused('FORBIDDEN', 'the Host is not one of this service'));
    if (method !== 'GET' && method !== 'HEAD')
      return answerOf(refused('METHOD_NOT_SUPPORTED', 'the document is read with GET'), { allow: 'GET, HEAD' });
    written ??= write();
    const { body, etag } = written;
    const cache = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, [REHEARSAL_HEADER]: 'true' };
    if (headers['if-none-match'] === etag) return { status: 304, headers: cache, body: '' };
    return { status: 200, headers: cache, body };
  };
}

function write(): { body: string; etag: string } {
  const body = JSON.stringify(openapiDocument());
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` };
}
