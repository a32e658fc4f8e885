import { hash } from 'node:crypto';
import type { WebContext } from '../web.ts';
import type { Call, Result } from './operation.ts';
import { ApiProblem, isFinal, problemBody, problemOf } from './problem.ts';

/** Visible ASCII, as it is or as a string of RFC 8941. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** The key of a request that writes. Throws an `ApiProblem`. */
export function idempotencyKeyOf(context: WebContext): string {
  const [, quoted, plain] = KEY.exec(context.req.header('idempotency-key') ?? '') ?? [];
  const key = quoted ?? plain;
  if (key !== undefined) return key;
  const detail =
    'Send the header Idempotency-Key with 1 to 255 visible ASCII letters, another one for each new request.';
  throw new ApiProblem('idempotency_key_missing', detail);
}

/** By which two requests are the same. `body` is the hash of a file, or text. */
export function fingerprintOf(context: WebContext, body: string): string {
  const { pathname, searchParams } = new URL(context.req.url);
  // For how long somebody waits makes no other request of it.
  searchParams.delete('wait');
  return hash('sha256', `${context.req.method} ${pathname}?${searchParams}\n${body}`, 'hex');
}

/**
 * Does the work of a request once for each key: the same request gets the first answer again for 24 hours, also of a page that
 * was started anew, success or a refusal that stays one (draft-ietf-httpapi-idempotency-key-header, 2.6). What was refused only for now
 * did nothing, and is not kept: the same request is made again when that is over. Of a page that was killed between the work and
 * its answer, the same request does the work again: what it starts is started once in any case, and a second upload or plan pays nothing.
 */
export async function once(
  { web, token, idempotencyKey: key }: Pick<Call, 'web' | 'token' | 'idempotencyKey'>,
  request: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const claim = await web.work.take(`answer ${token.id} ${key}`, 'answered');
  if (claim === null)
    throw new ApiProblem('idempotency_key_in_use', 'Wait for its answer, then send the request again.', {
      headers: { 'retry-after': '1' },
    });
  try {
    const known = await web.answers.begin(token.id, key, request);
    if (known !== null && known.request !== request)
      throw new ApiProblem('idempotency_key_reused', 'Each new request takes a key of its own.');
    if (known?.answer) {
      const { status, body } = known.answer;
      const headers = { 'idempotent-replayed': 'true' };
      if (status >= 400) throw problemOf(JSON.parse(body), headers);
      return { status, body: JSON.parse(body), headers };
    }
    const result = await work().catch(async (error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error;
      const body = problemBody(error);
      if (isFinal(error)) await web.answers.keep(token.id, key, { status: body.status, body: JSON.stringify(body) });
      else await web.answers.forget(token.id, key);
      throw error;
    });
    await web.answers.keep(token.id, key, { status: result.status, body: JSON.stringify(result.body) });
    return result;
  } finally {
    await claim.release();
  }
}
