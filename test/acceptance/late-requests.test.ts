import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer } from '../support/hostile-server.ts';
import { payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { allTransactions } from '../support/service-door.ts';
import { type Exchange, type Fate, hasSecondLoopback, pass, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

// Requests that the network delivers late, and twice, with an answer that is true of one copy and not of the other.

const withProxy = test.skipIf(!(await hasSecondLoopback()));

type Place = { folder: string; service: ReadyService; proxy: TcpProxy };

async function place(): Promise<Place> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  return { folder, service, proxy: await tcpProxy(service.base_url) };
}

/** The fate meets the first attempt of the nth payout, by the amounts of `plainPayroll`. */
function meets(proxy: TcpProxy, nth: number, fate: Fate, operation = 'transaction.transfer'): void {
  let intent: string | null = null;
  const places = new Map<string, number>();
  proxy.decide((exchange) => {
    if (exchange.operation !== operation) return pass;
    const at = places.get(exchange.intent) ?? places.size + 1;
    places.set(exchange.intent, at);
    if (at === nth) intent = exchange.intent;
    return at === nth && exchange.intent === intent ? fate : pass;
  });
}

const isTransfer = ({ operation }: Exchange): boolean => operation === 'transaction.transfer';
const amountOf = ({ body }: Exchange): string => /"value":"(\d+)"/.exec(body)?.[1] ?? '';

withProxy.each([[1], [3]])(
  'scenario 10: payout %i lands after it was given up and looked for: it is found, and paid once',
  async (nth) => {
    const at = await place();
    meets(at.proxy, nth, async ({ intent, deliver, socket }) => {
      socket.resetAndDestroy();
      await at.proxy.until(({ operation, body }) => operation === 'transaction.getMany' && body.includes(intent));
      await deliver();
    });
    // The deadline is far: what the first look did not show, the second does.
    const profile = 'request_lifetime: 20s\nguarantees: {replay_protection: false}\n';
    const { command } = plainPayroll({ ...at, rows: 5, profile });
    const { exit, stdout } = await payrun(command);
    expect(exit).toBe(0);
    const report = reportOf(stdout);
    await expectPaidOnceEach(at.service, [report]);
    expect(report.map(({ attempts }) => attempts)).toEqual(report.map(() => '1'));
  },
);

withProxy('scenario 11: a request that lands when it was declared absent and made again takes no effect', async () => {
  const at = await place();
  let answered = '';
  meets(at.proxy, 3, async (held) => {
    held.socket.resetAndDestroy();
    await at.proxy.until(
      (other) => isTransfer(other) && amountOf(other) === amountOf(held) && other.intent !== held.intent,
    );
    answered = (await held.deliver()).toString();
  });
  const profile = 'request_lifetime: 2s\nguarantees: {replay_protection: false}\n';
  const { command } = plainPayroll({ ...at, rows: 5, profile });
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(0);
  await expectPaidOnceEach(at.service, [reportOf(stdout)]);
  expect(answered).toContain('EXPIRED');
});

const REFUSALS: [what: string, refusal: string][] = [
  ['429', answer(429, '{"error":{"code":"TOO_MANY_REQUESTS","message":"slower"}}', { 'retry-after': '1' })],
  ['400', answer(400, '{"error":{"code":"BAD_REQUEST","message":"no","reason":"INVALID"}}')],
  ['401 EXPIRED', answer(401, '{"error":{"code":"UNAUTHORIZED","message":"late","reason":"EXPIRED"}}')],
];

withProxy.each(REFUSALS)(
  'a payout is delivered twice and its second copy is answered with %s: it is paid once',
  async (_, refusal) => {
    const at = await place();
    for (const nth of [3]) {
      meets(at.proxy, nth, async ({ deliver, socket }) => {
        await deliver();
        socket.write(refusal);
      });
    }
    const { command } = plainPayroll({ ...at, rows: 5, profile: 'request_lifetime: 4s\n' });
    const { exit, stdout } = await payrun(command);
    expect(exit).toBe(0);
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    expect(await allTransactions(at.service)).toHaveLength(5);
  },
);
