import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { writeLargeRun } from '../support/large-run.ts';
import { spawnPayrun } from '../support/payrun-process.ts';
import { median } from './measure.ts';
import { firstPerson } from './page.ts';

/** What is asked of both, the same of each: by how many rows there are. */
const VIEWS: readonly { name: string; path: (of: Shown) => string }[] = [
  { name: 'rows, a page in the middle', path: ({ runId, rows }) => `/runs/${runId}/rows?page=${rows / 100}` },
  { name: 'rows that failed', path: ({ runId }) => `/runs/${runId}/rows?state=failed` },
  { name: 'rows with a text', path: ({ runId, rows }) => `/runs/${runId}/rows?q=E${rows / 2}` },
  { name: 'the result', path: ({ runId }) => `/runs/${runId}` },
  { name: 'a payout', path: ({ runId, rows }) => `/runs/${runId}/payouts/${rows / 2}` },
  { name: 'warnings', path: ({ runId }) => `/runs/${runId}/warnings` },
  { name: 'activity', path: ({ runId }) => `/runs/${runId}/audit` },
  { name: 'files', path: ({ runId }) => `/runs/${runId}/files` },
  { name: 'verification', path: ({ runId }) => `/runs/${runId}/verification` },
  { name: 'what remains', path: ({ runId }) => `/runs/${runId}/remaining` },
  { name: 'the check', path: ({ upload }) => `${upload}/review` },
  {
    name: 'the grid’s rows, in the middle',
    path: ({ upload, rows }) => `${upload}/rows?show=all&count=100&from=${rows / 2}`,
  },
  { name: 'the sheet, in the middle', path: ({ upload, rows }) => `${upload}/sheet?row=${rows / 2}` },
];

type Shown = { rows: number; runId: string; upload: string };

/** Pages of a large run, of its sheet and of its result, against the same of a small one; and how long others waited. */
export async function benchRows(
  folder: string,
  sizes: { large: number; small: number },
  rounds: number,
): Promise<void> {
  const dataDir = join(folder, 'rows-data');
  const journal = await openDataJournal({ dataDir });
  for (const rows of [sizes.small, sizes.large])
    await (await writeLargeRun(journal, { runId: runOf(rows), rows, areMade: true })).release();
  const entries = (await journal.head(runOf(sizes.large)))?.n ?? 0;
  await journal.close();
  const started = spawnPayrun(['web', '--json', '--port', '0', '--data-dir', dataDir]);
  try {
    await started.wrote('\n');
    const { url, first_user_url } = JSON.parse(started.stdout());
    const cookie = await firstPerson(url, first_user_url, ['preparer', 'viewer']);
    const ask = (path: string) => whole(url, cookie, path);
    const small = await shown(folder, url, cookie, sizes.small);
    const large = await shown(folder, url, cookie, sizes.large);
    await ask(`/runs/${small.runId}`);
    const first = await meanwhile(url, () => ask(`/runs/${large.runId}`));
    const times = VIEWS.map(() => ({ small: [] as number[], large: [] as number[], bytes: 0 }));
    const later = await meanwhile(url, async () => {
      // The first round is that of who looks first, and is not counted.
      for (let round = -1; round < rounds; round++)
        for (const [at, { path }] of VIEWS.entries()) {
          const [ofSmall, ofLarge] = [await ask(path(small)), await ask(path(large))];
          if (round < 0) continue;
          const of = times[at];
          of?.small.push(ofSmall.ms);
          of?.large.push(ofLarge.ms);
          if (of) of.bytes = ofLarge.bytes;
        }
    });
    const print = (line: string) => process.stdout.write(`${line}\n`);
    print(`the page of a run of ${count(sizes.large)} rows, and the same of one of ${count(sizes.small)}`);
    for (const [at, { name }] of VIEWS.entries()) {
      const [ofLarge, ofSmall] = [median(times[at]?.large ?? []), median(times[at]?.small ?? [])];
      const ratio = (ofLarge / ofSmall).toFixed(2);
      const size = `${((times[at]?.bytes ?? 0) / 1_024).toFixed(0)} KB`;
      print(
        `  ${name.padEnd(32)} ${ofLarge.toFixed(1)} ms to ${ofSmall.toFixed(1)} ms, ratio ${ratio}  (aim below 3), ${size}  (aim at most 60)`,
      );
    }
    print(`  the first look: ${count(entries)} entries are read in ${(first.tookMs / 1_000).toFixed(1)} s`);
    print(
      `  others waited at most            ${first.longestMs.toFixed(0)} ms meanwhile, ${later.longestMs.toFixed(0)} ms later`,
    );
  } finally {
    started.child.kill('SIGINT');
    await started.ended;
  }
}

function runOf(rows: number): string {
  return `R20261125-${String(rows).padStart(8, '0')}`;
}

/** The file of such a run, uploaded, checked and its sheet read. */
async function shown(folder: string, url: string, cookie: string, rows: number): Promise<Shown> {
  const path = join(folder, `rows-${rows}.csv`);
  await generatePayroll({ rows, path, seed: 5, mode: 'full' });
  const body = new FormData();
  body.append('job', '');
  body.append('file', await openAsBlob(path), 'payroll.csv');
  const sent = await fetch(`${url}/uploads`, {
    method: 'POST',
    body,
    headers: { origin: url, cookie },
    redirect: 'manual',
  });
  const upload = sent.headers.get('location') ?? '';
  if (sent.status !== 303) throw new Error(`not taken: ${sent.status}`);
  await whole(url, cookie, `${upload}/sheet`);
  return { rows, runId: runOf(rows), upload };
}

/** How long it takes until the page stands there that is asked for, and not one that waits for it; and how long it is. */
async function whole(url: string, cookie: string, path: string): Promise<{ ms: number; bytes: number }> {
  const startedMs = performance.now();
  for (let again = {}; ; again = { 'hx-request': 'true', 'x-refresh': 'page' }) {
    const answer = await fetch(`${url}${path}`, { headers: { cookie, ...again } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    if (!text.includes('hx-trigger="every 600ms"') && !text.startsWith('{"revision":1,"state":"reading"'))
      return { ms: performance.now() - startedMs, bytes: Buffer.byteLength(text) };
    await sleep(100);
  }
}

/** Does the work while somebody else asks for something small again and again: the longest that they waited. */
async function meanwhile(url: string, work: () => Promise<unknown>): Promise<{ tookMs: number; longestMs: number }> {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await (await fetch(`${url}/static/icon.svg`)).text();
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      await sleep(5);
    }
  })();
  const startedMs = performance.now();
  await work();
  const tookMs = performance.now() - startedMs;
  isOver = true;
  await asking;
  return { tookMs, longestMs };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
