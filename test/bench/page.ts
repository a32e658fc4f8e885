import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePayroll } from '../support/generate-payroll.ts';
import { readyObject, spawnPayrun } from '../support/payrun-process.ts';
import { spoilPayroll } from '../support/spoil-payroll.ts';
import { measure, median } from './measure.ts';

const PASSWORD = 'correct horse battery';

/** From the upload of a file in which each row is wrong to the page that shows its problems, against `check` alone. */
export async function benchPage(folder: string, main: string, rows: number, rounds: number): Promise<void> {
  const clean = join(folder, 'page.csv');
  const path = join(folder, 'page-spoilt.csv');
  await generatePayroll({ rows, path: clean, seed: 4, mode: 'full' });
  await spoilPayroll(clean, path);
  const dataDir = join(folder, 'page-data');
  const started = spawnPayrun(['web', '--json', '--port', '0', '--data-dir', dataDir]);
  try {
    const { url, first_user_url } = (await readyObject(started)) as { url: string; first_user_url: string };
    const cookie = await firstPerson(url, first_user_url, ['preparer']);
    const alone: number[] = [];
    const shown: number[] = [];
    // The first round fills the caches and is not counted.
    for (let round = -1; round < rounds; round++) {
      const { wallMs } = await measure([main, 'check', path, '--json', '--data-dir', dataDir], {
        exits: [3],
        peak: false,
      });
      const pageMs = await uploadMs(url, cookie, path);
      if (round < 0) continue;
      alone.push(wallMs);
      shown.push(pageMs);
    }
    const line = (name: string, all: number[]) =>
      `  ${name.padEnd(44)} ${median(all).toFixed(0)} ms [${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}]\n`;
    process.stdout.write(`the page, ${rows.toLocaleString('en')} rows, each wrong\n`);
    process.stdout.write(line('payrun check --json', alone));
    process.stdout.write(line('upload to the shown problems', shown));
    process.stdout.write(
      `  time to check's                              ${(median(shown) / median(alone)).toFixed(2)}  (aim below 1.5)\n`,
    );
  } finally {
    started.child.kill('SIGINT');
    await started.ended;
  }
}

/** Comes in as the first person, with these roles. What is kept of it is the cookie. */
export async function firstPerson(url: string, link: string, roles: readonly string[]): Promise<string> {
  const fields = { name: 'Anna', password: PASSWORD, again: PASSWORD };
  const body = new URLSearchParams({ ...fields, token: link.split('#')[1] ?? '' });
  for (const role of roles) body.append('role', role);
  const init = { method: 'POST', body, headers: { origin: url }, redirect: 'manual' as const };
  const answer = await fetch(`${url}/welcome/enter`, init);
  if (answer.status !== 303) throw new Error(`nobody came in: ${answer.status}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** As a browser asks: once for the page, and then for what has come meanwhile. */
async function uploadMs(url: string, cookie: string, path: string): Promise<number> {
  const startedMs = performance.now();
  const body = new FormData();
  body.append('job', '');
  body.append('file', await openAsBlob(path), 'payroll.csv');
  const headers = { origin: url, cookie };
  const sent = await fetch(`${url}/uploads`, { method: 'POST', body, headers, redirect: 'manual' });
  const place = `${url}${sent.headers.get('location')}`;
  if (sent.status !== 303) throw new Error(`not taken: ${sent.status}`);
  let text = await (await fetch(place, { headers: { cookie } })).text();
  while (text.includes('Reading')) {
    await sleep(600);
    text = await (await fetch(place, { headers: { cookie, 'x-refresh': '1' } })).text();
  }
  if (!text.includes('Errors')) throw new Error('no problems are shown');
  return performance.now() - startedMs;
}
