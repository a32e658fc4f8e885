import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Counts, Entry, RunCreated } from '../../src/domain/entry.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { askForApproval, verifyApproval } from '../../src/web/people/passkeys.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { openPage, type TestPage } from './web-page.ts';
import { withPasskey } from './with-passkey.ts';

const ALL: Counts = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

test('the history finds runs by id, file, job, period and state, newest first and a page at a time', async () => {
  const page = openPage();
  for (let at = 10; at < 40; at++) await run(page, `R-${at}`, { input: `pay-${at}.csv` }, [started(), finished(ALL)]);
  await run(page, 'R-40', { input: '<b>x.csv', job: 'salaries', period: '2026-11' }, [started(), stopped()]);
  await run(page, 'R-41', { input: 'bad.csv', retries: 'R-10' }, [started(), finished({ ...ALL, failed: 2 })]);
  await run(page, 'R-42', { input: 'plan.csv' }, []);
  await run(page, 'R-43', { input: 'old.csv' }, [{ kind: 'cancelled', by: 'anna' }]);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const found = async (asked: string) => {
    const { text } = await vera.get(`/runs${asked}`);
    expect(text).not.toContain('<b>x');
    return Array.from(text.matchAll(/<span class="id">(R-\d+)<\/span>/g), ([, id]) => id);
  };
  expect((await found('')).slice(0, 4)).toEqual(['R-43', 'R-42', 'R-41', 'R-40']);
  expect([await found(''), await found('?page=2'), await found('?page=99')].map(({ length }) => length)).toEqual([
    25, 9, 9,
  ]);
  expect(await found('?q=PAY-1')).toHaveLength(10);
  expect(await found('?q=r-17')).toEqual(['R-17']);
  expect([await found('?q=salaries'), await found('?q=2026-11')]).toEqual([['R-40'], ['R-40']]);
  expect([await found('?state=planned'), await found('?state=cancelled_plan')]).toEqual([['R-42'], ['R-43']]);
  expect([await found('?state=stopped'), await found('?state=running')]).toEqual([['R-40'], []]);
  expect(await found('?q=nobody')).toEqual([]);
  const { text } = await vera.get('/runs');
  expect(text).toContain('1 completed, 2 failed');
  expect(text).toContain('<span class="tag">retry</span>');
});

test('jobs are shown with their next times, their waiting plan and their last run; broken files with the place', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'jobs'));
  const job =
    'name: salaries\ndescription: <i>Salaries\ninput: ../pay.csv\nschedule:\n  cron: "0 9 25 * *"\n  time_zone: Europe/Berlin\n';
  writeFileSync(join(folder, 'jobs', 'salaries.yaml'), job);
  writeFileSync(join(folder, 'jobs', 'broken.yaml'), 'name: broken\ninputt: x.csv\n');
  const page = openPage({ doors: { jobs: () => listJobs(join(folder, 'jobs')) } });
  await run(page, 'R-1', { job: 'salaries', period: '2026-10' }, [started(), finished(ALL)]);
  await run(page, 'R-2', { job: 'salaries', period: '2026-11' }, [{ kind: 'cancelled', by: 'anna' }]);
  await run(page, 'R-3', { job: 'salaries', period: '2026-11' }, []);
  await page.first('Anna');
  const { text } = await (await page.person('Vera', ['viewer'])).get('/jobs');
  expect(text).toContain('2026-12-25 09:00 Europe/Berlin');
  expect(text).toContain('<a href="/runs/R-3">2026-11</a>');
  expect(text).toContain('<a href="/runs/R-1">2026-10</a>');
  expect(text).toContain('1 completed');
  expect(text).not.toContain('R-2');
  expect(text).not.toContain('<i>Salaries');
  expect(text).toMatch(/broken\.yaml:2:1: /);
  expect(text.indexOf('broken')).toBeLessThan(text.indexOf('salaries'));
});

test('who did what to a run is told, its proofs are verified again, and what was altered is seen', async () => {
  let verified: Record<string, unknown> = { ok: true, entries: 9, head: 'a'.repeat(64), witness: null };
  const payrun = async () => ({ exit: verified.ok ? 0 : 5, signal: null, result: verified, said: '' });
  const { page, asked, key, bea: browser } = await withPasskey({ doors: { payrun } });
  const { header } = await run(page, 'R-1', {}, [started(), finished(ALL)]);
  const plan = { digest: header.digest, payouts: 3, totals: ['37.02 AUD'] };
  const options = await askForApproval(page.web, asked, 'R-1', plan);
  const answer = await verifyApproval(page.web, asked, 'R-1', plan, key.get(options as never));
  const proof = answer.ok ? answer.proof : null;
  const person = asked.person.id;
  const approve = (digest: string, passkey: unknown) =>
    page.web.audit.append({ person, act: 'approved', runId: 'R-1', details: { digest, passkey } });
  approve(header.digest, proof);
  const good = (await browser.get('/runs/R-1/audit')).text;
  expect(good).toContain('verified again now');
  expect(good).toContain('9 entries, none altered');
  expect(good).toContain('Started by anna@desk-7.');
  expect(good).toContain('Finished: 1 completed.');
  expect(good).not.toContain('class="notice wrong"');

  approve(header.digest, { ...proof, origin: 'http://evil.test' });
  approve('e'.repeat(64), proof);
  verified = { ok: false, message: 'entry 4 was edited' };
  const bad = (await browser.get('/runs/R-1/audit')).text;
  expect(bad).toContain('It proves nothing.');
  expect(bad).toContain('signed another plan');
  expect(bad).toContain('could not be proven: entry 4 was edited');

  const whole = (await browser.get('/audit')).text;
  expect(whole).toContain('none altered');
  expect(whole).toContain('approved the plan <a class="id" href="/runs/R-1">');
  const database = new DatabaseSync(join(page.dataDir, 'web', 'web.db'));
  database.exec("UPDATE audit SET details = '{}' WHERE n = 3");
  database.close();
  expect((await browser.get('/audit')).text).toMatch(/was altered: .*3/);
  expect((await browser.get('/audit?before=3')).text).not.toContain('approved the plan');
});

type Changed = { input?: string; job?: string; period?: string; retries?: string };

/** A plan in the journal, and what became of it. */
async function run(
  { web }: TestPage,
  id: string,
  { input, ...changed }: Changed,
  entries: Entry[],
): Promise<{ header: RunCreated }> {
  const sample = sampleHeader(id);
  const header = { ...sample, ...changed, input: { ...sample.input, name: input ?? sample.input.name } };
  const rows: Entry[] = [sampleRows(3), { kind: 'planned', plan: samplePlan(header) }, ...entries];
  const created = await web.doors.journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  return { header };
}

function started(): Entry {
  return { kind: 'started', by: 'anna@desk-7' };
}

function stopped(): Entry {
  return { kind: 'stopped', reason: 'outage' };
}

function finished(counts: Counts): Entry {
  return { kind: 'finished', counts };
}
