import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newJournalDatabase, type TestDatabase } from '../journal/postgres-place.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { PROJECT, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';

const PAYROLL = join(PROJECT, 'samples/payroll.csv');
const CHANGING = /create|add|transfer/;
const PROFILE = 'request_lifetime: 6s\nrate: 60/s\nlisting_lag: 0s\n';

let database: TestDatabase;
let password: string;
beforeAll(async () => {
  database = await newJournalDatabase();
  ({ password } = await sharedPostgres());
});
afterAll(async () => {
  await statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
});

/** Whether the password stands in what a command printed, or in what it left in the folder. */
function expectNoPassword(folder: string, ...printed: string[]): void {
  const log = join(folder, 'data/logs/payrun.log');
  const texts = [...printed, existsSync(log) ? readFileSync(log, 'utf8') : ''];
  for (const text of texts) expect(text).not.toContain(password);
}

test('a run whose journal is in PostgreSQL is killed and resumed, shown, reported and verified', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, PROFILE);
  const url = database.as('payrun_worker');
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const run = ['run', PAYROLL, '--yes', '--profile', profile, ...service.options, '--poll-every', '50ms', ...where];
  const started = start([...run, '--database', url]);
  await untilArrived(service, 12, CHANGING, started.ended);
  started.child.kill('SIGKILL');
  const killed = await started.ended;
  expect(existsSync(join(folder, 'data/journal.db'))).toBe(false);

  // The environment names it too.
  const env = { PAYRUN_DATABASE: url };
  const listed = await payrun(['runs', '--json', ...where.slice(0, 2)], { env });
  const [{ run_id: runId, state }] = JSON.parse(listed.stdout).runs;
  expect(state).toBe('stopped');
  const resumed = await payrun(['resume', runId, '--poll-every', '50ms', '--json', ...where], { env });
  expect(resumed).toMatchObject({ exit: 0 });
  const result = JSON.parse(resumed.stdout);
  expect(await allTransactions(service)).toHaveLength(result.counts.completed);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });

  // And the profile.
  writeFileSync(profile, `${PROFILE}database: ${url}\n`);
  const named = ['--data-dir', join(folder, 'data')];
  const byProfile = { env: { PAYRUN_PROFILE: profile } };
  const printed: string[] = [killed.stdout, killed.stderr, listed.stdout, resumed.stdout, resumed.stderr];
  for (const [command, text] of [
    [['verify'], 'none altered'],
    [['show', runId], runId],
    [['report', runId, '--report-dir', join(folder, 'again')], 'report.csv'],
  ] as const) {
    const ended = await payrun([...command, ...named], byProfile);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(ended.stdout + ended.stderr).toContain(text);
    printed.push(ended.stdout, ended.stderr);
  }
  // The same file again is refused by what the database holds.
  const again = await payrun([...run, '--database', url]);
  expect(again).toMatchObject({ exit: 6 });
  expect(again.stderr).toContain(runId);
  expectNoPassword(
    folder,
    ...printed,
    again.stdout,
    again.stderr,
    readFileSync(join(folder, 'again', runId, 'report.html'), 'utf8'),
  );
});

test('what was printed to be pasted names the database, without its password, where it was an option', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'pay.csv');
  await generatePayroll({ rows: 3, path: file, seed: 9, mode: 'full' });
  const plain = await payrun(['plan', file, '--data-dir', folder, '--database', database.as('payrun_worker')]);
  expect(plain.exit).toBe(0);
  expect(plain.stdout + plain.stderr).toContain(`--database postgres://payrun_worker@127.0.0.1`);
  expectNoPassword(folder, plain.stdout, plain.stderr);
  // A schedule gives its option to the runs that it starts by their environment.
  const refused = (env: Record<string, string>) => payrun(['show', 'R1', '--data-dir', folder], { env });
  const byEnvironment = { PAYRUN_DATABASE: database.as('payrun_worker') };
  expect((await refused(byEnvironment)).stderr).not.toContain('--database');
  const bySchedule = await refused({ ...byEnvironment, PAYRUN_DATABASE_IS_OPTION: '1' });
  expect(bySchedule.stderr).toContain('--database postgres://payrun_worker@127.0.0.1');
  expectNoPassword(folder, bySchedule.stderr);
});

test.each([
  ['nobody listens', 8, 'cannot be reached', (url: string) => url.replace(/:\d+\//, ':1/')],
  ['the password is wrong', 8, 'refuses the login', (url: string) => url.replace(/:[0-9a-f]+@/, ':wrong@')],
  ['the database is not there', 2, 'There is no database', (url: string) => `${url}_not`],
  ['it is no such URL', 2, 'postgres://', () => 'mysql://root:secret@db/payrun'],
])('where %s, nothing is sent, and the exit code is %i', async (_, exit, message, change) => {
  const folder = temporaryFolder();
  const url = change(database.as('payrun_worker'));
  for (const command of [['run', PAYROLL, '--yes'], ['runs'], ['show', 'R1']]) {
    const ended = await payrun([...command, '--data-dir', folder, '--database', url]);
    expect(ended, ended.stderr).toMatchObject({ exit });
    expect(ended.stderr).toContain(message);
    for (const secret of [password, 'wrong', 'secret']) expect(ended.stderr).not.toContain(secret);
  }
  expect(existsSync(join(folder, 'service'))).toBe(false);
});

test('a check compares with what the database holds, and says where it cannot', async () => {
  const folder = temporaryFolder();
  const url = database.as('payrun_worker').replace(/:\d+\//, ':1/');
  const ended = await payrun(['check', PAYROLL, '--data-dir', folder, '--database', url]);
  expect(ended.exit).toBe(0);
  expect(ended.stdout + ended.stderr).toContain('Earlier payouts could not be compared');
  expectNoPassword(folder, ended.stdout, ended.stderr);
});
