import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions } from '../support/service-admin.ts';
import { realTasks, tasksInProcesses } from './real-tasks.ts';
import { openPage } from './web-page.ts';

const RUN_WHOLE = { name: 'run' as const, onlyValid: false, allowRepeat: [] };

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';

/** The page over a data directory with a rehearsal service, and whatever `payrun` does there. */
async function desk(settleAfter: string, tasksOf: typeof realTasks = realTasks) {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir, args: ['--settle-after', settleAfter] });
  const journal = await openDataJournal({ dataDir });
  onTestFinished(() => journal.close());
  const tasks = tasksOf(() => dataDir, folder);
  const page = await openPage({ tasks, journal, deps: { dataDir, clock: machineClock } });
  const command = async (...words: string[]) => {
    const args = [
      ...words,
      '--json',
      '--data-dir',
      dataDir,
      '--poll-every',
      '20ms',
      '--report-dir',
      join(folder, 'reports'),
    ];
    const ended = await payrun(args, { cwd: folder });
    return JSON.parse(ended.stdout);
  };
  const write = (name: string, rows: readonly string[], text = `${[HEADER, ...rows].join('\n')}\n`) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const until = async (runId: string, isSo: (run: RunState) => boolean) => {
    for (;;) {
      const followed = await page.web.runs.read(runId);
      if (followed !== null && isSo(followed.run)) return;
      await machineClock.sleep(50);
    }
  };
  return { folder, dataDir, service, page, tasks, command, write, until };
}

function row(number: number, name: string): string {
  return `${name},${100 + number}.00,AUD,AUD_NPP,${10_000_000 + number},062-000`;
}

test('a run that is cut off says so and goes on; it is stopped, is waited for, and its report is taken', async () => {
  const { folder, dataDir, service, page, command, write, until } = await desk('1h', tasksInProcesses);
  const anna = await page.first('Anna', ['preparer']);
  const vera = await page.person('Vera', ['viewer']);
  const { run_id } = await command(
    'plan',
    write(
      'pay.csv',
      [1, 2, 3].map((at) => row(at, `Payee ${at}`)),
    ),
  );
  const place = `/runs/${run_id}`;
  const person = (await page.web.people.byName('Anna'))?.id ?? '';
  await page.web.runTasks.start({ runId: run_id, act: 'started', task: RUN_WHOLE, person });
  const allAccepted = (run: RunState) => [...run.payouts.values()].every(({ state }) => state === 'accepted');
  await until(run_id, allAccepted);
  expect((await vera.get(place)).text).toContain('Waiting for outcomes');

  process.kill((await page.journal.holder(run_id))?.pid ?? 0, 'SIGKILL');
  while ((await page.web.runTasks.going(run_id)) !== null) await machineClock.sleep(20);
  const cutOff = (await anna.get(place)).text;
  expect(cutOff).toContain('Cut off');
  expect(cutOff).toContain('started by Anna. ');
  expect(cutOff).toContain('Go on');
  expect((await vera.get(place)).text).not.toContain('Go on</button>');

  expect((await anna.post(`${place}/resume`)).location).toBe(place);
  while ((await page.journal.holder(run_id)) === null) await machineClock.sleep(20);
  expect((await anna.get(place)).text).not.toContain('Cut off');
  expect((await anna.get(`${place}/cancel`)).text).toContain('not taken back: the outcome is waited for');
  await anna.post(`${place}/cancel`);
  expect((await anna.get(place)).text).toContain('Stopping');
  // The run that is at work has heard of it before it has nothing left to do.
  await until(run_id, ({ cancelled }) => cancelled);

  for (const { id } of await allTransactions(service)) await admin(service, 'transaction.settle', { id });
  await until(run_id, (run) => run.finished !== null);
  while ((await page.web.runTasks.going(run_id)) !== null) await machineClock.sleep(20);
  const result = (await vera.get(place)).text;
  expect(result).toContain('Rehearsal: all 3 payouts completed');
  expect(result).not.toContain('10000001');
  expect(result).toContain('started by Anna. ');
  expect(result).toMatch(/<dt>Started by<\/dt><dd class="id">Anna on the page \(account [^<]+@[^<]+\)</);
  const audit = (await vera.get(`${place}/audit`)).text;
  expect(audit).toMatch(/Started by Anna on the page \(account [^<]+@[^<]+\)\.</);
  expect(audit).toContain('A program resumed it for Anna on the page, for the 3rd time.');
  expect(audit).toContain('Cancelled by Anna on the page (account payrun@desk-7).');

  const csv = await vera.get(`${place}/report.csv`);
  expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${run_id}-report.csv"`);
  expect(csv.text.split('\n')[1]).toMatch(/^Payee 1,101\.00,AUD,AUD_NPP,••••0001,062-000,completed,/);
  expect(result).toContain(`href="${place}/report.camt054.xml"`);
  const statuses = await vera.get(`${place}/report.pain002.xml`);
  expect(statuses.headers.get('content-disposition')).toBe(`attachment; filename="${run_id}-report.pain002.xml"`);
  expect(statuses.text).toContain('<GrpSts>ACSC</GrpSts>');
  const taken = (await vera.get(`${place}/report.html`)).text;
  expect(taken).toContain('<!doctype html>');
  // What it names is on the page; the operator's own, which the run wrote, names commands.
  expect(taken).not.toMatch(/ --[a-z]|payrun verify/);
  expect(taken).toMatch(/Started by [^<]+@[^<]+, for Anna on the page\./);
  expect((await payrun(['show', run_id, '--data-dir', dataDir])).stdout).toMatch(
    /^started by .+@.+, for Anna on the page$/m,
  );
  expect(readFileSync(join(folder, 'reports', run_id, 'report.html'), 'utf8')).toContain('payrun verify');
  const acts = (await page.web.audit.list({ runId: run_id })).map(({ act }) => act);
  expect(acts).toEqual(['report_taken', 'report_taken', 'report_taken', 'cancelled', 'resumed', 'started']);
});

test('whom a process only names is said after the account that started it, whatever that person did to other runs', async () => {
  const { folder, dataDir, service, page, tasks, command, write } = await desk('0ms');
  const anna = await page.first('Anna', ['preparer']);
  const person = (await page.web.people.byName('Anna'))?.id ?? '';
  await page.web.audit.append({ person, act: 'started', runId: 'R20261125-7K3M9QZ2' });
  const file = write('pay.csv', [row(2, 'Ben')]);
  const { run_id } = await command('plan', file, '--profile', profileOf(folder, service));
  for (const path of [`/runs/${run_id}`, `/runs/${run_id}/rows`]) {
    const { text } = await anna.get(path);
    expect(text).toContain('<span title="Row 2">Ben</span></th>');
    expect(text).not.toContain('Transaction</th>');
  }
  const ended = await tasks.run({ runId: run_id, person: 'Anna', onlyValid: false, allowRepeat: [] });
  expect(ended).toEqual({ outcome: 'done', value: { exit: 0, halted: null } });
  const place = `/runs/${run_id}`;
  for (const path of [place, `${place}/rows`, `${place}/audit`]) {
    const { text } = await anna.get(path);
    expect(text).toMatch(/, started by [^<]+@[^<]+, who names Anna on the page\. /);
    expect(text).not.toMatch(/ (?:by|for) Anna\b/);
  }
  expect((await anna.get(place)).text).toContain('Finished</th>');
  expect((await anna.get(place)).text).toMatch(/<dd class="id">[^<]+@[^<]+, who names Anna on the page</);
  expect((await anna.get(`${place}/audit`)).text).toMatch(/>Started by [^<]+@[^<]+, who names Anna on the page\.</);
  expect((await payrun(['show', run_id, '--data-dir', dataDir])).stdout).toMatch(
    /^started by .+@.+, for Anna on the page$/m,
  );
});

test('doubts stand first and are settled by typing what they are about; what failed is planned again', async () => {
  const { folder, service, page, command, write, until } = await desk('0ms');
  const anna = await page.first('Anna', ['preparer']);
  const vera = await page.person('Vera', ['viewer']);
  await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'drop-before', nth: 2 });
  const file = write('pay.csv', [
    row(1, 'Ada'),
    row(2, '<b>Ben'),
    row(3, 'REHEARSE_CLOSED Ltd'),
    row(4, 'REHEARSE_CLOSED Two'),
  ]);
  const profile = profileOf(folder, service, NOTHING_PROMISED);
  const { run_id } = await command('run', file, '--yes', '--profile', profile);
  const place = `/runs/${run_id}`;
  const text = (await vera.get(place)).text;
  expect(text.indexOf('Needs you')).toBeGreaterThan(0);
  expect(text.indexOf('Needs you')).toBeLessThan(text.indexOf('Not paid, and what to do'));
  expect(text).toContain('ACCOUNT_CLOSED');
  expect(text).toMatch(/started from [^<]+@/);
  expect(text).not.toContain('started by');
  expect(text).not.toContain('<b>Ben');
  expect(text).not.toContain('Settle …');

  const doubtful = [...((await page.web.runs.read(run_id))?.run.payouts ?? [])].find(
    ([, { state }]) => state === 'unresolved',
  );
  const number = doubtful?.[0] ?? 0;
  const doubt = `${place}/doubts/${number}`;
  const amount = `${100 + number - 1}.00 AUD`;
  expect((await vera.get(doubt)).text).not.toContain('It was not sent');
  expect((await vera.post(doubt, { act: 'not_sent', typed: amount })).status).toBe(403);
  expect((await anna.get(doubt)).text).toContain(`Type <strong>${amount}</strong>`);
  // It would send every doubt of the run again, for the amount of one.
  expect((await anna.get(doubt)).text).toContain(`payrun resume ${run_id} --resubmit-absent`);
  const wrong: Record<string, string>[] = [
    { act: 'resubmit_absent', typed: amount },
    { act: 'not_sent', typed: '1 AUD' },
    { act: 'sent', typed: amount, transaction: '--yes' },
    { act: 'nonsense' },
  ];
  for (const form of wrong) expect((await anna.post(doubt, form)).status).toBe(422);
  expect((await anna.post(doubt, { act: 'sent', typed: amount, transaction: 'txn_nobody' })).text).toContain(
    'role="alert"',
  );
  const before = (await page.web.runs.read(run_id))?.run.payouts.get(number)?.state;
  expect(before).toBe('unresolved');

  const said = await anna.post(doubt, { act: 'not_sent', typed: amount.toLowerCase() });
  expect([said.status, said.location]).toEqual([303, place]);
  expect((await anna.get(place)).text).toContain('Decided, not finished');
  await anna.post(`${place}/resume`);
  await until(run_id, (run) => run.finished !== null);
  while ((await page.web.runTasks.going(run_id)) !== null) await machineClock.sleep(20);

  expect((await anna.post(`${place}/retry`)).text).toContain('Nobody here could approve this plan');
  await page.person('Bea', ['approver']);
  // Of two that failed one is left out; all of them cannot be.
  expect((await anna.get(place)).text).toContain(`href="${place}/remaining">Retry 2 failed</a>`);
  expect((await vera.get(place)).text).not.toContain('/remaining');
  expect((await vera.get(`${place}/remaining`)).status).toBe(403);
  const remaining = (await anna.get(`${place}/remaining`)).text;
  expect(remaining).toContain('Will be paid: 2 payouts of 207.00 AUD');
  expect(remaining).toMatch(/Will not be paid[\s\S]*<strong>2<\/strong> completed/);
  expect([...remaining.matchAll(/name="leave_out" value="(\d)"/g)].map(([, at]) => at)).toEqual(['4', '5']);
  expect(remaining).toContain('A closed account stays closed');
  const rowsOf = async (path: string) =>
    (await page.web.runs.read(path.split('/')[2] ?? ''))?.run.rows.map((one) => one.row);
  const part = (await anna.post(`${place}/retry`, { leave_out: '4' })).location ?? '';
  expect(await rowsOf(part)).toEqual([5]);
  await anna.post(`${part}/cancel`);
  while ((await page.web.runTasks.going(part.split('/')[2] ?? '')) !== null) await machineClock.sleep(20);
  for (const none of [['leave_out', ['4', '5']] as const, ['only', 'not_sent'] as const])
    expect((await anna.post(`${place}/retry`, Object.fromEntries([none]))).location).toBe(place);
  expect((await anna.get(place)).text).toContain('Nothing to retry');
  const planned = await anna.post(`${place}/retry`, { only: 'failed' });
  expect(await rowsOf(planned.location ?? '')).toEqual([4, 5]);
  expect(planned.location).toMatch(/^\/runs\/R/);
  expect(planned.location).not.toBe(place);
  const policy = (await page.web.runs.read(planned.location?.split('/')[2] ?? ''))?.run.plan?.approval;
  expect([policy?.preparer, policy?.approvers.map(({ name }) => name)]).toEqual(['Anna', ['Bea']]);
  expect((await anna.get(planned.location ?? '')).text).toContain(`It pays rows of <a href="${place}">`);
  expect((await anna.get(place)).text).toContain(`Rows of it were planned again in <a href="${planned.location}">`);
  expect((await anna.get(`${place}/audit`)).text).toMatch(
    new RegExp(`Anna on the page \\(account [^<]+@[^<]+\\) recorded row ${number} as not sent\\.`),
  );
  expect((await anna.get(`${planned.location}/audit`)).text).toMatch(
    />Planned by Anna, signed with their key, from Anna on the page \(account [^<]+@[^<]+\)\.</,
  );
  const resolved = (await page.web.audit.list({ runId: run_id })).filter(({ act }) => act === 'resolved');
  expect(resolved.map(({ details }) => details)).toEqual([
    { row: number, verdict: 'not_sent', exit: 0 },
    { row: number, verdict: 'sent', transaction: 'txn_nobody', exit: 6 },
  ]);
});

/** Of requests that it did not take in time. */
const NOTHING_PROMISED = 'guarantees: {enforces_expiry: false, replay_protection: false}';

/** A service that lists at once what it took. */
function profileOf(folder: string, service: ReadyService, guarantees = ''): string {
  const { base_url, api_key, signing_key_file } = service;
  const path = join(folder, 'profile.yaml');
  const lines = [
    `base_url: ${base_url}`,
    `api_key: ${api_key}`,
    `signing_key_file: ${signing_key_file}`,
    // The second request is then row 2's.
    'concurrency: 1',
    'request_lifetime: 6s',
    'listing_lag: 0s',
    guarantees,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
