import { readdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { withdrawalsOf } from '../../src/compose/withdrawals.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { TestDatabase } from '../journal/postgres-place.ts';
import { dropDatabase, newPageDatabase } from '../support/page-database.ts';
import { type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { statements } from '../support/postgres.ts';
import { authenticator } from '../web/authenticator.ts';
import { comeIn, ORIGIN, PASSWORD, type Roaming, roaming, until } from '../web/roaming.ts';
import { startPages } from '../web/two-pages.ts';

const HEADER = 'payee_id,name,gross,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Shelley,20.25,AUD,AUD_NPP,87654321,062-000';
const SHEET = `${[HEADER, ADA, MARY].join('\n')}\n`;
const TOTAL = '1,032.75 AUD';

const SLOW = { timeout: 30_000, interval: 100 };

let database: TestDatabase;
/** A login for pages on which people start payments. */
let both: string;
beforeAll(async () => {
  database = await newPageDatabase({ hasQueue: true });
  const { username: admin, password } = new URL(database.admin);
  const name = `both_${database.name}`;
  await statements(
    database.admin,
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE payrun_page, payrun_worker`,
  );
  both = database.admin.replace(`//${admin}:`, `//${name}:`);
});
afterAll(async () => {
  await dropDatabase(database);
  const maintenance = database.admin.replace(/\/[^/]+$/, '/postgres');
  await statements(maintenance, `DROP ROLE both_${database.name}`);
});

type Office = {
  pages: Awaited<ReturnType<typeof startPages>>;
  ports: number[];
  service: ReadyService;
  links: (string | null)[];
  browser(address?: string): Roaming;
};

async function office(url: string, { count = 2, args = [] as string[] } = {}): Promise<Office> {
  const folders = Array.from({ length: count }, temporaryFolder);
  const service = await startService({ dataDir: temporaryFolder() });
  const pages = await startPages(folders, url, [...service.options, ...args]);
  const ports = pages.map(({ port }) => port);
  return {
    pages,
    ports,
    service,
    links: pages.map(({ firstUserUrl }) => firstUserUrl),
    browser: (address) => roaming(ports, new Map(), address),
  };
}

/** Empties what the page keeps, for a test that begins anew. */
async function empty(): Promise<void> {
  const tables = await statements(
    database.admin,
    `SELECT string_agg('payrun_page.' || relname, ', ') AS names FROM pg_class
     WHERE relnamespace = 'payrun_page'::regnamespace AND relkind = 'r' AND relname <> 'schema_version'`,
  );
  await statements(database.admin, `TRUNCATE ${tables[0]?.names} RESTART IDENTITY`);
}

/** Invites somebody, who comes in; the link is made on one page and shown on the other. */
async function invited(by: Roaming, one: Roaming, name: string, role: readonly string[]): Promise<Roaming> {
  const { location } = await by.post('/people', { name, role });
  const link = /https:\/\/[^<"]+\/welcome#[\w-]+/.exec((await by.get(location)).text)?.[0] ?? '';
  return comeIn(one, link);
}

async function personOf(by: Roaming, name: string): Promise<string> {
  const { text } = await by.get('/people');
  return new RegExp(`href="(/people/[a-z0-9]+)">${name}<`).exec(text)?.[1] ?? '';
}

/** The same browser at both pages at once. */
function pair(one: Roaming): [Roaming, Roaming] {
  return [one.copy().to(0, true), one.copy().to(1, true)];
}

function statuses(replies: readonly { status: number }[]): number[] {
  return replies.map(({ status }) => status).sort();
}

test('two pages with one database are one page, also where one of them dies', { timeout: 240_000 }, async () => {
  const place = await office(both, { args: ['--detach'] });
  const administrator = await atOnce(place);
  const ben = await wholeWay(place, administrator);
  await killedBetween(place, ben);
});

/** What two pages are asked for at the same moment happens once. Gives the browser of the administrator who is left. */
async function atOnce({ links, browser, ports }: Office): Promise<Roaming> {
  // Each page printed a link for the first person.
  const entering = (link: string | null, name: string, page: number) => {
    const form = { token: link?.split('#')[1] ?? '', password: PASSWORD, again: PASSWORD };
    return browser()
      .to(page, true)
      .post('/welcome/enter', { ...form, name });
  };
  expect(
    statuses(await Promise.all([entering(links[0] ?? null, 'Xena', 0), entering(links[1] ?? null, 'Yara', 1)])),
  ).toEqual([303, 403]);
  const [only] = await statements(database.admin, 'SELECT name FROM payrun_page.person');
  const first = only?.name as string;
  const anna = browser();
  const signIn = { name: first, password: PASSWORD };
  expect((await anna.post('/sign-in', signIn)).status).toBe(303);

  // One form, posted to both.
  expect(
    statuses(await Promise.all(pair(anna).map((one) => one.post('/people', { name: 'Bea', role: 'administrator' })))),
  ).toEqual([303, 422]);
  // The link of Bea, opened on both.
  const bea = await personOf(anna, 'Bea');
  await anna.post(`${bea}/link`);
  const link = /\/welcome#([\w-]+)/.exec((await anna.get(bea)).text)?.[1] ?? '';
  const both_ = [browser().to(0, true), browser().to(1, true)];
  const opened = await Promise.all(
    both_.map((one) => one.post('/welcome/enter', { token: link, password: PASSWORD, again: PASSWORD })),
  );
  expect(statuses(opened)).toEqual([303, 403]);
  const other = both_[opened.findIndex(({ status }) => status === 303)] as Roaming;

  // The last two administrators take the role from each other.
  const own = await personOf(anna, first);
  const demote = [
    anna.copy().to(0, true).post(`${bea}/roles`, { role: 'viewer' }),
    other.copy().to(1, true).post(`${own}/roles`, { role: 'viewer' }),
  ];
  const demoted = statuses(await Promise.all(demote));
  const left = await statements(
    database.admin,
    "SELECT person_id FROM payrun_page.person_grant WHERE role = 'administrator'",
  );
  expect([left.length, demoted.includes(303)]).toEqual([1, true]);

  // Wrong passwords are counted over both, and at once.
  const guesses = Array.from({ length: 8 }, (_, at) =>
    roaming(ports, new Map(), `198.51.100.${at}`)
      .to(at % 2)
      .post('/sign-in', { name: 'Bea', password: `wrong ${at}` }),
  );
  expect(statuses(await Promise.all(guesses))).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  const [log] = await statements(
    database.admin,
    'SELECT count(*)::int AS n, max(n)::int AS last FROM payrun_page.audit',
  );
  expect(log?.n).toBe(log?.last);
  return `/people/${left[0]?.person_id}` === own ? anna : other.to(0);
}

/** A payment goes its whole way while the browsers change pages at every request. Gives the browser of who prepared it. */
async function wholeWay({ browser, service }: Office, administrator: Roaming): Promise<Roaming> {
  const ben = await invited(administrator, browser(), 'Ben', ['preparer']);
  const anna = await invited(administrator, browser(), 'Anna', ['approver', 'viewer']);

  const key = authenticator(ORIGIN);
  const asked = await anna.post('/me/passkeys/options', { label: 'Phone', current: PASSWORD });
  const added = await anna.post('/me/passkeys', { label: 'Phone', credential: key.create(JSON.parse(asked.text)) });
  expect([added.location, added.from]).not.toEqual(['/me?done=passkey', asked.from]);

  // What is chosen on one page for headers is known to the other.
  const first = await ben.upload('July.csv', SHEET);
  await until(ben, first, ({ text }) => !text.includes('Reading'));
  expect((await ben.post(`${first}/columns`, { column: 'C', other: '', means: 'amount' })).status).toBe(303);
  expect((await until(ben, first, ({ text }) => text.includes('No problems found'))).text).toContain('1,032.75');
  const upload = await ben.upload('August.csv', SHEET);
  await until(ben, upload, ({ text }) => text.includes('No problems found'));
  await until(ben, `${upload}/sheet`, ({ text }) => text.includes('Mary Shelley'));

  await Promise.all(pair(ben).map((one) => one.post(`${upload}/plan`)));
  const planned = await until(ben, `${upload}/plan`, ({ location, status }) => location !== '' || status === 409);
  const run = planned.location;
  expect(run, planned.text).toMatch(/^\/runs\/R/);
  for (const page of [0, 1]) expect((await anna.to(page).get('/')).text).toContain('Awaiting your approval.');

  const approval = { total: TOTAL, password: PASSWORD };
  const challenge = await anna.to(0).post(`${run}/approve/passkey`, approval);
  const credential = key.get(JSON.parse(challenge.text));
  // The answer of the passkey is good once, on whichever page.
  const approved = await Promise.all(pair(anna).map((one) => one.post(`${run}/approve`, { ...approval, credential })));
  expect(statuses(approved)).toEqual([303, 422]);

  // Before a worker takes the run, each page names the viewer on the other.
  await Promise.all(pair(ben).map((one) => one.post(`${run}/start`)));
  const seen = ['', ''];
  const watched = [ben, anna].map((one, page) =>
    one
      .copy()
      .to(page, true)
      .get(`${run}/events`, (text) => {
        seen[page] = text;
      }),
  );
  await expect.poll(() => seen.map((text) => />(\w+) is viewing</.exec(text)?.[1]), SLOW).toEqual(['Anna', 'Ben']);

  // A worker executes it, on a host of its own, and both pages show that.
  const where = ['--data-dir', temporaryFolder(), '--database', database.as('payrun_worker')];
  start(['worker', '--json', '--poll-every', '50ms', ...where, ...service.options], { cwd: temporaryFolder() });
  for (const { text } of await Promise.all(watched)) expect(text).toContain('event: over');
  const looking = "SELECT count(*)::int AS n FROM payrun_page.work WHERE key LIKE 'looks %'";
  await expect.poll(() => statements(database.admin, looking), SLOW).toEqual([{ n: 0 }]);
  const done = await until(ben, run, ({ text }) => text.includes('2 payouts'));
  expect(done.text).toContain('completed');
  const reports = [await ben.to(0).get(`${run}/report.csv`), await ben.to(1).get(`${run}/report.csv`)];
  for (const { status, text } of reports) expect([status, text.match(/completed/g)?.length]).toEqual([200, 2]);

  for (const page of [0, 1]) {
    const { text } = await anna.to(page).get('/audit');
    expect(text).toContain('none altered');
    for (const act of ['accepted an invitation', 'approved', 'started', 'downloaded the report'])
      expect(text).toContain(act);
    expect((await anna.to(page).get(`${run}/audit`)).text).toContain('Started by Ben');
  }

  const acts = await statements(
    database.admin,
    'SELECT act, count(*)::int AS times FROM payrun_page.audit GROUP BY act',
  );
  const times = Object.fromEntries(acts.map(({ act, times }) => [act, times]));
  expect(times).toMatchObject({ planned: 1, approved: 1, started: 1 });

  // Signed out on one page is signed out on both.
  const elsewhere = anna.copy();
  await anna.to(0).post('/sign-out');
  for (const page of [0, 1]) expect((await elsewhere.to(page).get('/me')).location).toContain('/sign-in');
  return ben;
}

/** A check and a plan whose page is killed are over for the other page. */
async function killedBetween({ pages }: Office, ben: Roaming): Promise<void> {
  // Of other payouts than those that were paid.
  const sheet = SHEET.replaceAll(/(\d)\.(\d)/g, '$17.$2');
  const checked = await ben.to(0).upload('checked.csv', sheet);
  await until(ben, checked, ({ text }) => text.includes('No problems found'));
  const upload = await ben.to(0, true).upload('July.csv', sheet);
  await ben.post(`${checked}/plan`);
  pages[0]?.started.child.kill('SIGKILL');
  ben.to(1, true);
  const busy = await ben.get(`${checked}/plan`);
  expect(busy.text).toContain('Planning');
  expect((await until(ben, upload, ({ text }) => text.includes('No problems found'))).from).toBe(1);
  const cut = await until(ben, `${checked}/plan`, ({ status, location }) => status === 409 || location !== '');
  expect(cut.text).toContain('its host stopped');
}

/** A way to the database that can be cut: now, or when the next commit has passed, so that its answer is lost. */
async function wayTo(
  url: string,
): Promise<{ url: string; cut(): void; cutAfterCommit(): void; refuseOne(): void; open(): void }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let isCutAfterCommit = false;
  let isRefused = false;
  const server: Server = createServer((client) => {
    if (!isOpen || isRefused) {
      isRefused = false;
      return void client.destroy();
    }
    const there = connect(Number(port), hostname);
    client.on('data', (bytes: Buffer) => {
      if (!isCutAfterCommit || !bytes.includes('COMMIT')) return;
      isCutAfterCommit = false;
      there
        .unpipe(client)
        .once('data', () => client.destroy())
        .resume();
    });
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => void [sockets.delete(from), to.destroy()]);
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const { port: own } = server.address() as { port: number };
  return {
    url: url.replace(`:${port}/`, `:${own}/`),
    cut,
    cutAfterCommit() {
      isCutAfterCommit = true;
    },
    refuseOne() {
      isRefused = true;
    },
    open() {
      isOpen = true;
    },
  };
}

test('while the database is away the page says so, that nothing was done, and goes on after', async () => {
  await empty();
  const way = await wayTo(database.as('payrun_page'));
  // The page waits for it at its start.
  way.refuseOne();
  const { links, browser, pages } = await office(way.url, { count: 1 });
  const noted = pages[0]?.started.stderr().split('\n') ?? [];
  expect(noted[0]).toContain('the database cannot be used, and is tried again: ');
  expect(noted[1]).toBe('the database can be used again');
  const anna = await comeIn(browser(), links[0] ?? '', { name: 'Anna' });
  // Connections that were cut while they were idle are missed by nobody.
  way.cut();
  way.open();
  expect((await anna.get('/people')).status).toBe(200);
  way.cut();
  const shown = [await anna.get('/people'), await anna.post('/people', { name: 'Bea', role: 'viewer' })];
  for (const { status, text } of shown) {
    expect(status).toBe(503);
    expect(text).toContain('The database of this page cannot be reached right now. Nothing was done.');
    expect(text).not.toContain('postgres');
  }
  way.open();
  expect((await anna.get('/people')).text).not.toContain('Bea');
  expect((await anna.post('/people', { name: 'Bea', role: 'viewer' })).status).toBe(303);
  way.cutAfterCommit();
  const uncertain = await anna.post('/people', { name: 'Cleo', role: 'viewer' });
  expect([uncertain.status, uncertain.text]).toEqual([
    503,
    expect.stringContaining('This may or may not have been done.'),
  ]);
  // This time it was.
  await expect.poll(async () => (await anna.get('/people')).text).toContain('Cleo');
  expect(pages[0]?.started.child.exitCode).toBeNull();

  // Another database in its place, as a promoted standby is: the page ends, so that its supervisor starts it anew.
  const [was] = await statements(database.admin, "SELECT pg_get_functiondef('payrun.identity'::regproc) AS sql");
  await statements(
    database.admin,
    `CREATE OR REPLACE FUNCTION payrun.identity() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT 'another' $$`,
  );
  way.cut();
  way.open();
  const ended = await pages[0]?.started.ended;
  await statements(database.admin, String(was?.sql));
  expect(ended).toMatchObject({ exit: 8, stderr: expect.stringContaining('took the place of') });
});

test('a worker reads who people are and what they did, and none of their secrets or files', async () => {
  await empty();
  const worker = database.as('payrun_worker');
  const dataDir = temporaryFolder();
  // Bea approved, and was locked out since: what was approved does not count where the run is started, either.
  const approval = { preparer: 'Ben', approvers: [{ name: 'Bea', public_key: 'KEY' }] };
  const run = { header: { job: null }, plan: { approval }, startedAt: null } as unknown as RunState;
  const now = async () => Object.fromEntries(await withdrawalsOf(run, { dataDir, database: worker }));
  await statements(
    database.admin,
    `INSERT INTO payrun_page.person VALUES ('b', 'Bea', 'bea', 1, NULL, 'p', 's', 'f', 'KEY');
     INSERT INTO payrun_page.person_grant VALUES ('b', 'approver', '', '', 1)`,
  );
  expect(await now()).toEqual({});
  await statements(database.admin, 'UPDATE payrun_page.person SET locked_at = 1');
  expect(await now()).toEqual({ KEY: 'locked_out' });
  expect(readdirSync(dataDir)).toEqual([]);
  const reads = async (sql: string) =>
    statements(worker, sql).then(
      () => 'may',
      (error: { code?: string }) => error.code,
    );
  expect(await reads('SELECT id, name, public_key, locked_at FROM payrun_page.person')).toBe('may');
  expect(await reads('SELECT * FROM payrun_page.audit')).toBe('may');
  const REFUSED = '42501';
  for (const sql of [
    'SELECT password FROM payrun_page.person',
    'SELECT key_salt FROM payrun_page.person',
    ...['session', 'passkey', 'invitation', 'known_device', 'kept_file', 'file_part', 'upload', 'header_set'].map(
      (table) => `SELECT * FROM payrun_page.${table}`,
    ),
    "INSERT INTO payrun_page.person_grant VALUES ('a', 'approver', '', '', 1)",
    'DELETE FROM payrun_page.audit',
  ])
    expect([sql, await reads(sql)]).toEqual([sql, REFUSED]);
  for (const sql of ['DELETE FROM payrun_page.audit', "UPDATE payrun_page.audit SET act = 'x'"])
    await expect(statements(database.as('payrun_page'), sql)).rejects.toMatchObject({ code: REFUSED });
});
