import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/open.ts';
import { contentOf, mover, newRunOf } from '../journal/move/journals.ts';
import { newJournalDatabase, type TestDatabase } from '../journal/postgres-place.ts';
import { sampleRow } from '../journal/samples.ts';
import { PROJECT, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';

const PAYROLL = join(PROJECT, 'samples/payroll.csv');

const databases: TestDatabase[] = [];
beforeAll(async () => {
  for (let made = 0; made < 2; made++) databases.push(await newJournalDatabase());
});
afterAll(async () => {
  const server = urlOf(await sharedPostgres(), 'postgres');
  for (const { name } of databases) await statements(server, `DROP DATABASE ${name} WITH (FORCE)`);
});

function newDatabase(): string {
  return databases.pop()?.as('payrun_worker') ?? '';
}

async function withJournal<Result>(url: string, work: (journal: Journal) => Promise<Result>): Promise<Result> {
  const journal = await openJournal(url, mover());
  return work(journal).finally(() => journal.close());
}

test('a run that is at work is not moved; killed, it is moved into a database, and resumed there and nowhere else', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const url = newDatabase();
  const service = await startService({ dataDir: join(folder, 'service') });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nrate: 60/s\nlisting_lag: 0s\n');
  const where = ['--report-dir', join(folder, 'reports'), '--poll-every', '50ms'];
  const running = start([
    'run',
    PAYROLL,
    '--yes',
    '--profile',
    profile,
    ...service.options,
    ...where,
    '--data-dir',
    data,
  ]);
  await untilArrived(service, 12, /transfer/, running.ended);
  // It stands still, and holds its run.
  running.child.kill('SIGSTOP');
  const copy = ['journal', 'copy', data, url];
  const refused = await payrun([...copy, '--json']);
  expect(refused).toMatchObject({ exit: 7 });
  expect(refused.stderr).toMatch(new RegExp(`Run R\\w+-\\w+ is held by process ${running.child.pid} on `));
  running.child.kill('SIGKILL');
  await running.ended;

  const moved = await payrun(copy);
  expect(moved, moved.stderr).toMatchObject({ exit: 0 });
  expect(moved.stdout).toContain('Every run is proven in both journals.');
  expect(moved.stdout + moved.stderr).not.toContain((await sharedPostgres()).password);
  const [{ runId = '' } = {}] = await withJournal(url, (journal) => journal.heads());
  const before = await payrun(['resume', runId, '--data-dir', data, ...where]);
  expect(before).toMatchObject({ exit: 2 });
  expect(before.stderr).toContain('The runs of this journal were moved to postgres://payrun_worker@');

  const resumed = await payrun([
    'resume',
    runId,
    '--database',
    url,
    '--json',
    '--data-dir',
    join(folder, 'new'),
    ...where,
  ]);
  expect(resumed, resumed.stderr).toMatchObject({ exit: 0 });
  expect(await allTransactions(service)).toHaveLength(JSON.parse(resumed.stdout).counts.completed);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });

  const check = await payrun(['journal', 'check', '--database', url, '--json', '--data-dir', join(folder, 'new')]);
  expect(JSON.parse(check.stdout)).toMatchObject({
    ok: true,
    kind: 'postgres',
    settings: { fsync: 'on', synchronous_standby_names: '' },
    standbys: 0,
    waits_for_standby: false,
    moved: null,
    runs: 1,
    notes: expect.arrayContaining([expect.stringContaining('a promoted standby can lack the last payments')]),
  });
  const old = await payrun(['journal', 'check', '--data-dir', data, '--json']);
  expect(JSON.parse(old.stdout)).toMatchObject({ ok: true, kind: 'sqlite', moved: { state: 'left' } });
});

/** Some 3 MB: a copy takes half a second, in a dozen transactions. */
async function largeJournal(data: string): Promise<string> {
  const url = `sqlite:${join(data, 'journal.db')}`;
  await withJournal(url, async (journal) => {
    const rows = Array.from({ length: 16 }, (_, page): Entry => {
      return { kind: 'rows', rows: Array.from({ length: 256 }, (_row, at) => sampleRow(10 + page * 256 + at)) };
    });
    for (const id of ['R1', 'R2']) await (await newRunOf(journal, id, rows)).release();
  });
  return url;
}

test('a copy that is killed at any moment is gone on with by the next call, and meanwhile neither journal takes runs', async () => {
  const data = join(temporaryFolder(), 'data');
  const url = newDatabase();
  const from = await largeJournal(data);
  const heads = await withJournal(from, (journal) => journal.heads());
  const copy = ['journal', 'copy', data, url];
  let isRefusedMeanwhile = 0;
  for (const pause of [0, 60, 150]) {
    const copying = start(copy);
    await copying.wrote('copying:');
    await sleep(pause);
    copying.child.kill('SIGKILL');
    await copying.ended;
    const refused = await payrun(['runs', '--data-dir', data, '--json']);
    if (refused.exit === 7) isRefusedMeanwhile++;
    const there = await payrun(['runs', '--database', url, '--data-dir', data, '--json']);
    // Not before the other one is closed for good.
    if (there.exit !== 7) expect([there.exit, refused.exit]).toEqual([0, 2]);
  }
  expect(isRefusedMeanwhile).toBeGreaterThan(0);
  const done = await payrun([...copy, '--json']);
  expect(done, done.stderr).toMatchObject({ exit: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({ state: 'moved', runs: 2 });
  expect(await withJournal(url, (journal) => journal.heads())).toEqual(heads);
  expect(await payrun(['verify', '--database', url, '--data-dir', data], { cwd: data })).toMatchObject({ exit: 0 });
  expect(await payrun(['runs', '--data-dir', data])).toMatchObject({ exit: 2 });
});

test('a backup is made while a run is written, is proven, is for its owner only, and replaces nothing', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const from = await largeJournal(data);
  const to = join(folder, 'backup.db');
  const backup = ['journal', 'backup', to, '--data-dir', data];
  await withJournal(from, async (journal) => {
    const writer = await newRunOf(journal, 'R4');
    const isDone = new AbortController();
    const writing = (async () => {
      while (!isDone.signal.aborted) await writer.append([{ kind: 'stopped', reason: 'interrupted' }]);
    })();
    const made = await payrun([...backup, '--json']);
    isDone.abort();
    await writing;
    await writer.release();
    expect(made, made.stderr).toMatchObject({ exit: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ path: to, runs: 3, bytes: statSync(to).size });
  });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  for (const beside of ['-wal', '-shm']) expect(existsSync(`${to}${beside}`)).toBe(false);
  const bytes = readFileSync(to);
  const again = await payrun(backup);
  expect(again).toMatchObject({ exit: 2 });
  expect(again.stderr).toContain('never replaces anything');
  expect(readFileSync(to).equals(bytes)).toBe(true);
  const restored = await withJournal(`sqlite:${to}`, contentOf);
  expect(restored.heads.map(({ runId }) => runId)).toEqual(['R1', 'R2', 'R4']);
  const inDatabase = await payrun([
    'journal',
    'backup',
    to,
    '--database',
    'postgres://payrun_worker@127.0.0.1:1/payrun',
  ]);
  expect(inDatabase).toMatchObject({ exit: 2 });
  expect(inDatabase.stderr).toContain('pg_dump --format custom');
});
