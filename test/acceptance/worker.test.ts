import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { runTask } from '../../src/compose/page/run-tasks.ts';
import { newJournalDatabase, ROLES_SQL } from '../journal/postgres-place.ts';
import { payrun, start, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, reportOf } from '../support/plain-payroll.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { atEnd, testBeside } from '../support/side-by-side.ts';
import { pass, type TcpProxy } from '../support/tcp-proxy.ts';
import {
  ended,
  leave,
  linesOf,
  newHeldPlace,
  newProxiedPlace,
  newWorkerPlace,
  on,
  payrollIn,
  rowsOf,
  runWords,
  startWorker,
  type WorkerPlace,
} from '../support/workers.ts';

testBeside(
  'runs that a command, a page and a schedule leave to workers are paid once by one, and reported there',
  async () => {
    const place = await newWorkerPlace();
    const runIds = [
      await leave(place, payrollIn(place, 'a.csv', 5)),
      await leaveByPage(place, payrollIn(place, 'b.csv', 3, 100)),
      await leaveBySchedule(place, payrollIn(place, 'c.csv', 3, 200)),
    ];
    expect((await payrun(on(place, 'runs'))).stdout.match(/waiting for a worker/g)).toHaveLength(3);
    const worker = await startWorker(place, 'worker');
    const ends = await Promise.all(runIds.map((runId) => ended(worker, runId)));
    await expectPaidOnceEach(
      place.service,
      ends.map(({ report }) => rowsOf(report?.[0])),
    );
    for (const [at, runId] of runIds.entries()) {
      expect(ends[at]).toMatchObject({ exit: 0 });
      expect(ends[at]?.report?.[0]).toContain(join(place.folder, 'reports-of-worker', runId));
    }
    expect(existsSync(join(place.folder, 'reports-of-caller', runIds[0] ?? ''))).toBe(false);
    expect((await payrun(on(place, 'show', runIds[1] ?? ''))).stdout).toContain('Ana Silva');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ exit: 0 });
    expect((await payrun(on(place, 'runs'))).stdout).not.toContain('worker');
  },
);

/** A page starts a plan, and leaves it to workers. */
async function leaveByPage(place: WorkerPlace, file: string): Promise<string> {
  const words = runWords(place, file);
  const planned = await payrun(['plan', ...words.slice(1), '--json']);
  expect(planned, planned.stderr).toMatchObject({ exit: 0 });
  const { run_id: runId } = JSON.parse(planned.stdout);
  const given = { dataDir: join(place.folder, 'page'), database: place.database.as('payrun_worker'), detach: true };
  const order = { runId, person: 'Ana Silva', onlyValid: false, allowRepeat: [] };
  expect(await runTask(given, order, () => {})).toEqual({ exit: 0, halted: null });
  return runId;
}

/** A schedule is done when its run is written. */
async function leaveBySchedule(place: WorkerPlace, file: string): Promise<string> {
  const { base_url, api_key, signing_key_file } = place.service;
  const service = `service: {base_url: "${base_url}", api_key: ${api_key}, signing_key_file: ${signing_key_file}, listing_lag: 0s}`;
  const job = join(place.folder, 'pay.yaml');
  writeFileSync(job, `input: ${basename(file)}\nschedule: {cron: "* * * * *", time_zone: UTC}\n${service}\n`);
  const scheduled = await payrun(on(place, 'schedule', job, '--once', '--detach', '--json'));
  expect(scheduled, scheduled.stderr).toMatchObject({ exit: 0 });
  const events = scheduled.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const end = events.find(({ event }) => event === 'ended');
  expect(end).toMatchObject({ exit: 0, result: { state: 'queued' } });
  return end.result.run_id;
}

testBeside('two workers share the runs, each at once only as many as it may, and the pace', async () => {
  const place = { ...(await newProxiedPlace()), rate: '12' };
  const arrivals = refusedOnce(place.proxy);
  const files = [0, 1, 2, 3].map((at) => payrollIn(place, `${at}.csv`, 4, 1 + at * 100));
  const runIds: string[] = [];
  for (const file of files) runIds.push(await leave(place, file));
  const workers = await Promise.all(['one', 'two'].map((name) => startWorker(place, name, ['--concurrency', '1'])));
  const ends = await Promise.all(runIds.map((runId) => Promise.race(workers.map((worker) => ended(worker, runId)))));
  await expectPaidOnceEach(
    place.service,
    ends.map(({ report }) => rowsOf(report?.[0])),
  );
  for (const worker of workers) {
    const kinds = linesOf(worker)
      .map(({ event }) => event)
      .filter((event) => event !== 'ready');
    // One after another.
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds).toEqual(kinds.map((_, at) => (at % 2 === 0 ? 'taken' : 'ended')));
  }
  // The other worker was refused nothing, and waited too.
  const { refusedAtMs, atMs } = arrivals;
  const since = atMs.map((ms) => ms - refusedAtMs);
  expect(since.filter((ms) => ms > PAUSE_MS / 2 && ms < PAUSE_MS - 100)).toEqual([]);
  expect(since.filter((ms) => ms > PAUSE_MS).length).toBeGreaterThan(0);
});

/** For so long nobody is to send after the refusal. */
const PAUSE_MS = 4_000;

/** When requests reach the proxy. One is refused for its pace, by a service that takes less than workers believe, when two runs pay. */
function refusedOnce({ decide }: TcpProxy): { refusedAtMs: number; atMs: number[] } {
  const arrivals = { refusedAtMs: Infinity, atMs: [] as number[] };
  const runs = new Set<number>();
  decide(({ operation, body }) => {
    arrivals.atMs.push(performance.now());
    const payee = /Payee (\d+)/.exec(body)?.[1];
    if (payee !== undefined) runs.add(Math.floor(Number(payee) / 100));
    if (runs.size < 2 || arrivals.refusedAtMs < Infinity || !/get/.test(operation)) return pass;
    return async ({ socket }) => {
      const error = JSON.stringify({ error: { code: 'TOO_MANY_REQUESTS', message: 'too many' } });
      const head = `HTTP/1.1 429 No\r\nretry-after: ${PAUSE_MS / 1_000}\r\ncontent-type: application/json`;
      socket.write(`${head}\r\ncontent-length: ${error.length}\r\n\r\n${error}`);
      arrivals.refusedAtMs = performance.now();
    };
  });
  return arrivals;
}

testBeside('`resume` follows a run that a worker has, and ends as the run does', async () => {
  const place = await newWorkerPlace();
  const runId = await leave(place, payrollIn(place, 'a.csv', 5));
  const follower = start(on(place, 'resume', runId, '--json', '--report-dir', join(place.folder, 'followed')));
  await follower.wrote('waiting for a worker');
  const worker = await startWorker(place, 'worker');
  const followed = await follower.ended;
  expect(followed, followed.stderr).toMatchObject({ exit: 0 });
  // What the worker does is shown, and nothing is waited for once it has ended.
  expect(followed.stderr).toMatch(/done: 5 of 5 sent, 5 completed\n$/);
  const report = reportOf(followed.stdout);
  await expectPaidOnceEach(place.service, [report]);
  expect(JSON.parse(followed.stdout)).toMatchObject({
    run_id: runId,
    state: 'finished',
    counts: { completed: 5 },
    exit: 0,
  });
  expect(rowsOf((await ended(worker, runId)).report?.[0])).toEqual(report);
});

testBeside('Ctrl-C at a follower asks the worker to pause; a second one leaves it alone', async () => {
  const place = await newHeldPlace(3);
  const runId = await leave(place, payrollIn(place, 'a.csv', 6));
  const follower = start(on(place, 'run', runId));
  const other = start(on(place, 'resume', runId, '--json'));
  await Promise.all([follower, other].map((one) => one.wrote('waiting for a worker')));
  const worker = await startWorker(place, 'worker');
  await place.reached;
  follower.child.kill('SIGINT');
  await follower.wrote('the worker has been asked');
  const paused = "SELECT count(*)::int AS n FROM payrun.entry WHERE kind = 'paused'";
  await vi.waitFor(async () => expect(await statements(place.database.admin, paused)).toEqual([{ n: 1 }]), 120_000);
  // Two that are closer than half a second are one press.
  await sleep(600);
  follower.child.kill('SIGINT');
  const left = await follower.ended;
  expect(left).toMatchObject({ exit: 130 });
  expect(left.stderr).toContain("it is the worker's");
  place.letGo();
  expect(await ended(worker, runId)).toMatchObject({ exit: 130 });
  const followed = await other.ended;
  expect(followed, followed.stderr).toMatchObject({ exit: 130 });
  expect(JSON.parse(followed.stdout)).toMatchObject({ state: 'paused', exit: 130 });
  // A person's `resume` is executed where it is typed, and no worker has taken it meanwhile.
  const resumed = await payrun(on(place, 'resume', runId, '--json', '--poll-every', '100ms'));
  expect(resumed, resumed.stderr).toMatchObject({ exit: 0 });
  await expectPaidOnceEach(place.service, [reportOf(resumed.stdout)]);
  expect(linesOf(worker).filter(({ event }) => event === 'taken')).toHaveLength(1);
});

testBeside('a run whose key a worker does not have is left to one that has it, and shown', async () => {
  const place = await newWorkerPlace();
  const { base_url, api_key, signing_key_file } = place.service;
  const own = (keyFile: string) => ['--base-url', base_url, '--api-key', api_key, '--signing-key', keyFile];
  const elsewhere = join(place.folder, 'key-of-the-caller.pem');
  copyFileSync(signing_key_file, elsewhere);
  const runId = await leave({ ...place, options: own(elsewhere) }, payrollIn(place, 'a.csv', 3));
  rmSync(elsewhere);
  const without = await startWorker(place, 'without');
  await without.wrote('"event":"left"');
  const [left] = linesOf(without).filter(({ event }) => event === 'left');
  expect(left).toMatchObject({ run_id: runId, is_tried_again: true });
  expect(left?.message).toContain('has no key of');
  const shown = JSON.parse((await payrun(on(place, 'show', runId, '--json'))).stdout);
  expect(shown).toMatchObject({ state: 'running', worker: { tries: 1 } });
  expect(shown.worker.why).toContain('has no key of');
  expect((await payrun(on(place, 'runs'))).stdout).toContain('left by one');
  expect((await payrun(on(place, 'show', runId))).stdout).toContain('left by a worker');
  const having = await startWorker(place, 'having', own(signing_key_file));
  const end = await ended(having, runId);
  await expectPaidOnceEach(place.service, [rowsOf(end.report?.[0])]);
  // It has not tried again and again.
  expect(linesOf(without).filter(({ event }) => event === 'left').length).toBeLessThan(4);
});

testBeside('what the queue has lost the sweep finds, and what it has twice is done once', async () => {
  const place = await newWorkerPlace();
  const [lost, twice] = [
    await leave(place, payrollIn(place, 'a.csv', 3)),
    await leave(place, payrollIn(place, 'b.csv', 3, 50)),
  ];
  await statements(
    place.database.admin,
    'DELETE FROM payrun_queue.job',
    // By another key: the queue takes it for another job.
    `INSERT INTO payrun_queue.job_common (name, data, singleton_key, policy, state)
     SELECT 'run', json_build_object('run', '${twice}'), n::text, 'short', 'created' FROM generate_series(1, 3) AS n`,
  );
  const worker = await startWorker(place, 'worker');
  const ends = await Promise.all([lost, twice].map((runId) => ended(worker, runId)));
  await expectPaidOnceEach(
    place.service,
    ends.map(({ report }) => rowsOf(report?.[0])),
  );
  expect(linesOf(worker).filter(({ event }) => event === 'taken')).toHaveLength(2);
});

testBeside('where runs cannot be left to workers, nothing is begun', async () => {
  const folder = temporaryFolder();
  const file = payrollIn({ folder } as WorkerPlace, 'a.csv', 2);
  const data = ['--data-dir', join(folder, 'data')];
  const withoutDatabase = await payrun(['run', file, '--yes', '--detach', ...data]);
  expect(withoutDatabase).toMatchObject({ exit: 2 });
  expect(withoutDatabase.stderr).toContain('--database');
  const worker = await payrun(['worker', ...data]);
  expect(worker).toMatchObject({ exit: 2 });
  const database = await newJournalDatabase();
  atEnd(async () =>
    statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`),
  );
  const named = [...data, '--database', database.as('payrun_worker')];
  const withoutService = await payrun(['run', file, '--yes', '--detach', ...named]);
  expect(withoutService).toMatchObject({ exit: 2 });
  expect(withoutService.stderr).toContain('--base-url');
  // The queue is not there, and a worker may not make it.
  const unprepared = await payrun(['worker', ...named]);
  expect(unprepared, unprepared.stderr).toMatchObject({ exit: 2 });
  expect(unprepared.stderr).toContain('worker --prepare');
  // A database that is away is waited for, for a while.
  const nobodyThere = database.as('payrun_worker').replace(/:\d+\//, ':1/');
  const away = start(['worker', ...data, '--json', '--database', nobodyThere]);
  await away.wrote('"event":"database_away"');
  expect(away.stdout()).toContain('ECONNREFUSED');
  away.child.kill('SIGTERM');
  expect(await away.ended).toMatchObject({ exit: 0 });
  const prepared = await payrun(['worker', '--prepare', ...data, '--database', database.as('payrun_owner')]);
  expect(prepared, prepared.stderr).toMatchObject({ exit: 0 });
  // Without the permissions it is not to be used yet.
  const ungranted = await payrun(['worker', ...named]);
  expect(ungranted, ungranted.stderr).toMatchObject({ exit: 2 });
  expect(ungranted.stderr).toContain('postgres-roles.sql');
  await statements(database.admin, ROLES_SQL);
  const place = { folder, database } as WorkerPlace;
  await startWorker(place, 'worker');
});
