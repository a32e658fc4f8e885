import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { payrun, type Started } from '../support/payrun.ts';
import { expectPaidOnceEach } from '../support/plain-payroll.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { testBeside } from '../support/side-by-side.ts';
import {
  ended,
  type HeldPlace,
  leave,
  linesOf,
  newHeldPlace,
  on,
  payrollIn,
  rowsOf,
  startWorker,
  type WorkerPlace,
} from '../support/workers.ts';

const ROWS = 7;

type InTheMiddle = { place: HeldPlace; runId: string; first: Started };

/** A run whose third payout is under way at a worker. */
async function inTheMiddle(lifetime?: string): Promise<InTheMiddle> {
  const place = await newHeldPlace(3, lifetime);
  const runId = await leave(place, payrollIn(place, 'a.csv', ROWS));
  const first = await startWorker(place, 'first');
  await place.reached;
  return { place, runId, first };
}

async function expectEndedBy(worker: Started, place: WorkerPlace, runId: string): Promise<void> {
  const end = await ended(worker, runId);
  expect(end).toMatchObject({ exit: 0 });
  await expectPaidOnceEach(place.service, [rowsOf(end.report?.[0])]);
}

testBeside('a run whose worker is killed is finished by another, and nobody is paid twice', async () => {
  const { place, runId, first } = await inTheMiddle();
  first.child.kill('SIGKILL');
  await first.ended;
  // What it had sent arrives after its death.
  place.letGo();
  await expectEndedBy(await startWorker(place, 'second'), place, runId);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  testBeside(`${signal} hands a run over to another worker within seconds`, async () => {
    const { place, runId, first } = await inTheMiddle();
    first.child.kill(signal);
    await first.wrote('"event":"stopping"');
    place.letGo();
    expect(await first.ended).toMatchObject({ exit: 0 });
    expect(linesOf(first).map(({ event }) => event)).toEqual(['ready', 'taken', 'stopping', 'handed_over']);
    // Nobody has to wait for its lease.
    expect(await statements(place.database.admin, 'SELECT holder FROM payrun.lease')).toEqual([{ holder: null }]);
    await expectEndedBy(await startWorker(place, 'second'), place, runId);
  });

testBeside('a worker that is frozen past its lease writes nothing and sends nothing more', async () => {
  // The process that takes it over waits until the held payout can take no effect any more.
  const { place, runId, first } = await inTheMiddle('6s');
  first.child.kill('SIGSTOP');
  const second = await startWorker(place, 'second');
  // This host sees that it is there, so that its lease has to run out, as on another host.
  await expectEndedBy(second, place, runId);
  const before = changesAsked(place);
  const entries = await entriesOf(place);
  place.letGo();
  first.child.kill('SIGCONT');
  await first.wrote('"event":"lost"');
  await sleep(1_000);
  expect(changesAsked(place)).toBe(before);
  expect(await entriesOf(place)).toEqual(entries);
  await expectEndedBy(second, place, runId);
  expect(first.child.exitCode).toBe(null);
});

testBeside('a worker whose connections are cut says so, and the run is gone on with', async () => {
  const place = await newHeldPlace(3);
  const runId = await leave(place, payrollIn(place, 'a.csv', ROWS));
  const worker = await startWorker(place, 'first');
  await place.reached;
  await allowConnections(place, false);
  place.letGo();
  await worker.wrote('"event":"database_away"');
  await allowConnections(place, true);
  await worker.wrote('"event":"database_back"');
  await expectEndedBy(worker, place, runId);
  expect((await payrun(on(place, 'verify'))).exit).toBe(0);
});

/** Where they are not allowed, those of workers are cut. */
async function allowConnections({ database: { name } }: WorkerPlace, isAllowed: boolean): Promise<void> {
  await statements(
    urlOf(await sharedPostgres(), 'postgres'),
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE NOT ${isAllowed} AND datname = '${name}' AND usename = 'payrun_worker'`,
  );
}

/** Requests that change something: a frozen process may still have asked how a payout is. */
function changesAsked({ proxy }: HeldPlace): number {
  return proxy.received.filter(({ operation }) => /create|add|transfer/.test(operation)).length;
}

async function entriesOf({ database }: WorkerPlace): Promise<unknown> {
  return statements(database.admin, 'SELECT count(*)::int AS entries FROM payrun.entry');
}
