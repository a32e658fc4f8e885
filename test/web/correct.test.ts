import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CORRECTS } from '../../src/input/corrections/correction-sheet.ts';
import { openFile } from '../../src/input/source/file.ts';
import { openTable } from '../../src/input/source/open-table.ts';
import { workbookParts } from '../report/workbook-text.ts';
import { namesOf, openDocumentOf, tableOf } from '../support/foreign-spreadsheets.ts';
import { startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { realTasks } from './real-tasks.ts';
import { pageAtPort } from './served.ts';
import type { TestPage } from './web-page.ts';

const PASSWORD = 'correct horse battery';
const HEADER = 'payee_id,Wie,name,Net pay 10345,currency,rail,account_number,national_clearing_code,account_name';
const ADA = 'E1,x,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000,Ada Byron';
const MARY = 'E2,=1+1,Mary Jackson,"1,020.00",AUD,AUD_NPP,02345679,062-000,REHEARSE_CLOSED';
const MENDED = 'E2,y,Mary Jackson,1020.00,AUD,AUD_NPP,02345680,062-000,Mary Jackson';

type Answer = { status: number; location: string | null; text: string; bytes: Buffer };

/** A browser at the page, by real HTTP. */
function browserAt(origin: string) {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, location: answer.headers.get('location'), text: bytes.toString(), bytes };
  };
  const post = (path: string, form: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body: new URLSearchParams(form) });
  const until = async (path: string, isSo: (answer: Answer) => boolean): Promise<Answer> => {
    for (;;) {
      const answer = await ask(path);
      if (isSo(answer)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return {
    get: (path: string) => ask(path),
    post,
    until,
    enter: (form: Record<string, string>) => post('/welcome/enter', { ...form, password: PASSWORD, again: PASSWORD }),
    async upload(content: string | Buffer<ArrayBuffer>, name: string, fields: Record<string, string> = {}) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set('file', new File([content], name));
      const answer = await ask('/uploads', { method: 'POST', body: form });
      const place = answer.location ?? '';
      return { place, answer, checked: await until(place, ({ text }) => !text.includes('Reading …')) };
    },
    async plan(place: string): Promise<Answer> {
      await post(`${place}/plan`);
      return until(`${place}/plan`, ({ text }) => !text.includes('Planning …'));
    },
  };
}

type Browser = ReturnType<typeof browserAt>;

/** The run is approved by one, started by the other, and over when this resolves. */
async function pay(run: string, by: { approver: Browser; starter: Browser }, total: string): Promise<Answer> {
  expect((await by.starter.post(`${run}/approve`, { total, password: PASSWORD })).status).toBe(403);
  expect((await by.approver.post(`${run}/approve`, { total, password: PASSWORD })).location).toBe(run);
  expect((await by.starter.post(`${run}/start`)).location).toBe(run);
  return by.starter.until(run, ({ text }) => text.includes('Download the report'));
}

test('failed rows are taken from the page, corrected, given back, approved by another, and paid once', async () => {
  const { dataDir, origin, firstUserLink }: TestPage = await pageAtPort({
    isReal: true,
    hasThread: true,
    tasks: realTasks(() => dataDir, temporaryFolder()),
  });
  const service = await startService({ dataDir });
  const [ben, anna] = [browserAt(origin), browserAt(origin)];
  const token = (text: string) => /\/welcome#([\w-]+)/.exec(text)?.[1] ?? '';
  await ben.enter({ token: token((await firstUserLink()) ?? ''), name: 'Ben', role: 'preparer' });
  const invited = await ben.get((await ben.post('/people', { name: 'Anna', role: 'approver' })).location ?? '');
  await anna.enter({ token: token(invited.text) });

  const first = await ben.upload(`${[HEADER, ADA, MARY].join('\n')}\n`, 'July.csv');
  await ben.post(`${first.place}/columns`, { 'means.D': 'amount' });
  const planned = await ben.plan(first.place);
  const run = planned.location ?? '';
  expect(run).toMatch(/^\/runs\/R/);
  const runId = run.split('/')[2] ?? '';
  const result = await pay(run, { approver: anna, starter: ben }, '2032.50 AUD');
  expect(result.text.indexOf('Correct these rows')).toBeLessThan(result.text.indexOf('Pay again unchanged</summary>'));
  expect(result.text).toContain('<button>Submit for approval: 1 payout of 1,020.00 AUD</button>');
  expect(result.text).toContain('A closed account stays closed');
  expect(result.text).toContain(`href="${run}/correct.xlsx">`);
  expect(result.text).toContain('started by Ben. ');
  expect((await anna.get(run)).text).not.toContain('Correct these rows');
  expect((await anna.get(`${run}/correct.xlsx`)).status).toBe(403);

  // Exactly the failed row, in the columns of the input, with why at it.
  const taken = await ben.get(`${run}/correct.xlsx`);
  const path = join(dataDir, 'taken.xlsx');
  writeFileSync(path, taken.bytes);
  const cells: string[][] = [];
  for await (const part of (await openTable(await openFile(path))).parts())
    if (part.kind !== 'fault') cells.push(...part.records);
  const before = ['E2', '=1+1', 'Mary Jackson', '1020.00', 'AUD', 'AUD_NPP', '02345679', '062-000', 'REHEARSE_CLOSED'];
  expect(cells).toEqual([HEADER.split(','), before]);
  const xml = [...(await workbookParts(readFileSync(path))).values()].join('');
  expect(xml).toContain('ACCOUNT_CLOSED');
  expect(xml).not.toContain('<f>');

  // Who was paid stands in it too, or what is paid is another amount: refused, in words.
  for (const [rows, why] of [
    [[MENDED, ADA], `the payee has no failed or rejected row in ${runId}.`],
    [[MENDED, MENDED.replace('E2', 'E9')], `${runId} pays no such payee.`],
    [[MENDED.replace('1020', '1021')], 'is of another amount or currency: 1,020.00 AUD.'],
  ] as const) {
    const wrong = await ben.upload(`${[HEADER, ...rows].join('\n')}\n`, 'wrong.csv', { corrects: runId });
    expect(wrong.checked.text).toContain(why.replace("'", '&#39;'));
    expect(wrong.checked.text).not.toMatch(/No problems found|">Plan /);
    const { status, text } = await ben.plan(wrong.place);
    expect([status, text]).toEqual([409, expect.stringContaining(why)]);
    expect(text).not.toMatch(/ --[a-z]|payrun retry/);
  }
  expect((await ben.upload(`${HEADER}\n${MENDED}\n`, 'x.csv', { corrects: 'R20261125-7K3M9QZ2' })).place).toBe('');

  // As it was taken it can be read, and its mended file corrects the same rows.
  const same = await ben.upload(taken.bytes as Buffer<ArrayBuffer>, 'to-correct.xlsx', { corrects: runId });
  expect(same.checked.text).toContain(`corrects rows of <a href="${run}">${runId}</a>`);
  expect(same.checked.text).toContain('1 payout of 1,020.00 AUD');
  // On the first page, whatever it is called, it is the same: no plan that the run knows nothing of.
  for (const [content, name] of [
    [taken.bytes as Buffer<ArrayBuffer>, 'other.xlsx'],
    [`${HEADER}\n${MENDED}\n`, `${runId}-to-correct.csv`],
  ] as const) {
    const { checked } = await ben.upload(content, name);
    expect(checked.text).toContain(`corrects rows of <a href="${run}">${runId}</a>`);
    expect(checked.text).toContain('take the place of rows of');
  }
  const ods = openDocumentOf(tableOf('Payouts', [HEADER.split(','), MENDED.split(',')]) + namesOf(CORRECTS, runId));
  const saved = await ben.upload(ods as Buffer<ArrayBuffer>, 'saved.ods');
  expect(saved.checked.text).toContain(`corrects rows of <a href="${run}">${runId}</a>`);
  expect(saved.checked.text).toContain('1 payout of 1,020.00 AUD');
  const mends = same.place.split('/')[2] ?? '';
  const mended = await ben.upload(`${HEADER}\n${MENDED}\n`, 'mended.csv', { mends });
  const again = (await ben.plan(mended.place)).location ?? '';
  expect(again).toMatch(/^\/runs\/R/);
  expect((await anna.get(again)).text).toContain(`It pays rows of <a href="${run}">`);
  const waiting = (await ben.get(run)).text;
  expect(waiting).toContain(`waits in the plan <a href="${again}">`);
  expect(waiting).not.toContain('Pay again unchanged');
  const reported = async () => (await ben.get(`${run}/report.html`)).text;
  const planId = again.split('/')[2] ?? '';
  expect(await reported()).toContain(`waits in the plan ${planId}`);
  // Another plan of the same rows can be paid no more when this one is: it says so wherever it stands.
  const other = (await ben.post(`${run}/retry`)).location ?? '';
  expect((await anna.get(`${other}/approve`)).text).toContain('Your password');
  expect((await anna.get('/')).text).not.toContain('It can be paid no more');
  const changed = `the account was ••••5679 in ${runId}, and is now ••••5680; the account name was REHEARSE_CLOSED in`;
  for (const page of [again, `${again}/approve`]) {
    const { text } = await anna.get(page);
    expect([page, text]).toEqual([page, expect.stringContaining('Account details changed <span class="tag">1</span>')]);
    expect(text).toContain(changed);
    expect(text).not.toContain('<dd>none</dd>');
  }
  const paid = await pay(again, { approver: anna, starter: ben }, '1020.00 AUD');
  expect(paid.text).toContain('the payout completed');
  const sent = (await allTransactions(service)).map(({ status }) => status).sort();
  expect(sent).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);

  const overtaken = `It can be paid no more: ${again.split('/')[2]}`;
  for (const person of [ben, anna]) {
    expect((await person.get('/')).text).toContain(overtaken);
    expect((await person.get('/')).text).not.toContain('Awaiting approval by');
    expect((await person.get('/runs')).text).toContain('Superseded');
    const { text } = await person.get(other);
    expect(text).toContain('This plan can no longer be paid');
    expect(text).not.toMatch(/Awaiting approval by|Review and approve|Start paying/);
  }
  const refusedApproval = await anna.get(`${other}/approve`);
  expect([refusedApproval.status, refusedApproval.text]).toEqual([409, expect.stringContaining(overtaken)]);
  const asked = (await ben.get(`${other}/cancel`)).text;
  expect(asked).toMatch(/Discard this payment\?[\s\S]+Keep it/);
  expect(asked).not.toContain('Stop this run');
  expect((await ben.post(`${other}/cancel`)).location).toBe(other);
  const gone = (await ben.until(other, ({ text }) => !text.includes('can be paid no more'))).text;
  expect(gone).toContain('This plan was discarded before anybody started it.');
  expect(gone).toContain(`${runId} has what is still to be paid: plan it again from there.`);
  expect(gone).not.toContain('into a new file');
  expect((await ben.get('/approvals')).text).toContain('Nothing to approve.');

  // The page of the run and its report call to nothing any more, and say where it was paid.
  const over = (await ben.get(run)).text;
  expect(over).toContain('1 failed, completed since.');
  expect(over).toMatch(new RegExp(`completed since in <a href="${again}">${planId}</a> on \\d{4}-\\d\\d-\\d\\d`));
  expect(over).toContain(`The destination account is closed. Completed since in ${planId} on `);
  for (const call of ['What to do', 'what to do', 'Correct these rows', 'Plan again', 'Upload and review'])
    expect(over).not.toContain(call);
  const report = await reported();
  expect(report).toMatch(
    new RegExp(`completed since in ${planId} on .*as of |as of .*completed since in ${planId} on `, 's'),
  );
  expect(report).not.toContain('What to do');

  // There is nothing to correct any more, by the same sheet or by another.
  const refused = await ben.plan(same.place);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Nothing to retry')]);
  const late = `${HEADER}\n${MENDED.replace(',y,', ',z,')}\n`;
  for (const [content, name, fields] of [
    [late, 'late.csv', { corrects: runId }],
    [late, `${runId}-to-correct (1).csv`, {}],
    [taken.bytes as Buffer<ArrayBuffer>, 'late.xlsx', {}],
  ] as const) {
    const { place, answer } = await ben.upload(content, name, fields);
    expect([place, answer.status]).toEqual(['', 422]);
    expect(answer.text).toContain(`all of them were paid since, in ${again.split('/')[2]}.`);
  }
  expect((await ben.get(`${run}/correct.xlsx`)).status).toBe(409);
  expect((await allTransactions(service)).length).toBe(3);
});
