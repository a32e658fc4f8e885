import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** What the provider says of an account. */
export type Account = { name: string; groups: string[] };

/** A real provider on loopback, at which anybody signs in by the id of an account. */
export async function openProvider(
  accounts: Map<string, Account>,
  page: string,
  /** Whether the ID token has the name and the groups, as the provider is told to put them there. */
  isInIdToken = true,
): Promise<{ issuer: string; signIn(url: string, account: string): Promise<string> }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'payrun',
        client_secret: 'a secret: of+the client/%',
        redirect_uris: [`${page}/sign-in/provider/callback`],
        post_logout_redirect_uris: [`${page}/sign-in`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !isInIdToken,
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
    pkce: { required: () => true },
  });
  server.on('request', provider.callback());
  return { issuer, signIn: (url, account) => signInThere(issuer, url, account) };
}

/** Fills in what the provider asks for, in a browser of its own. Gives where it leads back to. */
async function signInThere(issuer: string, url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [next, form] = [url, null as URLSearchParams | null];
  for (let step = 0; step < 12; step += 1) {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const asked = form === null ? {} : { method: 'POST', body: form };
    const answer = await fetch(next, { ...asked, headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    form = null;
    if (location !== null) next = new URL(location, issuer).href;
    else {
      const text = await answer.text();
      const action = /action="([^"]+)"/.exec(text)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      if (prompt === undefined) throw new Error(text);
      form = new URLSearchParams({ prompt, login, password: 'any' });
      next = new URL(action, issuer).href;
    }
    if (!next.startsWith(issuer)) return next;
  }
  throw new Error(`the provider leads nowhere: ${next}`);
}
