import { PASSWORD } from './web-page.ts';

/** A browser at a real `payrun web`: it keeps its cookies, and sends with every post what browsers send. */
export type Caller = {
  get(path: string): Promise<Reply>;
  post(path: string, form?: Record<string, string | readonly string[]>): Promise<Reply>;
  /** Uploads a file with these fields beside it; the path of its page. */
  upload(name: string, text: string, fields?: Record<string, string>): Promise<string>;
};

export type Reply = { status: number; location: string; text: string };

export function caller(url: string): Caller {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin: url, ...(cookie !== '' && { cookie }) };
    const answer = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
  };
  return {
    get: (path) => ask(path),
    post(path, form = {}) {
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(form))
        for (const value of [values].flat()) body.append(name, String(value));
      return ask(path, { method: 'POST', body });
    },
    async upload(name, text, fields = {}) {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.set(field, value);
      body.set('file', new File([text], name));
      return (await ask('/uploads', { method: 'POST', body })).location;
    },
  };
}

/** Opens a one-time link, and comes in with the password. `first` is what only the first person says. */
export async function comeIn(
  url: string,
  link: string,
  { password = PASSWORD, ...first }: { name?: string; role?: readonly string[]; password?: string } = {},
): Promise<Caller> {
  const one = caller(url);
  const token = link.split('#')[1] ?? '';
  const { status, text } = await one.post('/welcome/enter', { token, password, again: password, ...first });
  if (status !== 303) throw new Error(`could not come in: ${status} ${text}`);
  return one;
}

/** The link that an administrator is shown once on the page of a person. */
export async function linkOn(administrator: Caller, path: string): Promise<string> {
  return /\/welcome#[\w-]+/.exec((await administrator.get(path)).text)?.[0] ?? '';
}

/** Asks for a page until it answers `when`; the browser would ask again in the same way. */
export async function until(one: Caller, path: string, when: (reply: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const reply = await one.get(path);
    if (when(reply)) return reply;
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** The page of a payment that is over. One under way has a column named Completed too. */
export const isOver = ({ text }: Reply): boolean => text.includes('Download the report');

/** Plans an upload, and gives the path of the plan. */
export async function plan(one: Caller, upload: string): Promise<string> {
  await one.post(`${upload}/plan`);
  const reply = await until(one, `${upload}/plan`, ({ location, status }) => location !== '' || status === 409);
  if (reply.location === '') throw new Error(reply.text);
  return reply.location;
}
