import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { Payrun } from '../../src/index.ts';
import { startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';

const row = (number: number, name: string) => `${name},${100 + number}.00,AUD,AUD_NPP,${10_000_000 + number},062-000`;

/** payrun as a library in this process, at a service in its data directory. */
async function desk() {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir });
  const payrun = new Payrun({ dataDir, rate: '0', pollEvery: '20ms', reportDir: join(folder, 'reports') });
  const write = (name: string, rows: readonly string[]) => {
    writeFileSync(join(folder, name), `${[HEADER, ...rows].join('\n')}\n`);
    return join(folder, name);
  };
  return { folder, service, payrun, write };
}

test('a program stops a run and goes on with it; signals, exit code and process stay its own', async () => {
  const { service, payrun, write } = await desk();
  const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
  const before = listeners();
  const planned = await payrun.plan(
    write(
      'pay.csv',
      [1, 2, 3].map((at) => row(at, `Payee ${at}`)),
    ),
  );
  if (planned.outcome !== 'planned') throw new Error(planned.outcome);
  const { run_id } = planned.plan;
  await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'slow', nth: 1, ms: 500 });
  const stop = new AbortController();
  const phases = new Set<string>();
  const running = payrun.run(run_id, { stop: stop.signal, onProgress: ({ phase }) => void phases.add(phase) });
  await expect.poll(async () => (await arrivals(service))['transaction.transfer']).toBe(1);
  expect(listeners()).toEqual(before);
  stop.abort();
  const stopped = await running;
  expect(stopped).toMatchObject({ outcome: 'ended', ending: 'interrupted', run: { state: 'stopped' } });
  const resumed = await payrun.resume(run_id, { onProgress: ({ phase }) => void phases.add(phase) });
  expect(resumed).toMatchObject({ outcome: 'ended', ending: 'ok', run: { counts: { completed: 3 } } });
  expect([...phases]).toContain('done');
  expect(await allTransactions(service)).toHaveLength(3);
  expect([listeners(), process.exitCode]).toEqual([before, undefined]);
});

test('what is expected is returned as a code, and nothing is thrown', async () => {
  const { folder, payrun, write } = await desk();
  const wrong = write('wrong.csv', [row(1, 'Ada'), 'Ben,1.00,AUD,AUD_NPP,12,062-000']);
  const problems = await payrun.plan(wrong);
  expect(problems).toMatchObject({ outcome: 'has_problems', check: { problem_counts: { errors: 1 } } });
  expect(await payrun.check(join(folder, 'none.csv'))).toMatchObject({ outcome: 'refused', kind: 'usage' });
  const missing = 'R20261125-7K3M9QZ2';
  for (const asked of [payrun.show(missing), payrun.run(missing), payrun.resume(missing)])
    expect(await asked).toMatchObject({ outcome: 'refused', kind: 'usage', details: { run_id: missing } });
  for (const asked of [payrun.report(missing), payrun.verify(missing)])
    expect(await asked).toMatchObject({ outcome: 'unknown_run' });
  const key = { digest: 'd'.repeat(64), keyFile: 'none.age', passphrase: 'four words' };
  expect(await payrun.approve(missing, key)).toMatchObject({ outcome: 'unknown_run' });
  const valid = await payrun.plan(wrong, { onlyValid: true });
  expect(valid).toMatchObject({ outcome: 'planned', plan: { payouts: 1 } });
  if (valid.outcome !== 'planned') return;
  expect(await payrun.approve(valid.plan.run_id, key)).toMatchObject({ outcome: 'needs_no_approval' });
  expect(await payrun.verifyAll()).toMatchObject({ outcome: 'verified', isWhole: true });
  expect(() => new Payrun({ rate: 'fast' })).toThrow('rate');
});
