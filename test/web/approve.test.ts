import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSigned } from '../../src/approval/statement.ts';
import { payrun } from '../support/payrun.ts';
import { ADA, countsOf, EVE, ended, MARY, office, plan, TOTAL, upload } from './pay-office.ts';
import { served } from './served.ts';
import { type Browser, PASSWORD } from './web-page.ts';

/** What people read of a page, in one line. */
function wordsOf(page: string): string {
  return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

test('the plan names an approver who came in by a link of its preparer', async () => {
  const { page, ben, anna } = await office();
  const enter = async (path: string) => {
    const token = /\/welcome#([\w-]+)/.exec((await ben.get(path)).text)?.[1] ?? '';
    const browser = page.browser();
    await browser.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD });
    return browser;
  };
  const cid = await enter((await ben.post('/people', { name: 'Cid', role: 'approver' })).location ?? '');
  // One that nobody has opened says nothing.
  await ben.post(`/people/${(await page.web.people.byName('Anna'))?.id}/link`);
  const run = (await plan(page, ben, await upload(ben, [ADA]))).location ?? '';
  const words = /Ben, who prepared this payment, invited (\w+) on \d+ \w+\./g;
  for (const path of [run, `${run}/approve`, `${run}/audit`]) {
    const { text } = await cid.get(path);
    expect([path, ...[...text.matchAll(words)].map(([, who]) => who)]).toEqual([path, 'you']);
    expect(text).not.toContain('whether they opened');
  }
  const total = '1012.50 AUD';
  expect((await cid.post(`${run}/approve`, { total, password: PASSWORD })).location).toBe(run);
  expect((await cid.get(run)).text).not.toContain('who prepared this payment');
  expect((await anna.get(run)).text).toMatch(/invited Cid on[^.]+\. Ask Cid whether they opened the invitation\./);
});

test('every total is confirmed, and what is wrong is named beside its field; the comment is signed', async () => {
  const { page, ben, anna } = await office();
  const run = (await plan(page, ben, await upload(ben, [ADA, EVE]))).location ?? '';
  const given = {
    total: '1012.50',
    total_2: '30.00 EUR',
    password: PASSWORD,
    comment: 'Called Ada.\r\nShe confirmed.',
  };
  const { total_2: _, ...one } = given;
  for (const form of [one, { ...given, total_2: '1012.50' }, { ...given, total_2: '30.00 AUD' }]) {
    const { status, text } = await anna.post(`${run}/approve`, form);
    expect([status, text]).toEqual([422, expect.stringContaining('type it as it stands here: 30.00 EUR.')]);
    expect(text).toMatch(/name="total_2"[^>]* aria-invalid="true" aria-describedby="total_2-why"/);
    expect(text).toContain('id="total_2-why">This is not 30.00 EUR.');
    expect(text).not.toMatch(/name="total"[^>]* aria-invalid/);
    expect(text).toContain('Called Ada.\nShe confirmed.</textarea>');
  }
  const long = await anna.post(`${run}/approve`, { ...given, comment: 'x'.repeat(501) });
  expect([long.status, long.text]).toEqual([422, expect.stringContaining('longer than 500 characters')]);
  expect((await anna.post(`${run}/approve`, given)).location).toBe(run);
  const approved = (await page.web.runs.read(run.split('/')[2] ?? ''))?.run.approvals[0];
  expect(approved?.comment).toBe('Called Ada.\nShe confirmed.');
  expect(approved && isSigned(approved) && !isSigned({ ...approved, comment: 'Called Eve.' })).toBe(true);
  expect((await ben.get(run)).text).toContain('Start paying');
});

test('the page says which of those that wait this is, and leads to the next one once it is decided', async () => {
  const { page, ben, anna } = await office();
  const first = (await plan(page, ben, await upload(ben, [ADA]))).location ?? '';
  const second = (await plan(page, ben, await upload(ben, [MARY]))).location ?? '';
  const headOf = async (run: string) => wordsOf((await anna.get(`${run}/approve`)).text);
  expect(await headOf(second)).toContain('Approvals / 1 of 2 July pay Awaiting your approval All 1 payout File');
  expect(await headOf(first)).toMatch(/Approvals \/ 2 of 2 .*Prepared by Ben, .* ago .*One approval is needed\./);
  const next = `Next to approve: <a href="${second}/approve">July pay</a>`;
  expect((await anna.get(first)).text).not.toContain('Next to approve');
  expect((await anna.post(`${first}/approve`, { total: '1012.50', password: PASSWORD })).location).toBe(first);
  expect((await anna.get(first)).text).toContain(next);
  expect(await headOf(second)).toContain('Approvals / 1 of 1');
  // Who prepares is led nowhere.
  expect((await ben.get(first)).text).not.toContain('Next to approve');
});

test('an approver rejects with a reason, the preparer recalls, and then nothing approves or starts it, commands included', async () => {
  const { page, ben, anna, folder } = await office();
  const vera = await page.person('Vera', ['viewer']);
  const planned = async (rows: readonly string[]) => {
    const location = await upload(ben, rows);
    return { location, run: (await plan(page, ben, location)).location ?? '' };
  };
  const { location, run } = await planned([ADA, MARY]);
  const given = { total: TOTAL, password: PASSWORD };
  // Who has approved it may still stop it.
  expect((await anna.post(`${run}/approve`, given)).location).toBe(run);
  expect((await vera.post(`${run}/reject`, { reason: 'x' })).status).toBe(403);
  expect((await ben.post(`${run}/reject`, { reason: 'x' })).status).toBe(409);
  expect((await anna.post(`${run}/recall`, { reason: 'x' })).status).toBe(403);
  expect((await anna.get(run)).text).toContain(`href="${run}/reject"`);
  const bare = await anna.post(`${run}/reject`, { reason: ' \n' });
  expect([bare.status, bare.text]).toEqual([422, expect.stringContaining('A rejection needs a reason.')]);
  expect((await anna.post(`${run}/reject`, { reason: 'Ada left in May.' })).location).toBe(run);

  const shown = (await ben.get(run)).text;
  expect(shown).toMatch(/Anna rejected this payment\.[\s\S]*<blockquote>Ada left in May\.<\/blockquote>/);
  expect(shown).toContain(`href="${location}">Correct and submit again</a>`);
  expect(shown).not.toContain('Start paying');
  expect((await anna.get(run)).text).not.toContain('Correct and submit again');
  expect((await ben.get('/runs')).text).toContain('>Rejected</span>');
  expect((await anna.get(`${run}/audit`)).text).toContain(
    'Rejected by Anna on the page (account payrun@desk-7): “Ada left in May.”',
  );
  expect((await anna.post(`${run}/approve`, given)).status).toBe(409);
  expect((await anna.post(`${run}/reject`, { reason: 'again' })).status).toBe(409);
  await ben.post(`${run}/start`);
  const runId = run.split('/')[2] ?? '';
  for (const words of [['run'], ['approve', '--total', TOTAL]]) {
    const args = [words[0] ?? '', runId, ...words.slice(1), '--data-dir', page.dataDir];
    const ended = await payrun(args, { cwd: folder });
    expect([ended.exit, ended.stderr]).toEqual([
      6,
      expect.stringContaining(`${runId} was rejected by Anna: “Ada left in May.”`),
    ]);
  }
  expect((await page.web.runs.read(runId))?.run.startedBy).toBeNull();

  const second = await planned([MARY]);
  expect((await ben.get(second.run)).text).toContain(`href="${second.run}/recall"`);
  expect((await ben.post(`${second.run}/recall`)).location).toBe(second.run);
  expect((await ben.get(second.run)).text).toContain('Ben recalled this payment.');
  expect((await anna.post(`${second.run}/approve`, { ...given, total: '20.00' })).status).toBe(409);
  // The same file can be submitted again, and waits for a new approval.
  const again = (await plan(page, ben, location)).location ?? '';
  expect(again).not.toBe(run);
  expect((await anna.get(again)).text).toContain('Awaiting approval by');
  expect((await page.web.audit.verify()).ok).toBe(true);
});

test('rows to changed accounts are in front, are approved one by one, and the others can be paid without them', async () => {
  const { page, ben, anna } = await office(
    ({ ben: preparer, anna: approver }) =>
      `input: none.csv\nlimits: {cooling_off: 30d}\nrepeat_window: 0s\napproval:\n  preparers:\n    - {name: Ben, public_key: ${preparer}}\n  approvers:\n    - {name: Anna, public_key: ${approver}}\n`,
  );
  const pay = async (rows: readonly string[], period: string, approved: readonly string[]) => {
    const location = await upload(ben, rows, 'pay');
    const planned = await plan(page, ben, location, { period });
    const run = planned.location ?? '';
    expect(planned.text + run).toContain('/runs/R');
    const shown = (await anna.get(`${run}/approve`)).text;
    const form = { total: TOTAL, password: PASSWORD, row: approved };
    expect((await anna.post(`${run}/approve`, form)).location).toBe(run);
    return { run, shown };
  };
  const first = await pay([ADA, MARY], '2031-11', ['2', '3']);
  expect(first.shown).toContain('To be approved one by one <span class="tag">2</span>');
  await ben.post(`${first.run}/start`);
  await ended(page, first.run);

  const second = await pay([ADA.replace('12345678', '92345671'), MARY], '2031-12', ['3']);
  expect(second.shown).toContain('Account details changed <span class="tag">1</span>');
  expect(second.shown).toMatch(/was <\/span><a [^>]+><s>••5678<\/s><\/a>.*<span class="account">AU ••5671/);
  expect(second.shown.indexOf('Account details changed')).toBeLessThan(
    second.shown.indexOf('To be approved one by one'),
  );
  // It is ticked as a row, and not once more with all others.
  expect(second.shown).not.toContain('accounts_confirmed');
  const waits = (await anna.get(second.run)).text;
  expect(waits).toContain('1 row to a new account still waits');
  expect(waits).not.toContain('Start paying');
  expect((await anna.get(`${second.run}/approve`)).status).toBe(200);
  await ben.post(`${second.run}/start`);
  const waitsFor = expect.stringContaining('waits for approvals of row 2');
  await expect.poll(async () => (await ben.get(second.run)).text).toEqual(waitsFor);
  await ben.post(`${second.run}/start`, { only_valid: 'yes' });
  await ended(page, second.run);
  expect(await countsOf(page, second.run)).toMatchObject({ completed: 1, not_submitted: 1 });
});

test('who approves payouts that an earlier run paid says that they know it, which the audit log keeps', async () => {
  const { page, ben, anna } = await office();
  const given = { total: TOTAL, password: PASSWORD };
  const first = (await plan(page, ben, await upload(ben, [ADA, MARY]))).location ?? '';
  const shown = (await anna.get(`${first}/approve`)).text;
  expect(shown).not.toContain('paid_before');
  expect((await anna.post(`${first}/approve`, given)).location).toBe(first);
  await ben.post(`${first}/start`);
  await ended(page, first);

  // One account is another one, so it is another file, and what it pays again is for the approvers to say.
  const changed = MARY.replace('12345679', '92345671');
  const other =
    (await plan(page, ben, await upload(ben, [ADA.replace('1012.50', '1013.50'), changed, EVE]))).location ?? '';
  const compared = (await anna.get(other)).text;
  const counts = [...compared.matchAll(/<dt>([^<]+)<\/dt><dd class="(?:care)?">(\d+)<\/dd>/g)].map(([, ...one]) =>
    one.join(' '),
  );
  expect(counts).toEqual(['New 1', 'Missing 0', 'Pay changed 1', 'Account details changed 1']);
  const differing = wordsOf((await anna.get(`${other}/approve`)).text);
  for (const line of [
    'Mary Jackson E2 was ••5679 → now AU ••5671 NPP In this file 20.00 AUD',
    'Ada Byron E1 Pay changed 1,012.50 AUD 1,013.50 AUD +1.00 AUD',
    'Eve Moreau E3 New – 30.00 EUR +30.00 EUR',
    'AUD 2 1,033.50 1,032.50 +1.00',
  ])
    expect(differing).toContain(line);
  await ben.post(`${other}/cancel`);
  const location = await upload(ben, [ADA, changed]);
  const run = (await plan(page, ben, location)).location ?? '';
  const [runId, firstId] = [run, first].map((path) => path.split('/')[2] ?? '');
  const checked = (await ben.get(location)).text;
  expect(checked).not.toContain('No problems found');
  expect(checked).toMatch(
    new RegExp(
      `<h2>Paid before</h2>\\s*<p>1 of the 2 payouts was paid by run <a href="${first}">${firstId}</a> of [\\d-]+, a rehearsal, the same amount to the same account: row 2\\. Only row 3 was not\\.</p>`,
    ),
  );
  expect(checked.indexOf('Paid before')).toBeLessThan(checked.indexOf('Submit 2 payouts'));
  const { text } = await anna.get(`${run}/approve`);
  expect(wordsOf(text)).toMatch(/Possible repeat 1 .*Ada Byron E1 Same amount on \d+ \w+ in July pay 1,012\.50 AUD/);
  expect(text).toContain(`in <a href="${first}">July pay</a>`);
  expect(text).toContain('I know that 1 of the 2 payouts was paid by July pay, and is to be paid once more');
  expect(text.indexOf('Account details changed')).toBeLessThan(text.indexOf('Possible repeat'));
  for (const paid_before of ['', '2', 'yes']) {
    const refused = await anna.post(`${run}/approve`, { ...given, paid_before });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('of these payouts was paid by July pay.'),
    ]);
  }
  expect((await anna.post(`${run}/approve/passkey`, given)).status).toBe(422);
  expect((await anna.get(run)).text).toContain('Awaiting approval by');
  expect(text).toMatch(/name="accounts_confirmed" value="1" required/);
  const decided = { ...given, paid_before: '1', accounts_confirmed: '1' };
  expect((await anna.post(`${run}/approve`, decided)).location).toBe(run);
  const [approved] = await page.web.audit.list({ runId: runId ?? '' });
  expect(approved).toMatchObject({
    act: 'approved',
    details: { accounts_confirmed: 1, paid_before: { payouts: 1, runs: [firstId] } },
  });
  await ben.post(`${run}/start`);
  await ended(page, run);
  expect(await countsOf(page, run)).toMatchObject({ completed: 2 });
});

test('a row that only somebody approved who is locked out since waits for another, also where enough approved the plan', async () => {
  const { page, ben, anna, folder } = await office(
    ({ ben: preparer, anna: approver }) =>
      `input: none.csv\nlimits: {cooling_off: 30d}\nrepeat_window: 0s\napproval:\n  preparers:\n    - {name: Ben, public_key: ${preparer}}\n  approvers:\n    - {name: Anna, public_key: ${approver}}\n    - {name: Cleo, public_key: CLEO}\n`,
  );
  const { people, audit } = page.web;
  const cleo = await page.person('Cleo', ['approver']);
  const file = join(folder, 'jobs', 'pay.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('CLEO', (await people.byName('Cleo'))?.publicKey ?? ''));
  const { ask } = await served(page);
  const run = (await plan(page, ben, await upload(ben, [ADA, MARY], 'pay'), { period: '2031-11' })).location ?? '';
  const approve = async (browser: Browser, row: string) => {
    const form = { total: TOTAL, password: PASSWORD, ...(row === '' ? {} : { row }) };
    expect((await ask(browser, `${run}/approve`, form)).location).toBe(run);
  };
  await approve(anna, '2');
  await approve(cleo, '3');
  expect((await ask(ben, run)).text).toContain('Start paying');

  await people.setLocked((await people.byName('Anna'))?.id ?? '', true);
  const shown = (await ask(ben, run)).text;
  expect(shown).toContain('1 row to a new account still waits');
  expect(shown).not.toContain('Start paying');
  for (const only_valid of ['', 'yes']) expect((await ask(ben, `${run}/start`, { only_valid })).location).toBe(run);
  expect((await audit.list({ runId: run.split('/')[2] ?? '' })).map(({ act }) => act)).not.toContain('started');
  expect((await page.web.runs.read(run.split('/')[2] ?? ''))?.run.startedBy).toBeNull();

  await approve(cleo, '2');
  expect((await ask(ben, run)).text).toContain('Start paying');
  await ask(ben, `${run}/start`, {});
  await ended(page, run);
  expect(await countsOf(page, run)).toMatchObject({ completed: 2 });
});

test('what somebody approved who is locked out since, approves no more or has another key starts nothing', async () => {
  const { page, ben, anna } = await office();
  const { people } = page.web;
  const run = (await plan(page, ben, await upload(ben, [ADA, MARY]))).location ?? '';
  expect((await anna.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).location).toBe(run);
  expect((await ben.get(run)).text).toContain('Start paying');
  const id = (await people.byName('Anna'))?.id ?? '';
  const startsNothing = async (why: string) => {
    const shown = (await ben.get(run)).text;
    expect(shown).toContain(`The approval by Anna does not count: Anna ${why}. Another approver must approve it`);
    expect(shown).toContain('Awaiting approval by');
    expect(shown).not.toContain('Start paying');
    expect((await ben.get('/')).text).toContain('Awaiting approval by');
    expect((await ben.post(`${run}/start`)).location).toBe(run);
    expect((await page.web.audit.list({ runId: run.split('/')[2] ?? '' })).map(({ act }) => act)).not.toContain(
      'started',
    );
  };
  await people.setLocked(id, true);
  await startsNothing('was deactivated since');
  await people.setLocked(id, false);
  await people.setRoles(id, ['viewer']);
  await startsNothing('is no approver any more');
  await people.setRoles(id, ['approver']);
  expect((await ben.get(run)).text).toContain('Start paying');
  const token = await people.invite(id);
  expect((await page.browser().post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD })).status).toBe(
    303,
  );
  await startsNothing('has another key since');
});
