import { request } from 'node:http';

/** What people call both pages; a balancer in front of them does TLS. */
export const ORIGIN = 'https://pay.example.com';

/** Of everybody who signs in. */
export const PASSWORD = 'correct horse battery';

export type Reply = { status: number; location: string; text: string; from: number };

/** A browser whose requests go to one page after the other, as a balancer may have it. */
export type Roaming = {
  /** `onText`: called with the text so far of a stream. */
  get(path: string, onText?: (text: string) => void): Promise<Reply>;
  post(path: string, form?: Record<string, string | readonly string[]>): Promise<Reply>;
  /** Uploads a file; the path of its page. */
  upload(name: string, text: string): Promise<string>;
  /** The next request goes to this page, and all after it where `stays`. */
  to(page: number, stays?: boolean): Roaming;
  /** Another browser with the same cookies. */
  copy(): Roaming;
};

const ANSWER_MAX_MS = 60_000;

/** `ports` are those of the pages. */
export function roaming(ports: readonly number[], cookies = new Map<string, string>(), address = '192.0.2.1'): Roaming {
  let next = 0;
  let isStaying = false;
  const ask = async (
    path: string,
    body: Uint8Array | null,
    type: string,
    onText: (text: string) => void = () => {},
  ): Promise<Reply> => {
    const from = next;
    if (!isStaying) next = (next + 1) % ports.length;
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      host: new URL(ORIGIN).host,
      'x-forwarded-for': address,
      connection: 'close',
      ...(cookie !== '' && { cookie }),
      ...(body !== null && { origin: ORIGIN, 'content-type': type, 'content-length': body.length }),
    };
    const method = body === null ? 'GET' : 'POST';
    const signal = AbortSignal.timeout(ANSWER_MAX_MS);
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: ports[from], path, method, headers, signal }, (answer) => {
        let text = '';
        for (const line of answer.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more;
          onText(text);
        });
        const { statusCode: status = 0, headers: given } = answer;
        answer.on('end', () => resolve({ status, location: given.location ?? '', text, from }));
        // The page was ended in the middle of it.
        answer.on('error', reject);
      });
      asked.on('error', reject).end(body ?? undefined);
    });
  };
  const browser: Roaming = {
    get: (path, onText) => ask(path, null, '', onText),
    post(path, form = {}) {
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(form))
        for (const value of [values].flat()) body.append(name, String(value));
      return ask(path, Buffer.from(String(body)), 'application/x-www-form-urlencoded');
    },
    async upload(name, text) {
      const form = new FormData();
      form.set('file', new File([text], name));
      const sent = new Request(ORIGIN, { method: 'POST', body: form });
      const body = new Uint8Array(await sent.arrayBuffer());
      return (await ask('/uploads', body, sent.headers.get('content-type') ?? '')).location;
    },
    to(page, stays = false) {
      [next, isStaying] = [page, stays];
      return browser;
    },
    copy: () => roaming(ports, new Map(cookies), address),
  };
  return browser;
}

/** Opens a one-time link, and comes in. `first` is what only the first person says. */
export async function comeIn(
  one: Roaming,
  link: string,
  first: { name?: string; role?: readonly string[] } = {},
): Promise<Roaming> {
  const token = link.split('#')[1] ?? '';
  const { status, text } = await one.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD, ...first });
  if (status !== 303) throw new Error(`could not come in: ${status} ${text}`);
  return one;
}

const ASKED_MAX = 600;

/** Asks for a page until it answers `when`, of one page after the other. */
export async function until(one: Roaming, path: string, when: (reply: Reply) => boolean): Promise<Reply> {
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const reply = await one.get(path);
    if (when(reply)) return reply;
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`${path} stayed as it was`);
}
