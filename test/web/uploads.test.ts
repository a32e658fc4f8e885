import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { checkResult } from '../../src/app/check/check-result.ts';
import { hasHeader } from '../../src/app/check/headers.ts';
import type { OrderOf, Tasks } from '../../src/app/launcher/tasks.ts';
import { fault, problemAt } from '../../src/domain/problem.ts';
import { DEFAULT_READING } from '../../src/web/uploads/uploads.ts';
import { bombOf } from '../support/bomb.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage, type TestPage } from './web-page.ts';

const CLEAN = {
  rows: 1,
  payouts: 1,
  totals: [{ currency: 'AUD', count: 1, amount: '1012.50' }],
  inferred_rails: [],
  default_rails: [],
  sheet: null,
  header_row: 1,
  columns: [],
  problem_counts: { errors: 0, warnings: 0 },
  problems: [],
  groups: [],
};

/** A page whose checks end at once, and what each was of. */
async function desk(result: unknown = CLEAN) {
  const told: OrderOf<'check'>[] = [];
  const check: Tasks['check'] = async (order) => {
    told.push(order);
    return result === null
      ? { outcome: 'died', exit: 1, signal: null, stderr: '' }
      : { outcome: 'done', value: checkResult.parse(result) };
  };
  const page = await openPage({ tasks: { check } });
  const ben = await page.first('Ben', ['preparer']);
  return { page, ben, told };
}

function fileForm(
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([content], name));
  return form;
}

/** The folders of uploads that there are. */
function kept({ dataDir }: TestPage): string[] {
  return readdirSync(join(dataDir, 'web', 'uploads'));
}

const TYPE = { 'content-type': 'multipart/form-data; boundary=XX' };

function part(name: string, content: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  return `--XX\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

test('a check has one thing that is to be done first: the plan, or to mend the file', async () => {
  for (const [problem_counts, payouts, first] of [
    [{ errors: 0, warnings: 1 }, 1, 'Submit 1 payout of 1,012.50 AUD for approval'],
    [{ errors: 1, warnings: 0 }, 1, 'Fix 1 error'],
    [{ errors: 0, warnings: 1 }, 0, 'Edit the rows'],
  ] as const) {
    const { ben } = await desk({ ...CLEAN, problem_counts, payouts });
    const { location } = await ben.send('/uploads', fileForm('name,amount\n', 'pay.csv'));
    const { text } = await ben.get(location ?? '');
    expect(Array.from(text.matchAll(/class="(?:button )?primary"[^>]*>([^<]+)</g), ([, words]) => words)).toEqual([
      first,
    ]);
    expect(text).toContain('Upload and review</button>');
  }
});

describe('an upload', () => {
  test.each([
    ['../../../etc/passwd.csv', 'passwd.csv', '.csv'],
    ['C:\\Users\\ben\\pay.XLSX', 'pay.XLSX', '.xlsx'],
    ['--data-dir=x.csv', '--data-dir=x.csv', '.csv'],
    ['pay\u202egpj.csv', 'paygpj.csv', '.csv'],
    [`${'a'.repeat(400)}.tsv`, `${'a'.repeat(116)}.tsv`, '.tsv'],
  ])('named %s is kept under a name of ours, and shown as %s', async (said, shown, kind) => {
    const { page, ben, told } = await desk();
    const body = `${part('job', '')}${part('file', 'name,amount\n', said)}--XX--\r\n`;
    const { status, location } = await ben.send('/uploads', body, TYPE);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/uploads\/[0-9a-z]{16}$/)]);
    const id = location?.slice('/uploads/'.length) ?? '';
    expect(kept(page)).toEqual([id]);
    const path = join(page.dataDir, 'web', 'uploads', id, `input${kind}`);
    expect(readFileSync(path, 'utf8')).toBe('name,amount\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await ben.get(location ?? '')).text).toContain(`<p class="soft">${shown}, `);
    const rest = { job: null, corrects: null, memory: null, entity: 'main', forgetColumns: false, copy: null };
    expect(told[0]).toEqual({ path, name: shown, reading: DEFAULT_READING, ...rest });
  });

  test('whose name is HTML is shown as text', async () => {
    const { ben } = await desk();
    const name = '<img src=x onerror=alert(1)>.csv';
    const { location } = await ben.send('/uploads', fileForm('x', name));
    for (const path of [location ?? '', '/']) {
      const { text } = await ben.get(path);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;.csv');
      expect(text).not.toContain('<img');
    }
  });

  test('without a currency asks for it, offers what it implies first, and is read again in what was chosen', async () => {
    const proposed = { code: 'GBP', evidence: { by: 'header', header: 'Sort Code' }, isPaid: true };
    const params = { column: 'currency', synonyms: [], proposed, paid: ['AUD', 'GBP'] };
    const missing = { severity: 'error', code: 'column_missing', column: 'currency', params };
    const { ben, told } = await desk({
      ...CLEAN,
      problem_counts: { errors: 1, warnings: 0 },
      problems: [{ ...missing, sheet: null, row: 1, cell: null, value: null }],
      groups: [{ ...missing, count: 1, places: ['row 1'] }],
    });
    const { location = '' } = await ben.send('/uploads', fileForm('x', 'pay.csv'));
    const { text } = await ben.get(location ?? '');
    expect(text).toContain('The header `Sort Code` suggests GBP.');
    const offered = Array.from(text.matchAll(/<option value="([A-Z]{3})"[^>]*>([^<]+)/g), ([, code, words]) => [
      code,
      words,
    ]);
    expect(offered).toEqual([
      ['GBP', 'GBP, as the file suggests'],
      ['AUD', 'AUD'],
    ]);
    for (const [currency, read] of [
      ['GBP', 'GBP'],
      ['', null],
      ['<b>', null],
    ] as const) {
      await ben.post(`${location}/reading`, { sheet: '', currency });
      await ben.get(location ?? '');
      expect(told.at(-1)?.reading.currency).toBe(read);
    }
  });

  test.each<[string, string | FormData, number, string]>([
    ['of another kind', fileForm('{}', 'pay.json'), 422, 'Upload a spreadsheet'],
    ['of Apple', fileForm('x', 'pay.numbers'), 422, 'save it as .xlsx or CSV UTF-8'],
    ['without a file', `${part('job', '')}--XX--\r\n`, 422, 'No file was chosen'],
    ['with an empty choice', `${part('file', '', '')}--XX--\r\n`, 422, 'No file was chosen'],
    ['of two files', `${part('file', 'a', 'a.csv')}${part('file', 'b', 'b.csv')}--XX--\r\n`, 422, 'one file at a time'],
    ['for a job that is not there', fileForm('x', 'pay.csv', { job: '../pay' }), 422, 'Job not found'],
    ['that is cut off', part('file', 'a', 'a.csv'), 400, 'incomplete'],
    ['of many parts', `${part('x', 'y').repeat(40)}${part('file', 'a', 'a.csv')}--XX--\r\n`, 400, 'incomplete'],
    ['with a long field', `${part('job', 'x'.repeat(5_000))}--XX--\r\n`, 400, 'incomplete'],
    ['with a long header', `${part('j'.repeat(9_000), 'x')}--XX--\r\n`, 400, 'incomplete'],
    ['that is no form', 'hello', 400, 'incomplete'],
  ])('%s explains itself, and leaves nothing behind', async (_, body, status, words) => {
    const { page, ben, told } = await desk();
    const answer = await ben.send('/uploads', body, typeof body === 'string' ? TYPE : {});
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    expect(answer.text).toContain('type="file"');
    expect([kept(page), told]).toEqual([[], []]);
  });

  test('of 26 MB is refused without ever being on the disk, and one of 25 MB is taken', async () => {
    const { page, ben } = await desk();
    const megabyte = new Uint8Array(1_048_576).fill(65);
    let largest = 0;
    const sent = (megabytes: number) =>
      new ReadableStream<Uint8Array>({
        async start(stream) {
          stream.enqueue(
            new TextEncoder().encode('--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'),
          );
          for (let at = 0; at < megabytes; at++) stream.enqueue(megabyte);
          stream.enqueue(new TextEncoder().encode('\r\n--XX--\r\n'));
          stream.close();
        },
        pull() {
          for (const id of kept(page)) {
            const path = join(page.dataDir, 'web', 'uploads', id, 'input.csv');
            if (existsSync(path)) largest = Math.max(largest, statSync(path).size);
          }
        },
      });
    const refused = await ben.send('/uploads', sent(26), TYPE);
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('larger than 25 MB')]);
    expect(kept(page)).toEqual([]);
    expect(largest).toBeLessThanOrEqual(25 * 1_048_576);
    expect((await ben.send('/uploads', sent(25), TYPE)).status).toBe(303);
    const [id = ''] = kept(page);
    expect(statSync(join(page.dataDir, 'web', 'uploads', id, 'input.csv')).size).toBe(25 * 1_048_576);
  });

  test('whose sender goes away leaves nothing behind', async () => {
    const { page, ben } = await desk();
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(part('file', 'a'.repeat(1_000), 'a.csv').slice(0, -2)));
      },
      pull(stream) {
        stream.error(new Error('gone'));
      },
    });
    expect((await ben.send('/uploads', body, TYPE)).status).toBe(400);
    expect(kept(page)).toEqual([]);
  });

  test('is seen by who prepares or approves, and by nobody else', async () => {
    const { page, ben } = await desk();
    const { location } = await ben.send('/uploads', fileForm('x', 'pay.csv'));
    const path = location ?? '';
    const anna = await page.person('Anna', ['approver']);
    const vera = await page.person('Vera', ['viewer', 'administrator']);
    expect((await anna.get(path)).status).toBe(200);
    expect((await anna.get(path)).text).not.toContain('type="file"');
    expect((await vera.get(path)).status).toBe(403);
    for (const who of [anna, vera]) {
      expect((await who.send('/uploads', fileForm('x', 'pay.csv'))).status).toBe(403);
      expect((await who.post(`${path}/columns`, { forget: 'yes' })).status).toBe(403);
    }
    expect((await ben.get('/uploads/..%2f..%2fweb.db')).status).toBe(404);
    expect((await page.browser().get(path)).location).toContain('/sign-in');
  });
});

test('a check that gives no answer says so, and is made again when somebody asks', async () => {
  const { ben, told } = await desk(null);
  const { location } = await ben.send('/uploads', fileForm('x', 'pay.csv'));
  for (let look = 0; look < 3; look++) expect((await ben.get(location ?? '')).text).toContain('ended without a result');
  expect(told).toHaveLength(1);
  await ben.post(`${location}/again`);
  await ben.get(location ?? '');
  expect(told).toHaveLength(2);
});

describe('with the real commands', () => {
  const HEADER = 'Name,Gross to bank,currency,rail,account_number,national_clearing_code';

  async function realDesk() {
    const folder = temporaryFolder();
    let dataDir = '';
    const page = await openPage({ tasks: realTasks(() => dataDir, folder) });
    dataDir = page.dataDir;
    const ben = await page.first('Ben', ['preparer']);
    return { page, ben };
  }

  async function checked(page: TestPage, browser: Browser, location: string | null): Promise<string> {
    const id = location?.split('/')[2] ?? '';
    const upload = await page.web.uploads.get(id);
    if (upload !== null) await page.web.checks.begin(upload);
    return (await browser.get(`/uploads/${id}`)).text;
  }

  /** The copy with the problems marked that somebody downloads: its first sheet and the comment at B2 of the other. */
  async function markedBy(page: TestPage, { cookie }: Browser, location: string | null) {
    const request = new Request(`${page.origin}${location}/annotated.xlsx`, { headers: { cookie } });
    const { sheets } = await readXlsx(Buffer.from(await (await page.app.fetch(request)).arrayBuffer()));
    const [list, marked] = sheets;
    return {
      sheet: list?.name,
      texts: new Set(list?.rows.flat().map(String)),
      comment: marked?.cells?.get('1,1')?.comment?.text,
    };
  }

  test('a bad file is read, its columns are corrected and remembered, and its mended file keeps them', async () => {
    const { page, ben } = await realDesk();
    const bad = `${HEADER}\n=HYPERLINK("http://x"),12.345,AUD,AUD_NPP,12345678,062-000\n<b>Mary</b>,20.00,AUD,AUD_NPP,12345679,13006\n`;
    const { location } = await ben.send('/uploads', fileForm(bad, 'July <b>pay.csv'));
    const map = await checked(page, ben, location);
    expect(map).toContain('There is no column amount.</strong> <a href="#map-B">Column B</a> looks like it');
    expect(map).toContain('name="means.B" value="Amount"');
    expect(map).toContain('Values look like amounts: please check');
    expect(map).not.toContain('<b>Mary');
    const first = (await ben.get(`${location}/review`)).text;
    expect(first).toContain('choose');
    expect(first).toContain('More may show when it is known which column is the amount.');
    expect(first).not.toContain('--column');
    expect(first).not.toContain('<b>Mary');

    const changed = await ben.post(`${location}/columns`, { 'means.B': 'amount' });
    expect([changed.status, changed.location]).toEqual([303, location]);
    const second = await checked(page, ben, location);
    expect(second).toContain('more decimals than AUD has');
    expect(second).not.toContain('More may show');
    expect(second).toContain('If 013006 is right, write that');
    expect(second).toContain('#B2">B2</a>, which holds <code>12.345</code>');

    const copy = await ben.get(`${location}/annotated.xlsx`);
    expect([copy.status, copy.text.slice(0, 2)]).toEqual([200, 'PK']);
    expect(copy.headers.get('content-disposition')).toContain('July%20%3Cb%3Epay%20with%20problems.xlsx');

    const theirs: Awaited<ReturnType<typeof markedBy>>[] = [];
    for (const language of ['en', 'de', 'en']) {
      await ben.post('/me/view', { language, zone: '' });
      theirs.push(await markedBy(page, ben, location));
    }
    expect(theirs.pop()).toEqual(theirs[0]);
    expect(theirs.map(({ sheet }) => sheet)).toEqual(['Problems', 'Probleme']);
    expect(theirs.map(({ texts }) => texts.has('Suggestion'))).toEqual([true, false]);
    for (const german of ['Von payrun gefundene Probleme', 'in einer Textdatei', 'Schwere', 'Fehler', 'Vorschlag'])
      expect([german, ...theirs.map(({ texts }) => texts.has(german))]).toEqual([german, false, true]);
    expect(theirs.map(({ comment }) => comment)).toEqual([
      expect.stringMatching(/^payrun: error\. The amount has more decimals/),
      expect.stringMatching(/^payrun: Fehler\. Der Betrag hat zu viele/),
    ]);

    const good = `${HEADER}\nAda Byron,12.30,AUD,AUD_NPP,12345678,062-000\n`;
    const mended = await ben.send('/uploads', fileForm(good, 'mended.csv', { mends: location?.split('/')[2] ?? '' }));
    const third = await checked(page, ben, mended.location);
    expect(third).toContain('No problems found.');
    expect(third).toContain('1 payout of 12.30 AUD');
    // Remembered for another file with such headers too.
    const other = await ben.send('/uploads', fileForm(good.replace('Ada', 'Grace'), 'other.csv'));
    expect(await checked(page, ben, other.location)).toContain('No problems found.');
    await ben.post(`${other.location}/columns`, { forget: 'yes' });
    expect(await checked(page, ben, other.location)).toContain('There is no column amount');
  });

  test('a sheet without a header is read by its letters, and nothing of its first payout is kept or logged', async () => {
    const { page, ben } = await realDesk();
    const vera = await page.person('Vera', ['viewer']);
    const bare = 'Bea Lopez,12.00,EUR,SEPA,x,DE89370400440532013000\n';
    const { location } = await ben.send('/uploads', fileForm(bare, 'bare.csv'));
    await checked(page, ben, location);
    const said = { 'means.A': 'name', 'means.C': 'currency' };
    expect((await ben.post(`${location}/columns`, said)).status).toBe(303);
    await checked(page, ben, location);
    const others = { 'means.B': 'amount', 'means.F': 'account_number' };
    await ben.post(`${location}/columns`, { ...said, ...others });
    const read = await checked(page, ben, location);
    expect(read).toContain('No problems found.');
    expect(read).toContain('The file has no header: its columns are named by their letters.');
    expect((await page.web.uploads.get(location?.split('/')[2] ?? ''))?.reading.columns).toEqual({
      A: 'name',
      B: 'amount',
      C: 'currency',
      F: 'account_number',
    });
    const { text } = await vera.get('/audit');
    expect(text).toContain('A: name and C: currency');
    expect(text).not.toMatch(/Bea Lopez|DE89/);
  });

  test('a header of many digits is mapped where the sheet has a header, whatever stands in it', async () => {
    const { page, ben } = await realDesk();
    for (const [header, letter, wanted] of [
      ['payee_id,name,Pay 10345/2026-11,currency,rail,account_number,national_clearing_code', 'C', 'amount'],
      ['Saaja,Maksu 20345,Valuutta,Tapa,Tili 99999,Haara', 'B', 'amount'],
    ] as const) {
      const row = header.startsWith('payee') ? 'E1,Ada Byron,12.30' : 'Ada Byron,12.30';
      const content = `${header}\n${row},AUD,AUD_NPP,12345678,062-000\n`;
      const { location } = await ben.send('/uploads', fileForm(content, 'pay.csv'));
      await checked(page, ben, location);
      const name = header.split(',')[letter.charCodeAt(0) - 65] ?? '';
      expect((await ben.post(`${location}/columns`, { [`means.${letter}`]: wanted })).status).toBe(303);
      expect((await page.web.uploads.get(location?.split('/')[2] ?? ''))?.reading.columns).toEqual({ [name]: wanted });
    }
    const payout = [
      { header: 'Bea' },
      { header: '12.00 Euro' },
      { header: 'Euro' },
      { header: 'GB29NWBK60161331926819' },
    ];
    expect(hasHeader(payout)).toBe(false);
  });
  test('whoever has no file yet takes an empty one, and its examples come last in the check', async () => {
    const { page, ben } = await realDesk();
    expect((await ben.get('/')).text).toContain('<a href="/template.xlsx" download>Download an empty one</a>');
    const empty = await ben.get('/template.xlsx');
    expect([empty.status, empty.text.slice(0, 2)]).toEqual([200, 'PK']);
    expect(empty.headers.get('content-disposition')).toBe('attachment; filename="payroll-template.xlsx"');
    expect((await (await page.person('Anna', ['approver'])).get('/template.xlsx')).status).toBe(403);

    const example = 'EXAMPLE - not paid,Example payee by AUD_NPP,1.00,AUD,AUD_NPP,12345678,062-000';
    const header = HEADER.replace('Name,Gross to bank', 'payee_id,name,amount');
    const twice = 'E1,Ada Byron,12.30,AUD,AUD_NPP,12345670,062-000';
    const rows = [header, example, example, example, twice, twice];
    const { location } = await ben.send('/uploads', fileForm(rows.join('\n'), 'pay.csv'));
    const text = await checked(page, ben, location);
    const examples = text.indexOf('never paid');
    expect(text.indexOf('pays the same amount')).toBeGreaterThan(0);
    expect(text.indexOf('pays the same amount')).toBeLessThan(examples);
  });

  test('a workbook that unpacks to gigabytes explains itself', async () => {
    const { page, ben } = await realDesk();
    const { location } = await ben.send('/uploads', fileForm(new Uint8Array(bombOf()), 'pay.xlsx'));
    expect(await checked(page, ben, location)).toContain('unpacks to more than payouts need');
  });
});

test('what is said of the totals of several currencies is said in words, and not at cells that there are not', async () => {
  const run = { id: 'R20261122-4DN35S1D', at: Date.UTC(2026, 10, 22), isRehearsal: false };
  const problems = [
    { amount: '46.00', currency: 'AUD' },
    { amount: '7.00', currency: 'EUR' },
  ].map((total) => problemAt('warning', fault('total_unusual', { total, last: { ...total, amount: '1.00' }, run })));
  const group = { ...problems[0], count: 2, places: [] };
  const { ben } = await desk({ ...CLEAN, problem_counts: { errors: 0, warnings: 2 }, problems, groups: [group] });
  const { location } = await ben.send('/uploads', fileForm('name,amount\n', 'pay.csv', { job: '' }));
  const { text } = await ben.get(location ?? '');
  expect(text).toContain('Totals are far from those of the last run of this kind of file.');
  expect(text).toContain('<li>The payouts come to 7.00 EUR; the last run');
  expect(text).toContain('(run <a href="/runs/R20261122-4DN35S1D">');
  expect(text).not.toMatch(/the file, the file|2 cells|Total unusual/);
});
