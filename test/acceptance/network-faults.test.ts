import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { always, everyFate, type NamedFate, oneAfterTheOther, resetRequest } from '../support/fates.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { payrun, type ReadyService, startServiceProcess, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type Exchange, type Fate, hasSecondLoopback, pass, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

// Real runs, a real service, and between them a network that does everything that networks do.

const withProxy = (await hasSecondLoopback()) ? testBeside : test.skip;

/** Whatever leaves, leaves once: without replay protection no bytes are sent again. */
const ONCE = 'request_lifetime: 6s\nlisting_lag: 0s\nguarantees: {replay_protection: false}\n';
/** Where every payout is lost, nothing but its life is waited for. */
const SHORT = 'request_lifetime: 3s\nlisting_lag: 0s\nguarantees: {replay_protection: false}\n';
/** The same bytes may leave again while they live. */
const AGAIN = 'request_lifetime: 6s\nlisting_lag: 0s\n';

type Place = { folder: string; service: ReadyService; proxy: TcpProxy };

async function place(): Promise<Place> {
  const folder = temporaryFolder();
  const service = await startServiceProcess({ dataDir: join(folder, 'service') });
  return { folder, service, proxy: await tcpProxy(service.base_url) };
}

/** The fates, and whether anybody followed a redirect to a server of which nobody was told. */
async function fatesAndElsewhere(): Promise<{ fates: NamedFate[]; strays: unknown[] }> {
  const elsewhere = await hostileServer((socket) => socket.write(answer(200, '{"data":"txn_elsewhere"}')));
  return { fates: everyFate(elsewhere.baseUrl), strays: elsewhere.arrivals };
}

/** How often each intent of the operation left the runner, in the order of their first leaving. */
function leavings({ received }: TcpProxy, operation: string): number[] {
  const counts = new Map<string, number>();
  for (const exchange of received) {
    if (exchange.operation === operation) counts.set(exchange.intent, (counts.get(exchange.intent) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** The service was brought nothing but what the proxy brought it. */
async function expectNoOtherWay({ service, proxy }: Place, operation: string): Promise<void> {
  const brought = proxy.received.filter((exchange) => exchange.operation === operation);
  const intents = new Set(brought.map(({ intent }) => intent));
  const sum = [...intents].reduce((total, intent) => total + (proxy.delivered.get(intent) ?? 0), 0);
  expect((await arrivals(service))[operation]).toBe(sum);
}

withProxy('scenarios 8, 12, 13, 15 and 17: each fault on a payout of its own, and each is paid once', async () => {
  const at = await place();
  const { fates, strays } = await fatesAndElsewhere();
  // The first payout goes alone and in peace.
  const choices = [pass, ...fates.map(({ fate }) => fate)];
  at.proxy.decide(oneAfterTheOther('transaction.transfer', choices));
  const rows = choices.length;
  const { command } = plainPayroll({ ...at, rows, profile: ONCE });
  const { exit, stdout, stderr } = await payrun(command);
  expect(stderr).not.toContain('bug');
  expect(exit).toBe(0);
  const report = reportOf(stdout);
  await expectPaidOnceEach(at.service, [report]);
  // No intent left the runner twice, and only what had no effect had a second one.
  const effectless = fates.filter(({ effect }) => !effect).length;
  expect(leavings(at.proxy, 'transaction.transfer')).toEqual(Array(rows + effectless).fill(1));
  expect(report.filter(({ attempts }) => attempts === '2')).toHaveLength(effectless);
  await expectNoOtherWay(at, 'transaction.transfer');
  expect(strays).toEqual([]);
});

withProxy(
  'each fault on a recipient and on an account of its own: each is created once, and each row paid once',
  async () => {
    const at = await place();
    const { fates, strays } = await fatesAndElsewhere();
    const choices = fates.map(({ fate }) => fate);
    const recipients = oneAfterTheOther('account.recipient.create', choices);
    const accounts = oneAfterTheOther('account.external.bank.add', choices);
    at.proxy.decide((exchange) =>
      exchange.operation === 'account.recipient.create' ? recipients(exchange) : accounts(exchange),
    );
    const rows = choices.length;
    const { command } = plainPayroll({ ...at, rows, profile: ONCE });
    const { exit, stdout, stderr } = await payrun(command);
    expect(stderr).not.toContain('bug');
    expect(exit).toBe(0);
    const report = reportOf(stdout);
    await expectPaidOnceEach(at.service, [report]);
    expect(new Set(report.map(({ recipient_id }) => recipient_id)).size).toBe(rows);
    expect(new Set(report.map(({ external_account_id }) => external_account_id)).size).toBe(rows);
    for (const operation of ['account.recipient.create', 'account.external.bank.add']) {
      const twice = leavings(at.proxy, operation).filter((count) => count > 1);
      expect(twice).toEqual(fates.filter(({ effect }) => !effect).map(() => 2));
      await expectNoOtherWay(at, operation);
    }
    expect(await admin(at.service, 'state')).toMatchObject({ recipients: rows, external_accounts: rows });
    expect(strays).toEqual([]);
  },
);

withProxy('a fault on the first payout: it is settled before another leaves, and each row is paid once', async () => {
  const at = await place();
  const { fates } = await fatesAndElsewhere();
  const wanted =
    /^(reset before|reset after|held|the answer is held|421 and|307 to itself|a 502|delivered twice, the s)/;
  const chosen = fates.filter(({ name }) => wanted.test(name));
  expect(chosen).toHaveLength(8);
  // All runs at once: each has hundreds of its own, by which its payouts are told apart.
  const runOf = ({ body }: Exchange) => Math.floor(Number(/"value":"(\d+)"/.exec(body)?.[1]) / 10_000) - 1;
  const perRun = chosen.map(({ fate }) => oneAfterTheOther('transaction.transfer', [fate]));
  at.proxy.decide((exchange) =>
    exchange.operation === 'transaction.transfer' ? (perRun[runOf(exchange)]?.(exchange) ?? pass) : pass,
  );
  const ended = await Promise.all(
    chosen.map(async (_, nth) => {
      const folder = temporaryFolder();
      const given = { ...at, folder, rows: 3, firstAmount: (nth + 1) * 100, profile: ONCE };
      const { command, resume } = plainPayroll(given);
      const first = await payrun(command);
      if (first.exit !== 5) return first;
      // Before a payout came back nothing is concluded from the list, unless a person accepts it as proof.
      return payrun(['resume', JSON.parse(first.stdout).run_id, '--resubmit-absent', ...resume]);
    }),
  );
  expect(ended.map(({ exit }) => exit)).toEqual(chosen.map(() => 0));
  await expectPaidOnceEach(
    at.service,
    ended.map(({ stdout }) => reportOf(stdout)),
  );
  for (const [nth, { effect }] of chosen.entries()) {
    const amounts = at.proxy.received
      .filter((exchange) => exchange.operation === 'transaction.transfer' && runOf(exchange) === nth)
      .map(({ body }) => Number(/"value":"(\d+)"/.exec(body)?.[1]) / 100 - (nth + 1) * 100);
    // The second attempt of the first payout comes before the first of any other.
    expect(amounts.toSorted((a, b) => a - b)).toEqual(effect ? [0, 1, 2] : [0, 0, 1, 2]);
    expect(amounts[effect ? 0 : 1]).toBe(0);
  }
});

withProxy(
  'scenario 12: kept-alive connections that end at any moment, and the same bytes again: each is paid once',
  async () => {
    const at = await place();
    let nth = 0;
    at.proxy.decide(() => closing(nth++));
    const rows = 60;
    const { command } = plainPayroll({ ...at, rows, profile: AGAIN });
    const { exit, stdout, stderr } = await payrun(command);
    expect(stderr).not.toContain('bug');
    expect(exit).toBe(0);
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    const first = new Map<string, Exchange>();
    for (const exchange of at.proxy.received.filter(({ operation }) => operation === 'transaction.transfer')) {
      const before = first.get(exchange.intent) ?? exchange;
      // What leaves for one intent is one request, whose nonce lets it take effect once.
      expect(exchange.bytes.equals(before.bytes)).toBe(true);
      first.set(exchange.intent, before);
    }
  },
);

withProxy(
  'a network that loses every payout but the first: the run stops loudly, and goes on when it is mended',
  async () => {
    const at = await place();
    at.proxy.decide(always('transaction.transfer', resetRequest, 2, Number.POSITIVE_INFINITY));
    const { command, resume } = plainPayroll({ ...at, rows: 6, profile: SHORT });
    const stopped = await payrun(command);
    expect([5, 8]).toContain(stopped.exit);
    // What was lost may have arrived, for all that the report knows, and what never left did not.
    const [first, ...others] = reportOf(stopped.stdout);
    expect(first?.transaction_id).toMatch(/^txn_/);
    for (const row of others) {
      expect(['unresolved', 'not_submitted']).toContain(row.status);
      expect(row).toMatchObject({ transaction_id: '', sent_amount: '', message: expect.stringMatching(/resume/) });
    }
    expect(await allTransactions(at.service)).toHaveLength(1);
    at.proxy.decide(() => pass);
    const { exit, stdout } = await payrun(['resume', JSON.parse(stopped.stdout).run_id, ...resume]);
    expect(exit).toBe(0);
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
  },
);

withProxy('nobody can connect for a while: what never left is tried again, and each is paid once', async () => {
  const at = await place();
  const { command } = plainPayroll({ ...at, rows: 6, profile: ONCE });
  let isShut = false;
  at.proxy.decide(({ operation }) => (operation === 'transaction.transfer' && !isShut ? shutting : pass));
  const shutting: Fate = async (exchange) => {
    await pass(exchange);
    isShut = true;
    await at.proxy.shut();
    // Some attempts find nobody; how many is the machine's affair.
    await machineClock.sleep(1_500);
    await at.proxy.open();
  };
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(0);
  await expectPaidOnceEach(at.service, [reportOf(stdout)]);
  expect(Math.max(...leavings(at.proxy, 'transaction.transfer'))).toBe(1);
});

/**
 * Ends the connection, by a reset or in peace, from at once to a few turns of the event loop after its answer, when the
 * next request may be on its way over it. Every third payout has it end while the service is at work on it.
 */
function closing(nth: number): Fate {
  return async (exchange) => {
    const isEarly = exchange.operation === 'transaction.transfer' && nth % 3 === 0;
    const passing = pass(exchange);
    if (!isEarly) await passing;
    for (let turn = 0; turn < nth % 7; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (nth % 2 === 0) exchange.socket.end();
    else exchange.socket.resetAndDestroy();
    await passing;
  };
}
