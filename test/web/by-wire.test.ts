import { expect, test } from 'vitest';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { served, type Wire } from './served.ts';
import { type Browser, openPage, type TestPage } from './web-page.ts';

const RUN = 'R20261125-7K3M9QZ2';
const FORM = 'content-type: application/x-www-form-urlencoded';

async function startedRun({ journal }: TestPage): Promise<void> {
  const header = sampleHeader(RUN);
  const created = await journal.createRun({
    header,
    rows: [sampleRows(3), { kind: 'planned', plan: samplePlan(header) }, { kind: 'started', by: 'anna@desk-7' }],
    refuseRepeat: false,
  });
  if (created.outcome !== 'created') throw new Error('the run was not created');
}

/** Anna administers, Ben prepares and approves, both over real sockets. */
async function office(deps: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage({ isAlive: () => true, ...deps });
  const anna = await page.first('Anna');
  const ben = await page.person('Ben', ['preparer', 'approver', 'viewer', 'administrator']);
  const sleeps = { count: 0 };
  const { clock } = page;
  const sleep = clock.sleep;
  // A form that begins to be read is given its time.
  clock.sleep = (...words) => {
    sleeps.count++;
    return sleep(...words);
  };
  return { page, anna, ben, sleeps, id: (await page.web.people.byName('Ben'))?.id ?? '', ...(await served(page)) };
}

async function acts({ web }: TestPage): Promise<string[]> {
  return (await web.audit.list({})).map(({ act }) => act);
}

function events(browser: Browser, origin: string): string {
  return `GET /runs/${RUN}/events HTTP/1.1\r\nhost: ${new URL(origin).host}\r\ncookie: ${browser.cookie}\r\n\r\n`;
}

/** Time passes until the run is shown. */
async function seesRun({ clock }: TestPage, { said }: Wire): Promise<void> {
  const passed = async () => {
    await clock.pass(500);
    return said();
  };
  await expect.poll(passed).toContain('of 3');
}

test('who is locked out is out at once: on every page, by every button, and of what they watch', async () => {
  const { page, anna, ben, id, ask, wire } = await office();
  await startedRun(page);
  const stream = wire(events(ben, page.origin));
  await seesRun(page, stream);
  expect((await ask(ben, `/runs/${RUN}`)).status).toBe(200);

  expect((await ask(anna, `/people/${id}/lock`, {})).status).toBe(303);
  await page.clock.pass(1_000);
  await expect.poll(stream.said).toContain('event: over');
  expect(page.web.runs.load.viewers).toBe(0);
  const before = await acts(page);
  let asked = 0;
  for (const { method, path } of page.app.routes) {
    const isPublic = /^\/(\*|static|sign-|welcome|livez|readyz|api\/v1)/.test(path);
    if (isPublic || (method !== 'GET' && method !== 'POST')) continue;
    const place = path.replace(':run', RUN).replace(/:\w+/, id);
    const answer = await ask(ben, place, method === 'POST' ? {} : undefined);
    expect([method, place, answer.status]).toEqual([method, place, method === 'POST' ? 401 : 303]);
    asked++;
  }
  expect(asked).toBeGreaterThan(30);
  expect(await acts(page)).toEqual(before);
});

test('a form that somebody sends slowly does nothing when they are locked out meanwhile', async () => {
  const { page, anna, ben, id, sleeps, ask, wire, head } = await office();
  const form = 'name=Mallory&role=administrator';
  const lines = [FORM, `content-length: ${form.length}`, 'connection: close'];
  const slow = wire(`${head(ben, '/people', lines)}${form.slice(0, 5)}`);
  await expect.poll(() => sleeps.count).toBe(1);
  await ask(anna, `/people/${id}/lock`, {});
  slow.socket.write(form.slice(5));
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 401 /);
  expect(await page.web.people.byName('Mallory')).toBeNull();
});

test('a form that does not come in half a minute, or not whole, is told so and does nothing', async () => {
  const { page, ben, sleeps, wire, head } = await office();
  const before = await acts(page);
  const slow = wire(`${head(ben, '/people', [FORM, 'content-length: 30'])}name=`);
  await expect.poll(() => sleeps.count).toBe(1);
  await page.clock.pass(30_000);
  const told = await slow.closed;
  expect(told).toMatch(/^HTTP\/1\.1 408 /);
  expect(told).toContain('The request was too slow');
  const cut = wire(`${head(ben, '/people', [FORM, 'transfer-encoding: chunked'])}5\r\nname=\r\n`);
  await expect.poll(() => sleeps.count).toBe(2);
  cut.socket.end();
  await cut.closed;
  expect((await ben.get('/people')).status).toBe(200);
  expect(await acts(page)).toEqual(before);
});

test('a page that ends answers what it was asked, lets streams go so that they come again, and takes nobody new', async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const verifyRun = async () => {
    asked.resolve();
    await answered.promise;
    return { outcome: 'unknown_run' as const };
  };
  const { page, ben, ask, wire, server } = await office({ calls: { verifyRun } });
  await startedRun(page);
  const stream = wire(events(ben, page.origin));
  await seesRun(page, stream);
  const proof = ask(ben, `/runs/${RUN}/audit`);
  await asked.promise;
  const idle = wire('');

  await page.stop();
  const closed = server.close(new Promise(() => {}));
  await page.clock.pass(1_000);
  expect(await stream.closed).not.toContain('event: over');
  await idle.closed;
  await expect(ask(ben, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  answered.resolve();
  expect((await proof).status).toBe(200);
  await closed;
});

test('a page that ends waits for nobody who never comes to an end', async () => {
  const { ben, wire, head, server } = await office();
  const slow = wire(`${head(ben, '/people', [FORM, 'content-length: 30'])}name=`);
  await expect.poll(() => slow.socket.bytesWritten).toBeGreaterThan(0);
  await server.close(Promise.resolve());
  expect(await slow.closed).toBe('');
});
