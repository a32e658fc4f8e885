import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { payrun, type Started, start, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { arrivals } from '../support/service-admin.ts';
import { hasSecondLoopback, pass, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';
import { entriesOf } from './agreement.ts';
import { LEASE_MAX_MS } from './freeze-mode.ts';
import { type PayrollEnd, soak } from './soak.ts';

/** A lease of 30 s has to run out in real time. */
const PATIENCE_MS = 600_000;
const HELD = 7;

test.skipIf(!(await hasSecondLoopback()))(
  'scenario 23: a process that was frozen past its lease writes nothing and sends nothing more',
  async () => {
    // Side by side, because both mostly wait for a lease to run out.
    await Promise.all([frozenWithAnAnswerOnItsWay(), frozenAnywhere()]);
  },
  PATIENCE_MS,
);

async function frozenAnywhere(): Promise<void> {
  const ends: PayrollEnd[] = [];
  await soak({ mode: 'freeze', kills: 0, freezes: 2, rows: 40, seed: 100, lanes: 2 }, (end) => ends.push(end));
  expect(ends.filter(({ disagreements }) => disagreements.length > 0)).toEqual([]);
}

/** The frozen one has the answer to a payout in its hands when it goes on, and three rows that it would send. */
async function frozenWithAnAnswerOnItsWay(): Promise<void> {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir: join(folder, 'service') });
  const proxy = await tcpProxy(service.base_url);
  const profile = 'request_lifetime: 6s\nlisting_lag: 0s\nconcurrency: 1\n';
  const { command, resume, rows } = plainPayroll({ folder, service, proxy, rows: 6, profile });
  const first = start(command);
  await freezeAtThirdPayout(proxy, first);
  const runId = /run (R\d{8}-\w+):/.exec(first.stderr())?.[1] ?? 'none';
  const takeOver = ['resume', runId, ...resume];
  let second = await payrun(takeOver);
  // The lease still stands.
  expect(second.exit).toBe(HELD);
  // And then it has run out.
  await sleep(LEASE_MAX_MS);
  second = await payrun(takeOver);
  expect(second.exit).toBe(0);
  await expectPaidOnceEach(service, [reportOf(second.stdout)]);
  const before = { entries: (await entriesOf(dataDir, runId)).length, requests: proxy.received.length };
  first.child.kill('SIGCONT');
  expect((await first.ended).exit).toBe(HELD);
  expect({ entries: (await entriesOf(dataDir, runId)).length, requests: proxy.received.length }).toEqual(before);
  expect((await arrivals(service))['transaction.transfer']).toBe(rows);
}

function freezeAtThirdPayout(proxy: TcpProxy, first: Started): Promise<void> {
  let payouts = 0;
  return new Promise((resolve) => {
    proxy.decide(({ operation }) => {
      if (operation !== 'transaction.transfer' || ++payouts !== 3) return pass;
      return async ({ deliver, socket }) => {
        first.child.kill('SIGSTOP');
        socket.write(await deliver());
        resolve();
      };
    });
  });
}
