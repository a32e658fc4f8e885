import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endedPayout, sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage } from './web-page.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const npp = (n: number, amount: string, account = String(10_000_000 + n)) =>
  `E${n},Payee ${n},${amount},AUD,AUD_NPP,${account},062-000`;

async function desk() {
  const folder = temporaryFolder();
  let dataDir = '';
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, folder) });
  dataDir = page.dataDir;
  const ben = await page.first('Ben', ['preparer']);
  const upload = async (content: string | Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData();
    form.set('file', new File([content], name));
    return (await ben.send('/uploads', form)).location ?? '';
  };
  return { page, ben, upload };
}

type Rows = {
  state: string;
  revision: number;
  checked: number;
  total: number;
  rows: { row: number; cells: string[]; marks: { at: number; code: string }[]; edited: object[]; isAdded: boolean }[];
  summary: {
    kinds: { code: string; title: string; rows: number }[];
    counts: Record<string, number>;
    sums: { currency: string; shown: string }[];
    unread: number;
    errors: number;
    mayUndo: boolean;
    mayRedo: boolean;
  };
};

/** Asks until the last edit is checked. */
async function rowsWhenChecked(browser: Browser, location: string, query = ''): Promise<Rows> {
  let answer = {} as Rows;
  await expect
    .poll(
      async () => {
        answer = JSON.parse((await browser.get(`${location}/rows?count=100&${query}`)).text) as Rows;
        return answer.state !== 'reading' && answer.checked === answer.revision;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return answer;
}

const send = (browser: Browser, location: string, body: object) =>
  browser.send(`${location}/rows`, JSON.stringify(body), { 'content-type': 'application/json' });

const statusFor = async (browser: Browser, location: string, body: object) =>
  (await send(browser, location, body)).status;

const save = async (browser: Browser, location: string, body: object) => {
  const { status, text } = await send(browser, location, body);
  return { status, answer: JSON.parse(text) as { revision?: number; message?: string } };
};

const set = (row: number, column: number, ...texts: string[]) => ({ kind: 'set', row, column, texts });

test('rows are edited on their revision, show at once, and are checked behind it', async () => {
  const { page, ben, upload } = await desk();
  const amounts = ['10.00', '=1+1', 'abc', '12.50', '7'];
  const file = `${HEADER}\n${amounts.map((amount, n) => npp(n + 1, amount)).join('\n')}\n`;
  const location = await upload(file, 'July pay.csv');

  const first = await rowsWhenChecked(ben, location);
  // Of the rows with errors too, as far as their amounts are read.
  expect([first.summary.sums, first.summary.unread]).toEqual([[{ currency: 'AUD', shown: '29.50' }], 2]);
  expect(first.rows.map(({ row, marks }) => [row, marks[0]?.at])).toEqual([
    [3, 2],
    [4, 2],
  ]);
  expect(first.summary.counts).toEqual({ all: 5, problems: 2, edited: 0 });
  const { revision } = first;
  const orders = [set(3, 2, '11.00'), { kind: 'delete', row: 4 }, { kind: 'add', texts: npp(9, '3.25').split(',') }];
  const saved = await save(ben, location, { revision, orders });
  expect([saved.status, saved.answer.revision]).toEqual([200, revision + 1]);
  const now = JSON.parse((await ben.get(`${location}/rows?count=100&show=edited`)).text) as Rows;
  expect(now.rows.map(({ row, cells, isAdded }) => [row, cells[2], isAdded])).toEqual([
    [3, '11.00', false],
    [7, '3.25', true],
  ]);
  const checked = await rowsWhenChecked(ben, location, 'show=all');
  expect(checked.rows.map(({ row }) => row)).toEqual([2, 3, 5, 6, 7]);
  expect([checked.summary.errors, checked.rows[1]?.edited]).toEqual([0, [{ column: 2, old: '=1+1', by: 'Ben' }]]);
  expect((await ben.get(location)).text).toContain('No problems found.');

  // A save of an older revision is refused with what changed; another preparer does not see the file.
  const cleo = await page.person('Cleo', ['preparer']);
  const stale = await save(ben, location, { revision, orders: [set(2, 2, '99.00')] });
  expect([stale.status, stale.answer]).toEqual([
    409,
    expect.objectContaining({
      revision: revision + 1,
      message: 'Ben changed C3, row 4, row 7, A7, B7 and 5 others in the meantime.',
    }),
  ]);
  expect(await statusFor(cleo, location, { revision: revision + 1, undo: true })).toBe(404);
  expect((await save(ben, location, { revision: revision + 1, undo: true })).status).toBe(200);
  const undone = await rowsWhenChecked(ben, location, 'show=all');
  expect([undone.rows.map(({ row, cells }) => [row, cells[2]]), undone.summary.errors]).toEqual([
    amounts.map((amount, n) => [n + 2, amount]),
    2,
  ]);
  expect([undone.summary.mayUndo, undone.summary.mayRedo]).toEqual([false, true]);

  expect(await statusFor(cleo, location, { revision: revision + 2, redo: true })).toBe(404);
  expect((await save(ben, location, { revision: revision + 2, redo: true })).status).toBe(200);
  const redone = await rowsWhenChecked(ben, location, 'show=all');
  expect(redone.rows).toEqual(checked.rows);
  expect([redone.summary.mayUndo, redone.summary.mayRedo]).toEqual([true, false]);
  const acts = (await page.web.audit.list()).map(({ act }) => act).filter((act) => act.includes('edit'));
  expect(acts).toEqual(['edit_redone', 'edit_undone', 'rows_edited']);
});

test('rows are filtered by kind of problem and by a text, and what is no cell is refused', async () => {
  const { page, ben, upload } = await desk();
  const rows = [
    ['E1', 'Ana 100%', '10.00'],
    ['E2', 'Ben', '=1+1'],
    ['E3', '', '5.00'],
    ['E4', 'Zoë '.repeat(100), '7.00'],
  ].map((cells) => [...cells, 'AUD', 'AUD_NPP', '12345678', '062-000']);
  const sheets = [{ name: 'July', rows: rowsOf([HEADER.split(','), ...rows]) }];
  const location = await upload(new Uint8Array(workbookOf({ sheets })), 'pay.xlsx');
  const { summary, revision } = await rowsWhenChecked(ben, location);
  const missing = summary.kinds.find(({ rows: count, code }) => count === 1 && code.includes('missing'))?.code;
  const shown = async (query: string) => (await rowsWhenChecked(ben, location, query)).rows.map(({ row }) => row);
  expect(await shown(`show=code:${missing}`)).toEqual([4]);
  expect(await shown('show=all&search=100%25')).toEqual([2]);
  expect(await shown('show=all&search=BEN')).toEqual([3]);
  expect(await shown("show=code:x';--&search=%22")).toEqual([]);

  const refused = async (body: object) => (await save(ben, location, body)).status;
  expect(await refused({ revision, orders: [set(1, 0, 'Payee')] })).toBe(422);
  expect(await refused({ revision, orders: [set(9, 0, 'E9')] })).toBe(422);
  expect(await refused({ revision, orders: [set(2, 63, 'a', 'b')] })).toBe(422);
  // Of longer texts the rows show the begin: what was not shown is not lost.
  expect(await refused({ revision, orders: [set(5, 1, 'Zoë')] })).toBe(422);
  expect(await refused({ revision, orders: [set(2, 1, 'Ana '.repeat(76))] })).toBe(422);
  expect(await refused({ revision, orders: [{ kind: 'add', texts: ['E5', 'Ana '.repeat(76)] }] })).toBe(422);
  for (const body of [{ revision, orders: [] }, { revision, orders: [set(-1, 0, 'x')] }, { orders: [] }, [1]])
    expect(await refused(body)).toBe(400);
  const vera = await page.person('Vera', ['viewer']);
  const otto = await page.person('Otto', ['approver']);
  expect([(await vera.get(`${location}/rows`)).status, (await otto.get(`${location}/rows`)).status]).toEqual([
    403, 200,
  ]);
  const byOtto = await otto.send(`${location}/rows`, JSON.stringify({ revision, orders: [set(2, 0, 'x')] }));
  expect(byOtto.status).toBe(403);
  const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await ben.send(`${location}/rows`, '{}', elsewhere)).status).toBe(403);
});

test('rows are entered without a file, and counted as any others', async () => {
  const { page, ben } = await desk();
  const { audit } = page.web;
  const append = audit.append.bind(audit);
  audit.append = () => Promise.reject(new Error('database or disk is full'));
  expect((await ben.post('/uploads/by-hand')).status).toBe(500);
  expect(readdirSync(join(page.dataDir, 'web', 'uploads'))).toEqual([]);
  audit.append = append;
  const { location } = await ben.post('/uploads/by-hand');
  const at = (location ?? '').replace(/\/grid$/, '');
  expect((await ben.get(`${at}/grid`)).status).toBe(200);
  const { summary, revision } = await rowsWhenChecked(ben, at);
  expect([summary.counts.all, summary.errors]).toEqual([0, 0]);
  const texts = ['E1', 'Ana', '10.00', 'AUD', 'AUD_NPP', '12345678', '062-000'];
  // The columns behind these are empty.
  expect((await save(ben, at, { revision, orders: [{ kind: 'add', texts }] })).status).toBe(200);
  const { rows, summary: now } = await rowsWhenChecked(ben, at);
  expect([rows.map(({ row, cells }) => [row, cells[1]]), now.errors]).toEqual([[[2, 'Ana']], 0]);
  expect((await ben.get(`${at}/review`)).text).toContain('1 payout of 10.00 AUD');
});

test('a recipient who was paid before is put into a row, and only they: accounts are masked in the list', async () => {
  const { page, ben, upload } = await desk();
  const header = sampleHeader('R-1');
  const planned = { kind: 'planned' as const, plan: samplePlan(header) };
  const rows = [sampleRows(2), planned, { kind: 'started' as const, by: 'anna@desk-7' }, ...endedPayout(2)];
  const created = await page.journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  const location = await upload(`${HEADER}\n${npp(1, '10.00')}\n`, 'July pay.csv');
  const { revision } = await rowsWhenChecked(ben, location, 'show=all');
  const listed = async (search: string) =>
    (JSON.parse((await ben.get(`${location}/recipients?search=${search}`)).text) as { recipients: { id: string }[] })
      .recipients;
  // The other one of the run was not paid.
  const [zoe, ...others] = await listed('zoe');
  expect(zoe).toMatchObject({ name: 'Zoë Näme', payeeId: 'E2', currency: 'AUD' });
  expect(JSON.stringify(zoe)).not.toContain('12345678');
  expect([others, await listed('nobody')]).toEqual([[], []]);
  expect((await save(ben, location, { revision, row: 2, recipient: 'nobody' })).status).toBe(422);
  expect((await save(ben, location, { revision, row: 2, recipient: zoe?.id })).status).toBe(200);
  const [row] = (await rowsWhenChecked(ben, location, 'show=all')).rows;
  expect(row?.cells).toEqual(['E2', 'Zoë Näme', '10.00', 'AUD', 'AUD_NPP', '12345678', '062000']);
  expect((await (await page.person('Otto', ['approver'])).get(`${location}/recipients`)).status).toBe(403);
});
