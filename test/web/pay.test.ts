import { expect, test } from 'vitest';
import { worded } from '../../src/messages/problems/problem-words.ts';
import { warningsPart } from '../../src/web/plans/warnings-part.ts';
import { authenticator } from './authenticator.ts';
import { ADA, countsOf, ended, MARY, office, plan, TOTAL, upload } from './pay-office.ts';
import { tasksInProcesses } from './real-tasks.ts';
import { PASSWORD } from './web-page.ts';

test('one person plans a file, another approves it with total, password and passkey, and it is paid', async () => {
  const { page, ben, anna } = await office();
  const location = await upload(ben, [ADA, MARY]);
  const run = (await plan(page, ben, location)).location ?? '';
  expect(run).toMatch(/^\/runs\/R\d{8}-/);
  const shown = (await anna.get(run)).text;
  expect(shown).toContain('Awaiting approval by Anna.');
  expect(shown).toContain('1,032.50');
  expect(shown).not.toContain('12345678');
  for (const [path, words] of [
    ['/', `href="${run}/approve"`],
    ['/approvals', 'Awaiting your approval.'],
  ] as const) {
    const { text } = await anna.get(path);
    expect([path, text]).toEqual([path, expect.stringContaining(words)]);
    expect([path, text]).toEqual([path, expect.stringContaining('<span class="hidden">for you: </span>1</span>')]);
  }
  const theirs = (await ben.get('/approvals')).text;
  expect(theirs).toContain('Awaiting approval by Anna.');
  expect(theirs).not.toContain('for you:');

  // Who made it does not approve it, and nobody starts what nobody has approved.
  expect((await ben.get(`${run}/approve`)).text).toContain('someone else must approve it');
  expect((await ben.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).status).toBe(409);
  await ben.post(`${run}/start`);
  expect((await ben.get(run)).text).toContain('Awaiting approval by');

  const device = authenticator(page.origin);
  const asked = JSON.parse((await anna.post('/me/passkeys/options', { current: PASSWORD })).text);
  await anna.post('/me/passkeys', { label: 'Key', credential: device.create(asked) });
  const given = { total: TOTAL, password: PASSWORD };
  const wrong: [Record<string, string>, number, string][] = [
    [{ ...given, total: '1032.51 AUD' }, 422, 'That is not the total.'],
    [{ ...given, total: '1032.50 USD' }, 422, 'That is not the total.'],
    [{ ...given, password: 'incorrect horse battery' }, 422, 'Wrong password'],
    [given, 422, 'took too long or was already used'],
  ];
  for (const [form, status, words] of wrong) {
    const refused = await anna.post(`${run}/approve`, form);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(words)]);
  }
  const told = await anna.post(`${run}/approve/passkey`, { ...given, total: '1 AUD' });
  expect([told.status, told.text]).toEqual([422, expect.stringContaining('as it stands here: 1,032.50 AUD.')]);
  const challenge = await anna.post(`${run}/approve/passkey`, { ...given, total: '1032.50' });
  const credential = device.get(JSON.parse(challenge.text));
  expect((await anna.post(`${run}/approve`, { ...given, total: '1,032.50', credential })).location).toBe(run);
  expect((await anna.get(run)).text).toContain('Approved, and ready to start.');
  expect((await ben.get(run)).text).toContain('Start paying 2 payouts of 1,032.50 AUD</button>');
  const runId = run.split('/')[2] ?? '';
  const [proof] = await page.web.audit.list({ runId });
  expect(proof).toMatchObject({ act: 'approved', details: { passkey: { parts: { totals: [TOTAL] } } } });
  expect((await page.web.audit.verify()).ok).toBe(true);
  const log = (await anna.get('/audit')).text;
  expect(log).toMatch(/uploaded a file<\/td>.*<span class="details">[^<]+\.csv, \d+ bytes<\/span><details>/);
  expect(log).toMatch(/prepared a payment.*<span class="details">[^<,]+\.csv<\/span><details>.*digest [0-9a-f]{64}/);
  expect(log).toMatch(/approved the plan.*<span class="details">total 1,032\.50 AUD<\/span><details>/);

  expect((await anna.post(`${run}/start`)).status).toBe(403);
  expect((await ben.post(`${run}/start`)).location).toBe(run);
  await ended(page, run);
  expect(await countsOf(page, run)).toMatchObject({ completed: 2 });
  const result = (await anna.get(run)).text;
  expect(result).toMatch(/<h1>July pay<\/h1><span class="status completed">Completed<\/span>/);
  expect(result).toMatch(
    /Timeline[\s\S]+Prepared<[\s\S]+>Ben<[\s\S]+Approved<[\s\S]+>Anna<[\s\S]+Sending started<[\s\S]+>Ben<[\s\S]+Completed</,
  );
  const tabs: [string, string][] = [
    ['warnings', 'As of planning.'],
    ['audit', 'Unchanged since it was written?'],
    ['files', `href="${run}/report.csv" download>CSV</a>`],
    ['verification', (await page.web.runs.read(runId))?.run.approvals[0]?.signature ?? 'a signature'],
  ];
  for (const [tab, words] of tabs) {
    const { status, text } = await anna.get(`${run}/${tab}`);
    expect([tab, status, text]).toEqual([tab, 200, expect.stringContaining(words)]);
    expect(text).toContain(`<a href="${run}/${tab}" aria-current="page">`);
    expect(text).toContain(`<a href="${run}">Payouts <span class="tag">2</span></a>`);
    expect(text).not.toContain('12345678');
  }
  const vera = await page.person('Vera', ['viewer']);
  expect((await vera.post(`${run}/comments`, { comment: '<b>Paid</b> \r\n twice? ' })).location).toBe(
    `${run}/audit#comments`,
  );
  for (const path of [run, `${run}/audit`])
    expect((await anna.get(path)).text).toMatch(/Vera<[\s\S]+?&lt;b&gt;Paid&lt;\/b&gt;\ntwice\?</);
  for (const [comment, status] of [
    [' \n ', 422],
    ['x'.repeat(501), 422],
  ] as const)
    expect((await vera.post(`${run}/comments`, { comment })).status).toBe(status);
  const person = (await page.web.people.byName('Vera'))?.id ?? '';
  for (let n = 1; n < 100; n++)
    await page.web.audit.append({ person, act: 'commented', runId, details: { comment: 'x' } });
  expect((await vera.post(`${run}/comments`, { comment: 'one more' })).status).toBe(409);
  expect((await page.web.audit.verify()).ok).toBe(true);
  const again = await plan(page, ben, await upload(ben, [ADA, MARY]));
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('This file was run before')]);
  expect(again.text).not.toMatch(/--allow-repeat|`payrun/);
  expect(again.text).toContain(`value="${runId}"`);
  expect(again.text).toContain(`<a href="${run}">${runId}</a> paid it: all 2 payouts.`);
  expect(again.text).toContain(`I know that ${runId} paid it, and the 2 payouts that it made are to be paid once more`);
});

test('of a job it is said which rows were paid, of how many, and the tick is about these', async () => {
  const { page, ben, anna } = await office(
    ({ ben: preparer, anna: approver }) =>
      `input: none.csv\nrepeat_window: 9d\napproval:\n  preparers:\n    - {name: Ben, public_key: ${preparer}}\n  approvers:\n    - {name: Anna, public_key: ${approver}}\n`,
  );
  const period = { period: '2031-11' };
  const run = (await plan(page, ben, await upload(ben, [ADA], 'pay'), period)).location ?? '';
  expect((await anna.post(`${run}/approve`, { total: '1012.50 AUD', password: PASSWORD })).location).toBe(run);
  await ben.post(`${run}/start`);
  await ended(page, run);
  const next = await plan(page, ben, await upload(ben, [MARY, ADA], 'pay'), { period: '2031-12' });
  const runId = run.split('/')[2] ?? '';
  expect(next.status).toBe(409);
  expect(next.text).toContain(`1 of 2 rows was paid already by <a href="${run}">${runId}</a>`);
  expect(next.text).toContain('with the same amount to the same account: row 3.');
  expect(next.text).toContain(`I know that ${runId} paid this row, and it is to be paid once more, beside the other 1`);
  expect(next.text).toContain('your administrator can change');
  expect(next.text).not.toMatch(/repeat_window|everybody/);
});

test('what the service or the rules refuse is said on the page, with what can be done', async () => {
  const { page, ben } = await office();
  await page.web.people.setLocked((await page.web.people.byName('Anna'))?.id ?? '', true);
  const alone = await plan(page, ben, await upload(ben, [ADA]));
  expect([alone.status, alone.text]).toEqual([409, expect.stringContaining('An administrator can invite an approver')]);
  await page.web.people.setLocked((await page.web.people.byName('Anna'))?.id ?? '', false);
  const twice = await plan(page, ben, await upload(ben, [ADA, ADA]));
  const warned = (await ben.get(twice.location ?? '')).text;
  expect(warned).toMatch(
    /class="titled urgent"[^>]*><div class="part-head"><h2[^>]*>Possible duplicates in the file <span class="tag">1</,
  );
  const bad = await upload(ben, [ADA, MARY.replace('20.00', '-20.00')]);
  const refused = await plan(page, ben, bad);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('The file has problems')]);
  const partly = await plan(page, ben, bad, { only_valid: 'yes' });
  expect(partly.location).toMatch(/^\/runs\/R/);
  expect((await ben.get(partly.location ?? '')).text).toContain('1,012.50');
});

test('who approves that everybody is paid once more is told so first; a stop right after the start is obeyed', async () => {
  // The process that is asked to stop has only been started.
  const { page, ben, anna } = await office(null, tasksInProcesses);
  const pay = async (form: Record<string, string>) => {
    const run = (await plan(page, ben, await upload(ben, [ADA, MARY]), form)).location ?? '';
    const shown = { plan: (await anna.get(run)).text, approve: (await anna.get(`${run}/approve`)).text };
    expect((await anna.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).location).toBe(run);
    return { run, runId: run.split('/')[2] ?? '', shown };
  };
  const first = await pay({});
  expect(first.shown.approve).toContain('no repeated payments');
  expect(first.shown.approve).not.toContain('once more');
  await ben.post(`${first.run}/start`);
  await ended(page, first.run);

  const second = await pay({ allow_repeat: first.runId });
  for (const text of [second.shown.plan, second.shown.approve]) {
    expect(text).toContain(`<h3>It pays everyone in <a href="${first.run}">July pay</a> again</h3>`);
    expect(text).not.toContain('no repeated payments');
  }
  const stop = async () => {
    await expect.poll(() => page.web.runTasks.going(second.runId), { interval: 1 }).toBe('started');
    expect((await ben.post(`${second.run}/cancel`)).location).toBe(second.run);
  };
  await Promise.all([ben.post(`${second.run}/start`), stop()]);
  await expect.poll(() => page.web.runTasks.going(second.runId)).toBeNull();
  const run = (await page.web.runs.read(second.runId))?.run;
  expect([run?.cancelled, run?.startedBy]).toEqual([true, null]);
  expect([...(run?.payouts.values() ?? [])].map(({ state }) => state)).toEqual(['not_submitted', 'not_submitted']);
  const acts = (await page.web.audit.list({ runId: second.runId })).map(({ act }) => act);
  expect(acts.slice(0, 2)).toEqual(['cancelled', 'started']);
});

test('what was paid after the approvers looked is paid again by nothing that they said', async () => {
  const { page, ben, anna } = await office();
  const planned = async (rows: readonly string[]) => (await plan(page, ben, await upload(ben, rows))).location ?? '';
  const late = await planned([ADA, MARY.replace('20.00', '21.00')]);
  const given = { total: '1033.50 AUD', password: PASSWORD };
  expect((await anna.post(`${late}/approve`, given)).location).toBe(late);
  const first = await planned([MARY, ADA]);
  expect((await anna.post(`${first}/approve`, { ...given, total: TOTAL })).location).toBe(first);
  await ben.post(`${first}/start`);
  await ended(page, first);
  await ben.post(`${late}/start`);
  const refused = expect.stringContaining('would pay the same amount to the same account again');
  await expect.poll(async () => (await ben.get(late)).text).toEqual(refused);
  expect((await page.web.runs.read(late.split('/')[2] ?? ''))?.run.startedBy).toBeNull();
});

test('what is to be looked at names what the page has, and no options of the command line', async () => {
  const warning = {
    severity: 'warning' as const,
    row: null,
    cell: null,
    code: 'other_sheets',
    params: { sheets: ['June'] },
  };
  const extras = {
    warnings: [worded(warning, 'page')],
    counts: {},
    isKnown: true,
    balances: [],
    compared: null,
    differences: null,
  };
  const text = String(await warningsPart({ run: { header: null, plan: null }, rowOf: () => undefined }, extras));
  expect(text).toContain('Upload the file once more for each other sheet');
  expect(text).not.toContain('--sheet');
});
