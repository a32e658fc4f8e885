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

async function shown({ page, ben }: Awaited<ReturnType<typeof desk>>, text: string, of = ''): Promise<string> {
  const form = new FormData();
  form.set('file', new File([text], 'wide.csv'));
  const { location } = await ben.send('/uploads', form);
  const upload = (await page.web.uploads.get(location?.split('/')[2] ?? '')) as NonNullable<
    Awaited<ReturnType<TestPage['web']['uploads']['get']>>
  >;
  await page.web.checks.begin(upload);
  if (of === '/sheet') await page.web.checks.copy(upload, 'cells');
  return (await ben.get(`${location}${of}`)).text;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test('the page of 50,000 columns is small and says what is wrong', async () => {
  const text = await shown(await desk(), sheet(50_000, { rows: 3 }));
  expect(text).toContain('more than 1,000 columns');
  expect(text).toContain('leave out the columns that no payout needs');
  expect(text.length).toBeLessThan(20_000);
});

test('the page has one picker for however many columns, and its size grows with them by some letters each', async () => {
  const office = await desk();
  const text = await shown(office, sheet(COLUMNS_MAX));
  // One choice of the column and one of what it maps to.
  expect(count(text, '<select')).toBe(2);
  expect(count(text, '<option')).toBeLessThan(COLUMNS_MAX + 40);
  expect(text.length).toBeLessThan(400_000);
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
