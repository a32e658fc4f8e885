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

/** What is asked of both, the same of each: by how many rows there are. `isBrief`: by somebody who sees counts only. */
const VIEWS: readonly { name: string; path: (of: Shown) => string; isBrief?: true }[] = [
  { name: 'rows, a page in the middle', path: ({ runId, rows }) => `/runs/${runId}/rows?page=${rows / 100}` },
  { name: 'rows that failed', path: ({ runId }) => `/runs/${runId}/rows?state=failed` },
  { name: 'rows with a text', path: ({ runId, rows }) => `/runs/${runId}/rows?q=E${rows / 2}` },
  { name: 'the result', path: ({ runId }) => `/runs/${runId}` },
  { name: 'the result, counts only', path: ({ runId }) => `/runs/${runId}`, isBrief: true },
  { name: 'a payout', path: ({ runId, rows }) => `/runs/${runId}/payouts/${rows / 2}` },
  { name: 'warnings', path: ({ runId }) => `/runs/${runId}/warnings` },
  { name: 'activity', path: ({ runId }) => `/runs/${runId}/audit` },
  { name: 'files', path: ({ runId }) => `/runs/${runId}/files` },
  { name: 'verification', path: ({ runId }) => `/runs/${runId}/verification` },
  { name: 'what remains', path: ({ runId }) => `/runs/${runId}/remaining` },
  { name: 'a stopped run', path: ({ stopped }) => `/runs/${stopped}` },
  { name: 'a stopped run, counts only', path: ({ stopped }) => `/runs/${stopped}`, isBrief: true },
  { name: 'what remains of it', path: ({ stopped }) => `/runs/${stopped}/remaining` },
  { name: 'a plan', path: ({ plan }) => `/runs/${plan}` },
  { name: 'a plan, counts only', path: ({ plan }) => `/runs/${plan}`, isBrief: true },
  { name: 'warnings of a plan', path: ({ plan }) => `/runs/${plan}/warnings` },
  { name: 'the check', path: ({ upload }) => `${upload}/review` },
  {
    name: 'the grid’s rows, in the middle',
    path: ({ upload, rows }) => `${upload}/rows?show=all&count=50&from=${rows / 2}`,
  },
  {
    name: 'the grid’s rows, the last',
    path: ({ upload, rows }) => `${upload}/rows?show=all&count=50&from=${rows - 50}`,
  },
  { name: 'the sheet, in the middle', path: ({ upload, rows }) => `${upload}/sheet?row=${rows / 2}` },
];

/** A run that is over, one that was stopped in its middle, a plan, and the upload of such a file. */
type Shown = { rows: number; runId: string; stopped: string; plan: string; upload: string };

/** Pages of a large run, of its sheet and of its result, against the same of a small one; and how long others waited. */
export async function benchRows(
  folder: string,
  sizes: { large: number; small: number },
  rounds: number,
): Promise<void> {
  const dataDir = join(folder, 'rows-data');
  const journal = await openDataJournal({ dataDir });
  for (const rows of [sizes.small, sizes.large]) {
    const { runId, stopped, plan } = runsOf(rows);
    // The plan pays what the run has paid, and warns of each row. Nobody else has paid what remains.
    const amountMinor = String(rows);
    await (await writeLargeRun(journal, { runId, rows, areMade: true, amountMinor })).release();
    await (
      await writeLargeRun(journal, { runId: stopped, rows, areMade: true, until: rows / 2, amountMinor: `1${rows}` })
    ).release();
    await (await writeLargeRun(journal, { runId: plan, rows, isPlan: true, amountMinor })).release();
  }
  const entries = (await journal.head(runsOf(sizes.large).runId))?.n ?? 0;
  await journal.close();
  const started = spawnPayrun(['web', '--json', '--port', '0', '--data-dir', dataDir]);
  try {
    await started.wrote('\n');
    const { url, first_user_url } = JSON.parse(started.stdout());
    const cookie = await firstPerson(url, first_user_url, ['preparer', 'viewer']);
    const brief = await whoSeesCounts(url, cookie);
    const ask = (path: string, isBrief = false) => whole(url, isBrief ? brief : cookie, path);
    const small = await shown(folder, url, cookie, sizes.small);
    const large = await shown(folder, url, cookie, sizes.large);
    await ask(`/runs/${small.runId}`);
    const first = await meanwhile(url, () => ask(`/runs/${large.runId}`));
    const times = VIEWS.map(() => ({ small: [] as number[], large: [] as number[], bytes: 0 }));
    const later = await meanwhile(url, async () => {
      // The first round is that of who looks first, and is not counted. More rows are not kept at once than those of two such runs.
      for (const [at, { path, isBrief }] of VIEWS.entries())
        for (let round = -1; round < rounds; round++) {
          const [ofSmall, ofLarge] = [await ask(path(small), isBrief), await ask(path(large), isBrief)];
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

function runsOf(rows: number): Pick<Shown, 'runId' | 'stopped' | 'plan'> {
  const [runId, stopped, plan] = ['25', '26', '27'].map((day) => `R202611${day}-${String(rows).padStart(8, '0')}`);
  return { runId: runId ?? '', stopped: stopped ?? '', plan: plan ?? '' };
}

/** Invites a person with names and amounts hidden, and gives their cookie. */
async function whoSeesCounts(url: string, cookie: string): Promise<string> {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: url, cookie },
      redirect: 'manual',
    });
  const invited = await post('/people', { name: 'Cleo', role: 'viewer' });
  const place = invited.headers.get('location') ?? '';
  const page = await (await fetch(`${url}${place}`, { headers: { cookie } })).text();
  const link = /[^"\s>]*\/welcome#[\w-]+/.exec(page)?.[0] ?? '';
  await post(`${place}/access`, { role: 'viewer', entity: '', job: '', details: 'hidden' });
  return firstPerson(url, link, []);
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
  return { rows, ...runsOf(rows), upload };
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
