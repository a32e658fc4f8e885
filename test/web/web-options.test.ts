import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';
import { type Caller, comeIn, linkOn, plan, until } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

/** One payout that its bank never answers, so that the run waits for as long as it may. */
const SHEET =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,REHEARSE_STUCK Ada,12.50,AUD,AUD_NPP,12345678,062-000\n';

/** What every option of `web` is for: the page, the runs that it starts, or both. */
const OF_THE_PAGE = [
  'port',
  'host',
  'health',
  'tls-cert',
  'tls-key',
  'behind-proxy',
  'keep-uploads',
  'mail-server',
  'mail-from',
  'allow-private-webhooks',
  'allow-private-services',
  'oidc-issuer',
  'oidc-client',
  'oidc-secret',
  'oidc-roles',
  'oidc-groups',
  'data-dir',
  'database',
  'detach',
  'json',
];
const OF_RUNS = [
  'profile',
  'base-url',
  'api-key',
  'signing-key',
  'rate',
  'concurrency',
  'webhook-listen',
  'webhook-key',
  'poll-every',
  'wait-timeout',
  'report-dir',
  'quiet',
  'log-level',
  'log-max-size',
  'log-files',
];

test('each option that web --help lists is one of the page or of the runs that it starts', async () => {
  const { stdout } = await payrun(['web', '--help']);
  const listed = new Set(Array.from(stdout.matchAll(/^\s+--([a-z-]+)/gm), ([, name]) => name));
  listed.delete('version');
  expect([...listed].sort()).toEqual([...OF_THE_PAGE, ...OF_RUNS].sort());
});

/** A real page with these options, and Anna, who prepares, and Bea, who approves. */
async function office(options: (service: Awaited<ReturnType<typeof startService>>, folder: string) => string[]) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service-data') });
  const dataDir = join(folder, 'data');
  const { url, firstUserUrl, started } = await startWeb({ dataDir, args: options(service, folder), cwd: folder });
  const anna = await comeIn(url, firstUserUrl ?? '', { name: 'Anna', role: ['preparer'] });
  const { location } = await anna.post('/people', { name: 'Bea', role: 'approver' });
  const bea = await comeIn(url, await linkOn(anna, location));
  const journal = await openDataJournal({ dataDir });
  onTestFinished(() => journal.close());
  onTestFinished(async () => {
    started.child.kill('SIGINT');
    await started.ended;
  });
  return { folder, service, url, anna, bea, journal };
}

/** Uploads, plans, approves and starts; the id of the run. */
async function pay(anna: Caller, bea: Caller): Promise<string> {
  const run = await plan(anna, await anna.upload('July.csv', SHEET));
  expect((await bea.post(`${run}/approve`, { total: '12.50 AUD', password: PASSWORD })).location).toBe(run);
  expect((await anna.post(`${run}/start`)).location).toBe(run);
  return run.split('/')[2] ?? '';
}

async function headOf(journal: Journal, runId: string) {
  for await (const page of journal.readRun(runId))
    for (const { entry } of page) if (entry.kind === 'run_created') return entry;
  throw new Error(`${runId} has no beginning`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a run that the page starts goes to its service, at its pace, with its webhooks, and reports where it says', async () => {
  const port = await freePort();
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const webhookKey = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
  const options = ['--rate', '7/2s', '--concurrency', '3', '--poll-every', '90ms', '--wait-timeout', '1500ms'];
  const hooks = ['--webhook-listen', `127.0.0.1:${port}`, '--webhook-key', webhookKey];
  const { anna, bea, journal, folder, service } = await office(({ options: reached }, here) => [
    ...reached,
    ...options,
    ...hooks,
    ...['--report-dir', join(here, 'read me'), '--quiet', '--log-level', 'debug'],
  ]);
  const runId = await pay(anna, bea);
  expect(await headOf(journal, runId)).toMatchObject({
    profile: {
      base_url: `${service.base_url}/`,
      api_key: service.api_key,
      signing_key_file: service.signing_key_file,
      rate: { requests: 7, window_ms: 2_000 },
      concurrency: 3,
      webhooks: { listen: `127.0.0.1:${port}`, public_key: webhookKey },
    },
    settings: { poll_every_ms: 90, wait_timeout_ms: 1_500 },
  });
  // It waits no longer than it was told, says so on the page, and has reported by then.
  await until(anna, `/runs/${runId}`, ({ text }) => text.includes('Timed out'));
  expect(JSON.parse(readFileSync(join(folder, 'read me', runId, 'report.json'), 'utf8'))).toMatchObject({
    run_id: runId,
  });
  const log = readFileSync(join(folder, 'data', 'logs', 'payrun.log'), 'utf8').split('\n');
  expect(log).toContainEqual(expect.stringMatching(/"level":20,.*"operation":"transaction.transfer"/));
});

test('a plan that the page makes is for the service of the profile', async () => {
  const { anna, journal, service } = await office(({ base_url, api_key, signing_key_file }, folder) => {
    const file = join(folder, 'profile.yaml');
    writeFileSync(
      file,
      `base_url: ${base_url}\napi_key: ${api_key}\nsigning_key_file: ${signing_key_file}\nrate: 9/s\nconcurrency: 2\n`,
    );
    return ['--profile', file, '--rate', '0'];
  });
  const run = await plan(anna, await anna.upload('July.csv', SHEET));
  expect(await headOf(journal, run.split('/')[2] ?? '')).toMatchObject({
    profile: { base_url: `${service.base_url}/`, rate: null, concurrency: 2 },
  });
});
