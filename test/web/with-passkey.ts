import { expect } from 'vitest';
import type { Person } from '../../src/app/people/people.ts';
import type { Session } from '../../src/web/sign-in/sessions.ts';
import { authenticator } from './authenticator.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

/** Bea, who approves, with a passkey that she has added on her page. */
export async function withPasskey(given: Parameters<typeof openPage>[0] = {}): Promise<{
  page: TestPage;
  bea: Browser;
  asked: Asked;
  key: ReturnType<typeof authenticator>;
}> {
  const page = await openPage(given);
  await page.first('Anna');
  const bea = await page.person('Bea', ['approver']);
  const key = authenticator(page.origin);
  const options = await bea.post('/me/passkeys/options', { label: 'Phone', current: PASSWORD });
  const added = await bea.post('/me/passkeys', { label: 'Phone', credential: key.create(JSON.parse(options.text)) });
  expect(added.location).toBe('/me?done=passkey');
  return { page, bea, key, asked: await askedOf(page, bea) };
}

type Asked = { person: Person; session: Session };

/** Who is asked in this browser. */
export async function askedOf({ web }: TestPage, { cookie }: Browser): Promise<Asked> {
  const session = (await web.sessions.find(cookie.slice(cookie.indexOf('=') + 1), false)) as Session;
  return { session, person: (await web.people.get(session.personId)) as Person };
}
