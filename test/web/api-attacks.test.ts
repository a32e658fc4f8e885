import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/app/people/api-tokens.ts';
import { pageWebhooks } from '../../src/compose/page/webhooks.ts';
import { sendNow } from '../../src/web/api/events.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';
import { apiOf, makeToken, tokenShown } from './api-caller.ts';
import { openPage, PASSWORD, type PageOptions, type TestPage } from './web-page.ts';

const DAY_MS = 24 * 60 * 60_000;
const RUN = 'R20261125-7K3M9QZ2';

/** Every operation, with the scopes of which a token needs one. */
const OPERATIONS: readonly (readonly [method: 'get' | 'post', path: string, scopes: readonly string[]])[] = [
  ['post', '/uploads?name=a.csv', ['uploads:write']],
  ['get', '/uploads/x', ['uploads:write']],
  ['get', '/uploads/x/problems', ['uploads:write']],
  ['post', '/plans', ['plans:write']],
  ['get', `/plans/${RUN}`, ['plans:write', 'runs:start', 'payments:read']],
  ['post', '/runs', ['runs:start']],
  ['get', '/runs', ['payments:read']],
  ['get', `/runs/${RUN}`, ['payments:read', 'runs:start']],
  ['get', `/runs/${RUN}/payouts`, ['payments:read']],
  ['get', `/runs/${RUN}/report`, ['payments:read']],
  ['get', '/recipients', ['recipients:read']],
  ['get', '/connections', ['uploads:write']],
];

/** Anna administers; Ben prepares, and approves what others made; Cid prepares too. */
async function office(deps: NonNullable<PageOptions['deps']> = {}) {
  const page = await openPage({ deps });
  const anna = await page.first('Anna');
  const ben = await page.person('Ben', ['preparer', 'approver']);
  const cid = await page.person('Cid', ['preparer']);
  const id = async (name: string) => (await page.web.people.byName(name))?.id ?? '';
  return { page, anna, ben, cid, id };
}

async function planned({ journal }: TestPage, runId: string): Promise<void> {
  const header = sampleHeader(runId);
  const rows = [sampleRows(3), { kind: 'planned' as const, plan: samplePlan(header), by: 'anna@desk-7' }];
  const created = await journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
}

async function refusal(page: TestPage, token: string | null, headers: Record<string, string> = {}) {
  const { status, json, headers: given } = await apiOf(page, token).get('/runs', headers);
  expect(given.get('content-type')).toBe(status === 200 ? 'application/json' : 'application/problem+json');
  return [status, json.code ?? null];
}

test('a token is shown once, kept as a hash, noted in the audit log, and revoked at once', async () => {
  const { page, anna, ben, cid } = await office();
  const form = { name: 'ERP', scope: ['payments:read'], days: '30', current: PASSWORD };
  for (const wrong of [{ current: 'incorrect horse battery' }, { days: '366' }, { scope: [] }, { name: ' ' }])
    expect((await ben.post('/me/tokens', { ...form, ...wrong })).status).toBe(422);
  const token = await makeToken(ben, ['payments:read', 'plans:write']);
  expect(token).toMatch(/^payrun_[0-9a-z]{40}$/);
  const again = (await ben.get('/me/tokens')).text;
  expect([tokenShown(again), again]).toEqual(['', expect.stringContaining('never')]);
  expect(await refusal(page, token)).toEqual([200, null]);
  expect((await ben.get('/me/tokens')).text).not.toContain('never');
  for (const file of ['web.db', 'web.db-wal'])
    expect(readFileSync(join(page.dataDir, 'web', file)).includes(token.slice(7))).toBe(false);
  const [made] = await page.web.audit.list({ limit: 1 });
  expect(made).toMatchObject({ act: 'token_made', details: { name: 'ERP', scopes: ['payments:read', 'plans:write'] } });
  expect((await ben.get('/me')).text).toContain('href="/me/tokens"');

  // Another preparer neither sees nor revokes it; an administrator does.
  const path = /\/me\/tokens\/\w+\/revoke/.exec((await ben.get('/me/tokens')).text)?.[0] ?? '';
  expect((await cid.get('/me/tokens')).text).not.toContain(path);
  expect((await cid.post(path)).status).toBe(422);
  expect(await refusal(page, token)).toEqual([200, null]);
  expect((await anna.get('/me/tokens')).text).toContain(path);
  expect((await anna.post(path)).location).toBe('/me/tokens?done=revoked');
  expect(await refusal(page, token)).toEqual([401, 'token_revoked']);
  expect((await page.web.audit.list({ limit: 1 }))[0]).toMatchObject({ act: 'token_revoked' });
});

test('without a token that is good now there is one answer, and no cookie takes its place', async () => {
  const { page, anna, ben, id } = await office();
  const token = await makeToken(ben, ['payments:read'], '7');
  expect(await refusal(page, null)).toEqual([401, 'token_missing']);
  expect(await refusal(page, null, { cookie: ben.cookie, origin: page.origin })).toEqual([401, 'token_missing']);
  expect(await refusal(page, null, { authorization: `Basic ${token}` })).toEqual([401, 'token_missing']);
  expect(await refusal(page, `payrun_${'0'.repeat(40)}`)).toEqual([401, 'token_unknown']);
  expect(await refusal(page, `${token.slice(0, -1)}_`)).toEqual([401, 'token_unknown']);
  await anna.post(`/people/${await id('Ben')}/lock`);
  expect(await refusal(page, token)).toEqual([401, 'person_deactivated']);
  await anna.post(`/people/${await id('Ben')}/unlock`);
  expect(await refusal(page, token)).toEqual([200, null]);
  await page.clock.pass(7 * DAY_MS);
  expect(await refusal(page, token)).toEqual([401, 'token_expired']);
  const { headers, json } = await apiOf(page, token).get('/runs');
  expect(headers.get('www-authenticate')).toBe('Bearer realm="payrun", error="invalid_token"');
  expect(json).toMatchObject({ type: 'urn:payrun:problem:token_expired', status: 401, title: expect.any(String) });
});

test('a token does what its scopes allow, and what its person may do by now', async () => {
  const { page, anna, ben, id } = await office();
  const tokens = new Map<string, string>();
  for (const scope of SCOPES) tokens.set(scope, await makeToken(ben, [scope]));
  const ask = ([method, path]: (typeof OPERATIONS)[number], token: string) =>
    apiOf(page, token)
      [method](path)
      .then(({ status, json }) => [status, String(json.code)] as const);
  const held: string[] = [];
  for (const one of OPERATIONS)
    for (const [scope, token] of tokens) {
      const [status, code] = await ask(one, token);
      if (one[2].includes(scope)) expect([one, scope, status]).not.toEqual([one, scope, 403]);
      else expect([one, scope, status, code]).toEqual([one, scope, 403, 'scope_missing']);
    }
  await anna.post(`/people/${await id('Ben')}/roles`, { role: ['approver'] });
  for (const one of OPERATIONS)
    for (const scope of one[2]) {
      const [, code] = await ask(one, tokens.get(scope) ?? '');
      if (code === 'role_missing') held.push(`${one[0]} ${scope}`);
    }
  // An approver still reads, and writes nothing.
  expect(new Set(held)).toEqual(
    new Set([
      'post uploads:write',
      'get uploads:write',
      'post plans:write',
      'get plans:write',
      'post runs:start',
      'get runs:start',
    ]),
  );
  // Nobody makes a token that may do more than they.
  const approver = await page.person('Dan', ['approver']);
  const form = { name: 'ERP', scope: ['runs:start'], days: '30', current: PASSWORD };
  expect((await approver.post('/me/tokens', form)).text).toContain('Choose what the token may do.');
});

test('no page takes a token: it approves, invites, resets and makes tokens nowhere', async () => {
  const { page, ben } = await office();
  const token = await makeToken(ben, SCOPES);
  const before = (await page.web.audit.list({})).length;
  const stranger = page.browser();
  const bearer = { authorization: `Bearer ${token}` };
  let asked = 0;
  for (const { method, path } of page.app.routes) {
    if ((method !== 'GET' && method !== 'POST') || /^\/(api|static|sign-in|welcome|livez|readyz)/.test(path)) continue;
    const place = path.replace(':run', RUN).replaceAll(/:\w+/g, 'x');
    const answer = method === 'GET' ? await stranger.get(place, bearer) : await stranger.post(place, {}, bearer);
    expect([method, place, answer.status]).toEqual([method, place, method === 'GET' ? 303 : 401]);
    // As a program sends it, which has no origin.
    if (method === 'POST') expect((await stranger.post(place, {}, { ...bearer, origin: '' })).status).toBe(403);
    asked++;
  }
  expect(asked).toBeGreaterThan(40);
  expect((await page.web.audit.list({})).length).toBe(before);
});

test('an upload is there for the person who uploaded it, and for nobody else', async () => {
  const { page, ben, cid } = await office();
  const mine = apiOf(page, await makeToken(ben, ['uploads:write', 'plans:write']));
  const theirs = apiOf(page, await makeToken(cid, ['uploads:write', 'plans:write']));
  const { id } = (await mine.upload('a.csv', 'name,amount\n')).json;
  for (const path of [`/uploads/${id}`, `/uploads/${id}/problems`]) {
    expect([path, (await mine.get(path)).status]).toEqual([path, 200]);
    expect([path, (await theirs.get(path)).json]).toMatchObject([path, { status: 404, code: 'not_found' }]);
  }
  expect((await theirs.post('/plans', { upload_id: id })).status).toBe(404);
});

test('a file that arrives while its preparer is deactivated, or the token revoked, is not kept', async () => {
  const { page, ben, id } = await office();
  const token = await makeToken(ben, ['uploads:write']);
  const [made] = await page.web.tokens.list(null);
  const personId = await id('Ben');
  const send = async (meanwhile: () => Promise<unknown>) => {
    const body = new ReadableStream({
      async pull(controller) {
        await meanwhile();
        controller.enqueue(Buffer.from('name\n'));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'x' };
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    const answer = await page.app.fetch(new Request(`${page.origin}/api/v1/uploads?name=a.csv`, init));
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await send(() => page.web.people.setLocked(personId, true))).toEqual([401, 'person_deactivated']);
  await page.web.people.setLocked(personId, false);
  expect(await send(() => page.web.tokens.revoke(made?.id ?? ''))).toEqual([401, 'token_revoked']);
  expect(await page.web.uploads.files()).toEqual([]);
  expect((await page.web.audit.list({})).filter(({ act }) => act === 'uploaded')).toEqual([]);
});

test('a refusal that stays one is given again under its key; one that says to wait is not', async () => {
  const { page, ben } = await office();
  const api = apiOf(page, await makeToken(ben, ['uploads:write', 'plans:write']));
  const { json } = await api.upload('a.csv', 'name\n');
  const twice = async (upload_id: string) => {
    const key = { 'idempotency-key': `of-${upload_id}` };
    const [one, other] = [await api.post('/plans', { upload_id }, key), await api.post('/plans', { upload_id }, key)];
    expect([other.status, other.text]).toEqual([one.status, one.text]);
    expect(other.headers.get('content-type')).toBe('application/problem+json');
    return [one.json.code, one.headers.get('idempotent-replayed'), other.headers.get('idempotent-replayed')];
  };
  expect(await twice('nothing')).toEqual(['not_found', null, null]);
  await page.web.uploads.setRemoved(String(json.id), null);
  expect(await twice(String(json.id))).toEqual(['file_removed', null, 'true']);
});

test('the same request with the same key gets its first answer again, and another one is refused', async () => {
  const { page, ben } = await office();
  const api = apiOf(page, await makeToken(ben, ['uploads:write']));
  const uploads = async () => (await page.web.audit.list({})).filter(({ act }) => act === 'uploaded').length;
  const none = await api.upload('a.csv', 'name\n', { 'idempotency-key': '' });
  expect([none.status, none.json.code]).toEqual([400, 'idempotency_key_missing']);
  const key = { 'idempotency-key': '"november"' };
  const first = await api.upload('a.csv', 'name\n', key);
  const again = await api.upload('a.csv', 'name\n', { 'idempotency-key': 'november' });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  for (const [name, text] of [
    ['a.csv', 'name,amount\n'],
    ['b.csv', 'name\n'],
  ] as const) {
    const other = await api.upload(name, text, key);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  }
  // One that is under way; and a key of another token is another key.
  const [token] = await page.web.tokens.list(null);
  const claim = await page.web.work.take(`answer ${token?.id} november`, 'answered');
  const meanwhile = await api.upload('a.csv', 'name\n', key);
  expect([meanwhile.status, meanwhile.json.code]).toEqual([409, 'idempotency_key_in_use']);
  await claim?.release();
  expect(await uploads()).toBe(1);
  const other = apiOf(page, await makeToken(ben, ['uploads:write']));
  expect((await other.upload('b.csv', 'name\n', key)).status).toBe(201);
  await page.clock.pass(DAY_MS + 1);
  expect((await api.upload('b.csv', 'name\n', key)).status).toBe(201);
  expect(await uploads()).toBe(3);
});

test('a token has its requests of a minute, and is refused more', async () => {
  const { page, ben } = await office();
  const api = apiOf(page, await makeToken(ben, ['payments:read']));
  const other = apiOf(page, await makeToken(ben, ['payments:read']));
  for (let left = 299; left >= 0; left--) {
    const { status, headers } = await api.get('/runs');
    if (left % 100 === 0) expect([status, headers.get('ratelimit')]).toEqual([200, `"token";r=${left};t=60`]);
  }
  const { status, headers, json } = await api.get('/runs');
  expect([status, json.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
  expect(headers.get('ratelimit-policy')).toBe('"token";q=300;w=60');
  expect((await other.get('/runs')).status).toBe(200);
  await page.clock.pass(60_000);
  expect((await api.get('/runs')).status).toBe(200);
});

test('an event is posted until it is taken, eight times in two days and a half, and nothing that happened before', async () => {
  const sent: { id: string; body: string }[] = [];
  let failure: string | null = 'it answered 500';
  const webhooks = {
    mayUse: (url: string) => url.startsWith('https:'),
    send: async (webhook: { id: string; body: string }) => {
      sent.push(webhook);
      return failure;
    },
  };
  const { page, anna, ben, id } = await office({ webhooks });
  await planned(page, RUN);
  const form = { url: 'https://erp.test/payrun', current: PASSWORD };
  expect((await ben.post('/me/webhooks', { ...form, url: 'http://10.0.0.1/' })).status).toBe(422);
  expect((await ben.post('/me/webhooks', { ...form, current: 'incorrect horse battery' })).status).toBe(422);
  expect((await anna.post('/me/webhooks', form)).status).toBe(403);
  expect((await ben.post('/me/webhooks', form)).status).toBe(303);
  expect((await ben.get('/me/webhooks')).text).toMatch(/<pre[^>]*>whsec_[\w+/=]{44}<\/pre>/);
  expect((await ben.get('/me/webhooks')).text).not.toContain('whsec_');
  const look = () => sendNow(page.web, { stopped: new Map(), takenUp: new Set() }, new AbortController().signal);
  await look();
  expect(sent).toEqual([]);

  await planned(page, 'R20261125-8K3M9QZ2');
  const tries: number[] = [];
  for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 10) {
    const before = sent.length;
    await look();
    if (sent.length > before) tries.push(minutes);
    await page.clock.pass(10 * 60_000);
  }
  expect(tries).toEqual([0, 10, 20, 30, 60, 180, 660, 3540]);
  expect(new Set(sent.map(({ id: each, body }) => `${each} ${body}`)).size).toBe(1);
  expect(sent[0]?.id).toMatch(/^plan_created_R20261125-8K3M9QZ2_\w+$/);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ type: 'plan.created', data: { id: 'R20261125-8K3M9QZ2' } });
  const [endpoint] = await page.web.endpoints.list();
  const standing = await page.web.endpoints.standing(endpoint?.id ?? '');
  expect(standing).toEqual({ sentAt: null, failure: 'it answered 500', givenUp: 1 });

  failure = null;
  await planned(page, 'R20261125-9K3M9QZ2');
  await look();
  await look();
  expect(sent).toHaveLength(9);
  await page.web.people.setLocked(await id('Ben'), true);
  await planned(page, 'R20261125-AK3M9QZ2');
  await look();
  expect(sent).toHaveLength(9);
});

test('webhooks go to public addresses over https, unless the operator allows others', async () => {
  const [careful, allowing] = [pageWebhooks(false), pageWebhooks(true)];
  const inside = [
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'http://127.0.0.1/',
  ];
  for (const url of inside) expect([url, careful.mayUse(url)]).toEqual([url, false]);
  for (const url of inside) expect([url, allowing.mayUse(url)]).toEqual([url, true]);
  for (const url of [
    'https://169.254.169.254/',
    'http://erp.example.com/',
    'https://a:b@erp.example.com/',
    'file:///x',
  ])
    expect([url, careful.mayUse(url)]).toEqual([url, false]);
  expect(allowing.mayUse('https://169.254.169.254/')).toBe(false);
  const receiver = await webhookReceiver();
  const webhook = { id: 'x', secret: receiver.secret, body: '{}' };
  const { signal } = new AbortController();
  expect(await careful.send({ ...webhook, url: receiver.url }, signal)).toContain('not allowed');
  // A name that leads inside is found out when it is connected to.
  expect(careful.mayUse('https://inside.example.com/')).toBe(true);
  expect(receiver.requests).toBe(0);
  expect(await allowing.send({ ...webhook, url: receiver.url }, signal)).toBeNull();
});

test('what cannot be read is refused with its place, and other pages get no leave to ask', async () => {
  const { page, ben } = await office();
  const token = await makeToken(ben, SCOPES);
  const api = apiOf(page, token);
  const wrong = await api.post('/plans', { upload_id: 'x', 'a/b': 1, only_valid: 'yes' });
  expect(wrong.json).toMatchObject({ status: 422, code: 'invalid_input' });
  expect(JSON.stringify(wrong.json)).toContain('"pointer":"/only_valid"');
  const cases = [
    [api.post('/plans', {}, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    [api.post('/plans', { upload_id: 'x'.repeat(70_000) }), 413, 'too_large'],
    [api.get('/runs?limit=201'), 422, 'invalid_input'],
    [api.get('/runs?cursor=cm93'), 422, 'invalid_input'],
    [api.get('/nothing'), 404, 'not_found'],
    [api.get('/plans'), 405, 'method_not_allowed'],
    [api.upload('a.exe', 'x'), 422, 'file_refused'],
    [api.upload('a.csv', 'x'.repeat(26 * 1024 * 1024)), 413, 'too_large'],
  ] as const;
  for (const [answer, status, code] of cases) {
    const { json, headers } = await answer;
    expect([json.status, json.code]).toEqual([status, code]);
    expect(headers.get('content-type')).toBe('application/problem+json');
  }
  const ask = (method: string, host: string) =>
    page.app.fetch(
      new Request(`http://${host}/api/v1/runs`, {
        method,
        headers: { authorization: `Bearer ${token}`, origin: 'https://evil.test' },
      }),
    );
  const preflight = await ask('OPTIONS', new URL(page.origin).host);
  expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'POST, GET']);
  const rebound = await ask('GET', 'evil.test');
  expect(rebound.status).toBe(421);
  for (const answer of [preflight, rebound, await ask('GET', new URL(page.origin).host)])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
