import { randomUUID } from 'node:crypto';
import type { Browser, TestPage } from './web-page.ts';
import { PASSWORD } from './web-page.ts';

export type ApiReply = { status: number; headers: Headers; text: string; json: Record<string, never> };

/** A program that asks the API of a page, with a token or without one. */
export type ApiCaller = {
  get(path: string, headers?: Record<string, string>): Promise<ApiReply>;
  /** Sends JSON with a new idempotency key, unless `headers` have one. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  upload(name: string, text: string, headers?: Record<string, string>): Promise<ApiReply>;
};

export function apiCaller(
  ask: (path: string, init: RequestInit) => Promise<Response>,
  token: string | null,
): ApiCaller {
  const bearer = token === null ? {} : { authorization: `Bearer ${token}` };
  const call = async (path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> }) => {
    const answer = await ask(`/api/v1${path}`, { ...init, headers: { ...bearer, ...headers }, redirect: 'manual' });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
  return {
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body = {}, headers = {}) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
      }),
    upload: (name, text, headers = {}) =>
      call(`/uploads?name=${encodeURIComponent(name)}&wait=30`, {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/octet-stream', 'idempotency-key': randomUUID(), ...headers },
      }),
  };
}

export function apiOf(page: TestPage, token: string | null): ApiCaller {
  return apiCaller(async (path, init) => page.app.fetch(new Request(new URL(path, page.origin), init)), token);
}

/** Makes a token on the page, and reads it where it is shown once. */
export async function makeToken(browser: Browser, scope: readonly string[], days = '30'): Promise<string> {
  const made = await browser.post('/me/tokens', { name: 'ERP', scope, days, current: PASSWORD });
  if (made.status !== 303) throw new Error(`no token: ${made.status} ${made.text}`);
  return tokenShown((await browser.get('/me/tokens')).text);
}

export function tokenShown(text: string): string {
  return /<pre[^>]*>(payrun_\w+)<\/pre>/.exec(text)?.[1] ?? '';
}
