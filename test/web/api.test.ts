import { expect, test } from 'vitest';
import { startService, temporaryFolder } from '../support/payrun.ts';
import { apiOf, makeToken } from './api-caller.ts';
import { realTasks } from './real-tasks.ts';
import { openPage, PASSWORD } from './web-page.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000';
const TOTAL = '1032.50 AUD';
const FILE = [HEADER, ADA, MARY].join('\n');
const ALL = ['uploads:write', 'plans:write', 'runs:start', 'payments:read', 'recipients:read'];

/** The page over a service of its own, with Ben, who prepares, and Anna, who approves. Commands are real. */
async function office() {
  let dataDir = '';
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, temporaryFolder()) });
  dataDir = page.dataDir;
  await startService({ dataDir });
  const ben = await page.first('Ben', ['preparer', 'approver']);
  const anna = await page.person('Anna', ['approver']);
  return { page, ben, anna };
}

test('a program uploads, plans, waits for a person to approve, starts, and reads the report', async () => {
  const { page, ben, anna } = await office();
  const api = apiOf(page, await makeToken(ben, ALL));
  const upload = await api.upload('november.csv', FILE);
  expect([upload.status, upload.json]).toMatchObject([
    201,
    { state: 'checked', rows: 2, payouts: 2, errors: 0, totals: [{ currency: 'AUD', payouts: 2, amount: '1032.50' }] },
  ]);
  const made = await api.post('/plans', { upload_id: upload.json.id });
  expect([made.status, made.json]).toMatchObject([
    201,
    { state: 'awaiting_approval', rows: 2, approvals: { needed: 1, missing: 1, given: [], may_approve: ['Anna'] } },
  ]);
  const plan_id = String(made.json.id);
  const early = await api.post('/runs', { plan_id });
  expect([early.status, early.json]).toMatchObject([409, { code: 'not_approved' }]);
  const run = `/runs/${plan_id}`;
  // Its owner does not approve it, by whatever key it was made.
  expect((await ben.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).status).toBe(409);
  expect((await ben.get(`${run}/recall`)).status).toBe(200);
  expect((await anna.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).location).toBe(run);
  expect((await api.get(`/plans/${plan_id}`)).json).toMatchObject({ state: 'approved' });
  const started = await api.post('/runs', { plan_id });
  expect([started.status, started.json]).toMatchObject([201, { id: plan_id }]);
  await expect.poll(async () => (await api.get(run)).json.state).toBe('finished');
  expect((await api.get(run)).json).toMatchObject({ counts: { completed: 2 }, totals: [{ sent: '1032.50' }] });
  // Its process ends after that.
  await expect.poll(() => page.web.runTasks.going(plan_id)).toBeNull();
  expect((await api.post('/runs', { plan_id })).status).toBe(200);
  const first = await api.get('/recipients?limit=1');
  expect(first.json).toMatchObject({
    items: [{ name: 'Ada Byron', payee_id: 'E1', payments: 1, totals: [{ currency: 'AUD', amount: '1012.50' }] }],
  });
  const second = await api.get(`/recipients?limit=1&cursor=${first.json.next_cursor}`);
  expect(second.json).toMatchObject({ items: [{ name: 'Mary Jackson' }], next_cursor: null });
  expect(first.text + second.text).not.toMatch(/1234567[89]/);
  const payouts = await api.get(`${run}/payouts?limit=1`);
  expect(payouts.json).toMatchObject({ items: [{ row: 2, amount: '1012.50', state: 'completed' }] });
  expect((await api.get(`${run}/payouts?limit=1&cursor=${payouts.json.next_cursor}`)).json).toMatchObject({
    items: [{ row: 3 }],
    next_cursor: null,
  });
  expect((await api.get('/runs')).json).toMatchObject({
    items: [{ id: plan_id, state: 'finished' }],
    next_cursor: null,
  });
  const report = await api.get(`${run}/report?format=csv`);
  expect(report.text).toContain('Ada Byron');
});
