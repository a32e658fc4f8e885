import { join } from 'node:path';
import { expect, test } from 'vitest';
import { always, everyFate, type NamedFate, oneAfterTheOther, resetRequest } from '../support/fates.ts';
import { payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { admin, allTransactions } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { hasSecondLoopback, pass, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

// What a service does not promise, nothing is concluded from: one test for each promise that can be missing.

const withProxy = (await hasSecondLoopback()) ? testBeside : test.skip;

const NONE = 'guarantees: {enforces_expiry: false, replay_protection: false}\ncursor: false\nlisting_lag: 500ms\n';

type Place = { folder: string; service: ReadyService; proxy: TcpProxy; fates: NamedFate[] };

async function place(): Promise<Place> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  // Nobody listens where the redirects lead.
  return { folder, service, proxy: await tcpProxy(service.base_url), fates: everyFate('http://127.0.0.1:9') };
}

/** The operation's requests as they left the runner: how often each intent did, in the order of the first. */
function leavings({ received }: TcpProxy, operation: string): number[] {
  const counts = new Map<string, number>();
  for (const exchange of received) {
    if (exchange.operation === operation) counts.set(exchange.intent, (counts.get(exchange.intent) ?? 0) + 1);
  }
  return [...counts.values()];
}

withProxy(
  'scenario 9: with all guarantees off a payout without an answer is found or parked, and never sent again',
  async () => {
    const at = await place();
    at.proxy.decide(oneAfterTheOther('transaction.transfer', [pass, ...at.fates.map(({ fate }) => fate)]));
    const rows = at.fates.length + 1;
    const profile = `request_lifetime: 15s\nconcurrency: 16\n${NONE}`;
    const { command, resume } = plainPayroll({ ...at, rows, profile });
    const { exit, stdout } = await payrun(command);
    expect(exit).toBe(5);
    const effects = at.fates.filter(({ effect }) => effect).length + 1;
    const { counts, run_id } = JSON.parse(stdout);
    expect(counts).toMatchObject({ completed: effects, unresolved: rows - effects });
    // None is lost from sight: the report names each with its token, by which it can be asked for.
    const parked = reportOf(stdout).filter(({ status }) => status === 'unresolved');
    for (const row of parked) expect(row).toMatchObject({ token: expect.stringMatching(/^PR/), transaction_id: '' });
    expect(leavings(at.proxy, 'transaction.transfer')).toEqual(Array(rows).fill(1));
    expect((await payrun(['resume', run_id, ...resume])).exit).toBe(5);
    expect(leavings(at.proxy, 'transaction.transfer')).toEqual(Array(rows).fill(1));
    expect(await allTransactions(at.service)).toHaveLength(effects);
  },
);

withProxy('with all guarantees off a creation without an answer is found or parked, and never sent again', async () => {
  const at = await place();
  const choices = at.fates.map(({ fate }) => fate);
  const recipients = oneAfterTheOther('account.recipient.create', choices);
  const accounts = oneAfterTheOther('account.external.bank.add', choices);
  at.proxy.decide((exchange) =>
    exchange.operation === 'account.recipient.create' ? recipients(exchange) : accounts(exchange),
  );
  const rows = 2 * choices.length;
  const profile = `request_lifetime: 6s\nconcurrency: 16\n${NONE}`;
  const { command, resume } = plainPayroll({ ...at, rows, profile });
  const first = await payrun(command);
  expect(first.exit).toBe(5);
  const again = await payrun(['resume', JSON.parse(first.stdout).run_id, ...resume]);
  expect(again.exit).toBe(5);
  for (const operation of ['account.recipient.create', 'account.external.bank.add']) {
    expect(new Set(leavings(at.proxy, operation))).toEqual(new Set([1]));
  }
  const state = (await admin(at.service, 'state')) as { recipients: number; external_accounts: number };
  expect(state.recipients).toBeLessThanOrEqual(rows);
  expect(state.external_accounts).toBeLessThanOrEqual(state.recipients);
});

withProxy('where expiry is not promised the same bytes are sent while they live, and no others ever', async () => {
  const at = await place();
  at.proxy.decide(always('transaction.transfer', resetRequest, 3, 4));
  const profile = 'request_lifetime: 6s\nlisting_lag: 0s\nguarantees: {enforces_expiry: false}\n';
  const { command, resume } = plainPayroll({ ...at, rows: 6, profile });
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(5);
  const { counts, run_id } = JSON.parse(stdout);
  expect(counts).toMatchObject({ completed: 4, unresolved: 2 });
  const left = leavings(at.proxy, 'transaction.transfer');
  expect(left).toHaveLength(6);
  for (const exchange of at.proxy.received) {
    const first = at.proxy.received.find(({ intent }) => intent === exchange.intent);
    if (exchange.operation === 'transaction.transfer') expect(exchange.bytes).toEqual(first?.bytes);
  }
  // A process that reads the intent from the journal may only look.
  expect((await payrun(['resume', run_id, ...resume])).exit).toBe(5);
  expect(leavings(at.proxy, 'transaction.transfer')).toEqual(left);
});
