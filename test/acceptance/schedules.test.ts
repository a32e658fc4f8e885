import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clockOf } from '../support/clock-of.ts';
import { freePort } from '../support/free-port.ts';
import { mailServer } from '../support/mail-server.ts';
import { type Ended, payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, untilArrived } from '../support/service-admin.ts';
import { newWorkerDatabase } from '../support/workers.ts';

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code\n';
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A schedule with one time in each month, which was, or comes, so long from now. */
function dueIn(ms: number): string {
  const due = new Date(Date.now() + ms);
  return `{cron: "${due.getUTCMinutes()} ${due.getUTCHours()} ${due.getUTCDate()} * *", time_zone: UTC}`;
}

const monthOf = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 7);

/** Jobs that any number of hosts know, each with a data directory of its own, and one database and service for all. */
async function office(jobs: Record<string, string>, rows = 2) {
  const cwd = temporaryFolder();
  const mail = await mailServer();
  const database = await newWorkerDatabase();
  const service: ReadyService = await startService({ dataDir: join(cwd, 'service') });
  for (const folder of ['jobs', 'in']) mkdirSync(join(cwd, folder));
  const { base_url, api_key, signing_key_file } = service;
  const notify = 'notify: {on: [failed, doubts], email: {to: [a@example.org], from: p@example.org, smtp: "env:MAIL"}}';
  const way = `service: {base_url: "${base_url}", api_key: "${api_key}", signing_key_file: "${signing_key_file}", listing_lag: 0s, request_lifetime: 6s}`;
  for (const [at, [name, schedule]] of Object.entries(jobs).entries()) {
    const lines = Array.from({ length: rows }, (_, row) => {
      return `P${row},${10 * at + row + 1}.00,AUD,AUD_NPP,${12_345_000 + 100 * at + row},062-000\n`;
    });
    writeFileSync(join(cwd, 'in', `${name}.csv`), HEADER + lines.join(''));
    const text = `input: ../in/${name}.csv\nrate: 0\npoll_every: 50ms\n${notify}\n${way}\nschedule: ${schedule}\n`;
    writeFileSync(join(cwd, 'jobs', `${name}.yaml`), text);
  }
  const where = (host: string) => ['--data-dir', join(cwd, host), '--database', database.as('payrun_worker')];
  const env = { MAIL: mail.url };
  const startOn = (host: string, args: string[]) => start([...args, ...where(host)], { cwd, env });
  return {
    cwd,
    service,
    mail,
    startOn,
    payrunOn: (host: string, args: string[]) => payrun([...args, ...where(host)], { cwd, env }),
    once: async (host: string, args: string[] = [], more: Record<string, string> = {}) => {
      const words = ['schedule', '--once', '--json', ...args, ...where(host)];
      const ended = await payrun(words, { cwd, env: { ...env, ...more } });
      return { exit: ended.exit, story: storyOf(ended), ended };
    },
    async runsOf(job: string) {
      const { stdout } = await payrun(['runs', '--json', ...where('looking')], { cwd, env });
      return (JSON.parse(stdout).runs as { run_id: string; job: string; state: string }[]).filter(
        (run) => run.job === job,
      );
    },
  };
}

type Line = { event: string; job?: string; exit?: number | null; pid?: number };

function storyOf({ stdout }: Pick<Ended, 'stdout'>): string[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event !== 'next');
  return events.map(({ event, job, exit }) => [event, job, exit].filter((word) => word !== undefined).join(' '));
}

test('two schedules on two hosts fire at the same instant: each period is paid once, and neither has failed', async () => {
  const jobs = ['a1', 'a2', 'a3'];
  const { once, runsOf, service, mail } = await office(Object.fromEntries(jobs.map((job) => [job, dueIn(-MINUTE_MS)])));
  const hosts = await Promise.all([once('one'), once('two')]);
  expect(
    hosts.map(({ exit }) => exit),
    JSON.stringify(hosts),
  ).toEqual([0, 0]);
  for (const job of jobs) {
    expect(await runsOf(job)).toMatchObject([{ state: 'finished' }]);
    const story = hosts.map((host) => host.story.filter((line) => line.includes(job)));
    const loser = story.find((lines) => lines.includes(`elsewhere ${job}`));
    // Where one was late enough to see it, it never began.
    expect(loser ?? []).not.toContain(`ended ${job} 0`);
    expect(story.filter((lines) => lines.includes(`ended ${job} 0`))).toHaveLength(1);
  }
  expect(await allTransactions(service)).toHaveLength(2 * jobs.length);
  // And a third, later, has nothing to do.
  expect(await once('three')).toMatchObject({ exit: 0, story: [] });
  expect(mail.mails).toEqual([]);
});

test('the host that began a period dies: another one notices, begins no second run, and people are notified once', async () => {
  const { once, startOn, runsOf, service, mail } = await office({ b1: dueIn(-MINUTE_MS) }, 40);
  const dying = startOn('one', ['schedule', '--json']);
  await untilArrived(service, 20, /transfer/, dying.ended);
  const started =
    dying
      .stdout()
      .split('\n')
      .find((line) => line.includes('"started"')) ?? '{}';
  dying.child.kill('SIGKILL');
  process.kill((JSON.parse(started) as Line).pid ?? 0, 'SIGKILL');
  await dying.ended;
  expect(await once('two')).toMatchObject({ exit: 5, story: ['cut_off b1'] });
  expect(await once('three')).toMatchObject({ exit: 5, story: ['cut_off b1'] });
  expect(mail.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('b1 was interrupted')]);
  expect(await runsOf('b1')).toHaveLength(1);
});

test('a time that every host missed is noticed by each, and notified once', async () => {
  const hour = 60 * MINUTE_MS;
  const { once, payrunOn, mail } = await office({ c1: dueIn(-hour) });
  const before = await payrunOn('one', ['run', 'c1', '--yes', '--period', monthOf(-hour - 40 * DAY_MS)]);
  expect(before, before.stderr).toMatchObject({ exit: 0 });
  const hosts = await Promise.all([once('one'), once('two')]);
  for (const { exit, story } of hosts) expect({ exit, story }).toEqual({ exit: 5, story: ['missed c1'] });
  expect(mail.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('c1')]);
  expect(await once('three')).toMatchObject({ exit: 5, story: ['missed c1'] });
  expect(mail.mails).toHaveLength(1);
});

test('schedules go by the clock of the database: a host whose clock is ahead begins nothing early, and misses nothing', async () => {
  const { cwd, once, payrunOn, runsOf, mail } = await office({ d1: dueIn(5 * MINUTE_MS), d2: dueIn(-MINUTE_MS) });
  const before = await payrunOn('one', ['run', 'd1', '--yes', '--period', monthOf(-40 * DAY_MS)]);
  expect(before, before.stderr).toMatchObject({ exit: 0 });
  const file = join(cwd, 'clock');
  writeFileSync(file, String(30 * MINUTE_MS));
  // Only the schedule's clock is off: what it starts keeps the machine's.
  const ahead = await once('two', ['d1'], clockOf(file));
  expect(ahead).toMatchObject({ exit: 0, story: [] });
  writeFileSync(file, String(-30 * MINUTE_MS));
  const behind = await once('two', ['d2'], clockOf(file));
  expect(behind.story.slice(0, 1)).toEqual(['started d2']);
  expect(await runsOf('d1')).toHaveLength(1);
  expect(mail.mails.filter(({ subject }) => subject.includes('missed'))).toEqual([]);
});

test('with --detach a schedule leaves its runs to workers, of which a supervisor sees whether they can be used', async () => {
  const { once, startOn, runsOf, service } = await office({ e1: dueIn(-MINUTE_MS) });
  expect(await once('one', ['--detach'])).toMatchObject({ exit: 0, story: ['started e1', 'ended e1 0'] });
  expect(await allTransactions(service)).toEqual([]);
  // Nobody works on it, and nothing is cut off.
  expect(await once('two', ['--detach'])).toMatchObject({ exit: 0, story: [] });
  const address = `127.0.0.1:${await freePort()}`;
  const worker = startOn('three', [
    'worker',
    '--json',
    '--health',
    address,
    '--report-dir',
    'reports',
    ...keysOf(service),
  ]);
  await worker.wrote('"event":"ready"');
  const health = async (path: string) => (await fetch(`http://${address}${path}`)).status;
  expect([await health('/livez'), await health('/readyz'), await health('/')]).toEqual([200, 200, 404]);
  await worker.wrote('"event":"ended"');
  expect(await allTransactions(service)).toHaveLength(2);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ exit: 0 });
  expect((await runsOf('e1')).map(({ state }) => state)).toEqual(['finished']);
});

/** As a worker is given them where the run only names them. */
function keysOf({ options }: ReadyService): string[] {
  return [...options];
}
