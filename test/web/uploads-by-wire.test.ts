import { Buffer } from 'node:buffer';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../src/domain/refusal.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';
import { served, type Wire } from './served.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

const TYPE = 'content-type: multipart/form-data; boundary=XX';
const START = '--XX\r\nContent-Disposition: form-data; name="file"; filename="pay.csv"\r\n\r\n';
const END = '\r\n--XX--\r\n';
const WHOLE = `${START}name,amount\n${END}`;
const MEGABYTE = 1_048_576;

/** A page behind a real port, with Ben, who prepares, and Anna, who administers. */
async function desk() {
  const refusal = new Refusal({ code: 'unknown_run', runId: 'R1', near: null });
  const page = await openPage({ tasks: { check: async () => ({ outcome: 'refused', refusal }) } });
  const anna = await page.first('Anna');
  const ben = await page.person('Ben', ['preparer']);
  const wired = await served(page);
  const post = (lines: readonly string[], body: string, browser = ben): Wire =>
    wired.wire(`${wired.head(browser, '/uploads', [TYPE, ...lines])}${body}`);
  /** Begins to send a file that is said to have so many bytes, and waits until it is being written. */
  const begin = async (length = 10_000): Promise<Wire> => {
    const before = kept(page).length;
    const begun = post([`content-length: ${length}`], `${START}name`);
    await expect.poll(() => kept(page).length).toBe(before + 1);
    return begun;
  };
  return { page, anna, ben, post, begin, ...wired };
}

function kept({ dataDir }: TestPage): string[] {
  return readdirSync(join(dataDir, 'web', 'uploads'));
}

async function isAlive(page: TestPage, ben: Browser): Promise<void> {
  await expect.poll(() => kept(page)).toEqual([]);
  expect((await ben.get('/')).status).toBe(200);
  expect((await page.web.audit.list({})).map(({ act }) => act)).not.toContain('uploaded');
}

test('a file of which a byte comes each second is given up after four minutes', async () => {
  const { page, ben, begin } = await desk();
  const slow = await begin();
  for (let second = 0; second < 235; second++) {
    slow.socket.write('x');
    await page.clock.pass(1_000);
  }
  expect([slow.said(), kept(page).length]).toEqual(['', 1]);
  for (let second = 0; second < 6; second++) {
    slow.socket.write('x');
    await page.clock.pass(1_000);
  }
  const told = await slow.closed;
  expect(told).toMatch(/^HTTP\/1\.1 408 /);
  expect(told).toContain('The upload was too slow. The file was not kept.');
  await isAlive(page, ben);
});

test('a file of which nothing comes any more is given up after half a minute', async () => {
  const { page, ben, begin } = await desk();
  const silent = await begin();
  await page.clock.pass(29_000);
  expect(silent.said()).toBe('');
  await page.clock.pass(1_001);
  expect(await silent.closed).toMatch(/^HTTP\/1\.1 408 /);
  await isAlive(page, ben);
});

test('a file whose sender goes away in the middle, or says more than is sent, is not kept', async () => {
  const { page, ben, begin } = await desk();
  const cut = await begin();
  cut.socket.destroy();
  await isAlive(page, ben);
  const short = await begin();
  short.socket.end();
  expect(await short.closed).toMatch(/^(HTTP\/1\.1 400 |$)/);
  await isAlive(page, ben);
});

test('what is sent behind a file is no part of it', async () => {
  const { page, post } = await desk();
  const long = post([`content-length: ${WHOLE.length}`], `${WHOLE}name,amount\r\n\r\n`);
  expect(await long.closed).toMatch(/HTTP\/1\.1 400 /);
  const input = () =>
    kept(page).map((id) => readFileSync(join(page.dataDir, 'web', 'uploads', id, 'input.csv'), 'utf8'));
  await expect.poll(async () => (await page.web.uploads.open(9)).length).toBe(1);
  expect(input()).toEqual(['name,amount\n']);
  const early = post([`content-length: ${WHOLE.length - 10}`, 'connection: close'], WHOLE);
  expect(await early.closed).toMatch(/^HTTP\/1\.1 400 /);
  await expect.poll(input).toEqual(['name,amount\n']);
});

test('a file may come without its length, and with one byte more than 25 MB it does not stay', async () => {
  const { page, ben, post } = await desk();
  const chunk = (text: string | Buffer) =>
    Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
  const lines = ['transfer-encoding: chunked', 'connection: close'];
  const large = post(lines, '');
  large.socket.write(chunk(START));
  for (let count = 0; count < 25; count++) large.socket.write(chunk(Buffer.alloc(MEGABYTE, 'a')));
  large.socket.write(chunk('a'));
  large.socket.write(chunk(END));
  large.socket.write('0\r\n\r\n');
  const told = await large.closed;
  expect(told).toMatch(/^HTTP\/1\.1 413 /);
  expect(told).toContain('The file is larger than 25 MB, and was not kept.');
  await isAlive(page, ben);
  const whole = post(lines, '');
  for (const sign of WHOLE) whole.socket.write(chunk(sign));
  whole.socket.write('0\r\n\r\n');
  expect(await whole.closed).toMatch(/^HTTP\/1\.1 303 /);
  expect(kept(page)).toHaveLength(1);
});

test('one person uploads three files at once and no fourth, and others are not kept from it', async () => {
  const { page, post, begin } = await desk();
  const length = WHOLE.length;
  const three = [await begin(length), await begin(length), await begin(length)];
  const lines = [`content-length: ${length}`, 'connection: close'];
  const fourth = await post(lines, WHOLE).closed;
  expect(fourth).toMatch(/^HTTP\/1\.1 429 /);
  expect(fourth).toContain('Too many uploads');
  const bea = await page.person('Bea', ['preparer']);
  expect(await post(lines, WHOLE, bea).closed).toMatch(/^HTTP\/1\.1 303 /);
  for (const { socket, said } of three) {
    socket.write(WHOLE.slice(START.length + 4));
    await expect.poll(said).toMatch(/^HTTP\/1\.1 303 /);
  }
  expect(kept(page)).toHaveLength(4);
  expect(await post(lines, WHOLE).closed).toMatch(/^HTTP\/1\.1 303 /);
});

test('of whoever is locked out while a file arrives, it is not kept', async () => {
  const { page, anna, begin } = await desk();
  const slow = await begin(WHOLE.length);
  await anna.post(`/people/${(await page.web.people.byName('Ben'))?.id}/lock`);
  slow.socket.write(WHOLE.slice(START.length + 4));
  await expect.poll(slow.said).toMatch(/^HTTP\/1\.1 401 /);
  await expect.poll(() => kept(page)).toEqual([]);
  expect((await page.web.audit.list({})).map(({ act }) => act)).not.toContain('uploaded');
});

const MOUNT = 'mount -t tmpfs -o size=1m,mode=700 tmpfs "$1" && shift && exec "$@"';
const MAY_MOUNT = spawnSync('unshare', ['-rm', 'sh', '-c', MOUNT, 'sh', '/mnt', 'true']).status === 0;

test.runIf(MAY_MOUNT)(
  'where the disk is full, a file is told so and not kept, and a small one is taken after it',
  async () => {
    const dataDir = temporaryFolder();
    const uploads = join(dataDir, 'web', 'uploads');
    mkdirSync(uploads, { recursive: true, mode: 0o700 });
    const words = [process.execPath, PAYRUN_MAIN, 'web', '--json', '--port', '0', '--data-dir', dataDir];
    const child = spawn('unshare', ['-rm', 'sh', '-c', MOUNT, 'sh', uploads, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const line = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
    const { url, first_user_url } = JSON.parse(line);
    const token = first_user_url.split('#')[1];
    let cookie = '';
    const post = async (path: string, body: URLSearchParams | FormData) => {
      const headers = { origin: url, ...(cookie === '' ? {} : { cookie }) };
      const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
      cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return { status: answer.status, text: await answer.text() };
    };
    const form = new URLSearchParams({ token, name: 'Ben', role: 'preparer', password: PASSWORD, again: PASSWORD });
    expect((await post('/welcome/enter', form)).status).toBe(303);
    const upload = (content: string) => {
      const file = new FormData();
      file.set('file', new File([content], 'pay.csv'));
      return post('/uploads', file);
    };
    const full = await upload('a'.repeat(3 * MEGABYTE));
    expect(full.status).toBe(507);
    expect(full.text).toContain('The disk where the page keeps its files is full');
    expect((await upload('name,amount\n')).status).toBe(303);
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  },
  60_000,
);
