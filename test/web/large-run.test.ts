import { expect, onTestFinished, test } from 'vitest';
import type { Role } from '../../src/app/people/grants.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { FollowedRun } from '../../src/web/runs/followed-run.ts';
import { listenForWeb } from '../../src/web/serve.ts';
import { outcomeOf, writeLargeRun } from '../support/large-run.ts';
import { openPage } from './web-page.ts';

const SMALL = 'R20261125-00001000';
const LARGE = 'R20261125-00030000';
const PLAN = 'R20261126-00003000';
const ROWS = 30_000;
/** Of the large run, left to be paid while it is watched. */
const LEFT = 100;
/** Rows that one view may look at: some more than it shows. */
const ROWS_OF_A_VIEW = 400;
/** What a view of any run may have, before it is compressed. */
const VIEW_BYTES_MAX = 60_000;

test('a run of 30,000 rows is read once and in turns with others, and its pages are those of one of 1,000', async () => {
  const { page, ask } = await listening(['viewer', 'preparer']);
  const { journal } = page;
  const small = await writeLargeRun(journal, { runId: SMALL, rows: 1_000 });
  await small.release();
  const writer = await writeLargeRun(journal, { runId: LARGE, rows: ROWS, until: ROWS - LEFT });
  const read = countEntries(journal);

  // Its page is there at once, and tells how far it is.
  const far: number[] = [];
  let first = await ask(`/runs/${LARGE}`, PAGE_ITSELF);
  for (; first.text.includes('Reading the run'); first = await ask(`/runs/${LARGE}`, PAGE_ITSELF)) {
    expect(first.status).toBe(200);
    const [, of, done] = /<progress aria-label="[^"]*" max="(\d+)" value="(\d+)">/.exec(first.text) ?? [];
    expect(Number(of)).toBe((await journal.head(LARGE))?.n);
    far.push(Number(done));
    expect((await ask('/me')).status).toBe(200);
  }
  expect(far.length).toBeGreaterThan(2);
  expect(far).toEqual([...new Set(far)].toSorted((one, other) => one - other));
  expect(read.entries).toBe((await journal.head(LARGE))?.n);

  // While it goes on, only what is new is read.
  const followed = await page.web.runs.read(LARGE);
  if (followed === null) throw new Error('no run');
  const looked = countRows(followed);
  const view = async (path: string, most = ROWS_OF_A_VIEW) => {
    [read.entries, looked.rows] = [0, 0];
    const answer = await ask(path);
    expect({ path, status: answer.status, entries: read.entries }).toEqual({ path, status: 200, entries: 0 });
    expect(looked.rows, path).toBeLessThanOrEqual(most);
    expect(answer.bytes, path).toBeLessThan(VIEW_BYTES_MAX);
    return answer;
  };
  expect((await view(`/runs/${LARGE}`)).text).toContain(completedOf(ROWS - LEFT));
  const last = Array.from({ length: LEFT }, (_, at) => outcomeOf(ROWS - LEFT + at)[1]).flat();
  await writer.append(last);
  [read.entries, looked.rows] = [0, 0];
  expect((await ask(`/runs/${LARGE}`)).text).toContain(completedOf(ROWS));
  expect(read.entries).toBe(last.length);
  expect(looked.rows).toBeLessThanOrEqual(last.length * 2 + ROWS_OF_A_VIEW);
  await writer.append([{ kind: 'finished', counts: followedCounts(followed) }]);
  await writer.release();

  // What became of it is worked out once.
  const [result, again] = [await ask(`/runs/${LARGE}`), await view(`/runs/${LARGE}`)];
  const timeless = ({ text }: { text: string }) => text.replace(/<span class="now">.*?<\/span>/s, '');
  expect(timeless(again)).toBe(timeless(result));
  expect(result.text).toContain('of 30,000 payouts');

  for (const [asked, shown] of PAGES) {
    let like = await ask(`/runs/${SMALL}/rows`);
    // On a busy machine its page says first how far it is read.
    while (like.text.includes('Reading the run')) like = await ask(`/runs/${SMALL}/rows`);
    const large = await view(`/runs/${LARGE}/rows${asked}`);
    expect(rowsIn(large.text)).toEqual(shown);
    expect(large.text).toContain('of 30,000<');
    expect(Math.abs(large.bytes / like.bytes - 1)).toBeLessThan(0.1);
  }
  const failed = Array.from({ length: ROWS }, (_, at) => at).filter((at) => outcomeOf(at)[0] === 'failed');
  const failedRows = (from: number) => failed.slice(from, from + 50).map((at) => at + 2);
  expect(rowsIn((await view(`/runs/${LARGE}/rows?state=failed`)).text)).toEqual(failedRows(0));
  expect(rowsIn((await view(`/runs/${LARGE}/rows?state=failed&page=10`)).text)).toEqual(failedRows(450));
  // A search goes through all of them, and its next page through none.
  const found = await view(`/runs/${LARGE}/rows?q=zoe%20name%20299`, ROWS * 2 + ROWS_OF_A_VIEW);
  expect(found.text).toContain('1 to 50 of 111 that were found');
  expect(rowsIn((await view(`/runs/${LARGE}/rows?q=zoe%20name%20299&page=3`)).text)).toHaveLength(11);
  for (const wrong of ['0', '-1', '2.5', '1e3', 'last', '12345678'])
    expect((await ask(`/runs/${LARGE}/rows?page=${wrong}`)).status).toBe(400);
  await view('/runs');

  // Its history and its activity are paged.
  for (let at = 0; at < 60; at++) await page.web.audit.append({ person: null, act: `act_${at}`, runId: LARGE });
  const part = async (path: string) => {
    const { status, bytes, text } = await ask(path);
    expect({ path, status, isShort: bytes < VIEW_BYTES_MAX }).toEqual({ path, status: 200, isShort: true });
    return text;
  };
  expect(await part(`/runs/${LARGE}/remaining`)).toContain('Will be paid');
  const listed: number[] = [];
  for (const at of [1, 2])
    for (const [, n] of (await part(`/runs/${LARGE}/audit?journal=${at}`)).matchAll(/<span class="id">(\d+)</g))
      listed.push(Number(n));
  const rejected = Array.from({ length: ROWS }, (_, at) => outcomeOf(at)[0]).filter((to) => to === 'rejected').length;
  expect(listed.length).toBeGreaterThan(rejected);
  expect(listed).toEqual([...new Set(listed)].toSorted((one, other) => one - other));
  const acts = await part(`/runs/${LARGE}/audit`);
  const older = /rel="next" href="([^"#]+before=\d+)"/.exec(acts)?.[1] ?? '';
  const done = `${acts}${await part(older)}`.match(/act \d+/g);
  expect(done).toEqual(Array.from({ length: 60 }, (_, at) => `act ${59 - at}`));

  const all: number[] = [];
  for (let at = 1; at <= 20; at++) all.push(...rowsIn((await ask(`/runs/${SMALL}/rows?page=${at}`)).text));
  expect(all).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 2));
});

/** The completed payouts among the first `rows`, as a run's page shows them. */
function completedOf(rows: number): string {
  const completed = Array.from({ length: rows }, (_, at) => outcomeOf(at)[0]).filter((to) => to === 'completed');
  return `<b>${completed.length.toLocaleString('en')}</b>`;
}

/** Fifty rows from this one on. */
const fifty = (from: number) => Array.from({ length: 50 }, (_, at) => from + at);
/** The first row of the input stands under the header, in row 2. A page behind the last is the last. */
const PAGES: [asked: string, rows: number[]][] = [
  ['', fifty(2)],
  ['?page=2', fifty(52)],
  ['?page=300', fifty(14_952)],
  ['?page=600', fifty(29_952)],
  ['?page=601', fifty(29_952)],
  ['?page=9999999', fifty(29_952)],
];

test('30,000 payees are gathered once, in turns with others, and shown a page at a time', async () => {
  const { page, ask } = await listening();
  const { journal } = page;
  const writer = await writeLargeRun(journal, { runId: LARGE, rows: ROWS, until: 0 });
  await writer.release();
  const read = countEntries(journal);
  let asks = 0;
  let list = await ask('/payees', PAGE_ITSELF);
  for (; list.text.includes('Reading the runs'); list = await ask('/payees', PAGE_ITSELF)) asks++;
  expect(asks).toBeGreaterThan(2);
  expect(list.text).toContain('30,000 recipients. From all runs.');
  expect(read.entries).toBe((await journal.head(LARGE))?.n);
  const pages = [list, await ask('/payees?page=300'), await ask('/payees?page=600'), await ask('/payees?q=e500')];
  for (const { text, bytes } of pages) {
    expect(text.match(/href="\/payees\/[0-9a-f]{24}"/g)?.length).toBeLessThanOrEqual(50);
    expect(bytes).toBeLessThan(40_000);
  }
  expect(pages[3]?.text).toContain('11 recipients');
  expect(read.entries).toBe((await journal.head(LARGE))?.n);
});

test('who asks for something else while a run is read for the first time is answered before it is read', async () => {
  const { page, ask } = await listening();
  await (await writeLargeRun(page.journal, { runId: LARGE, rows: ROWS })).release();
  const answered: string[] = [];
  const first = page.web.runs.read(LARGE).then(() => answered.push('the run'));
  for (const path of ['/readyz', '/', '/me', '/runs']) {
    expect((await ask(path)).status).toBe(200);
    answered.push(path);
  }
  await first;
  expect(answered).toEqual(['/readyz', '/', '/me', '/runs', 'the run']);
});

test('many changes and many rows to new accounts are paged, and each page of rows can be approved', async () => {
  const { page, ask } = await listening(['approver']);
  const vera = await page.web.people.byName('Vera');
  const edits = Array.from({ length: 1_000 }, (_, at) => {
    return { kind: 'cell' as const, row: at + 2, column: 1, old: '1', new: `2${at}`, sheet: null, by: 'Ben', at: 1 };
  });
  const plan = {
    approval: {
      approvers: [{ name: 'Vera', public_key: vera?.publicKey ?? '' }],
      bands: [{ over: null, approvals: 1 }],
      valid_for_ms: 86_400_000,
      preparer: 'Ben',
    },
    edits,
    cooling_off: Array.from({ length: 3_000 }, (_, at) => at + 2),
  };
  await (await writeLargeRun(page.journal, { runId: PLAN, rows: 3_000, isPlan: true, plan })).release();
  await page.web.runs.read(PLAN);
  const short = async (path: string) => {
    const { status, bytes, text } = await ask(path);
    expect({ path, status, isShort: bytes < VIEW_BYTES_MAX }).toEqual({ path, status: 200, isShort: true });
    return text;
  };
  const list = `/runs/${PLAN}/warnings?list=changes`;
  for (const path of [`/runs/${PLAN}/approve`, `/runs/${PLAN}`])
    expect(await short(path)).toContain(`<a href="${list}">980 more changes</a>`);
  const changed: string[] = [];
  for (let at = 1; at <= 10; at++)
    for (const [, value = ''] of (await short(`${list}&page=${at}`)).matchAll(/data-label="Now">2(\d+)</g))
      changed.push(value);
  expect(changed).toEqual(edits.map((_, at) => String(at)));

  const ticks: number[] = [];
  for (const at of [1, 2, 60]) {
    const text = await short(`/runs/${PLAN}/approve?rows=${at}`);
    expect(text).toContain(`action="/runs/${PLAN}/approve${at === 1 ? '' : `?rows=${at}`}"`);
    for (const [, row] of text.matchAll(/name="row" value="(\d+)"/g)) ticks.push(Number(row));
  }
  expect(ticks).toEqual([...fifty(2), ...fifty(52), ...fifty(2_952)]);
});

test('what remains of a run that is kept reads no entries, and a plan that warns of each row is no longer than others', async () => {
  const { page, ask } = await listening(['preparer', 'viewer']);
  const { journal } = page;
  await (await writeLargeRun(journal, { runId: LARGE, rows: 3_000 })).release();
  await (await writeLargeRun(journal, { runId: PLAN, rows: 3_000, isPlan: true })).release();
  // Started since, it is about to pay two of the rows that failed.
  await (await writeLargeRun(journal, { runId: SMALL, rows: 100, until: 0 })).release();
  for (const runId of [LARGE, PLAN]) await page.web.runs.read(runId);
  const read = countEntries(journal);
  const remaining = await ask(`/runs/${LARGE}/remaining`);
  expect(read.entries).toBe(0);
  expect(remaining.text).toContain('Retry 72 failed?');
  expect(remaining.text).toContain('<strong>2</strong> are about to be paid');
  expect(remaining.text).toContain('<strong>2,926</strong> completed');

  const [plan, all] = [await ask(`/runs/${PLAN}`), await ask(`/runs/${PLAN}/warnings`)];
  for (const { text, bytes } of [remaining, plan, all])
    expect([text.length, bytes < VIEW_BYTES_MAX]).toEqual([text.length, true]);
  const list = `/runs/${PLAN}/warnings?list=paid_before`;
  for (const { text } of [plan, all]) expect(text).toContain(`<a href="${list}">995 more</a>`);
  const shown: number[] = [];
  for (let at = 1; at <= 10; at++)
    for (const [, row] of (await ask(`${list}&page=${at}`)).text.matchAll(/title="Row (\d+)"/g))
      shown.push(Number(row));
  expect(shown).toHaveLength(1_000);
  expect(new Set(shown).size).toBe(1_000);
});

/** What htmx sends for the page that is waited for: nothing is waited for before the answer. */
const PAGE_ITSELF = { 'hx-request': 'true', 'x-refresh': 'page' };

type Asked = { status: number; text: string; bytes: number };

/** The page at a port of its own, and somebody who sees runs. */
async function listening(roles: readonly Role[] = ['viewer']) {
  const server = await listenForWeb({ host: '127.0.0.1', also: null, port: 0, tls: null, log: silentLog });
  const origin = `http://127.0.0.1:${server.port}`;
  const page = await openPage({ isReal: true, options: { origin, alsoHosts: [] } });
  server.use(page.app);
  onTestFinished(() => server.close(Promise.resolve()));
  await page.first('Anna');
  const { cookie } = await page.person('Vera', roles);
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Asked> => {
    const answer = await fetch(`${origin}${path}`, { headers: { cookie, ...headers }, redirect: 'manual' });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, text: new TextDecoder().decode(bytes), bytes: bytes.length };
  };
  return { page, ask };
}

/** Counts what is read of runs. */
function countEntries(journal: Journal): { entries: number } {
  const counted = { entries: 0 };
  const followRun = journal.followRun.bind(journal);
  journal.followRun = (runId) => {
    const follower = followRun(runId);
    return {
      async *next() {
        for await (const page of follower.next()) {
          counted.entries += page.length;
          yield page;
        }
      },
    };
  };
  return counted;
}

/** Counts the rows and payouts of the run that are looked at. */
function countRows({ run }: FollowedRun): { rows: number } {
  const counted = { rows: 0 };
  run.rows = new Proxy(run.rows, {
    get(rows, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counted.rows++;
      return Reflect.get(rows, name);
    },
  });
  const payouts = run.payouts;
  run.payouts = new Proxy(payouts, {
    get(_, name) {
      if (name === 'size') return payouts.size;
      counted.rows += name === 'get' ? 1 : name === 'set' ? 0 : payouts.size;
      const value: unknown = Reflect.get(payouts, name);
      return typeof value === 'function' ? value.bind(payouts) : value;
    },
  });
  return counted;
}

function followedCounts({ rows: { counts } }: FollowedRun) {
  const { completed, failed, rejected, unresolved, not_submitted } = counts;
  return { completed, failed, rejected, unresolved, not_submitted };
}

function rowsIn(text: string): number[] {
  return Array.from(text.matchAll(/title="Row (\d+)"/g), ([, row]) => Number(row));
}
