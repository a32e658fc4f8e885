import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { realTasks } from './real-tasks.ts';
import { openPage, type TestPage } from './web-page.ts';

const HEADER = ['payee_id', 'name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'];
const ROW = ['E1', 'Ada Byron', '12.50', 'AUD', 'AUD_NPP', '12345678', '062-000'];

/** No sheet of payouts has more columns. */
const COLUMNS_MAX = 1_000;

function sheet(columns: number, { rows = 1, blank = 0, cells = columns } = {}): string {
  const wide = (begin: readonly string[], width: number, word: string) =>
    [...begin, ...Array.from({ length: width - begin.length }, (_, at) => `${word} ${at}`)].join(',');
  const end = ','.repeat(blank);
  const lines = Array.from({ length: rows }, () => `${wide(ROW, cells, 'cell')}${end}`);
  return `${wide(HEADER, columns, 'column')}${end}\n${lines.join('\n')}\n`;
}

async function check(text: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'wide.csv'), text);
  const { exit, stdout } = await payrun(['check', 'wide.csv', '--json'], { cwd: folder });
  const { problems, payouts } = JSON.parse(stdout) as { problems: Record<string, unknown>[]; payouts: number };
  return { exit, problems, payouts, bytes: stdout.length };
}

test('a sheet with more columns than any has is one problem with its remedy, wherever the widest row stands', async () => {
  for (const [text, row] of [
    [sheet(COLUMNS_MAX + 1), 1],
    [sheet(50_000, { rows: 3 }), 1],
    [`A title\n\n${sheet(2_000)}`, 3],
  ] as const) {
    const { exit, problems, payouts, bytes } = await check(text);
    expect({ exit, payouts, problems }).toEqual({
      exit: 3,
      payouts: 0,
      problems: [
        expect.objectContaining({
          severity: 'error',
          code: 'too_many_columns',
          row,
          message: expect.stringContaining('1,000 columns'),
          remedy: expect.stringContaining('leave out the columns'),
        }),
      ],
    });
    expect(bytes).toBeLessThan(5_000);
  }
});

test('a sheet of the most columns is paid, and empty cells at the end of its rows are no columns', async () => {
  expect(await check(sheet(COLUMNS_MAX))).toMatchObject({ exit: 0, payouts: 1 });
  expect(await check(sheet(200, { blank: 16_000 }))).toMatchObject({ exit: 0, payouts: 1 });
});

/** The page with Ben, who prepares; the commands that it starts are real. */
async function desk() {
  let dataDir = '';
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, temporaryFolder()) });
  dataDir = page.dataDir;
  return { page, ben: await page.first('Ben', ['preparer']) };
}

async function shown(office: Awaited<ReturnType<typeof desk>>, text: string, of = ''): Promise<string> {
  const place = await checkedPlace(office, text);
  const upload = await office.page.web.uploads.get(place.split('/')[2] ?? '');
  if (of === '/sheet' && upload !== null) await office.page.web.checks.copy(upload, 'cells');
  return (await office.ben.get(`${place}${of}`)).text;
}

/** Where a file is that was uploaded and checked. */
async function checkedPlace({ page, ben }: Awaited<ReturnType<typeof desk>>, text: string): Promise<string> {
  const form = new FormData();
  form.set('file', new File([text], 'wide.csv'));
  const { location } = await ben.send('/uploads', form);
  const upload = (await page.web.uploads.get(location?.split('/')[2] ?? '')) as NonNullable<
    Awaited<ReturnType<TestPage['web']['uploads']['get']>>
  >;
  await page.web.checks.begin(upload);
  return location ?? '';
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test('the page of 50,000 columns is small and says what is wrong', async () => {
  const text = await shown(await desk(), sheet(50_000, { rows: 3 }));
  expect(text).toContain('more than 1,000 columns');
  expect(text).toContain('leave out the columns that no payout needs');
  expect(text.length).toBeLessThan(20_000);
});

/** The most that a step of a file has, however wide that is, in bytes and in tags; and how much longer than with ten columns a review is. */
const MAP_MAX = { bytes: 60_000, tags: 2_700 };
const REVIEW_MORE_MAX = 2_500;

test('the steps of the widest file are hardly more than those of a narrow one, and a filter leads to each column', async () => {
  const office = await desk();
  const steps = async (columns: number) => {
    const place = await checkedPlace(office, sheet(columns));
    const [map = '', review = ''] = await Promise.all(
      ['map', 'review'].map(async (step) => (await office.ben.get(`${place}/${step}`)).text),
    );
    expect(map.length).toBeLessThan(MAP_MAX.bytes);
    expect(count(map, '<')).toBeLessThan(MAP_MAX.tags);
    return { place, review };
  };
  const narrow = await steps(10);
  const { place, review } = await steps(COLUMNS_MAX);
  for (const text of [review, (await steps(50_000)).review]) {
    expect(text.length).toBeLessThan(narrow.review.length + REVIEW_MORE_MAX);
    expect(count(text, '<')).toBeLessThan(count(narrow.review, '<') + 50);
  }
  const map = async (query: string) => (await office.ben.get(`${place}/map${query}`)).text;
  const letters = (text: string) => Array.from(text.matchAll(/id="map-([A-Z]+)"/g), ([, at]) => at);
  expect(letters(await map(''))).toHaveLength(100);
  expect(count(await map(''), '<datalist')).toBe(1);
  expect(letters(await map('?page=10')).at(-1)).toBe('ALL');
  expect(letters(await map('?find=column+991'))).toEqual(['ALK']);
  expect(letters(await map('?find=currency'))).toEqual(['D']);
});

test('one column is mapped by the picker, and the others stay as they are', async () => {
  const { page, ben } = await desk();
  const form = new FormData();
  form.set('file', new File([sheet(9).replace('amount', 'Gross to bank').replace('name', 'Who')], 'July.csv'));
  const { location } = await ben.send('/uploads', form);
  const upload = async () => await page.web.uploads.get(location?.split('/')[2] ?? '');
  const map = async (column: string, means: string) => {
    const now = await upload();
    if (now !== null) await page.web.checks.begin(now);
    expect((await ben.post(`${location}/columns`, { column, means })).status).toBe(303);
    return (await upload())?.reading.columns;
  };
  expect(await map('C', 'amount')).toEqual({ 'Gross to bank': 'amount' });
  expect(await map('B', 'name')).toEqual({ 'Gross to bank': 'amount', Who: 'name' });
  expect(await map('H', 'ignore')).toEqual({ 'Gross to bank': 'amount', Who: 'name', 'column 0': '' });
  expect(await map('H', '')).toEqual({ 'Gross to bank': 'amount', Who: 'name' });
});

test('of a sheet with wide rows so many cells are kept and shown as the page has room for, and of many mistakes the first', async () => {
  const office = await desk();
  const text = await shown(office, sheet(20, { rows: 120, cells: 20_000 }), '/sheet');
  expect(count(text, '<td')).toBeLessThanOrEqual(100 * 60);
  const wrong = Array.from({ length: 3_000 }, (_, n) => `E${n},Ada ${n},${'x'.repeat(500)},XYZ,AUD_NPP,1,06`).join(
    '\n',
  );
  const checked = await shown(office, `${HEADER.join(',')}\n${wrong}\n`);
  expect(count(checked, '<tr>')).toBeLessThanOrEqual(700);
  expect(checked.length).toBeLessThan(600_000);
  expect(checked).toContain('The first 100 cells');
});
