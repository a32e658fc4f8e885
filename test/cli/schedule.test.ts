import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { listed } from '../support/approval-office.ts';
import { asPerson, PASSPHRASE, testApprover } from '../support/approvers.ts';
import { clockOf } from '../support/clock-of.ts';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, type ReadyService, type Started, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code\n';

/** A payroll that differs from every other one by its amount. */
function payroll(amount: string): string {
  return `${HEADER}Ana,${amount},AUD,AUD_NPP,12345678,062-000\nBen,${amount},AUD,AUD_NPP,12345679,062-000\n`;
}

/** Each look starts a command, of which one in 50 ms keeps a processor busy. */
const EACH_A_COMMAND = { interval: 300 };

const MONTHLY = 'schedule: {cron: "0 9 25 * *", time_zone: Europe/Berlin}\n';

const NOTIFY = 'notify: {on: [failed, doubts], email: {to: [a@example.org], from: p@example.org, smtp: "env:MAIL"}}\n';

/** A folder with the job `pay`, and ways to run payrun there at a time of our own. */
function office({
  service,
  schedule = MONTHLY,
  mail,
}: {
  service?: ReadyService;
  schedule?: string;
  mail?: MailServer;
} = {}) {
  const cwd = temporaryFolder();
  for (const folder of ['jobs', 'in']) mkdirSync(join(cwd, folder));
  const way = service
    ? `service: {base_url: "${service.base_url}", api_key: "${service.api_key}", signing_key_file: "${service.signing_key_file}"}\n`
    : '';
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text);
  const told = mail === undefined ? '' : NOTIFY;
  write('jobs/pay.yaml', `input: ../in/pay-*.csv\nrate: 0\npoll_every: 20ms\n${told}${way}${schedule}`);
  write('in/pay-1.csv', payroll('10.00'));
  const clock = join(cwd, 'clock-offset');
  const setClock = (to: string) => writeFileSync(clock, String(Date.parse(to) - Date.now()));
  setClock(new Date().toISOString());
  const env = { ...clockOf(clock), MAIL: mail?.url ?? '' };
  const startHere = (args: string[]) => start(args, { cwd, env });
  const json = async (args: string[]) => {
    const ended = await payrun([...args, '--json'], { cwd });
    return { ...ended, json: JSON.parse(ended.stdout) };
  };
  return {
    cwd,
    write,
    setClock,
    json,
    payrun: (args: string[]) => payrun(args, { cwd }),
    /** At the time that the clock is set to. */
    inTime: (args: string[], { NODE_OPTIONS = '', ...more }: Record<string, string> = {}) =>
      payrun(args, { cwd, env: { ...env, ...more, NODE_OPTIONS: `${NODE_OPTIONS} ${env.NODE_OPTIONS}` } }),
    schedule: (...args: string[]) => startHere(['schedule', '--json', ...args]),
    once: async (...args: string[]) => {
      const { exit, stdout, stderr } = await payrun(['schedule', '--once', '--json', ...args], { cwd, env });
      return { exit, events: eventsOf(stdout), stderr };
    },
    /** Job and period of each run, newest first. */
    runs: async () => (await json(['runs'])).json.runs as { run_id: string; period: string; state: string }[],
  };
}

type Said = { event: string; period?: string; exit?: number | null; signal?: string; pid?: number; run_id?: string };

function eventsOf(stdout: string): Said[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** `started 2031-11`, in order, without the next times. */
function storyOf(events: readonly Said[]): string[] {
  const told = events.filter(({ event }) => event !== 'next');
  return told.map(({ event, period, exit }) => [event, period, exit].filter((word) => word !== undefined).join(' '));
}

async function end(scheduler: Started): Promise<{ exit: number | null; story: string[] }> {
  scheduler.child.kill('SIGTERM');
  const { exit, stdout } = await scheduler.ended;
  return { exit, story: storyOf(eventsOf(stdout)) };
}

describe('the period of a run', () => {
  it('is paid once, whatever the file', async () => {
    const { json, write, payrun, runs } = office({ schedule: MONTHLY });
    const first = await json(['run', 'pay', '--yes', '--period', '2031-11']);
    expect(first.exit).toBe(0);
    write('in/pay-2.csv', payroll('20.00'));
    const again = await json(['run', 'pay', '--yes', '--period', '2031-11']);
    expect(again).toMatchObject({ exit: 6, json: { run_id: first.json.run_id } });
    expect(again.json.message).toBe(
      `Job pay was already run for 2031-11, as ${first.json.run_id}, a rehearsal. Nothing was sent.`,
    );
    expect(again.json.remedy).toContain('say it with --period');
    expect((await payrun(['plan', 'pay', '--period', '2031-11'])).exit).toBe(6);
    expect((await payrun(['run', 'pay', '--yes', '--period', '2031-12'])).exit).toBe(0);
    write('in/pay-3.csv', payroll('30.00'));
    const repeat = ['--period', '2031-11', '--allow-repeat', first.json.run_id];
    expect((await payrun(['run', 'pay', '--yes', ...repeat])).exit).toBe(0);
    expect((await runs()).map(({ period }) => period)).toEqual(['2031-11', '2031-12', '2031-11']);
  });

  it('is that of the nearest time of the schedule where nobody says it, and is shown', async () => {
    const { payrun, json, runs } = office();
    const { next } = (await json(['jobs'])).json.jobs[0].schedule;
    expect(next).toHaveLength(3);
    const paid = await payrun(['run', 'pay', '--yes']);
    const [period] = (await runs()).map((run) => run.period);
    expect(period).toMatch(/^\d{4}-\d{2}$/);
    expect(paid.stderr).toContain(`Period ${period}, of ${period}-25 09:00 Europe/Berlin, the nearest time`);
  });

  it('of a plan is kept until it is run, and refused when it was run meanwhile', async () => {
    const { json, write } = office();
    const planned = await json(['plan', 'pay', '--period', '2031-11']);
    expect(planned.exit).toBe(0);
    write('in/pay-2.csv', payroll('20.00'));
    expect((await json(['run', 'pay', '--yes', '--period', '2031-11'])).exit).toBe(0);
    const late = await json(['run', planned.json.run_id, '--yes']);
    expect(late.exit).toBe(6);
    expect(late.json.message).toContain('Job pay was already run for 2031-11, as R');
    expect((await json(['run', planned.json.run_id, '--period', '2031-12'])).exit).toBe(2);
  });

  it.each([
    ['2031-W47', '--period: 2031-W47 is not the period of job pay, which is a month.\nWrite it like 2026-11.'],
    ['November', '--period: November is not the period of job pay, which is a month.'],
  ])('cannot be %s', async (period, message) => {
    const { exit, stderr } = await office().payrun(['run', 'pay', '--yes', '--period', period]);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is for jobs', async () => {
    const { payrun, runs } = office({ schedule: '' });
    const ofFile = await payrun(['run', 'in/pay-1.csv', '--yes', '--period', '2031-11']);
    expect(ofFile).toMatchObject({ exit: 2, stderr: expect.stringContaining('is for a job, and this is none') });
    expect((await payrun(['run', 'pay', '--yes'])).exit).toBe(0);
    expect((await runs())[0]?.period).toBeNull();
  });
});

describe('payrun schedule', () => {
  it('runs a job when it is due, once, also when it is started again or the clock is set back', async () => {
    const service = await startService({ dataDir: temporaryFolder() });
    const { schedule, setClock, write, runs } = office({ service });
    setClock('2031-11-25T07:00:00Z');
    const scheduler = schedule();
    await scheduler.wrote('"event":"next","job":"pay","period":"2031-11","due_at":"2031-11-25T08:00:00.000Z"');
    setClock('2031-11-25T08:00:01Z');
    await scheduler.wrote('"event":"ended"');
    write('in/pay-2.csv', payroll('20.00'));
    setClock('2031-11-25T07:00:00Z');
    await scheduler.wrote(/("next","job":"pay","period":"2031-11".*){2}/s);
    setClock('2031-11-25T08:00:01Z');
    await scheduler.wrote(/("next","job":"pay","period":"2031-12".*){2}/s);
    expect(await end(scheduler)).toEqual({ exit: 0, story: ['started 2031-11', 'ended 2031-11 0', 'stopping'] });
    const again = schedule();
    await again.wrote('"event":"next"');
    expect(await end(again)).toEqual({ exit: 0, story: ['stopping'] });
    expect((await runs()).map(({ period }) => period)).toEqual(['2031-11']);
    expect(await allTransactions(service)).toHaveLength(2);
  });

  it('started twice at once pays once', async () => {
    const service = await startService({ dataDir: temporaryFolder() });
    const { schedule, setClock, write, runs } = office({ service });
    setClock('2031-11-25T07:00:00Z');
    const both = [schedule(), schedule()];
    await Promise.all(both.map((one) => one.wrote('"event":"next"')));
    setClock('2031-11-25T08:00:01Z');
    // Whoever looks when the other has begun does not begin.
    await Promise.all(both.map((one) => one.wrote('"event":"next","job":"pay","period":"2031-12"')));
    const began = both.filter((one) => one.stdout().includes('"event":"started"'));
    await Promise.all(began.map((one) => one.wrote('"event":"ended"')));
    const stories = await Promise.all(both.map(end));
    const [paid, ...others] = stories
      .flatMap(({ story }) => story.filter((line) => line.startsWith('ended')))
      .toSorted();
    expect(paid).toBe('ended 2031-11 0');
    for (const other of others) expect(other).toMatch(/^ended 2031-11 [67]$/);
    write('in/pay-2.csv', payroll('20.00'));
    expect((await runs()).map(({ period }) => period)).toEqual(['2031-11']);
    expect(await allTransactions(service)).toHaveLength(2);
  });

  it('reports a missed night, and runs it only if the job says so', async () => {
    const { once, setClock, write, runs, json, cwd } = office();
    expect((await json(['run', 'pay', '--yes', '--period', '2031-09'])).exit).toBe(0);
    write('in/pay-2.csv', payroll('20.00'));
    setClock('2031-11-27T07:00:00Z');
    const reported = await once();
    expect(reported.exit).toBe(5);
    expect(storyOf(reported.events)).toEqual(['missed 2031-10', 'missed 2031-11']);
    expect((await runs()).length).toBe(1);

    writeFileSync(join(cwd, 'jobs/pay.yaml'), `input: ../in/pay-*.csv\n${MONTHLY.replace('}', ', missed: run}')}`);
    const run = await once();
    expect(storyOf(run.events)).toEqual(['missed 2031-10', 'missed 2031-11', 'started 2031-11', 'ended 2031-11 0']);
    expect((await runs()).map(({ period }) => period)).toEqual(['2031-11', '2031-09']);
    write('in/pay-3.csv', payroll('30.00'));
    const after = await once();
    expect(after).toMatchObject({ exit: 0, events: [{ event: 'next', period: '2031-12' }] });
  });

  it('tells people of a missed time, once, however often it looks', async () => {
    const mail = await mailServer();
    const { once, setClock, write, json } = office({ mail });
    expect((await json(['run', 'pay', '--yes', '--period', '2031-10'])).exit).toBe(0);
    write('in/pay-2.csv', payroll('20.00'));
    setClock('2031-11-27T07:00:00Z');
    for (const _ of [1, 2]) expect(await once()).toMatchObject({ exit: 5, events: [{ event: 'missed' }, {}] });
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['REHEARSAL: payrun: pay, 2031-11 was missed']);
    expect(mail.mails[0]?.text).toContain('Pay it: payrun run pay --period 2031-11');
  });

  it.each([
    ['seconds', 0, 0, ['started', 'ended']],
    ['an hour', 60, 5, ['missed']],
  ])(
    'does not lose a time because the first run, %s after it, paid the period before',
    async (_, minutes, exit, told) => {
      const due = new Date(Date.now() - minutes * 60_000);
      const [today, before] = [due, new Date(due.getTime() - 86_400_000)].map((day) => day.toISOString().slice(0, 10));
      const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
      const { once, write, json } = office({ schedule: `schedule: {cron: "${cron}", time_zone: UTC}\n` });
      expect((await json(['run', 'pay', '--yes', '--period', before ?? ''])).exit).toBe(0);
      write('in/pay-2.csv', payroll('20.00'));
      const later = await once();
      const said = later.events.filter(({ period, event }) => period === today && event !== 'next');
      expect([later.exit, said.map(({ event }) => event)]).toEqual([exit, told]);
    },
  );

  it('misses nothing that was due before the first run of the job', async () => {
    const { once, write, json } = office({ schedule: MONTHLY.replace('}', ', missed: run}') });
    expect((await json(['run', 'pay', '--yes'])).exit).toBe(0);
    write('in/pay-2.csv', payroll('20.00'));
    expect(await once()).toMatchObject({ exit: 0, events: [{ event: 'next' }] });
  });

  it('runs nothing that is long past of a job that was never run', async () => {
    const { once, setClock } = office({ schedule: MONTHLY.replace('}', ', missed: run}') });
    setClock('2031-11-27T07:00:00Z');
    expect(await once()).toMatchObject({ exit: 0, events: [{ event: 'next', period: '2031-12' }] });
  });

  it('killed while a job runs, and started again: the run goes on by itself and is not begun twice', async () => {
    const dataDir = temporaryFolder();
    const service = await startService({ dataDir, args: ['--settle-after', '1d'] });
    const { schedule, setClock, write, runs } = office({ service });
    setClock('2031-11-25T07:59:59Z');
    const scheduler = schedule();
    await scheduler.wrote('"event":"started"');
    const pid = eventsOf(scheduler.stdout()).find(({ event }) => event === 'started')?.pid ?? 0;
    await expect.poll(async () => (await allTransactions(service)).length).toBe(2);
    scheduler.child.kill('SIGKILL');
    write('in/pay-2.csv', payroll('20.00'));
    const again = schedule();
    await again.wrote('"event":"next"');
    process.kill(pid, 'SIGKILL');
    expect((await end(again)).story).not.toContain('started 2031-11');
    await expect.poll(async () => (await runs())[0]?.state, EACH_A_COMMAND).toBe('stopped');
    const third = schedule();
    await third.wrote('"event":"next"');
    expect((await end(third)).story).toEqual(['cut_off', 'stopping']);
    expect(await runs()).toHaveLength(1);
    expect(await allTransactions(service)).toHaveLength(2);
  });

  it('says that the process of a job was killed, tells people, and does not begin it again', async () => {
    const mail = await mailServer();
    const service = await startService({ dataDir: temporaryFolder(), args: ['--settle-after', '1d'] });
    const { schedule, setClock, runs } = office({ service, mail });
    setClock('2031-11-25T07:59:59Z');
    const scheduler = schedule();
    await scheduler.wrote('"event":"started"');
    const pid = eventsOf(scheduler.stdout()).find(({ event }) => event === 'started')?.pid ?? 0;
    await expect.poll(async () => (await runs())[0]?.state, EACH_A_COMMAND).toBe('running');
    process.kill(pid, 'SIGKILL');
    await scheduler.wrote('"signal":"SIGKILL"');
    await scheduler.wrote(/"event":"next".*"period":"2031-12"/s);
    await scheduler.wrote('"event":"cut_off"');
    expect((await end(scheduler)).story).toEqual(['started 2031-11', 'ended 2031-11 ', 'cut_off', 'stopping']);
    const [run] = await runs();
    expect(await runs()).toHaveLength(1);
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      'REHEARSAL: payrun: pay was interrupted and needs a person',
    ]);
    expect(mail.mails[0]?.text).toContain(`Go on with it: payrun resume ${run?.run_id}`);
  });

  it('told to end lets its runs settle, and says and tells that they can be resumed', async () => {
    const mail = await mailServer();
    const service = await startService({ dataDir: temporaryFolder(), args: ['--settle-after', '1d'] });
    const { schedule, setClock, runs } = office({ service, mail });
    setClock('2031-11-25T07:59:59Z');
    const scheduler = schedule();
    await scheduler.wrote('"event":"started"');
    await expect.poll(async () => (await allTransactions(service)).length).toBe(2);
    const { exit, story } = await end(scheduler);
    expect(story).toEqual(['started 2031-11', 'stopping', 'ended 2031-11 130']);
    expect(exit).toBe(130);
    const [run] = await runs();
    expect(run?.state).toBe('stopped');
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^REHEARSAL: payrun: pay, \d{4}-\d\d stopped$/),
    ]);
    expect(mail.mails[0]?.text).toContain(`stopped: it was interrupted.`);
    expect(mail.mails[0]?.text).toContain(`continue: payrun resume ${run?.run_id}`);
  });

  it('tries again what could not begin because the service was away, says so, and tells people once', async () => {
    const mail = await mailServer();
    const { schedule, setClock, write, runs, cwd } = office({ mail });
    const job = readFileSync(join(cwd, 'jobs/pay.yaml'), 'utf8');
    const away = 'service: {base_url: "http://127.0.0.1:9", api_key: key, signing_key_file: ../key.pem}\n';
    newKey(join(cwd, 'key.pem'));
    write('jobs/pay.yaml', job + away);
    setClock('2031-11-25T08:00:00Z');
    const scheduler = schedule();
    await scheduler.wrote('"event":"again"');
    setClock('2031-11-25T08:02:00Z');
    await scheduler.wrote(/"event":"again".*"event":"again"/s);
    write('jobs/pay.yaml', job);
    setClock('2031-11-25T08:05:00Z');
    await scheduler.wrote(/"event":"again".*"exit":8.*"tries":1.*"event":"ended".*"exit":0/s);
    expect((await end(scheduler)).story.slice(0, 8)).toEqual([
      'started 2031-11',
      'ended 2031-11 8',
      'again 2031-11 8',
      'started 2031-11',
      'ended 2031-11 8',
      'again 2031-11 8',
      'started 2031-11',
      'ended 2031-11 0',
    ]);
    expect((await runs()).map(({ period, state }) => `${period} ${state}`)).toEqual(['2031-11 finished']);
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['payrun: pay did not start: nothing was sent']);
  });

  it('--once gives the exit code of what it ran', async () => {
    const { once, setClock, write, json } = office();
    write('in/pay-2.csv', 'name,amount\nAna,x\n');
    setClock('2031-11-25T08:05:00Z');
    const failed = await once('pay');
    expect(failed.exit).toBe(3);
    expect(storyOf(failed.events)).toEqual(['started 2031-11', 'ended 2031-11 3']);
    write('in/pay-3.csv', payroll('30.00'));
    expect((await once('pay')).exit).toBe(0);
    const { jobs } = (await json(['jobs'])).json;
    expect(jobs[0].last_run.period).toBe('2031-11');
  });

  it('runs the other jobs where the file of one has errors, says where they are, and ends with 2', async () => {
    const { once, setClock, write, runs } = office();
    write('jobs/rent.yaml', `inptu: a.csv\n${MONTHLY}`);
    setClock('2031-11-25T08:05:00Z');
    const { exit, events, stderr } = await once();
    expect(exit).toBe(2);
    expect(storyOf(events)).toEqual(['broken_job', 'started 2031-11', 'ended 2031-11 0']);
    expect(stderr).toContain(
      'jobs/rent.yaml HAS ERRORS AND WILL NOT RUN until they are corrected:\njobs/rent.yaml:1:1: input is',
    );
    expect(stderr).toContain('jobs/rent.yaml:1:1: there is no key inptu; did you mean input?\n');
    expect((await runs()).map(({ period }) => period)).toEqual(['2031-11']);
    expect((await once('pay')).exit).toBe(0);
    expect((await once('pay', 'rent')).exit).toBe(2);
    expect((await once('rent')).stderr).toContain('jobs/rent.yaml:1:1: there is no key inptu');
  });

  it('says the errors of a job again when they are others, and runs it once it has none', async () => {
    const { schedule, setClock, write, runs } = office();
    const rent = (text: string) => write('jobs/rent.yaml', `${text}\nrate: 0\npoll_every: 20ms\n${MONTHLY}`);
    rent('inptu: ../in/rent.csv');
    write('in/rent.csv', payroll('33.00'));
    setClock('2031-11-25T07:00:00Z');
    const scheduler = schedule('--quiet');
    await scheduler.wrote(/"broken_job".*"event":"next"/s);
    rent('input: ../in/rent.csv\nwages: 7');
    setClock('2031-11-25T07:10:00Z');
    await scheduler.wrote(/("broken_job".*){2}/s);
    rent('input: ../in/rent.csv');
    setClock('2031-11-25T07:20:00Z');
    await scheduler.wrote(/"mended_job".*"next","job":"rent","period":"2031-11"/s);
    write('jobs/pay.yaml', 'rate: fast\n');
    setClock('2031-11-25T07:30:00Z');
    await scheduler.wrote(/"mended_job".*"broken_job"/s);
    setClock('2031-11-25T08:00:01Z');
    await scheduler.wrote(/("event":"ended".*){2}/s);
    const { exit, story } = await end(scheduler);
    expect(exit).toBe(2);
    expect(story.slice(0, 4)).toEqual(['broken_job', 'broken_job', 'mended_job', 'broken_job']);
    expect(story).toContain('ended 2031-11 2');
    expect((await runs()).map(({ period, state }) => `${period} ${state}`)).toEqual(['2031-11 finished']);
  });

  it('does not plan again what is planned and waits, and runs it once that is cancelled', async () => {
    const { once, setClock, json } = office();
    const planned = await json(['plan', 'pay', '--period', '2031-11']);
    setClock('2031-11-25T08:05:00Z');
    const { exit, events } = await once();
    expect(exit).toBe(0);
    expect(events[0]).toMatchObject({ event: 'planned', period: '2031-11', run_id: planned.json.run_id });
    expect(storyOf(events)).toEqual(['planned 2031-11']);
    const lastRun = async () => (await json(['jobs'])).json.jobs[0].last_run;
    expect(await lastRun()).toMatchObject({ state: 'planned', exit: null, outcome: 'waits to be run' });
    await json(['cancel', planned.json.run_id]);
    expect(await lastRun()).toBeNull();
    expect(storyOf((await once()).events)).toEqual(['started 2031-11', 'ended 2031-11 0']);
    expect(await lastRun()).toMatchObject({ period: '2031-11', exit: 0, outcome: 'everybody was paid' });
  });

  it('says of a plan whose file was changed that it cannot be run any more, and never skips the period', async () => {
    const { once, setClock, json, payrun, write, runs } = office();
    const { run_id } = (await json(['plan', 'pay', '--period', '2031-11'])).json;
    write('in/pay-1.csv', payroll('11.00'));
    setClock('2031-11-27T07:00:00Z');
    const late = await once();
    expect(late.exit).toBe(5);
    expect(storyOf(late.events)).toEqual(['useless_plan 2031-11']);
    const next = 'payrun plan jobs/pay.yaml --period 2031-11';
    const why = `${run_id} is a plan of pay-1.csv, which was changed since`;
    expect(late.events[0]).toMatchObject({ run_id, why, next, will_run: false });
    expect((await payrun(['jobs'])).stdout).toContain(
      `pay: ${run_id} cannot be run any more (${why}). Plan again: ${next}\n`,
    );
    expect((await json(['jobs'])).json.jobs[0].last_run).toMatchObject({ plan: { why, next } });

    setClock('2031-11-25T08:05:00Z');
    const due = await once();
    expect(storyOf(due.events)).toEqual(['useless_plan 2031-11', 'started 2031-11', 'ended 2031-11 0']);
    expect((await runs()).filter(({ state }) => state === 'finished')).toHaveLength(1);
    expect(await once()).toMatchObject({ exit: 0, events: [{ event: 'next', period: '2031-12' }] });
  });

  it('counts a plan that waits after its time as missed, and tells people once with what to do', async () => {
    const mail = await mailServer();
    const { cwd, once, setClock, json, inTime } = office({ mail });
    const anna = await testApprover(cwd, 'Anna', 1);
    const job = readFileSync(join(cwd, 'jobs/pay.yaml'), 'utf8');
    writeFileSync(join(cwd, 'jobs/pay.yaml'), `${job}approval:\n  approvers:\n${listed([anna])}`);
    const { run_id } = (await json(['plan', 'pay', '--period', '2031-11'])).json;
    setClock('2031-11-25T08:09:00Z');
    expect(await once()).toMatchObject({ exit: 0, events: [{ event: 'planned', missed: false }, {}] });
    expect(mail.mails).toEqual([]);
    setClock('2031-11-25T08:11:00Z');
    const next = `payrun approve ${run_id} --key FILE`;
    for (const _ of [1, 2]) expect(await once()).toMatchObject({ exit: 5, events: [{ missed: true, next }, {}] });
    const subjects = () => mail.mails.map(({ subject }) => subject);
    expect(subjects()).toEqual(['REHEARSAL: payrun: pay, 2031-11 was missed: its plan waits']);
    expect(mail.mails[0]?.text).toContain(next);

    writeFileSync(join(cwd, 'passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 });
    const words = ['--key', anna.file, '--passphrase-file', 'passphrase', '--total', '20.00 AUD'];
    expect((await inTime(['approve', run_id, ...words], asPerson('anna'))).exit).toBe(0);
    expect(await once()).toMatchObject({ exit: 5, events: [{ missed: true, next: `payrun run ${run_id}` }, {}] });
    expect(subjects()).toHaveLength(1);
  });

  it('tells that it is a rehearsal also where the service has an address', async () => {
    const mail = await mailServer();
    const service = await startService({ dataDir: temporaryFolder() });
    const { once, setClock, write, json, inTime } = office({ service, mail });
    expect((await json(['plan', 'pay', '--period', '2031-11'])).exit).toBe(0);
    write('in/pay-1.csv', payroll('11.00'));
    setClock('2031-11-27T07:00:00Z');
    expect(storyOf((await once()).events)).toEqual(['useless_plan 2031-11']);
    write('in/pay-2.csv', 'name,amount\nAna,x\n');
    expect((await inTime(['run', 'pay', '--yes', '--period', '2031-11'])).exit).toBe(3);
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      'REHEARSAL: payrun: pay, 2031-11 was not run: its plan cannot be run any more',
      'REHEARSAL: payrun: pay did not start: nothing was sent',
    ]);
    expect(mail.mails.every(({ text }) => text.startsWith('REHEARSAL: no money moves'))).toBe(true);
  });

  it('goes on saying that a plan waits when the next period has come', async () => {
    const { once, setClock, json } = office();
    const { run_id } = (await json(['plan', 'pay', '--period', '2031-11'])).json;
    setClock('2031-12-25T08:05:00Z');
    const { events } = await once();
    expect(events[0]).toMatchObject({ event: 'planned', period: '2031-11', run_id, next: `payrun run ${run_id}` });
  });

  it('says what an approved plan waits for, and jobs says it too', async () => {
    const { cwd, once, setClock, json, payrun, inTime } = office();
    const anna = await testApprover(cwd, 'Anna', 1);
    const people = `approval:\n  approvers:\n${listed([anna])}`;
    writeFileSync(join(cwd, 'jobs/pay.yaml'), `input: ../in/pay-*.csv\nrate: 0\n${MONTHLY}${people}`);
    const { run_id } = (await json(['plan', 'pay', '--period', '2031-11'])).json;
    setClock('2031-11-25T08:05:00Z');
    const waiting = await once();
    const approve = `payrun approve ${run_id} --key FILE`;
    expect(waiting).toMatchObject({ exit: 0, events: [{ event: 'planned', approvals_missing: 1, next: approve }, {}] });
    expect((await payrun(['jobs'])).stdout).toContain(
      `pay: ${run_id} is planned and waits for 1 approval. To be approved by Anna: ${approve}\n`,
    );

    writeFileSync(join(cwd, 'passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 });
    const words = ['--key', anna.file, '--passphrase-file', 'passphrase', '--total', '20.00 AUD'];
    const approved = await inTime(['approve', run_id, ...words], asPerson('anna'));
    expect([approved.exit, approved.stderr]).toEqual([0, expect.any(String)]);
    const pay = `is approved; pay it with: payrun run ${run_id}\n`;
    expect((await once()).events[0]).toMatchObject({ approvals_missing: 0, next: `payrun run ${run_id}` });
    const jobs = await inTime(['jobs']);
    expect(jobs.stdout).toContain(`pay: ${run_id} ${pay}`);
    expect(jobs.stdout).toContain('approved; waits to be run');
  });

  it.each([
    [MONTHLY.replace('25 *', '31 2'), [], 'jobs/pay.yaml:4:18: schedule.cron names a date that no year has'],
    ['', [], 'No job in jobs/ has a schedule.'],
    ['', ['pay'], 'jobs/pay.yaml: the job has no schedule.'],
    [MONTHLY, ['rent'], 'There is no file rent, and no job of that name in jobs/.'],
  ])('refuses %j %j', async (schedule, named, message) => {
    const { exit, stderr } = await office({ schedule }).payrun(['schedule', '--once', ...named]);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });
});
