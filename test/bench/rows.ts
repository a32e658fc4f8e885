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

/** Who opens the view: by default, a preparer who sees everything. */
type By = 'whole' | 'counts' | 'approver';

/** The views compared between the small and the large run, by their row count. */
const VIEWS: readonly { name: string; path: (of: Shown) => string; by?: By }[] = [
  { name: 'rows, a page in the middle', path: ({ runId, rows }) => `/runs/${runId}/rows?page=${rows / 100}` },
  { name: 'rows that failed', path: ({ runId }) => `/runs/${runId}/rows?state=failed` },
  { name: 'rows with a text', path: ({ runId, rows }) => `/runs/${runId}/rows?q=E${rows / 2}` },
  { name: 'the result', path: ({ runId }) => `/runs/${runId}` },
  { name: 'the result, counts only', path: ({ runId }) => `/runs/${runId}`, by: 'counts' },
  { name: 'a payout', path: ({ runId, rows }) => `/runs/${runId}/payouts/${rows / 2}` },
  { name: 'warnings', path: ({ runId }) => `/runs/${runId}/warnings` },
  { name: 'activity', path: ({ runId }) => `/runs/${runId}/audit` },
  { name: 'files', path: ({ runId }) => `/runs/${runId}/files` },
  { name: 'verification', path: ({ runId }) => `/runs/${runId}/verification` },
  { name: 'what remains', path: ({ runId }) => `/runs/${runId}/remaining` },
  { name: 'a stopped run', path: ({ stopped }) => `/runs/${stopped}` },
  { name: 'a stopped run, counts only', path: ({ stopped }) => `/runs/${stopped}`, by: 'counts' },
  { name: 'what remains of it', path: ({ stopped }) => `/runs/${stopped}/remaining` },
  { name: 'a plan', path: ({ plan }) => `/runs/${plan}` },
  { name: 'a plan, counts only', path: ({ plan }) => `/runs/${plan}`, by: 'counts' },
  { name: 'the approval of a plan', path: ({ plan }) => `/runs/${plan}/approve`, by: 'approver' },
  { name: 'changes of a plan', path: ({ plan }) => `/runs/${plan}/warnings?list=changes` },
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

/** Views across all payments, measured with the small runs alone, and again after the large ones are added. */
const OF_ALL: readonly { name: string; path: string | ((round: number) => string); by?: By }[] = [
  { name: 'the overview', path: '/' },
  { name: 'the overview, an approver’s', path: '/', by: 'approver' },
  { name: 'the overview, counts only', path: '/', by: 'counts' },
  { name: 'payments', path: '/runs' },
  { name: 'approvals', path: '/approvals', by: 'approver' },
  { name: 'recipients', path: '/payees' },
  { name: 'recipients with a new text', path: (round) => `/payees?q=${anewly(round, 'zoe name')}` },
  { name: 'reports', path: '/reports' },
];

/** The text with other capitals in each round: it finds the same, and no answer of before is used again. */
function anewly(round: number, text: string): string {
  const letters = Array.from(text, (letter, at) => (((round + 1) >> at) & 1 ? letter.toUpperCase() : letter));
  return encodeURIComponent(letters.join(''));
}

/** Cells changed before the plan was made. */
const EDITS = 1_000;

/** A run that is over, one that was stopped in its middle, a plan, and the upload of such a file. */
type Shown = { rows: number; runId: string; stopped: string; plan: string; upload: string };

/** Pages of a large run, of its sheet and of its result, against the same of a small one; and how long others waited. */
export async function benchRows(
  folder: string,
  sizes: { large: number; small: number },
  rounds: number,
): Promise<void> {
  const dataDir = join(folder, 'rows-data');
  const started = spawnPayrun(['web', '--json', '--port', '0', '--data-dir', dataDir]);
  try {
    await started.wrote('\n');
    const { url, first_user_url } = JSON.parse(started.stdout());
    const cookie = await firstPerson(url, first_user_url, ['preparer', 'viewer']);
    const cookies = { whole: cookie, ...(await others(url, cookie)) };
    const ask = (path: string, by: By = 'whole') => whole(url, cookies[by], path);
    const askOfAll = async (path: string, by: By = 'whole') => {
      for (;;) {
        const answer = await whole(url, cookies[by], path);
        if (!answer.text.includes('hx-trigger="every 1s"')) return answer;
        await sleep(100);
      }
    };
    const key = /public_key: ([\w-]+)/.exec((await ask('/me', 'approver')).text)?.[1] ?? '';
    await write(dataDir, sizes.small, key);
    await askOfAll('/payees');
    const payee = /href="(\/payees\/[0-9a-f]{24})"/.exec((await ask('/payees?q=E2')).text)?.[1] ?? '';
    const ofAll = [...OF_ALL, { name: 'a recipient', path: payee }].map((view) => ({
      ...view,
      times: { small: [] as number[], large: [] as number[], bytes: 0 },
    }));
    // In turns: what is still read in the background in the first rounds weighs on each view alike.
    const measureOfAll = async (size: 'small' | 'large') => {
      for (let round = -1; round < rounds; round++)
        for (const { path, by, times } of ofAll) {
          const { ms, bytes } = await askOfAll(typeof path === 'string' ? path : path(round), by);
          if (round < 0) continue;
          times[size].push(ms);
          times.bytes = bytes;
        }
    };
    await measureOfAll('small');
    const entries = await write(dataDir, sizes.large, key);
    const small = await shown(folder, url, cookie, sizes.small);
    const large = await shown(folder, url, cookie, sizes.large);
    await ask(`/runs/${small.runId}`);
    const first = await meanwhile(url, () => ask(`/runs/${large.runId}`));
    const times = VIEWS.map(() => ({ small: [] as number[], large: [] as number[], bytes: 0 }));
    const later = await meanwhile(url, async () => {
      // The first round is that of who looks first, and is not counted. More rows are not kept at once than those of two such runs.
      for (const [at, { path, by }] of VIEWS.entries())
        for (let round = -1; round < rounds; round++) {
          const [ofSmall, ofLarge] = [await ask(path(small), by), await ask(path(large), by)];
          if (round < 0) continue;
          const of = times[at];
          of?.small.push(ofSmall.ms);
          of?.large.push(ofLarge.ms);
          if (of) of.bytes = ofLarge.bytes;
        }
      await measureOfAll('large');
    });
    const print = (line: string) => process.stdout.write(`${line}\n`);
    print(`the page of a run of ${count(sizes.large)} rows, and the same of one of ${count(sizes.small)}`);
    for (const [at, { name }] of VIEWS.entries()) print(lineOf(name, times[at]));
    print('views of all payments, with these and with the small ones alone');
    for (const { name, times: own } of ofAll) print(lineOf(name, own));
    print(`  the first look: ${count(entries)} entries are read in ${(first.tookMs / 1_000).toFixed(1)} s`);
    print(
      `  others waited at most            ${first.longestMs.toFixed(0)} ms meanwhile, ${later.longestMs.toFixed(0)} ms later`,
    );
  } finally {
    started.child.kill('SIGINT');
    await started.ended;
  }
}

type Times = { small: number[]; large: number[]; bytes: number };

function lineOf(name: string, { small, large, bytes }: Times = { small: [], large: [], bytes: 0 }): string {
  const [ofLarge, ofSmall] = [median(large), median(small)];
  const ratio = (ofLarge / ofSmall).toFixed(2);
  return `  ${name.padEnd(32)} ${ofLarge.toFixed(1)} ms to ${ofSmall.toFixed(1)} ms, ratio ${ratio}  (aim below 3), ${(bytes / 1_024).toFixed(0)} KB  (aim at most 60)`;
}

/**
 * Writes the runs of that size while a page is running. `approverKey` may approve the plan. Returns the number of
 * entries of the first run.
 */
async function write(dataDir: string, rows: number, approverKey: string): Promise<number> {
  const journal = await openDataJournal({ dataDir });
  const { runId, stopped, plan } = runsOf(rows);
  // The plan pays what the run has paid, and warns of each row. Nobody else has paid what remains.
  const amountMinor = String(rows);
  const half = { rows, areMade: true, until: rows / 2, amountMinor: `1${rows}` };
  await (await writeLargeRun(journal, { runId, rows, areMade: true, amountMinor })).release();
  await (await writeLargeRun(journal, { runId: stopped, ...half })).release();
  const approval = {
    approvers: [{ name: 'Bea', public_key: approverKey }],
    bands: [{ over: null, approvals: 1 }],
    valid_for_ms: 259_200_000,
    preparer: 'Ben',
  };
  const edits = Array.from({ length: Math.min(EDITS, rows) }, (_, at) => {
    return { kind: 'cell' as const, row: at + 2, column: 1, old: '1.00', new: '2.00', sheet: null, by: 'Ben', at: 1 };
  });
  const facts = { approval, edits, warnings: rows };
  await (await writeLargeRun(journal, { runId: plan, rows, isPlan: true, amountMinor, plan: facts })).release();
  const entries = (await journal.head(runId))?.n ?? 0;
  await journal.close();
  return entries;
}

function runsOf(rows: number): Pick<Shown, 'runId' | 'stopped' | 'plan'> {
  const [runId, stopped, plan] = ['25', '26', '27'].map((day) => `R202611${day}-${String(rows).padStart(8, '0')}`);
  return { runId: runId ?? '', stopped: stopped ?? '', plan: plan ?? '' };
}

/** Invites a viewer with names and amounts hidden, and an approver. Returns their cookies. */
async function others(url: string, cookie: string): Promise<Record<Exclude<By, 'whole'>, string>> {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: url, cookie },
      redirect: 'manual',
    });
  const invite = async (name: string, role: string) => {
    const place = (await post('/people', { name, role })).headers.get('location') ?? '';
    const page = await (await fetch(`${url}${place}`, { headers: { cookie } })).text();
    const link = /[^"\s>]*\/welcome#[\w-]+/.exec(page)?.[0] ?? '';
    return { place, signIn: () => firstPerson(url, link, []) };
  };
  const [cleo, bea] = [await invite('Cleo', 'viewer'), await invite('Bea', 'approver')];
  await post(`${cleo.place}/access`, { role: 'viewer', entity: '', job: '', details: 'hidden' });
  return { counts: await cleo.signIn(), approver: await bea.signIn() };
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
async function whole(url: string, cookie: string, path: string): Promise<{ ms: number; bytes: number; text: string }> {
  const startedMs = performance.now();
  for (let again = {}; ; again = { 'hx-request': 'true', 'x-refresh': 'page' }) {
    const answer = await fetch(`${url}${path}`, { headers: { cookie, ...again } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    if (!text.includes('hx-trigger="every 600ms"') && !text.startsWith('{"revision":1,"state":"reading"'))
      return { ms: performance.now() - startedMs, bytes: Buffer.byteLength(text), text };
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
