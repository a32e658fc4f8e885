import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { allTransactions, arrivals } from '../support/service-admin.ts';
import { type Exchange, hasSecondLoopback, pass, tcpProxy } from '../support/tcp-proxy.ts';
import { entriesOf } from './agreement.ts';

type Prepared = { command: string[]; resume: string[]; dataDir: string };

async function prepare(folder: string, service: ReadyService, rows: number, rate: string): Promise<Prepared> {
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows, path: file, seed: 11, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\n');
  const dataDir = join(folder, 'data');
  const where = ['--data-dir', dataDir, '--report-dir', join(folder, 'reports'), '--json', '--poll-every', '50ms'];
  const command = ['run', file, '--yes', '--profile', profile, '--rate', rate, ...service.options, ...where];
  return { command, resume: [...where, '--rate', '0'], dataDir };
}

function runIdIn(stderr: string): string {
  return /run (R\d{8}-\w+):/.exec(stderr)?.[1] ?? 'none';
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

test('scenario 1: what waits for its turn when the process is killed has no intent and was not sent', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  // Twelve requests and then none for a minute, so that the kill finds everything else waiting.
  const { command, resume, dataDir } = await prepare(folder, service, 6, '12/60s');
  const killed = start(command);
  const counted = async (name: RegExp): Promise<number> =>
    Object.entries(await arrivals(service)).reduce((sum, [key, count]) => sum + (name.test(key) ? count : 0), 0);
  await until(async () => (await counted(/./)) >= 12);
  killed.child.kill('SIGKILL');
  const { stderr } = await killed.ended;
  const runId = runIdIn(stderr);
  const intents = (await entriesOf(dataDir, runId)).filter(({ entry }) => /intent$/.test(entry.kind));
  expect(intents).toHaveLength(await counted(/create|add|transfer/));
  expect(await counted(/transfer/)).toBe(0);
  expect((await payrun(['resume', runId, ...resume])).exit).toBe(0);
  expect(await counted(/transfer/)).toBe(6);
  expect(await counted(/create/)).toBe(6);
  expect(await allTransactions(service)).toHaveLength(6);
});

/** What becomes of the third request of an operation, in which its process is killed. */
type Deed = { title: string; operation: string; deed(exchange: Exchange, kill: () => Promise<void>): Promise<void> };

const reached: Deed['deed'] = async ({ deliver }, kill) => {
  await kill();
  await deliver();
};
const lost: Deed['deed'] = (_, kill) => kill();
const answered: Deed['deed'] = async ({ deliver, socket }, kill) => {
  socket.write(await deliver());
  await kill();
};

const DEEDS: Deed[] = [
  { title: 'scenario 2: a payout is lost', operation: 'transaction.transfer', deed: lost },
  { title: 'scenario 3: a payout takes effect later', operation: 'transaction.transfer', deed: reached },
  { title: 'scenario 3: a recipient is made later', operation: 'account.recipient.create', deed: reached },
  { title: 'scenario 3: an account is made later', operation: 'account.external.bank.add', deed: reached },
  { title: 'scenario 4: the answer is there', operation: 'transaction.transfer', deed: answered },
];

test.skipIf(!(await hasSecondLoopback())).each(DEEDS)(
  'killed, $title; it is done once',
  async ({ operation, deed }) => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const proxy = await tcpProxy(service.base_url);
    // One request at a time, so that no other one is under way when the process ends.
    const profile = 'request_lifetime: 6s\nconcurrency: 1\nlisting_lag: 0s\n';
    const { command, resume, rows } = plainPayroll({ folder, service, proxy, rows: 5, profile });
    const killed = start(command);
    const kill = async (): Promise<void> => {
      killed.child.kill('SIGKILL');
      await killed.ended;
    };
    let seen = 0;
    proxy.decide((exchange) => {
      if (exchange.operation === operation) seen++;
      return exchange.operation === operation && seen === 3 ? (one) => deed(one, kill) : pass;
    });
    const { signal, stderr } = await killed.ended;
    expect(signal).toBe('SIGKILL');
    const resumed = await payrun(['resume', runIdIn(stderr), ...resume]);
    expect(resumed.exit).toBe(0);
    await expectPaidOnceEach(service, [reportOf(resumed.stdout)]);
    // What had no effect was made anew, once; no request left twice.
    const left = proxy.received.filter((exchange) => exchange.operation === operation);
    expect(left).toHaveLength(deed === lost ? rows + 1 : rows);
    expect(new Set(left.map(({ intent }) => intent)).size).toBe(left.length);
    expect((await arrivals(service))[operation]).toBe(rows);
    if (deed === lost) await expectNewOnlyAfterDeadline(join(folder, 'data'), runIdIn(stderr));
  },
);

test.skipIf(!(await hasSecondLoopback()))(
  'scenario 2: killed, the first payout is lost; a person is needed, and it is sent anew once on their word alone',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const proxy = await tcpProxy(service.base_url);
    const profile = 'request_lifetime: 6s\nconcurrency: 1\nlisting_lag: 0s\n';
    const { command, resume, rows } = plainPayroll({ folder, service, proxy, rows: 3, profile });
    const killed = start(command);
    let seen = 0;
    proxy.decide(({ operation }) => {
      if (operation !== 'transaction.transfer' || ++seen > 1) return pass;
      return async () => {
        killed.child.kill('SIGKILL');
        await killed.ended;
      };
    });
    const runId = runIdIn((await killed.ended).stderr);
    // As often as it looks: nothing has come back, so it does not take the list's word.
    for (let looks = 0; looks < 2; looks++) {
      const waiting = await payrun(['resume', runId, ...resume]);
      expect([waiting.exit, JSON.parse(waiting.stdout).counts]).toEqual([
        5,
        expect.objectContaining({ unresolved: 1, not_submitted: rows - 1 }),
      ]);
      expect(waiting.stderr).toContain('the first payout is unresolved, so no other is sent');
    }
    expect([seen, await allTransactions(service)]).toEqual([1, []]);
    const resumed = await payrun(['resume', runId, '--resubmit-absent', ...resume]);
    expect(resumed.exit).toBe(0);
    await expectPaidOnceEach(service, [reportOf(resumed.stdout)]);
    expect([seen, (await arrivals(service))['transaction.transfer']]).toEqual([rows + 1, rows]);
    await expectNewOnlyAfterDeadline(join(folder, 'data'), runId);
  },
);

/** The one row that was sent anew was so only when its first request could take effect no more. */
async function expectNewOnlyAfterDeadline(dataDir: string, runId: string): Promise<void> {
  const intents = (await entriesOf(dataDir, runId)).flatMap(({ entry }) => (entry.kind === 'intent' ? [entry] : []));
  const [second, ...others] = intents.filter(({ attempt }) => attempt > 1);
  const first = intents.find(({ row, attempt }) => row === second?.row && attempt === 1);
  expect(others).toEqual([]);
  expect(second?.request.created).toBeGreaterThan(first?.request.expires ?? Number.POSITIVE_INFINITY);
}
