import { expect, onTestFinished, test } from 'vitest';
import { answerHealth, type Probes, Readiness } from '../../src/compose/health.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { openJournal } from '../../src/journal/open.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { virtualClock } from '../client/virtual-clock.ts';
import { mover } from '../journal/move/journals.ts';
import { newDatabase } from '../journal/postgres-place.ts';
import { startPostgres } from '../support/postgres-server.ts';

const working = new AbortController().signal;

async function serverOver({ isReady }: Pick<Probes, 'isReady'>) {
  const server = await answerHealth('127.0.0.1:0', { isReady, metrics: async () => 'up 1\n' });
  onTestFinished(() => server.close());
  return {
    server,
    ask: async (path: string, method = 'GET') => (await fetch(`${server.url}${path}`, { method })).status,
  };
}

test('a process is alive while it answers, and ready while its database answers and it is not stopping', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.end());
  const database = await newDatabase(postgres);
  const journal = await openJournal(database.admin, { ...mover(), leaseMs: 2_000 });
  onTestFinished(() => journal.close());
  const stop = new AbortController();
  const readiness = new Readiness({ journal, clock: machineClock, stop: stop.signal });
  const { ask } = await serverOver({ isReady: () => readiness.isReady() });
  expect([await ask('/livez'), await ask('/readyz'), await ask('/readyz?verbose')]).toEqual([200, 200, 200]);
  await postgres.kill();
  await expect.poll(() => ask('/readyz')).toBe(503);
  expect(await ask('/livez')).toBe(200);
  await postgres.restart();
  await expect.poll(() => ask('/readyz')).toBe(200);
  stop.abort();
  expect([await ask('/readyz'), await ask('/livez')]).toEqual([503, 200]);
});

test('nothing else is there', async () => {
  const { ask } = await serverOver({ isReady: async () => true });
  expect([await ask('/'), await ask('/livez/'), await ask('/livez', 'POST')]).toEqual([404, 404, 404]);
  expect(await ask('/livez', 'HEAD')).toBe(200);
});

test('a database that says nothing is not waited for, and is asked once however many ask', async () => {
  const clock = virtualClock();
  let asked = 0;
  const journal = {
    lastHint(): Promise<number> {
      asked++;
      return new Promise(() => {});
    },
  };
  const readiness = new Readiness({ journal, clock, stop: working });
  const answers = Promise.all([readiness.isReady(), readiness.isReady(), readiness.isReady()]);
  expect(await clock.until(answers)).toEqual([false, false, false]);
  expect(asked).toBe(1);
  await clock.pass(1_000);
  void readiness.isReady();
  expect(asked).toBe(2);
});

test('an address that cannot be had is refused', async () => {
  const isReady = async () => true;
  const { server } = await serverOver({ isReady });
  const taken = server.url.slice('http://'.length);
  for (const [listen, cause] of [
    ['example.org:80', null],
    [taken, expect.stringContaining('EADDRINUSE')],
  ] as const) {
    const refused = await answerHealth(listen, { isReady, metrics: async () => '' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ kind: 'usage', reason: { code: 'health_unusable', listen, cause } });
  }
});
