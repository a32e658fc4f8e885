import { expect, test } from 'vitest';
import { commandsIn } from '../support/commands-in.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { rowsOf, workbookOf } from '../support/workbook.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage } from './web-page.ts';

/** A page with the real commands, and what a check of an uploaded file shows. */
async function desk() {
  const folder = temporaryFolder();
  let dataDir = '';
  const page = await openPage({ tasks: realTasks(() => dataDir, folder) });
  dataDir = page.dataDir;
  const ben = await page.first('Ben', ['preparer']);
  const uploadOf = async (place: string) => await page.web.uploads.get(place.split('/')[2] ?? '');
  const checked = async (browser: Browser, place: string): Promise<string> => {
    const upload = await uploadOf(place);
    if (upload !== null) await page.web.checks.begin(upload);
    const { text } = await browser.get(place);
    expect(commandsIn(text)).toEqual([]);
    return text;
  };
  const upload = async (browser: Browser, content: string | Uint8Array<ArrayBuffer>, name: string, fields = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, String(value));
    form.set('file', new File([content], name));
    const place = (await browser.send('/uploads', form)).location ?? '';
    return { place, text: await checked(browser, place) };
  };
  const choose = async (browser: Browser, place: string, what: 'reading' | 'columns', form: Record<string, string>) => {
    expect((await browser.post(`${place}/${what}`, form)).status).toBe(303);
    return checked(browser, place);
  };
  return { page, ben, upload, choose, uploadOf };
}

/** What the Map step shows of a header: what it maps to, and why. */
function rowOf(map: string, header: string): string[] {
  const [, row = ''] = map.split(`>${header}</th>`);
  const [, value = ''] = /<input class="pick"[^>]* value="([^"]*)"/.exec(row) ?? [];
  const [, why = ''] = /<td data-label="Match">.*?<span>([^<]*)<\/span><\/td>/s.exec(row) ?? [];
  return [value, why];
}

const HEADER = 'name,amount,currency,external_account_id';

/** `Jiří Novák` in windows-1250, which is `Jiøí Novák` in windows-1252. */
function czech(amount: string): Uint8Array<ArrayBuffer> {
  const name = [0x4a, 0x69, 0xf8, 0xed, 0x20, 0x4e, 0x6f, 0x76, 0xe1, 0x6b];
  return Uint8Array.from(
    Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from(name), Buffer.from(`,${amount},EUR,a\n`)]),
  );
}

test('the encoding is asked with what the names read as, remembered for everybody, shown, audited and forgotten', async () => {
  const { page, ben, upload, choose, uploadOf } = await desk();
  const { place, text } = await upload(ben, czech('12.30'), 'leden.csv');
  expect(text).toContain('The file does not state its encoding');
  expect((await ben.get(`${place}/review`)).text).toContain(
    'Under “File settings”, choose the line with the correct names',
  );
  expect(text).not.toContain('Save it as CSV');
  expect(text).toContain('Which line shows the names correctly?');
  expect(text).toMatch(/value="windows-1250"> <span>Jiří Novák <span class="soft">Central Europe \(windows-1250\)/);
  expect(text).toMatch(/value="windows-1252"> <span>Jiøí Novák/);
  // One that payrun never proposes can be chosen too.
  expect(text).toContain('value="windows-1251"> <span>Cyrillic (windows-1251)');
  expect(text).not.toMatch(/name="encoding" value="" checked/);

  const read = await choose(ben, place, 'reading', { encoding: 'windows-1250' });
  expect(read).toContain('No problems found.');
  expect(read).toContain('Its characters are read as Central Europe (windows-1250), as chosen here.');
  expect((await ben.get(`${place}/sheet`)).text).toContain('Jiří Novák');
  expect((await ben.get(`${place}/map`)).text).toContain('encoding: windows-1250\n');
  const lines = await ben.get(`${place}/job-lines.yaml`);
  expect([lines.status, lines.text]).toEqual([200, 'encoding: windows-1250\n']);
  const vera = await page.person('Vera', ['viewer']);
  expect((await vera.get('/audit')).text).toContain('encoding windows-1250');
  expect((await vera.get(`${place}/job-lines.yaml`)).status).toBe(403);
  expect((await choose(ben, place, 'reading', { encoding: '<b>' })).length).toBeGreaterThan(0);
  expect((await uploadOf(place))?.reading.encoding).toBeNull();

  const cora = await page.person('Cora', ['preparer']);
  const next = await upload(cora, czech('15.00'), 'únor.csv');
  expect(next.text).toContain('No problems found.');
  expect(next.text).toContain('Central Europe (windows-1250), as chosen for an earlier file with these headers.');
  expect((await cora.get(`${next.place}/sheet`)).text).toContain('Jiří Novák');
  const other = await choose(cora, next.place, 'reading', { encoding: 'windows-1252' });
  expect(other).toContain('Western Europe (windows-1252), as chosen here.');
  expect((await cora.get(`${next.place}/sheet`)).text).toContain('Jiøí Novák');

  const forgotten = await choose(cora, next.place, 'columns', { forget: 'yes' });
  expect(forgotten).toContain('The file does not state its encoding');
  expect((await upload(ben, czech('16.00'), 'x.csv')).text).toContain('The file does not state its encoding');
});

test('what one person maps is offered to everybody who may map, with its source, and as lines for a job', async () => {
  const { page, ben, upload, choose } = await desk();
  const file = (amount: string) => `Payee,Gross to bank,Salary,IBAN\nAda Byron,${amount},9.00,DE89370400440532013000\n`;
  const { place } = await upload(ben, file('12.30'), 'july.csv');
  expect(besideIn((await ben.get(`${place}/map`)).text)).toMatch(
    /^Required 2 to check Name column A Amount not mapped Currency not mapped Account column D Rail from the account, or default/,
  );
  await choose(ben, place, 'columns', { column: 'B', means: 'amount' });
  const mapped = await choose(ben, place, 'reading', { currency: 'EUR' });
  expect(mapped).toContain('No problems found.');
  expect(besideIn((await ben.get(`${place}/map`)).text)).toMatch(
    /^Required All mapped Name column A Amount column B Currency EUR Account column D .* Totals so far .* EUR 1 12\.30$/,
  );
  expect(rowOf((await ben.get(`${place}/map`)).text, 'Gross to bank')).toEqual(['Amount', 'Chosen by you']);

  const [cora, anna] = [await page.person('Cora', ['preparer']), await page.person('Anna', ['approver'])];
  const next = await upload(cora, file('13.00'), 'august.csv');
  expect(next.text).toContain('No problems found.');
  const map = (await cora.get(`${next.place}/map`)).text;
  expect(rowOf(map, 'Gross to bank')).toEqual(['Amount', 'Remembered for this header']);
  expect(next.text).toContain('Currency for rows without one: EUR, as chosen for an earlier file');
  const lines = 'columns:\n  "Gross to bank": amount\ncurrency: EUR\n';
  expect((await cora.get(`${next.place}/job-lines.yaml`)).text).toBe(lines);
  // Who approves sees it, and cannot change it.
  const seen = (await anna.get(`${next.place}/map`)).text;
  expect(seen).toContain('Remembered for this header');
  expect(seen.slice(seen.indexOf('<main'))).not.toContain('<input');
  // Another currency takes the place of the remembered one.
  expect(next.text).toContain('>EUR, as chosen for an earlier file</option>');
  expect(await choose(cora, next.place, 'reading', { currency: 'GBP' })).toContain(
    'Currency for rows without one: GBP, as chosen here',
  );
  const plain = `${HEADER}\nAda,1.00,EUR,a\n`;
  expect((await cora.get(`${(await upload(cora, plain, 'plain.csv')).place}/job-lines.yaml`)).status).toBe(409);
});

/** The text beside the columns on the Map step. */
function besideIn(text: string): string {
  const [, beside = ''] = /<aside[^>]*>([\s\S]*?)<\/aside>/.exec(text) ?? [];
  const words = beside.replace(/<select[\s\S]*?<\/select>|<[^>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim();
}

test('the question which amount is paid is answered by the column that is taken for it, and by the other', async () => {
  const { ben, upload, choose } = await desk();
  const file = (amount: string) =>
    `Name,Gross pay,Net pay,Currency,IBAN\nAda,20.00,${amount},EUR,DE89370400440532013000\n`;
  const { place, text } = await upload(ben, file('12.30'), 'pay.csv');
  expect(text).toContain('which one is paid?');
  expect(await choose(ben, place, 'columns', { column: 'C', means: 'amount' })).toContain('1 payout of 12.30 EUR');
  await choose(ben, place, 'columns', { forget: 'yes' });
  await choose(ben, place, 'columns', { column: 'C', means: 'ignore' });
  expect(await choose(ben, place, 'columns', { column: 'B', means: 'amount' })).toContain('1 payout of 20.00 EUR');
});

test('two columns are one together: texts in order, and numbers where either is filled', async () => {
  const { page, ben, upload, choose, uploadOf } = await desk();
  const file =
    'Family,Given,IBAN,Acct,Amount,Currency\nByron,Ada,DE89370400440532013000,,1.00,EUR\nRoe,Bob,,FR1420041010050500013M02606,2.00,EUR\n';
  const { place } = await upload(ben, file, 'pay.csv');
  await choose(ben, place, 'columns', { column: 'B', means: 'name' });
  await choose(ben, place, 'columns', { column: 'B', other: 'a', means: 'name' });
  const read = await choose(ben, place, 'columns', { column: 'C', other: 'D', means: 'account_number' });
  const columns = { 'Given+Family': 'name', 'IBAN|Acct': 'account_number' };
  expect((await uploadOf(place))?.reading.columns).toEqual(columns);
  expect(read).toContain('2 payouts of 3.00 EUR');
  const map = (await ben.get(`${place}/map`)).text;
  for (const part of ['Family', 'Given']) expect(rowOf(map, part)).toEqual(['Name of the payee', 'Chosen by you']);
  expect((await ben.get(`${place}/job-lines.yaml`)).text).toContain('  "Given+Family": name\n');
  const vera = await page.person('Vera', ['viewer']);
  expect((await vera.get('/audit')).text).toContain('B and A: name');
  for (const wrong of [
    { other: 'Z', means: 'name' },
    { other: 'B', means: 'name' },
    { other: 'A', means: 'ignore' },
  ])
    expect((await ben.post(`${place}/columns`, { column: 'B', ...wrong })).status).toBe(422);
  expect((await uploadOf(place))?.reading.columns).toEqual(columns);
  // One of them alone takes the place of both.
  await choose(ben, place, 'columns', { column: 'A', means: 'name' });
  expect((await uploadOf(place))?.reading.columns).toEqual({ Family: 'name', 'IBAN|Acct': 'account_number' });
});

test('one of two columns with the same header is ignored by its letter', async () => {
  const { ben, upload, choose, uploadOf } = await desk();
  const file = 'Name,Amount,Amount,Currency,IBAN\nAda,20.00,12.30,EUR,DE89370400440532013000\n';
  const { place, text } = await upload(ben, file, 'pay.csv');
  expect(text).toContain('both name the column amount');
  const read = await choose(ben, place, 'columns', { column: 'B', means: 'ignore' });
  expect((await uploadOf(place))?.reading.columns).toEqual({ B: '' });
  expect(read).toContain('1 payout of 12.30 EUR');
  const map = (await ben.get(`${place}/map`)).text;
  expect(map.match(/Not used, chosen by you/g)).toHaveLength(1);
});

test('a currency that contradicts a line above the header is answered by a choice of both', async () => {
  const { ben, upload, choose } = await desk();
  const bare = (line: string) => `${line}Name,Amount,IBAN\nAda,20.00,DE89370400440532013000\n`;
  const { place } = await upload(ben, bare(''), 'first.csv');
  await choose(ben, place, 'reading', { currency: 'GBP' });
  const mended = await upload(ben, bare('Currency:,EUR\n\n'), 'next.csv', { mends: place.split('/')[2] });
  expect(mended.text).toContain('says that the file is in EUR');
  expect(mended.text).toMatch(/>GBP<\/option>\s*<option value="EUR">EUR</);
  expect(await choose(ben, mended.place, 'reading', { currency: 'EUR' })).toContain('1 payout of 20.00 EUR');
});

test('a choice that does not fit the mended file is reset', async () => {
  const { ben, upload, choose } = await desk();
  const rows = rowsOf([HEADER.split(','), ['Ada', '10.00', 'EUR', 'a']]);
  const sheets = ['June', 'July'].map((name) => ({ name, rows }));
  const { place } = await upload(ben, new Uint8Array(workbookOf({ sheets })), 'pay.xlsx');
  await choose(ben, place, 'reading', { sheet: 'July' });
  const text = `${HEADER}\nAda,10.00,EUR,a\n`;
  const mended = await upload(ben, text, 'pay.csv', { mends: place.split('/')[2] });
  expect(mended.text).toContain('is text and has no sheets.');
  expect(mended.text).toContain('<button>Reset file settings</button>');
  expect(await choose(ben, mended.place, 'reading', { reset: 'yes' })).toContain('No problems found.');
});

test('the Map step takes words of its list, a button beside a field, another layout, and no word that it does not know', async () => {
  const { ben, upload, uploadOf } = await desk();
  const file =
    'Name,IBAN,Amount,Currency,Payment reference,Recipient type,Recipient country,Night\nAda Byron,DE89370400440532013000,12.30,EUR,Pay,PERSON,DE,Ada Roe\n';
  const { place } = await upload(ben, file, 'pay.csv');
  const mapped = async (form: Record<string, string | string[]>) => {
    const { status, location, text } = await ben.post(`${place}/map`, form);
    return { status, location, text, columns: (await uploadOf(place))?.reading.columns };
  };
  const map = (await ben.get(`${place}/map`)).text;
  expect(map).toContain('Layout: Revolut Business bulk payments');
  expect(rowOf(map, 'Recipient country')).toEqual(['Country', 'Of the layout Revolut Business bulk payments']);
  expect(map).not.toContain('DE89370400440532013000');

  // Nothing was chosen, so nothing is read again: the way leads on.
  const same = { 'means.A': 'Name of the payee', 'means.F': 'Not used', currency: '' };
  expect(await mapped(same)).toMatchObject({ status: 303, location: `${place}/review`, columns: {} });
  const strange = await mapped({ 'means.F': 'Nonsense <b>' });
  expect([strange.status, strange.columns]).toEqual([422, {}]);
  expect(strange.text).toContain('There is no payment column called “Nonsense &lt;b&gt;”');
  expect(await mapped({ 'means.F': ['Not used', 'description'], 'means.G': 'not used' })).toMatchObject({
    location: place,
    columns: { 'Recipient type': 'description', 'Recipient country': '' },
  });
  expect(await mapped({ layout: '' })).toMatchObject({ status: 303, columns: { 'Recipient type': '' } });
  expect((await mapped({ 'is.name': 'ZZ' })).status).toBe(422);
});

test('what looks like an account is masked on the Map step, also where it stands in place of a header', async () => {
  const { ben, upload } = await desk();
  const { text } = await upload(ben, 'Bea Lopez,12.00,EUR,x,DE89370400440532013000\n', 'bare.csv');
  expect(text).toContain('Map the columns');
  expect(text).toContain('••••3000');
  expect(text).not.toContain('DE89370400440532013000');
});

test('what a file maps to gets a name, which files with these headers show and others like it can use', async () => {
  const { page, ben, upload, uploadOf } = await desk();
  const file = (more: string) => `Who,Amount,Currency,Acc${more}\nAda Byron,12.30,EUR,DE89370400440532013000\n`;
  const { place } = await upload(ben, file(''), 'pay.csv');
  const chosen = { 'means.A': 'Name of the payee', 'means.D': 'Account number or IBAN' };
  const named = { ...chosen, layout_name: ' Personio <export> ', save_layout: 'yes' };
  const saved = await ben.post(`${place}/map`, named);
  expect([saved.status, saved.location]).toEqual([303, `${place}/map?done=layout`]);
  const mapOf = async (of: string) => {
    await expect.poll(async () => (await ben.get(`${of}/map`)).text).toContain('Continue to review');
    return (await ben.get(`${of}/map`)).text;
  };
  expect(await mapOf(place)).toContain('Layout: Personio &lt;export&gt; <a');
  // The same headers again, by whomever; one more header is another set.
  const again = await upload(ben, file(''), 'August.csv');
  expect(await mapOf(again.place)).toContain('Layout: Personio &lt;export&gt; <a');
  const other = await upload(ben, file(',Note'), 'other.csv');
  const map = await mapOf(other.place);
  expect(map).not.toContain('Layout: Personio');
  const [, value = ''] = /<option value="(saved:[^"]+)">Personio/.exec(map) ?? [];
  expect((await ben.post(`${other.place}/map`, { layout: value })).status).toBe(303);
  const columns = (await uploadOf(other.place))?.reading.columns;
  expect(columns).toEqual({ Who: 'name' });

  // A name is taken once, in whatever case.
  const taken = await ben.post(`${other.place}/map`, { layout_name: 'PERSONIO <EXPORT>', save_layout: 'yes' });
  expect([taken.status, taken.text.includes('already exists')]).toEqual([422, true]);
  await ben.post(`${again.place}/map`, { 'means.A': 'Not used', 'means.B': '' });
  expect(await mapOf(again.place)).toContain('Layout: Personio &lt;export&gt; (changed)');

  const list = (await ben.get('/layouts')).text;
  const [, id = ''] = /\/layouts\/([^/"]+)\/name/.exec(list) ?? [];
  expect((await ben.post(`/layouts/${id}/name`, { name: 'Payroll' })).location).toBe('/layouts?done=renamed');
  const vera = await page.person('Vera', ['viewer']);
  expect((await vera.get('/layouts')).status).toBe(403);
  expect((await vera.post(`/layouts/${id}/remove`, {})).status).toBe(403);
  expect((await ben.post(`/layouts/${id}/remove`, {})).location).toBe('/layouts?done=removed');
  expect((await ben.post(`/layouts/${id}/remove`, {})).text).toContain('There is no such layout any more.');
  expect(await mapOf(place)).not.toContain('Layout: ');
});

test('a sheet without a header gets no layout: what stands in its place is of a payee', async () => {
  const { ben, upload } = await desk();
  const { place } = await upload(ben, 'Bea Lopez,12.00,EUR,x,DE89370400440532013000\n', 'bare.csv');
  expect((await ben.get(`${place}/map`)).text).not.toContain('Save as layout');
  const refused = await ben.post(`${place}/map`, { layout_name: 'Bare', save_layout: 'yes' });
  expect([refused.status, (await ben.get('/layouts')).text.includes('No layouts yet')]).toEqual([422, true]);
});
