import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-door.ts';
import { entriesOf } from './agreement.ts';
import { type PayrollEnd, soak } from './soak.ts';

/** Minutes of patience on a busy machine; a quiet one needs half of one. */
const PATIENCE_MS = 600_000;

test(
  '20 kills of the runner anywhere (scenario 1, scenario 2, scenario 3, scenario 4): ledger, journal and report agree',
  async () => {
    const ends: PayrollEnd[] = [];
    const totals = await soak({ mode: 'kill', kills: 20, freezes: 0, rows: 60, seed: 10, lanes: 3 }, (end) =>
      ends.push(end),
    );
    // What each says names the folder that was kept.
    expect(ends.filter(({ disagreements }) => disagreements.length > 0)).toEqual([]);
    expect(totals.kills).toBeGreaterThanOrEqual(20);
    expect([...totals.killsByPhase.keys()]).toEqual(expect.arrayContaining(['preparing payees', 'submitting']));
    expect(totals.found).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

type Prepared = { command: string[]; resume: string[]; dataDir: string };

async function prepare(folder: string, service: ReadyService, rows: number, rate: string): Promise<Prepared> {
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows, path: file, seed: 11, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  // One request at a time, so that no other row is under way when one is waited for, and none delivered again.
  writeFileSync(profile, 'request_lifetime: 5s\nconcurrency: 1\nguarantees: { replay_protection: false }\n');
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
  const intents = entriesOf(dataDir, runId).filter(({ entry }) => /intent$/.test(entry.kind));
  expect(intents).toHaveLength(await counted(/create|add|transfer/));
  expect(await counted(/transfer/)).toBe(0);
  expect((await payrun(['resume', runId, ...resume])).exit).toBe(0);
  expect(await counted(/transfer/)).toBe(6);
  expect(await counted(/create/)).toBe(6);
  expect(await allTransactions(service)).toHaveLength(6);
});

test('scenario 3: a payout that takes effect after its process was killed is found by its token', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const { command, resume, dataDir } = await prepare(folder, service, 6, '0');
  await admin(service, 'fault.add', { operation: 'transaction.transfer', nth: 3, kind: 'late-commit', ms: 1_000 });
  const killed = start(command);
  await until(async () => ((await arrivals(service))['transaction.transfer'] ?? 0) >= 3);
  killed.child.kill('SIGKILL');
  const { stderr } = await killed.ended;
  const runId = runIdIn(stderr);
  const resumed = await payrun(['resume', runId, ...resume]);
  expect(resumed.exit).toBe(0);
  const transactions = await allTransactions(service);
  expect(transactions).toHaveLength(6);
  const entries = entriesOf(dataDir, runId).map(({ entry }) => entry);
  expect(entries.some((entry) => entry.kind === 'accepted' && entry.by === 'look')).toBe(true);
  expect(entries.filter(({ kind }) => kind === 'absent')).toEqual([]);
  // One intent a row: nothing was sent anew.
  expect(entries.filter(({ kind }) => kind === 'intent')).toHaveLength(6);
});
