import { expect, test } from 'vitest';
import { everywhere, type Grant, ROLES } from '../../src/app/people/grants.ts';
import { sendNow } from '../../src/web/api/events.ts';
import { workbookParts } from '../report/workbook-text.ts';
import { apiOf, makeToken } from './api-caller.ts';
import { type Ids, office, PAID, pathsOf, payroll, plan, upload } from './walked-office.ts';
import { type Browser, PASSWORD, type TestPage } from './web-page.ts';

/** What stands in the payments, and in the file that is no payment yet. */
const OF_DRAFT = ['Draftmann', '9144.73', '9,144.73', 'DRAREF', 'ZQ-775', 'draft-for-draftmann'];
const OF_PAYMENTS = [
  ...['Zebulon', 'Quixworth', 'Ysolde', 'Wrongly Entered', 'Waldemar', 'Ingersoll'],
  ...['7311.37', '7,311.37', '4422.19', '4,422.19', '6655.44', '8233.91', '8,233.91'],
  // The totals: of two payouts and of one.
  ...['11733.56', '11,733.56'],
  ...['98765431', '98765432', '98765433', '98765434', '••••5431', '5431)', '…5431'],
  ...['ZQ-771', 'ZQ-772', 'ZQ-773', 'ZQ-774', 'ZQXREF', 'YSOREF', 'WROREF', 'WALREF'],
  ...['bonus-of-zebulon', 'Bonus of zebulon', 'pay-of-waldemar', 'Pay of waldemar'],
  ...['a remark about pay', 'a doubt about pay'],
];

/** What an answer says, also inside a workbook. */
async function said({ app, origin }: TestPage, path: string, headers: Record<string, string>): Promise<string> {
  const answer = await app.fetch(new Request(new URL(path, origin), { headers, redirect: 'manual' }));
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text =
    bytes.subarray(0, 2).toString() === 'PK' ? [...(await workbookParts(bytes)).values()].join('\n') : String(bytes);
  return `${answer.status} ${JSON.stringify([...answer.headers])}\n${text}`;
}

type Found = readonly [where: string, secret: string];

function leaksIn(where: string, text: string, secrets: readonly string[]): Found[] {
  return secrets.filter((secret) => text.includes(secret)).map((secret) => [where, secret] as const);
}

async function walk(page: TestPage, browser: Browser, ids: Ids, secrets: readonly string[]) {
  const paths = [...pathsOf(page, 'GET', ids), ...pathsOf(page, 'GET', ids, true)];
  const token = await makeToken(browser, ['payments:read', 'recipients:read', 'runs:start', 'uploads:write']);
  const statuses = new Map<string, number>();
  const leaks: Found[] = [];
  for (const path of paths) {
    const by: Record<string, string> = path.startsWith('/api/')
      ? { authorization: `Bearer ${token}` }
      : { cookie: browser.cookie };
    const text = await said(page, path, by);
    statuses.set(path, Number(text.slice(0, 3)));
    // What one asks for oneself stands in the field again.
    leaks.push(
      ...leaksIn(
        path,
        text.replaceAll(/<input type="search"[^>]*>/g, ''),
        path.includes('?') ? secrets.filter((one) => !path.includes(one)) : secrets,
      ),
    );
  }
  return { statuses, leaks };
}

async function person(page: TestPage, name: string, grants: readonly Grant[]): Promise<Browser> {
  const browser = await page.person(name, ['viewer']);
  const { id } = (await page.web.people.byName(name)) ?? { id: '' };
  await page.web.people.setGrants(id, grants);
  return browser;
}

const isServerError = ([, status]: [string, number]) => status >= 500;

test('who sees no names and amounts, or another job, or prepares something else, finds nothing of it anywhere', async () => {
  const here = await office();
  const { page, caught, ben, anna } = here;
  const ids = await payroll(here);
  const secrets = [...OF_PAYMENTS, ...OF_DRAFT];
  for (const followed of await Promise.all(ids.runs.map((id) => page.web.runs.read(id))))
    for (const payout of followed?.run.payouts.values() ?? [])
      if ('sent' in payout) secrets.push(payout.sent.token, payout.sent.transaction_id);
  expect(secrets.length).toBeGreaterThan(OF_PAYMENTS.length + OF_DRAFT.length);

  // What is looked for is there for who may see it, so that a page that shows it is found.
  const whole = await walk(page, ben, ids, secrets);
  const found = new Set(whole.leaks.map(([, secret]) => secret));
  for (const secret of [
    'Zebulon',
    'Ysolde',
    'Wrongly Entered',
    'Waldemar',
    'Draftmann',
    '7,311.37',
    '98765431',
    'ZQXREF',
  ])
    expect(found).toContain(secret);
  expect([...whole.statuses].filter(isServerError)).toEqual([]);

  const hidden = ROLES.map((role) => ({ ...everywhere(role), details: false }));
  const cleo = await person(page, 'Cleo', hidden);
  const vito = await person(page, 'Vito', [{ ...everywhere('viewer'), job: 'other' }]);
  const paul = await person(page, 'Paul', [everywhere('preparer'), everywhere('viewer')]);
  const hida = await person(page, 'Hida', [everywhere('viewer')]);
  for (const [at, one] of [cleo, vito].entries()) {
    await one.post('/me/notices', { address: `${at}@example.org`, events: ['waiting', 'failed', 'stopped'] });
    await one.post('/me/webhooks', { url: `https://${at}.example/`, current: PASSWORD });
  }

  const counts = await walk(page, cleo, ids, secrets);
  expect(counts.leaks).toEqual([]);
  for (const id of ids.runs) expect([id, counts.statuses.get(`/runs/${id}`)]).toEqual([id, 200]);
  expect([...counts.statuses].filter(isServerError)).toEqual([]);
  const other = await walk(page, vito, ids, secrets);
  expect(other.leaks).toEqual([]);
  const ofRuns = [...other.statuses].filter(([path]) => /^(\/api\/v1)?\/(runs|plans)\/R/.test(path));
  expect(ofRuns.length).toBeGreaterThan(30);
  expect(ofRuns.filter(([, status]) => status !== 404 && status !== 403)).toEqual([]);
  expect(
    ofRuns.filter(
      ([path, status]) =>
        status === 403 && !/\/(approve|reject|recall|cancel|remaining|retry|correct.xlsx|schedule)$/.test(path),
    ),
  ).toEqual([]);
  const preparer = await walk(page, paul, ids, OF_DRAFT);
  expect(preparer.leaks).toEqual([]);
  expect(
    [...preparer.statuses].filter(
      ([path, status]) => path.startsWith('/uploads/') && !path.endsWith('/new') && status !== 404,
    ),
  ).toEqual([]);

  // Acts of theirs do nothing that they may not do, and tell nothing.
  for (const [name, browser] of [
    ['Cleo', cleo],
    ['Vito', vito],
  ] as const)
    for (const path of pathsOf(page, 'POST', ids)) {
      if (!/^\/(runs|payees|uploads)\/[^/]+\//.test(path)) continue;
      const { text, status, location } = await browser.post(path, { reason: 'x', comment: 'x', password: PASSWORD });
      expect([name, path, leaksIn(path, `${text} ${location}`, secrets)]).toEqual([name, path, []]);
      expect([path, status < 500]).toEqual([path, true]);
    }
  expect((await page.web.runs.read(ids.runs[1] ?? ''))?.run.approvals).toEqual([]);

  // What is sent to them on its own: they are told of what happened before, as if it happened now.
  await page.web.store.run('DELETE FROM webhook_delivery');
  await page.web.store.run('DELETE FROM notice');
  await page.web.notices.look(new AbortController().signal);
  await sendNow(page.web, { stopped: new Map(), takenUp: new Set() }, new AbortController().signal);
  await sendNow(page.web, { stopped: new Map(), takenUp: new Set() }, new AbortController().signal);
  expect(caught.mails.map(({ to }) => to)).toContain('0@example.org');
  expect(caught.mails.map(({ to }) => to)).not.toContain('1@example.org');
  expect(caught.posted.map(({ url }) => url)).toContain('https://0.example/');
  expect(caught.posted.map(({ url }) => url)).not.toContain('https://1.example/');
  for (const { text } of [...caught.mails, ...caught.posted]) expect(leaksIn('sent', text, secrets)).toEqual([]);
  // Hida saw names and amounts when the notices were written.
  await page.web.store.run("UPDATE page_notice SET at = 1, read_at = NULL WHERE key <> ''");
  expect((await hida.get('/notices')).text).toContain('Bonus of zebulon');
  await page.web.people.setGrants((await page.web.people.byName('Hida'))?.id ?? '', hidden);
  for (const browser of [cleo, hida]) {
    const { text } = await browser.get('/notices');
    expect(text).toContain('/notices/open?run=');
    expect(leaksIn('/notices', text, secrets)).toEqual([]);
  }
  expect((await vito.get('/notices')).text).not.toContain('/notices/open?run=');
  expect(caught.log.flatMap((line) => leaksIn(line, line, [...OF_PAYMENTS, ...OF_DRAFT]))).toEqual([]);
  expect((await anna.get(`/runs/${ids.runs[1]}`)).text).toContain('Waldemar');
});

test('payments of another entity are not named to people who may not see them, and are still not paid twice', async () => {
  const here = await office();
  const { page, ben } = here;
  const [paid = ''] = (await payroll(here)).runs;
  await page.web.entities.add('North');
  const connection = 'rehearsal.north';
  const ofNorth = (role: Grant['role']): Grant => ({ ...everywhere(role), entity: 'north' });
  const paul = await person(page, 'Paul', [ofNorth('preparer')]);
  const nora = await person(page, 'Nora', [ofNorth('approver')]);
  const adam = await person(page, 'Adam', [everywhere('approver'), everywhere('viewer')]);
  const OTHER = 'another payment that you may not see';

  // The file that Ben already paid for the other entity.
  const again = await upload(paul, 'bonus-of-zebulon.csv', PAID, { connection });
  const token = await makeToken(paul, ['uploads:write', 'plans:write', 'payments:read']);
  const api = apiOf(page, token);
  await expect.poll(async () => (await paul.get(`/uploads/${again}/review`)).text).toContain('paid by');
  expect(await plan(page, paul, again)).toBe('');
  const seen = [];
  for (const path of ['review', 'plan', 'sheet', 'rows?show=all&count=50', 'annotated.xlsx'])
    seen.push(await said(page, `/uploads/${again}/${path}`, { cookie: paul.cookie }));
  seen.push((await api.get(`/uploads/${again}/problems`)).text);
  seen.push((await api.post('/plans', { upload_id: again, only_valid: true })).text);
  // One of its payouts together with a new one: the plan is made, with a warning that the approver has to tick.
  const some = PAID.split('\n').slice(0, 2).join('\n');
  const beside = `${some}\nZQ-779,Nobody Else,5.00,AUD,AUD_NPP,98765439,062-000,NOBREF\n`;
  const run = await plan(page, paul, await upload(paul, 'other.csv', beside, { connection }));
  expect(run).not.toBe('');
  const approve = `/runs/${run}/approve`;
  for (const path of [approve, `/runs/${run}`, `/runs/${run}/warnings`, `/runs/${run}/audit`])
    seen.push((await nora.get(path)).text);
  const sums = { total: '7316.37 AUD', password: PASSWORD };
  seen.push((await nora.post(approve, sums)).text);
  seen.push((await api.get(`/plans/${run}`)).text);
  expect((await nora.post(approve, { ...sums, paid_before: '1' })).location).toBe(`/runs/${run}`);
  seen.push((await nora.get(`/runs/${run}/audit`)).text, (await nora.get('/audit')).text);
  const shown = seen.map((text, at) => [at, text.includes(paid), text.includes(OTHER)]);
  expect(shown.filter(([, isNamed]) => isNamed)).toEqual([]);
  expect(shown.filter(([, , isHidden]) => isHidden).map(([at]) => at)).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14]);
  for (const at of [1, 6]) expect(seen[at]).toContain('Ask an administrator');

  // Somebody who may see both payments gets the name, whether they ask before or after the others.
  for (const text of [(await adam.get(approve)).text, (await adam.get(`/runs/${run}`)).text])
    expect([text.includes(paid), text.includes(OTHER)]).toEqual([true, false]);
  const own = await upload(ben, 'bonus-of-zebulon.csv', PAID, {});
  await expect.poll(async () => (await ben.get(`/uploads/${own}/review`)).text).toContain(`href="/runs/${paid}"`);
});

test('warnings show people of one entity no usual amounts of another', async () => {
  const here = await office();
  const { page, ben } = here;
  await payroll(here);
  await page.web.entities.add('North');
  const paul = await person(page, 'Paul', [{ ...everywhere('preparer'), entity: 'north' }]);
  // Ten times as much, and the total with it.
  const more = PAID.split('\n').slice(0, 2).join('\n').replace('7311.37', '73113.70');
  const shownIn = async (browser: Browser, connection: string) => {
    const id = await upload(browser, 'more.csv', more, { connection });
    await expect.poll(async () => (await browser.get(`/uploads/${id}/review`)).text).toContain('columns are used');
    const seen = [];
    for (const path of ['review', 'plan', 'sheet', 'rows?show=all&count=50', 'annotated.xlsx'])
      seen.push(await said(page, `/uploads/${id}/${path}`, { cookie: browser.cookie }));
    const token = await makeToken(browser, ['uploads:write', 'payments:read']);
    seen.push((await apiOf(page, token).get(`/uploads/${id}/problems`)).text);
    return seen.filter((text) => /7,?311\.37|10 times/.test(text)).length;
  };
  expect(await shownIn(paul, 'rehearsal.north')).toBe(0);
  expect(await shownIn(ben, '')).toBeGreaterThan(3);
});
