import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { abaFile, nachaFile, pain001File } from '../support/bank-files.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';
import { realTasks } from './real-tasks.ts';
import { openPage } from './web-page.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ROWS = 1_250;

/** Rows 3 and 1,207 are wrong. */
function payroll(): string {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const amount = at === 1 || at === 1_205 ? '=1+1' : `10.${String(at % 100).padStart(2, '0')}`;
    const name = at === 1 ? '<script>alert(1)</script>' : `Payee ${at}`;
    return `E${at},${name},${amount},AUD,AUD_NPP,${String(10_000_000 + at)},062-000`;
  });
  return `${HEADER}\n${rows.join('\n')}\n`;
}

async function desk() {
  const folder = temporaryFolder();
  let dataDir = '';
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, folder) });
  dataDir = page.dataDir;
  const ben = await page.first('Ben', ['preparer']);
  const upload = async (content: string | Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData();
    form.set('file', new File([content], name));
    const location = (await ben.send('/uploads', form)).location ?? '';
    const made = await page.web.uploads.get(location.split('/')[2] ?? '');
    if (made === null) throw new Error('no upload');
    await page.web.checks.begin(made);
    expect((await page.web.checks.copy(made, 'cells')).path).not.toBeNull();
    return location;
  };
  return { page, ben, upload };
}

test('the sheet is shown a hundred rows at a time, with each problem at its cell and the way to the next', async () => {
  const { page, ben, upload } = await desk();
  const location = await upload(payroll(), 'July pay.csv');
  const first = (await ben.get(`${location}/sheet`)).text;
  expect(first).toContain('Rows 1 to 100 of 1,251');
  expect(first).toMatch(
    /<td id="C3" class="marked error" tabindex="0"><span class="held">=1\+1<\/span>.*Error<\/span>/s,
  );
  expect(first).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(first).not.toContain('<script>alert');
  expect(first).toContain('href="#C3"');
  expect(first).toContain(`${location}/sheet?row=1207#row-1207`);
  expect(first.match(/<tr/g)).toHaveLength(101);
  const other = (await ben.get(`${location}/sheet?row=1207`)).text;
  expect(other).toContain('Rows 1,201 to 1,251 of 1,251');
  expect(other).toContain('id="C1207"');
  expect(other).toContain(`${location}/sheet?row=3#row-3`);
  expect((await ben.get(location)).text).toContain(`${location}/sheet?row=1207#C1207`);
  for (const row of ['0', '-1', '1e9', '999999', '../x'])
    expect((await ben.get(`${location}/sheet?row=${encodeURIComponent(row)}`)).status).toBe(200);

  // Account numbers are in it: only who prepares or approves sees them.
  expect(first).toContain('10000000');
  const [anna, vera] = [await page.person('Anna', ['approver']), await page.person('Vera', ['viewer'])];
  expect([(await anna.get(`${location}/sheet`)).status, (await vera.get(`${location}/sheet`)).status]).toEqual([
    200, 403,
  ]);
  const folder = join(page.dataDir, 'web', location);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
});

test('the sheet of a workbook that was chosen is the one that is shown', async () => {
  const { ben, upload } = await desk();
  const sheet = (name: string, payee: string) => ({
    name,
    rows: rowsOf([HEADER.split(','), ['E1', payee, '10.00', 'AUD', 'AUD_NPP', '12345678', '062-000']]),
  });
  const sheets = [sheet('June', 'Ada Byron'), sheet('July', 'Mary Jackson')];
  const id = await upload(new Uint8Array(workbookOf({ sheets })), 'pay.xlsx');
  expect((await ben.get(`${id}/sheet`)).text).toContain('cannot be shown');
  const check = (await ben.get(id)).text;
  expect(check).toContain('2 sheets look like payouts');
  expect(check).toContain('<option value="July">July</option>');
  await ben.post(`${id}/reading`, { sheet: 'July' });
  await expect.poll(async () => (await ben.get(id)).text).toContain('No problems found.');
  await expect.poll(async () => (await ben.get(`${id}/sheet`)).text).toContain('Mary Jackson');
  expect((await ben.get(`${id}/sheet`)).text).not.toContain('Ada Byron');
});

test('a problem of a bank file is marked at its field or element, with the place of that', async () => {
  const { ben, upload } = await desk();
  const ana = { name: 'Ana', minor: 115n, account: 'DE89370400440532013001', bank: 'COBA', reference: 'Lohn' };
  const xml = pain001File([ana, { ...ana, account: 'DE89370400440532013000', bank: '' }]);
  const check = await upload(xml, 'lohn.xml');
  const found = (await ben.get(check)).text;
  expect(found).toContain('Fix it in the program that made it');
  expect(found).toContain('sheet?row=1#E1">payment 1 (CdtTrfTxInf 1, line');
  const sheet = (await ben.get(`${check}/sheet`)).text;
  const marked = (text: string, cell: string) =>
    new RegExp(`<td id="${cell}" class="marked error".*?</td>`, 's').exec(text)?.[0];
  expect(sheet).not.toContain('id="row-1" class="marked');
  expect(marked(sheet, 'E1')).toMatch(/DE89370400440532013001<.*Error<\/span> At payment 1 .*, CdtrAcct\/Id: /s);
  // By the element alone, which is below that of the column.
  expect(marked(sheet, 'G1')).toMatch(/At payment 1 .*CdtrAgt\/FinInstnId\/BIC: /s);
  expect(sheet).toContain('>end to end id<');

  const jane = { name: 'JANE', minor: 115n, account: '12345678', bank: '062000', reference: 'PAY' };
  const aba = abaFile([jane]).replace('062-000', '06X-000');
  const ofAba = (await ben.get(`${await upload(aba, 'pay.aba')}/sheet`)).text;
  expect(ofAba).toMatch(
    /<td id="[A-Z]2" class="marked error"[^>]*><span class="held">06X-?000(?:(?!<td).)*At record 2, positions 2-8: /s,
  );
  const nacha = nachaFile([{ ...jane, bank: '021000022' }]);
  const place = await upload(nacha, 'pay.ach');
  expect((await ben.get(`${place}/sheet`)).text).toMatch(
    /<td id="[A-Z]+3" class="marked error"(?:(?!<td).)*At record 3, positions /s,
  );
});
