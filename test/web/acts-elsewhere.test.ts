import { hash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Role } from '../../src/app/people/grants.ts';
import { makeToken } from './api-caller.ts';
import { office, payroll, plan } from './walked-office.ts';
import { type Browser, PASSWORD, type TestPage } from './web-page.ts';

// What belongs to another entity, acted upon by hand: refused as what nobody has, and nothing is changed by it.

const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'ALL']);

type Kind = (typeof KINDS)[number];
const KINDS = [
  ...(['runs', 'uploads', 'payees', 'jobs', 'connections'] as const),
  ...(['entities', 'people', 'tokens', 'webhooks'] as const),
];

/** Form fields, JSON, or a file with fields. */
type Sent = Record<string, string> | { json: object } | { file: Record<string, string> };
/** What who attacks has themselves: a file, and what they may pay over. */
type Own = { upload: string; connection: string };
/**
 * `of`: of which things it takes an id: in its address, or by `send` alone where that names nothing or, `inOwn`, a file of
 * their own. `answers`: where it refuses an unknown id with something else than 403 or 404.
 */
type Attack = { of: Kind; inOwn?: true; send?: (id: string, own: Own) => Sent; answers?: readonly number[] };

const [RUN, UPLOAD, PAYEE, PERSON, CONNECTION] = (['runs', 'uploads', 'payees', 'people', 'connections'] as const).map(
  (of) => ({ of }),
) as [Attack, Attack, Attack, Attack, Attack];
const form = (attack: Attack, fields: Record<string, string>): Attack => ({ ...attack, send: () => fields });
const START = { start_date: '2099-06-01', start_time: '09:00', start_zone: 'UTC', any_day: 'yes' };
const DECISION = { total: '8233.91 AUD', password: PASSWORD, comment: 'x', row: '2' };
const REASON = { reason: 'because' };
const ROWS = { json: { revision: 1, orders: [{ order: 'remove', rows: [2] }] } };

const ATTACKS: Readonly<Record<string, Attack | readonly Attack[]>> = {
  'POST /api/v1/uploads': [
    { of: 'jobs', answers: [422] },
    { of: 'connections', answers: [422] },
  ],
  'POST /api/v1/plans': { of: 'uploads', send: (id) => ({ json: { upload_id: id } }) },
  'POST /api/v1/runs': { of: 'runs', send: (id) => ({ json: { plan_id: id } }) },
  'POST /me/tokens/:id/revoke': { of: 'tokens', answers: [422] },
  'POST /me/webhooks/:id/remove': { of: 'webhooks', answers: [422] },
  'POST /people/:id/roles': form(PERSON, { role: 'viewer' }),
  'POST /people/:id/access': form(PERSON, { role: 'viewer', entity: '', job: '', details: 'shown' }),
  'POST /people/:id/lock': PERSON,
  'POST /people/:id/unlock': PERSON,
  'POST /people/:id/link': PERSON,
  'POST /people/:id/confirm': PERSON,
  'POST /people/:id/passkeys': PERSON,
  // Chooses nothing then, and leads on.
  'POST /entity': { of: 'entities', send: (id) => ({ entity: id, next: '/runs' }), answers: [303] },
  'POST /settings/connections/:id/test': CONNECTION,
  'POST /settings/connections/:id/rotate': form(CONNECTION, { api_key: 'k', signing_key_file: 'k', current: PASSWORD }),
  'POST /settings/connections/:id/confirm': CONNECTION,
  'POST /settings/connections/:id/disable': CONNECTION,
  'POST /settings/connections/:id/enable': CONNECTION,
  'POST /settings/entities/:id/name': form({ of: 'entities' }, { name: 'Renamed' }),
  'POST /uploads': [
    { of: 'jobs', send: (id) => ({ file: { job: id } }), answers: [403, 422] },
    { of: 'connections', send: (id) => ({ file: { connection: id } }), answers: [403, 422] },
    { of: 'runs', send: (id) => ({ file: { corrects: id } }), answers: [403, 422] },
    { of: 'uploads', send: (id) => ({ file: { mends: id, connection: 'nowhere' } }), answers: [403, 422] },
    { of: 'jobs', send: (id, { connection }) => ({ file: { job: id, connection } }), answers: [403, 422] },
    { of: 'connections', send: (id) => ({ file: { job: 'other', connection: id } }), answers: [403, 422] },
  ],
  'POST /jobs/:job/run': { of: 'jobs', answers: [403, 409] },
  'POST /uploads/:id/remove': UPLOAD,
  'POST /uploads/:id/again': UPLOAD,
  'POST /uploads/:id/reading': form(UPLOAD, { decimal: ',' }),
  'POST /uploads/:id/columns': form(UPLOAD, { column: 'B', means: 'ignore' }),
  'POST /uploads/:id/job': [
    form(UPLOAD, { job: 'other' }),
    { of: 'jobs', inOwn: true, send: (id) => ({ job: id }), answers: [409, 422] },
  ],
  'POST /uploads/:id/map': form(UPLOAD, { 'means.B': 'ignore' }),
  'POST /uploads/:id/rows': [
    { of: 'uploads', send: () => ROWS },
    {
      of: 'payees',
      inOwn: true,
      send: (id) => ({ json: { revision: 1, row: 2, recipient: id } }),
      answers: [422],
    },
  ],
  'POST /uploads/by-hand': { of: 'connections', send: (id) => ({ connection: id }), answers: [403, 422] },
  'POST /uploads/:id/plan': form(UPLOAD, { only_valid: 'yes' }),
  'POST /runs/:run/approve/passkey': form(RUN, DECISION),
  'POST /runs/:run/approve': form(RUN, DECISION),
  'POST /runs/:run/reject': form(RUN, REASON),
  'POST /runs/:run/recall': form(RUN, REASON),
  'POST /runs/:run/schedule': form(RUN, START),
  'POST /runs/:run/schedule/recall': RUN,
  'POST /runs/:run/comments': form(RUN, { comment: 'seen' }),
  'POST /runs/:run/start': RUN,
  'POST /runs/:run/cancel': RUN,
  'POST /runs/:run/pause': RUN,
  'POST /runs/:run/resume': RUN,
  'POST /runs/:run/retry': RUN,
  'POST /runs/:run/doubts/:row': form(RUN, { act: 'not_sent', transaction: '', typed: '8233.91 AUD' }),
  'POST /payees/:id/hold': form(PAYEE, REASON),
  'POST /payees/:id/release': { ...form(PAYEE, REASON), answers: [403, 409] },
  'POST /payees/:id/tags': form(PAYEE, { tag: 'theirs' }),
  'POST /payees/:id/tags/remove': form(PAYEE, { tag: 'key' }),
};

/** Of who asks alone, of everybody (layouts are every preparer's), or making something new: they take no id of an entity's. */
const NAMES_NOTHING: ReadonlySet<string> = new Set(
  [
    ...['/sign-in', '/sign-out', '/sign-in/second-factor', '/sign-in/second-factor/ask', '/sign-in/second-factor/app'],
    ...['/sign-in/second-factor/passkey/options', '/sign-in/second-factor/passkey', '/sign-in/provider/password'],
    ...['/welcome', '/welcome/enter', '/me/password', '/me/passkeys/ask', '/me/passkeys/options', '/me/passkeys'],
    ...[
      '/me/passkeys/remove',
      '/me/view',
      '/mode',
      '/me/notices',
      '/notices/read',
      '/me/tokens',
      '/me/app',
      '/me/app/remove',
    ],
    ...['/me/webhooks', '/people', '/people/second-factor', '/settings/connections', '/settings/entities'],
    ...['/layouts/:id/name', '/layouts/:id/remove'],
  ].map((path) => `POST ${path}`),
);

const PROFILE = JSON.stringify({
  base_url: 'https://their-bank.example',
  customer_id: 'c',
  api_key: 'k',
  signing_key_file: '/nowhere/k.pem',
});
const FILE = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code\n';
const OWN = `${FILE}OW-1,Own Person,12.50,AUD,AUD_NPP,12345678,062-000\n`;

type Caller = { browser: Browser; token: string; own: Own };

/** What is answered, as somebody reads it who does not know which of the two ids it was. */
async function answered(page: TestPage, who: Caller, route: string, attack: Attack, ids: readonly [string, string]) {
  const [method = '', address = ''] = route.split(' ');
  const [id] = ids;
  const path = address.replace(':row', '2').replace(/:\w+/, attack.inOwn ? who.own.upload : id);
  const sent = attack.send?.(id, who.own) ?? {};
  const isOfApi = path.startsWith('/api/');
  const headers = new Headers({ origin: page.origin, 'sec-fetch-site': 'same-origin' });
  let [body, query]: [NonNullable<RequestInit['body']>, string] = ['', ''];
  if (isOfApi) {
    headers.set('authorization', `Bearer ${who.token}`);
    headers.set('idempotency-key', randomUUID());
  } else headers.set('cookie', who.browser.cookie);
  if ('json' in sent) {
    headers.set('content-type', 'application/json');
    body = JSON.stringify(sent.json);
  } else if ('file' in sent) {
    body = new FormData();
    body.set('file', new File([OWN], 'own.csv'));
    for (const [name, value] of Object.entries(sent.file)) body.set(name, value);
  } else if (isOfApi) {
    body = OWN;
    query = `?${new URLSearchParams({ name: 'own.csv', [attack.of.slice(0, -1)]: id })}`;
    headers.set('content-type', 'application/octet-stream');
  } else body = new URLSearchParams(sent);
  const request = new Request(new URL(`${path}${query}`, page.origin), { method, headers, body, redirect: 'manual' });
  const answer = await page.app.fetch(request);
  const text = `${answer.headers.get('location')}\n${await answer.text()}`;
  return { status: answer.status, text: ids.reduce((rest, one) => rest.replaceAll(one, 'ID'), text) };
}

/** Where a request leaves a trace of itself: that a token was used, and what the API answered to it. */
const TRACES: ReadonlySet<string> = new Set(['api_token', 'api_answer', 'lease']);

/** All that is kept in a folder: each row of each table, and each file. */
function kept(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /-(wal|shm)$|\.log$/.test(path)) continue;
    if (!path.endsWith('.db')) {
      found[path] = hash('sha256', readFileSync(path));
      continue;
    }
    using database = new DatabaseSync(path, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      if (TRACES.has(String(name))) continue;
      const rows = database.prepare(`SELECT * FROM "${name}"`);
      rows.setReadBigInts(true);
      for (const [at, row] of rows.all().entries())
        found[`${path} ${name} ${at}`] = JSON.stringify(row, (_, value) =>
          typeof value === 'bigint' ? `${value}` : value,
        );
    }
  }
  return found;
}

const other = (id: string) => id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

async function ofEntity(page: TestPage, name: string, role: Role, entity: string): Promise<Browser> {
  const browser = await page.person(name, [role]);
  const { id } = (await page.web.people.byName(name)) ?? { id: '' };
  await page.web.people.setGrants(id, [{ role, entity, job: null, details: true }]);
  return browser;
}

/** Uploads a file over a connection, and waits until its rows can be edited. */
async function uploaded(browser: Browser, connection: string): Promise<Own> {
  const body = new FormData();
  body.set('file', new File([OWN], 'own.csv'));
  body.set('connection', connection);
  const upload = (await browser.send('/uploads', body)).location?.split('/')[2] ?? '';
  await expect.poll(async () => (await browser.get(`/uploads/${upload}/rows`)).text).toContain('"state":"ready"');
  return { upload, connection };
}

function routesOf({ app }: TestPage): string[] {
  const acting = app.routes.filter(
    ({ method, path }) => METHODS.has(method) && !(method === 'ALL' && /\*$/.test(path)),
  );
  return [...new Set(acting.map(({ method, path }) => `${method} ${path}`))];
}

/** One of each kind of `entity`. */
async function thingsOf(here: Awaited<ReturnType<typeof office>>, entity: string, connection: string) {
  const { page, ben, folder } = here;
  const { web } = page;
  writeFileSync(join(folder, 'jobs', 'theirs.csv'), OWN);
  writeFileSync(join(folder, 'jobs', 'their-pay.yaml'), `input: theirs.csv\nentity: ${entity}\n`);
  const made = await payroll(here, { connection });
  const by = { person: made.people[0] ?? '', audit: web.audit };
  const added = await web.connections.kept.add({ name: 'Their bank', entityId: entity, profile: PROFILE }, by);
  await ben.post(`/payees/${made.payees[0]}/tags`, { tag: 'key' });
  await ben.post('/me/webhooks', { url: 'https://ben.example/', current: PASSWORD });
  const token = await makeToken(ben, SCOPES);
  const ids: Record<Kind, readonly string[]> = {
    ...made,
    jobs: ['their-pay'],
    connections: [connection, added?.id ?? ''],
    entities: [entity],
    tokens: (await web.tokens.list(null)).map(({ id }) => id),
    webhooks: (await web.endpoints.list()).map(({ id }) => id),
  };
  for (const kind of KINDS)
    expect([kind, ids[kind].filter((id) => id !== '')]).toEqual([kind, expect.toSatisfy(isAny)]);
  return { ids, token };
}

const SCOPES = ['uploads:write', 'plans:write', 'runs:start'];
const isAny = (list: readonly string[]) => list.length > 0;
/** What some people may do, so that their requests say whether there is such a thing. */
const CONTROLLED: ReadonlySet<Kind> = new Set(['runs', 'uploads', 'payees', 'jobs']);

test.each([
  ['main', 'northwind', 'rehearsal', 'rehearsal.northwind'],
  ['northwind', 'main', 'rehearsal.northwind', 'rehearsal'],
])(
  'who may act for %s alone does nothing to what is of %s, and does not learn that it is there',
  async (own, theirs, over, theirOver) => {
    const here = await office();
    const { page, ben, anna } = here;
    expect(routesOf(page).filter((route) => !(route in ATTACKS) && !NAMES_NOTHING.has(route))).toEqual([]);
    await page.web.entities.add('Northwind');
    const { ids, token } = await thingsOf(here, theirs, theirOver);
    const [pia, axel] = [await ofEntity(page, 'Pia', 'preparer', own), await ofEntity(page, 'Axel', 'approver', own)];
    const [piaOwn, benOwn] = [await uploaded(pia, over), await uploaded(ben, theirOver)];
    const attackers = [
      { browser: pia, token: await makeToken(pia, SCOPES), own: piaOwn },
      { browser: axel, token: await makeToken(axel, ['payments:read']), own: piaOwn },
    ];
    const each = Object.entries(ATTACKS).flatMap(([route, attacks]) =>
      [attacks].flat().flatMap((attack) => ids[attack.of].map((id) => ({ route, attack, id }))),
    );
    const both = async (who: Caller, { route, attack, id }: (typeof each)[number]) => ({
      unknown: await answered(page, who, route, attack, [other(id), id]),
      known: await answered(page, who, route, attack, [id, other(id)]),
    });

    const before = kept(page.dataDir);
    for (const who of attackers)
      for (const one of each) {
        const { unknown, known } = await both(who, one);
        const answers = [403, 404, ...(one.attack.answers ?? [])];
        expect.soft({ ...one, known }).toEqual({ ...one, known: unknown });
        expect.soft({ ...one, status: known.status }).toEqual({ ...one, status: expect.toBeOneOf(answers) });
      }
    expect(kept(page.dataDir)).toEqual(before);

    // The same requests of people who may make them are no requests for what nobody has.
    const controlled = each.filter(({ attack }) => CONTROLLED.has(attack.of));
    const differing = new Set<string>();
    for (const browser of [ben, anna])
      for (const one of controlled) {
        const { unknown, known } = await both({ browser, token, own: benOwn }, one);
        expect.soft({ ...one, isAnswered: known.status < 500 }).toEqual({ ...one, isAnswered: true });
        if (known.status !== unknown.status) differing.add(`${one.route} ${one.attack.of}`);
      }
    const all = new Set(controlled.map(({ route, attack }) => `${route} ${attack.of}`));
    expect([...all.difference(differing)]).toEqual([]);
  },
);

test('what is paid for an entity is planned and approved by who may do so there, and by nobody of another one', async () => {
  const { page } = await office();
  await page.web.entities.add('Northwind');
  const pia = await ofEntity(page, 'Pia', 'preparer', 'northwind');
  await ofEntity(page, 'Axel', 'approver', 'main');
  const nora = await ofEntity(page, 'Nora', 'approver', 'northwind');
  const form = (await pia.get('/uploads/new')).text;
  expect(form).toContain('name="connection" value="rehearsal.northwind"');
  expect(form).not.toContain('Nobody here can approve');
  const run = await plan(page, pia, (await uploaded(pia, 'rehearsal.northwind')).upload);
  const made = (await page.web.runs.read(run))?.run;
  expect(made?.header?.entity).toBe('northwind');
  expect(made?.plan?.approval?.approvers.map(({ name }) => name).sort()).toEqual(['Anna', 'Nora']);
  const approval = { total: '12.50 AUD', password: PASSWORD, comment: '' };
  expect((await nora.post(`/runs/${run}/approve`, approval)).location).toBe(`/runs/${run}`);
});
