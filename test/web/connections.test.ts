import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_READING } from '../../src/web/uploads/uploads.ts';
import { payrun } from '../support/payrun.ts';
import { admin, allTransactions } from '../support/service-admin.ts';
import { hasSecondLoopback } from '../support/tcp-proxy.ts';
import {
  addConnection,
  approve,
  connected,
  count,
  type Fields,
  headerOf,
  keys,
  office,
  PRIVATE,
  placeOf,
  putKey,
  reached,
  services,
  sheetOf,
} from './connected-office.ts';
import { caller, isOver, plan, type Reply, until } from './page-process.ts';
import { realTasks } from './real-tasks.ts';
import { PASSWORD } from './web-page.ts';

test.runIf(await hasSecondLoopback()).each(['SQLite', 'PostgreSQL'] as const)(
  'what is uploaded over a connection is paid there and nowhere else, after a rehearsal on the same page, in %s',
  async (kind) => {
    const { omar, anna, ben, live, sandbox } = await connected({ database: await placeOf(kind) });
    const listed = (await omar.get('/settings/connections')).text;
    expect(listed).toMatch(/Northwind live<\/a>.*?LIVE.*?Working/s);
    expect(listed).toMatch(/Northwind sandbox<\/a>.*?TEST.*?Working/s);
    expect(await Promise.all([count(live), count(sandbox)])).toEqual([0, 0]);

    const counts: [string, string, RegExp, number[]][] = [
      ['rehearsal', '12.50', /<body class="test">/, [0, 0]],
      ['northwind-sandbox', '13.00', /<body class="test">/, [0, 1]],
      ['northwind-live', '12.50', /<body class="live">/, [1, 1]],
    ];
    for (const [connection, amount, mode, paid] of counts) {
      const upload = await anna.upload('July.csv', sheetOf('Ada Byron', amount), { connection });
      expect((await until(anna, upload, ({ text }) => text.includes('Submit 1 payout'))).text).toMatch(mode);
      const run = await plan(anna, upload);
      expect((await ben.get(run)).text).toMatch(mode);
      await approve(ben, run, amount);
      await anna.post(`${run}/start`);
      await until(anna, run, isOver);
      expect(await Promise.all([count(live), count(sandbox)]), connection).toEqual(paid);
    }
    // The person used it last, so it is offered again; both modes stand beside their connections.
    expect((await anna.get('/uploads/new')).text).toMatch(/value="northwind-live" required checked>.*?LIVE/s);
    expect((await omar.get('/')).text).toMatch(/<title>[^<]* · LIVE and TEST · payrun/);
  },
);

const notices = ({ text }: Reply) =>
  Array.from(text.matchAll(/class="notice wrong"[^>]*>(.*?)<\/div>/gs), ([, one]) => one).join();

test('a run that stopped is resumed over its connection with the present key, after its page was killed and its key rotated', async () => {
  const args = [...PRIVATE, '--wait-timeout', '300ms'];
  const { omar, anna, ben, sandbox, dataDir, journal, restart } = await connected({ args });
  const [connection, path] = ['northwind-sandbox', '/settings/connections/northwind-sandbox'];
  const run = await plan(anna, await anna.upload('July.csv', sheetOf('REHEARSE_STUCK Ada'), { connection }));
  await approve(ben, run);
  await anna.post(`${run}/start`);
  await until(anna, run, ({ text }) => text.includes('Timed out'));
  const file = join(dataDir, 'keys', 'sandbox.pem');
  expect(await headerOf(journal, run)).toMatchObject({ connection, profile: { signing_key_file: file } });

  putKey(dataDir, 'next.pem', sandbox.signing_key_file);
  expect((await omar.post(`${path}/rotate`, keys(sandbox, 'next.pem'))).location).toBe(`${path}?done=rotated`);
  rmSync(file);
  const again = await caller(await restart());
  await again.post('/sign-in', { name: 'Anna', password: PASSWORD });
  const [transaction] = await allTransactions(sandbox);
  await admin(sandbox, 'transaction.settle', { id: transaction?.id });
  expect((await again.post(`${run}/resume`)).location).toBe(run);
  await until(again, run, isOver);
  expect(await count(sandbox)).toBe(1);
});

test('a key that is not accepted takes no place, and over a connection that is disabled nothing begins', async () => {
  const { omar, anna, ben, sandbox, live, dataDir, member } = await connected();
  const [connection, path] = ['northwind-sandbox', '/settings/connections/northwind-sandbox'];
  // The key of another customer, and one that is not there.
  for (const [name, words] of [
    ['live.pem', 'The service rejects the credentials'],
    ['gone.pem', 'gone.pem is not there'],
  ]) {
    const refused = await omar.post(`${path}/rotate`, keys(sandbox, name ?? ''));
    expect([refused.status, notices(refused)]).toEqual([422, expect.stringContaining(words ?? '')]);
  }
  expect((await omar.get(path)).text).toContain('sandbox.pem');

  const [approved, waiting] = [
    await plan(anna, await anna.upload('July.csv', sheetOf('Ada Byron'), { connection })),
    await anna.upload('August.csv', sheetOf('Mary Jackson', '20.00'), { connection }),
  ];
  // Who added a connection looks at it no better than anybody who was given it: another administrator confirms it.
  const olga = await member('Olga', 'administrator');
  expect((await omar.post(`${path}/confirm`)).status).toBe(409);
  expect((await ben.post(`${approved}/approve`, { total: '12.50 AUD', password: PASSWORD })).status).toBe(422);
  expect((await olga.post(`${path}/confirm`)).location).toBe(`${path}?done=confirmed`);
  expect((await ben.post(`${approved}/approve`, { total: '12.50 AUD', password: PASSWORD })).location).toBe(approved);

  await omar.post(`${path}/disable`);
  await anna.post(`${approved}/start`);
  await until(anna, approved, ({ text }) => text.includes('The connection Northwind sandbox is disabled.'));
  await anna.post(`${waiting}/plan`);
  const refused = await until(anna, `${waiting}/plan`, ({ status }) => status === 409);
  expect(refused.text).toContain('The connection Northwind sandbox is disabled.');
  expect((await anna.get('/uploads/new')).text).not.toContain('Northwind sandbox');
  expect(await count(sandbox)).toBe(0);

  await omar.post(`${path}/enable`);
  await anna.post(`${approved}/start`);
  await until(anna, approved, isOver);
  expect(await Promise.all([count(sandbox), count(live)])).toEqual([1, 0]);
  expect(existsSync(join(dataDir, 'keys', 'sandbox.pem'))).toBe(true);
});

test.each(['SQLite', 'PostgreSQL'] as const)(
  'a disabled connection starts no approved plan by command, and runs under way continue, in %s',
  async (kind) => {
    const database = await placeOf(kind);
    const args = [...PRIVATE, '--wait-timeout', '300ms'];
    const { omar, anna, ben, sandbox, folder, dataDir } = await connected({ args, database });
    const [connection, path] = ['northwind-sandbox', '/settings/connections/northwind-sandbox'];
    const planned = async (sheet: string) => plan(anna, await anna.upload('July.csv', sheet, { connection }));
    const begun = await planned(sheetOf('REHEARSE_STUCK Ada'));
    await approve(ben, begun);
    await anna.post(`${begun}/start`);
    await until(anna, begun, ({ text }) => text.includes('Timed out'));
    const approved = await planned(
      sheetOf('Mary Jackson', '20.00').replace('E1,', 'E2,').replace('12345678', '87654321'),
    );
    await approve(ben, approved, '20.00');
    await omar.post(`${path}/disable`);

    const place = ['--data-dir', dataDir, ...(database === '' ? [] : ['--database', database])];
    const byCommand = (command: string, run: string, ...more: string[]) =>
      payrun([command, run.split('/')[2] ?? '', ...place, ...more], { cwd: folder });
    if (database !== '') expect((await payrun(['worker', '--prepare', ...place])).exit).toBe(0);
    const profile = join(folder, 'profile.yaml');
    const { url, api_key, signing_key_file } = sandbox;
    writeFileSync(profile, JSON.stringify({ base_url: url, api_key, signing_key_file }));
    const ways = [['--yes'], ['--yes', '--profile', profile], ...(database === '' ? [] : [['--yes', '--detach']])];
    for (const way of ways) {
      const refused = await byCommand('run', approved, ...way);
      expect([way, refused.exit, refused.stderr]).toEqual([
        way,
        6,
        expect.stringMatching(
          /Northwind sandbox is disabled\. Nothing was sent\.[\s\S]*enables it on the page, in Settings/,
        ),
      ]);
    }
    expect(await count(sandbox)).toBe(1);

    const [transaction] = await allTransactions(sandbox);
    await admin(sandbox, 'transaction.fail', { id: transaction?.id, reason: 'ACCOUNT_CLOSED' });
    expect((await byCommand('resume', begun)).exit).toBe(4);

    // A page process started earlier cannot plan either.
    const august = join(folder, 'August.csv');
    writeFileSync(august, sheetOf('Grace Hopper'));
    const over = { profile: readFileSync(profile, 'utf8'), entity: null, connection, isRehearsal: null };
    const file = {
      path: august,
      name: 'August.csv',
      job: null,
      reading: DEFAULT_READING,
      corrects: null,
      memory: null,
    };
    const maker = { keyFile: 'none', passphrase: '', person: 'Anna' };
    const how = { policy: null, onlyValid: false, period: null, allowRepeat: null, start: null };
    if (database === '')
      expect(await realTasks(() => dataDir, folder).plan({ ...file, maker, over, ...how })).toMatchObject({
        outcome: 'refused',
        refusal: { reason: { code: 'connection_closed', why: 'disabled' } },
      });

    await omar.post(`${path}/enable`);
    expect(await byCommand('run', approved, '--yes', '--wait-timeout', '30s')).toMatchObject({ exit: 0 });
    expect(await count(sandbox)).toBe(2);
  },
);

test('an administrator reaches no file, no variable and no address that the operator did not allow', async () => {
  const { omar, anna, url, dataDir, folder } = await office({ args: [] });
  const { sandbox } = await services(folder);
  putKey(dataDir, 'sandbox.pem', sandbox.signing_key_file);
  const good = { name: 'New', base_url: 'https://payouts.example/', api_key: 'key_1', signing_key_file: 'sandbox.pem' };
  const attacks: [Fields, string][] = [
    [{ base_url: sandbox.base_url }, 'base_url: the address is not https'],
    [{ base_url: 'https://169.254.169.254/' }, 'base_url: the address leads to an address that is not public'],
    [{ base_url: 'https://localhost/' }, 'base_url: the address leads to an address that is not public'],
    [{ base_url: 'https://[::ffff:10.0.0.1]/' }, 'base_url: the address leads to an address that is not public'],
    [{ base_url: 'https://user:word@payouts.example/' }, 'base_url'],
    [{ signing_key_file: '/etc/passwd' }, 'signing_key_file: name a file in the keys folder'],
    [{ signing_key_file: 'file:../web/page.db' }, 'signing_key_file: name a file in the keys folder'],
    [{ signing_key_file: '..' }, 'signing_key_file: name a file in the keys folder'],
    [{ signing_key_file: 'env:PAYRUN_DATABASE' }, 'signing_key_file: variables of keys begin with PAYRUN_KEY_'],
    [{ api_key: 'file:sandbox.pem' }, 'api_key: write the id itself'],
    [{ api_key: 'env:PAYRUN_KEY_A' }, 'api_key: write the id itself'],
    [{ webhook_listen: '0.0.0.0:22' }, 'webhooks.listen: write an address of this machine and a port from 1024 on'],
    [{ webhook_listen: '127.0.0.1:8795', webhook_secret: '/etc/shadow' }, 'webhooks.secret: name a file'],
    [{ current: 'not the password' }, 'password'],
    [{ entity: 'nobody' }, 'Choose the entity'],
  ];
  for (const [fields, words] of attacks) {
    const refused = await addConnection(omar, { ...good, ...fields });
    expect([refused.status, notices(refused)], JSON.stringify(fields)).toEqual([422, expect.stringContaining(words)]);
  }
  const yaml = 'base_url: https://payouts.example/\napi_key: key_1\nsigning_key_file: sandbox.pem\n';
  const pasted: [string, string][] = [
    [
      `${yaml}signing: {scheme: template, headers: {x-key: "{key}"}, message: "{path}"}\n`,
      'profile:4:10: signing: only rfc9421',
    ],
    [`${yaml}ca_file: ../ca.pem\n`, 'profile:4:10: ca_file: name a file in the keys folder'],
    [`${yaml}database: postgres://a@b/c\n`, 'profile:4:1'],
    [`${yaml}rate: fast\n`, 'profile:4:7'],
    ['a: [', 'profile:1:'],
  ];
  for (const [profile, words] of pasted) {
    const refused = await addConnection(omar, { name: 'New', profile });
    expect([refused.status, notices(refused)], profile).toEqual([422, expect.stringContaining(words)]);
  }
  // A name that leads inside is noticed when it is tested, and what was not tested pays nothing.
  const inside = await addConnection(omar, { ...good, base_url: 'https://ip6-localhost.test/', name: 'Inside' });
  expect(inside.location).toBe('/settings/connections/inside?done=added');
  expect((await omar.get('/settings/connections/inside')).text).toContain('Test failed');
  expect((await anna.get('/uploads/new')).text).not.toContain('Inside');
  expect(await anna.upload('July.csv', sheetOf('Ada Byron'), { connection: 'inside' })).toBe('');
  // Nobody but an administrator sees or changes any of it.
  for (const path of [
    '/settings/connections',
    '/settings/connections/new',
    '/settings/connections/inside',
    '/settings/entities',
  ])
    expect((await anna.get(path)).status, path).toBe(403);
  expect((await addConnection(anna, { ...good, name: 'Of Anna' })).status).toBe(403);
  expect((await caller(url).post('/settings/connections/inside/test')).status).toBe(401);
});

test('the entity of a connection is in its payments: the switcher narrows lists to it, and opens nothing', async () => {
  const { omar, anna, ben, sandbox, journal } = await connected();
  await omar.post('/settings/entities', { name: 'Northwind GmbH' });
  const added = await addConnection(omar, {
    ...{ name: 'Of the GmbH', entity: 'northwind-gmbh' },
    ...reached(sandbox, 'sandbox.pem'),
  });
  expect(added.location).toBe('/settings/connections/of-the-gmbh?done=added');
  const planned = async (name: string, connection: string) =>
    plan(anna, await anna.upload(`${name}.csv`, sheetOf(name), { connection }));
  const gmbh = await planned('Greta Bauer', 'of-the-gmbh');
  const rehearsed = await planned('Rosa Lang', 'rehearsal.northwind-gmbh');
  const main = await planned('Ada Byron', 'northwind-sandbox');
  expect(await headerOf(journal, gmbh)).toMatchObject({ entity: 'northwind-gmbh', connection: 'of-the-gmbh' });
  expect(await headerOf(journal, rehearsed)).toMatchObject({ entity: 'northwind-gmbh', profile: { base_url: null } });
  expect('entity' in (await headerOf(journal, main))).toBe(false);

  const listed = async (path: string) => {
    const { text } = await ben.get(path);
    return [gmbh, rehearsed, main].map((run) => text.includes(`href="${run}`));
  };
  for (const path of ['/runs', '/approvals']) expect(await listed(path)).toEqual([true, true, true]);
  expect((await ben.post('/entity', { entity: 'northwind-gmbh', next: '/runs' })).location).toBe('/runs');
  for (const path of ['/runs', '/approvals', '/'])
    expect([path, await listed(path)]).toEqual([path, [true, true, false]]);
  expect((await ben.get(main)).status).toBe(200);
  for (const next of ['//evil.test/', 'https://evil.test/'])
    expect((await ben.post('/entity', { entity: 'main', next })).location).toBe('/');
  expect(await listed('/runs')).toEqual([false, false, true]);
  for (const connection of ['started', 'nothing', 'rehearsal.nothing'])
    expect(await anna.upload('Other.csv', sheetOf('Eva Stein', '9.00'), { connection })).toBe('');
});

test('lists and new payments use the chosen mode while both modes exist', async () => {
  const { omar, anna, ben, url } = await connected();
  const planned = async (amount: string, connection: string) =>
    plan(anna, await anna.upload('July.csv', sheetOf('Ada Byron', amount), { connection }));
  const rehearsed = await planned('12.50', 'rehearsal');
  const tested = await planned('13.00', 'northwind-sandbox');
  const live = await planned('14.00', 'northwind-live');
  await anna.upload('Draft.csv', sheetOf('Ada Byron', '15.00'), { connection: 'northwind-live' });

  const bar = ({ text }: Reply) => {
    const [, shown = ''] = /<section class="modebar"[^>]*>([\s\S]*?)<\/section>/.exec(text) ?? [];
    return shown
      .replace(/<span class="now">.*?<\/span>|<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  };
  const lists = async () => {
    const runs: Record<string, boolean[]> = {};
    for (const path of ['/runs', '/approvals', '/']) {
      const { text } = await ben.get(path);
      runs[path] = [rehearsed, tested, live].map((run) => text.includes(`href="${run}`));
    }
    return runs;
  };
  const same = (shown: boolean[]) => ({ '/runs': shown, '/approvals': shown, '/': shown });
  expect(bar(await ben.get('/runs'))).toBe(
    'LIVE and TEST Each payment shows whether real money moves Northwind live and Northwind sandbox Switch to LIVE Switch to TEST',
  );
  expect(await lists()).toEqual(same([true, true, true]));
  expect((await ben.post('/mode', { mode: 'test', next: '/runs' })).location).toBe('/runs');
  expect(bar(await ben.get('/runs'))).toBe(
    'TEST REHEARSAL: no money moves Northwind sandbox Lists show TEST payments only Switch to LIVE Show both',
  );
  expect(await lists()).toEqual(same([true, true, false]));
  // An open payment shows its own mode, without a switch.
  expect(bar(await ben.get(live))).toBe('LIVE Real money moves Northwind live');
  for (const next of ['//evil.test/', 'https://evil.test/'])
    expect((await ben.post('/mode', { mode: 'live', next })).location).toBe('/');
  expect(await lists()).toEqual(same([false, false, true]));

  const begun = async (mode: string) => {
    await anna.post('/mode', { mode, next: '/' });
    const [, chosen] =
      /name="connection" value="([^"]*)" required checked/.exec((await anna.get('/uploads/new')).text) ?? [];
    return [chosen, (await anna.get('/')).text.includes('Draft.csv')];
  };
  expect(await begun('')).toEqual(['northwind-live', true]);
  expect(await begun('test')).toEqual(['northwind-sandbox', false]);
  expect(await begun('live')).toEqual(['northwind-live', true]);
  expect(bar(await caller(url).get('/sign-in'))).not.toContain('Northwind');

  // Once no live payment is possible, the filter is dropped: nobody is stuck with empty lists.
  expect((await omar.post('/settings/connections/northwind-live/disable')).status).toBe(303);
  expect(await lists()).toEqual(same([true, true, true]));
  expect(bar(await ben.get('/runs'))).toBe('TEST REHEARSAL: no money moves Northwind sandbox');
});

test('a program lists what its person may pay over and chooses one', async () => {
  const { omar, anna, url, sandbox } = await connected();
  const made = await anna.post('/me/tokens', {
    ...{ name: 'ERP', scope: ['uploads:write', 'plans:write'], days: '7' },
    current: PASSWORD,
  });
  expect(made.location).toBe('/me/tokens');
  const token = /payrun_[0-9a-z]{40}/.exec((await anna.get('/me/tokens')).text)?.[0] ?? '';
  const ask = async (path: string, init: RequestInit = {}) => {
    const json = { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': path, ...(path === '/plans' && json) };
    const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const listed = async () => (await ask('/connections')).json.items as { id: string; mode: string }[];
  expect(await listed()).toMatchObject([
    { id: 'northwind-live', mode: 'live', entity: { id: 'main', name: 'Main' } },
    { id: 'northwind-sandbox', name: 'Northwind sandbox', mode: 'test' },
    { id: 'rehearsal', service: 'inside payrun', mode: 'test' },
  ]);
  const upload = (connection: string) =>
    ask(`/uploads?name=a.csv&wait=30&connection=${connection}`, { method: 'POST', body: sheetOf('Ada Byron') });
  const { json } = await upload('northwind-sandbox');
  expect(json).toMatchObject({ state: 'checked', connection: 'northwind-sandbox' });
  await omar.post('/settings/connections/northwind-live/disable');
  expect((await listed()).map(({ id }) => id)).toEqual(['northwind-sandbox', 'rehearsal']);
  expect(await upload('northwind-live')).toMatchObject({ status: 422, json: { code: 'file_refused' } });
  const init = { method: 'POST', body: JSON.stringify({ upload_id: json.id }) };
  expect(await ask('/plans', init)).toMatchObject({ status: 201, json: { rehearsal: true } });
  expect(await count(sandbox)).toBe(0);
});

test('a job that is chosen after the upload has to be of the entity of its connection; what is retried stays with both', async () => {
  const { omar, anna, ben, sandbox, live, journal, folder } = await connected();
  await omar.post('/settings/entities', { name: 'Northwind GmbH' });
  await addConnection(omar, {
    ...{ name: 'Of the GmbH', entity: 'northwind-gmbh' },
    ...reached(sandbox, 'sandbox.pem'),
  });
  mkdirSync(join(folder, 'jobs'));
  for (const [name, entity] of [
    ['gmbh', 'northwind-gmbh'],
    ['main', 'main'],
  ])
    writeFileSync(join(folder, 'jobs', `${name}.yaml`), `input: none.csv\nentity: ${entity}\n`);
  const upload = async (connection: string) => {
    const path = await anna.upload('July.csv', sheetOf('REHEARSE_CLOSED Ada'), { connection });
    await until(anna, path, ({ text }) => text.includes('Submit 1 payout'));
    return path;
  };
  const ofMain = await upload('northwind-sandbox');
  const refused = await anna.post(`${ofMain}/job`, { job: 'gmbh' });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('The job gmbh pays for Northwind GmbH, and the connection Northwind sandbox is of Main.'),
  ]);
  expect(refused.text).toContain('Choose a connection of Northwind GmbH.');
  expect((await anna.get(ofMain)).text).not.toContain('the job gmbh');
  expect((await anna.post(`${ofMain}/job`, { job: 'main' })).location).toBe(ofMain);

  const ofGmbh = await upload('of-the-gmbh');
  expect((await anna.post(`${ofGmbh}/job`, { job: 'main' })).status).toBe(422);
  const [connection, entity] = ['of-the-gmbh', 'northwind-gmbh'];
  const run = await plan(anna, ofGmbh);
  await approve(ben, run);
  await anna.post(`${run}/start`);
  await until(anna, run, ({ text }) => text.includes('Retry 1 failed'));
  // Used last, and so offered, is another connection.
  await upload('northwind-live');
  const again = (await anna.post(`${run}/retry`)).location;
  expect(await headerOf(journal, again)).toMatchObject({ connection, entity, retries: run.split('/')[2] });
  const corrected = await anna.upload('Corrected.csv', sheetOf('Ada Byron'), { corrects: run.split('/')[2] ?? '' });
  const other = await plan(anna, corrected);
  expect(await headerOf(journal, other)).toMatchObject({ connection, entity, retries: run.split('/')[2] });
  await approve(ben, other);
  await anna.post(`${other}/start`);
  await until(anna, other, isOver);
  expect(await Promise.all([count(live), count(sandbox)])).toEqual([0, 2]);
});
