import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, guideText } from '../support/guides.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { PROJECT } from '../support/payrun-process.ts';
import { arrivals } from '../support/service-admin.ts';
import { startWeb } from '../support/web-process.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';
import { apiCaller, tokenShown } from './api-caller.ts';
import { type Caller, comeIn, linkOn } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

const run = promisify(execFile);

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const FILE = `${HEADER}\nE1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\nE2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000\n`;
const ALL = ['uploads:write', 'plans:write', 'runs:start', 'payments:read'];

/** A real page over a service of its own: Ben prepares and has a token, Anna approves. */
async function office() {
  const dataDir = temporaryFolder();
  const service = await startService({ dataDir: temporaryFolder() });
  const start = (port = '0') =>
    startWeb({ dataDir, service, port, args: ['--poll-every', '20ms', '--allow-private-webhooks'] });
  const page = await start();
  const { url } = page;
  const ben = await comeIn(url, page.firstUserUrl ?? '', { name: 'Ben', role: ['preparer'] });
  const invited = await ben.post('/people', { name: 'Anna', role: 'approver' });
  const anna = await comeIn(url, await linkOn(ben, invited.location));
  await ben.post('/me/tokens', { name: 'ERP', scope: ALL, days: '30', current: PASSWORD });
  const token = tokenShown((await ben.get('/me/tokens')).text);
  return { page, dataDir, start, service, url, ben, anna, token };
}

function approve(anna: Caller, plan: string) {
  return anna.post(`/runs/${plan}/approve`, { total: '1032.50 AUD', password: PASSWORD });
}

/** The client of the samples with types made of the document, beside the packages that it takes. */
async function clientFolder(url: string): Promise<string> {
  const folder = temporaryFolder();
  copyFileSync(join(PROJECT, 'samples/api/pay.mts'), join(folder, 'pay.mts'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(document);
  expect([valid, errors]).toEqual([true, undefined]);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const hooks = join(PROJECT, 'test/support/typescript-for-openapi.ts');
  const generator = join(PROJECT, 'node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, ['--import', hooks, generator, 'openapi.json', '-o', 'payrun-api.d.ts'], { cwd: folder });
  return folder;
}

/** What TypeScript finds wrong in the file; empty where it is nothing. */
async function wrongIn(folder: string, file: string): Promise<string> {
  const options = '--target es2025 --module nodenext --strict --noUncheckedIndexedAccess --types node --noEmit';
  const given = [...options.split(' '), '--allowImportingTsExtensions', '--ignoreConfig', file];
  const tsc = join(PROJECT, 'node_modules/typescript/lib/tsc.js');
  return run(process.execPath, [tsc, ...given], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test('a generated client type-checks, and pays from the upload to the report', async () => {
  const { url, ben, anna, token } = await office();
  const receiver = await webhookReceiver();
  await ben.post('/me/webhooks', { url: receiver.url, current: PASSWORD });
  receiver.secret = /<pre[^>]*>(whsec_[\w+/=]+)<\/pre>/.exec((await ben.get('/me/webhooks')).text)?.[1] ?? '';
  const folder = await clientFolder(url);
  expect(await wrongIn(folder, 'pay.mts')).toBe('');
  const wrong = readFileSync(join(folder, 'pay.mts'), 'utf8').replace('upload_id: upload.id', 'upload: upload.id');
  writeFileSync(join(folder, 'wrong.mts'), wrong);
  expect(await wrongIn(folder, 'wrong.mts')).toContain("'upload' does not exist");

  writeFileSync(join(folder, 'november.csv'), FILE);
  const env = { ...process.env, PAYRUN_API: `${url}/api/v1`, PAYRUN_TOKEN: token };
  const paying = execFile(process.execPath, ['pay.mts', 'november.csv'], { cwd: folder, env });
  onTestFinished(() => void paying.kill());
  let said = '';
  paying.stdout?.on('data', (text: string) => {
    said += text;
  });
  paying.stderr?.on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise((resolve) => paying.on('close', resolve));
  await expect.poll(() => said).toMatch(/Waiting for approval: \S+\n/);
  const plan = /runs\/(R\S+)/.exec(said)?.[1] ?? '';
  expect((await approve(anna, plan)).location).toBe(`/runs/${plan}`);
  expect([await ended, said]).toEqual([0, expect.stringContaining('2 Ada Byron 1012.50 AUD completed')]);
  expect(readFileSync(join(folder, `${plan}.csv`), 'utf8')).toContain('Mary Jackson');
  const posted = () => receiver.webhooks.map(({ event }) => event.type);
  await expect.poll(posted).toContain('run.finished');
  expect(posted()).toEqual([...new Set(posted())]);
  expect(receiver.webhooks.at(-1)?.event.data).toMatchObject({ id: plan, state: 'finished', counts: { completed: 2 } });
});

test('what began and ended while the page was killed is posted when it is there again, each event once', async () => {
  const { page, dataDir, start, service, url, ben } = await office();
  const receiver = await webhookReceiver();
  await ben.post('/me/webhooks', { url: receiver.url, current: PASSWORD });
  receiver.secret = /<pre[^>]*>(whsec_[\w+/=]+)<\/pre>/.exec((await ben.get('/me/webhooks')).text)?.[1] ?? '';
  const kill = async ({ started }: typeof page) => {
    started.child.kill('SIGKILL');
    await started.ended;
  };
  const cwd = temporaryFolder();
  const given = ['--data-dir', dataDir, ...service.options, '--poll-every', '20ms', '--json'];
  const plan = async (name: string) => {
    writeFileSync(
      join(cwd, name),
      FILE.replaceAll('E1', name).replaceAll('12345678', name === 'a.csv' ? '12345671' : '12345672'),
    );
    return String(JSON.parse((await payrun(['plan', name, ...given], { cwd })).stdout).run_id);
  };
  const posted = () => receiver.webhooks.map(({ event }) => `${event.type} ${event.data.id}`).toSorted();
  // What is posted, and not yet noted as posted when the page is killed, is posted again.
  const notNoted = () => {
    using database = new DatabaseSync(join(dataDir, 'web/web.db'), { readOnly: true });
    return database.prepare('SELECT key FROM webhook_delivery WHERE done_at IS NULL').all();
  };

  await kill(page);
  const paid = await plan('a.csv');
  expect((await payrun(['run', paid, '--yes', ...given], { cwd })).exit).toBe(0);
  const second = await start(new URL(url).port);
  const ofPaid = ['plan.created', 'run.finished', 'run.started'].map((type) => `${type} ${paid}`);
  await expect.poll(posted).toEqual(ofPaid);
  await expect.poll(notNoted).toEqual([]);

  // Another start looks at everything again, and posts what is new alone.
  await kill(second);
  const waiting = await plan('b.csv');
  await start(new URL(url).port);
  await expect.poll(posted).toContain(`plan.created ${waiting}`);
  expect(posted()).toEqual([...ofPaid, `plan.created ${waiting}`].toSorted());
});

test('the lines of the guide pay a file', async () => {
  const { url, anna, token } = await office();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'payroll.csv'), FILE);
  const env = { ...process.env, PAYRUN_API: `${url}/api/v1`, PAYRUN_TOKEN: token };
  const [first = '', then = ''] = blocksOf(guideText('src/web/api/README.md')).map(({ text }) => text);
  const shell = (script: string) => run('bash', ['-euo', 'pipefail', '-c', script], { cwd, env });
  const planned = await shell(`${first}\necho "$PLAN"`);
  expect(planned.stdout).toContain('awaiting_approval');
  const plan = planned.stdout.trim().split('\n').at(-1) ?? '';
  expect((await approve(anna, plan)).location).toBe(`/runs/${plan}`);
  const [ask = ''] = first.split('\n\n');
  const paid = await shell(`${ask}\nPLAN=${plan}\n${then}`);
  expect(paid.stdout).toMatch(/2\tAda Byron\t1012\.50\tAUD\tcompleted\n3\tMary Jackson\t20\.00\tAUD\tcompleted\n$/);
  expect(readFileSync(join(cwd, 'report.csv'), 'utf8')).toContain('Mary Jackson');
});

test('a page that is killed between starting a run and its answer starts it once; the same request gets the run', async () => {
  const { page, dataDir, start, service, url, anna, token } = await office();
  const at = (place: string) => apiCaller((path, init) => fetch(new URL(path, place), init), token);
  const keyed = (step: string) => ({ 'idempotency-key': step });
  const upload = await at(url).upload('november.csv', FILE, keyed('upload'));
  const plan = await at(url).post('/plans', { upload_id: upload.json.id }, keyed('plan'));
  const plan_id = String(plan.json.id);
  await approve(anna, plan_id);
  const database = () => new DatabaseSync(join(dataDir, 'web', 'web.db'));
  const read = (sql: string) => {
    const opened = database();
    const rows = opened.prepare(sql).all();
    opened.close();
    return rows;
  };
  const asked = at(url)
    .post('/runs', { plan_id }, keyed('start'))
    .catch(() => null);
  await expect.poll(() => read("SELECT 1 FROM audit WHERE act = 'started'").length, { interval: 5 }).toBe(1);
  page.started.child.kill('SIGKILL');
  await page.started.ended;
  expect(await asked).toBeNull();
  expect(read("SELECT status FROM api_answer WHERE key = 'start'")).toEqual([{ status: null }]);
  // As if the page had been killed before it kept the others.
  const edited = database();
  edited.exec('UPDATE api_answer SET status = NULL, body = NULL');
  edited.close();

  const next = at((await start()).url);
  const again = await next.post('/runs', { plan_id }, keyed('start'));
  expect([[200, 201], again.json]).toMatchObject([expect.arrayContaining([again.status]), { id: plan_id }]);
  await expect.poll(async () => (await next.get(`/runs/${plan_id}`)).json.state).toBe('finished');
  expect((await next.post('/runs', { plan_id }, keyed('start'))).text).toBe(again.text);
  // The others are done over again: a second upload, and no second plan of what was paid.
  const second = await next.upload('november.csv', FILE, keyed('upload'));
  expect([second.status, second.json.id === upload.json.id]).toEqual([201, false]);
  const planned = await next.post('/plans', { upload_id: upload.json.id }, keyed('plan'));
  expect([planned.status, planned.json.code, planned.json.reason]).toEqual([422, 'plan_refused', 'file_run_before']);
  expect((await arrivals(service))['transaction.transfer']).toBe(2);
});
