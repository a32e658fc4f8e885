import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { answer } from '../support/hostile-server.ts';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { admin } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type Exchange, type Fate, hasSecondLoopback, pass, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

// Requests that the network delivers late, and twice, with an answer that is true of one copy and not of the other.

/** What the service here does: it lists what it holds at once. */
const LISTS_AT_ONCE = 'listing_lag: 0s\n';
/** And the runner may not count on its nonces: it has the deadline of a request alone to go by. */
const NO_NONCES = `${LISTS_AT_ONCE}guarantees: {replay_protection: false}\n`;

type Place = { folder: string; service: ReadyService; proxy: TcpProxy };

async function place(): Promise<Place> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  return { folder, service, proxy: await tcpProxy(service.base_url) };
}

/** Copies of the nth intent that leaves meet the nth fate, and everything else passes. */
function meets(proxy: TcpProxy, fates: Record<number, Fate>): void {
  const places = new Map<string, number>();
  proxy.decide((exchange) => {
    if (!isTransfer(exchange)) return pass;
    const place = places.get(exchange.intent) ?? places.size + 1;
    places.set(exchange.intent, place);
    return fates[place] ?? pass;
  });
}

const isTransfer = ({ operation }: Exchange): boolean => operation === 'transaction.transfer';
/** Given up at once by a reset, it takes effect when the runner has looked for it. */
function landsAfterLook(proxy: TcpProxy): Fate {
  return async ({ intent, deliver, socket }) => {
    socket.resetAndDestroy();
    await proxy.until(({ operation, body }) => operation === 'transaction.getMany' && body.includes(intent));
    await deliver();
  };
}

const amountOf = ({ body }: Exchange): string => /"value":"(\d+)"/.exec(body)?.[1] ?? '';

const REFUSALS: [what: string, refusal: string][] = [
  ['429', answer(429, '{"error":{"code":"TOO_MANY_REQUESTS","message":"slower"}}', { 'retry-after': '1' })],
  ['400', answer(400, '{"error":{"code":"BAD_REQUEST","message":"no","reason":"INVALID"}}')],
  ['401 EXPIRED', answer(401, '{"error":{"code":"UNAUTHORIZED","message":"late","reason":"EXPIRED"}}')],
];

function refused(refusal: string): Fate {
  return async ({ deliver, socket }) => {
    await deliver();
    socket.write(refusal);
  };
}

/** Resolves when the runner has taken the webhook of the payout's end. */
async function untilDelivered(service: ReadyService, transaction: string): Promise<void> {
  for (;;) {
    const { deliveries } = (await admin(service, 'webhook.deliveries', { limit: 100 })) as { deliveries: Delivery[] };
    const isThere = deliveries.some(
      ({ type, transaction_id, state }) =>
        type === 'transaction.updated' && transaction_id === transaction && state === 'delivered',
    );
    if (isThere) return;
    await machineClock.sleep(20);
  }
}

type Delivery = { type: string; transaction_id: string; state: string };

describe.skipIf(!(await hasSecondLoopback()))('requests that come late', () => {
  for (const nth of [1, 3])
    testBeside(
      `scenario 10: payout ${nth} lands after it was given up and looked for: it is found, and paid once`,
      async () => {
        const at = await place();
        meets(at.proxy, { [nth]: landsAfterLook(at.proxy) });
        // The deadline is far: what the first look did not show, the second does.
        const profile = `request_lifetime: 15s\n${NO_NONCES}`;
        const { command } = plainPayroll({ ...at, rows: 5, profile });
        const { exit, stdout } = await payrun(command);
        expect(exit).toBe(0);
        const report = reportOf(stdout);
        await expectPaidOnceEach(at.service, [report]);
        expect(report.map(({ attempts }) => attempts)).toEqual(report.map(() => '1'));
      },
    );

  testBeside(
    'scenario 11: a request that lands when it was declared absent and made again takes no effect',
    async () => {
      const at = await place();
      let answered = '';
      meets(at.proxy, {
        3: async (held) => {
          held.socket.resetAndDestroy();
          await at.proxy.until(
            (other) => isTransfer(other) && amountOf(other) === amountOf(held) && other.intent !== held.intent,
          );
          answered = (await held.deliver()).toString();
        },
      });
      const profile = `request_lifetime: 6s\n${NO_NONCES}`;
      const { command } = plainPayroll({ ...at, rows: 5, profile });
      const { exit, stdout } = await payrun(command);
      expect(exit).toBe(0);
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(answered).toContain('EXPIRED');
    },
  );

  for (const [what, refusal] of REFUSALS)
    testBeside(
      `the first payout is delivered twice and its second copy is answered with ${what}, others with all of these: each is paid once`,
      async () => {
        const at = await place();
        const others = REFUSALS.map(([, text], nth) => [nth + 3, refused(text)]);
        meets(at.proxy, { 1: refused(refusal), ...Object.fromEntries(others) });
        const { command } = plainPayroll({ ...at, rows: 7, profile: `request_lifetime: 6s\n${LISTS_AT_ONCE}` });
        const { exit, stdout } = await payrun(command);
        expect(exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      },
    );

  testBeside(
    'creations are delivered twice and their second copies refused: each is made once, and each row paid once',
    async () => {
      const at = await place();
      const met = new Set<string>();
      at.proxy.decide(({ operation, intent }) => {
        if (operation === 'transaction.transfer' || !/create|add/.test(operation) || met.has(intent)) return pass;
        met.add(intent);
        return refused(REFUSALS[met.size % REFUSALS.length]?.[1] ?? '');
      });
      const rows = 6;
      const { command } = plainPayroll({ ...at, rows, profile: `request_lifetime: 6s\n${LISTS_AT_ONCE}` });
      const { exit, stdout } = await payrun(command);
      expect(exit).toBe(0);
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(await admin(at.service, 'state')).toMatchObject({ recipients: rows, external_accounts: rows });
    },
  );

  testBeside(
    'scenario 21: the webhook of each payout comes before the answer to its request: each is paid once',
    async () => {
      const folder = temporaryFolder();
      const service = await startService({ dataDir: join(folder, 'service'), args: ['--allow-private-webhooks'] });
      const proxy = await tcpProxy(service.base_url);
      const registered = Promise.withResolvers<void>();
      const answeredLast: Fate = async ({ deliver, socket }) => {
        await registered.promise;
        const bytes = await deliver();
        await untilDelivered(service, /"data":"(\w+)"/.exec(bytes.toString())?.[1] ?? '');
        socket.write(bytes);
      };
      proxy.decide((exchange) => (isTransfer(exchange) ? answeredLast : pass));
      const { command } = plainPayroll({
        folder,
        service,
        proxy,
        rows: 6,
        profile: `request_lifetime: 20s\n${LISTS_AT_ONCE}`,
      });
      const { public_key } = (await admin(service, 'webhook.list')) as { public_key: string };
      const run = start([...command, '--webhook-listen', '127.0.0.1:0', '--webhook-key', public_key]);
      await run.wrote(/received at http\S+\n/);
      await admin(service, 'webhook.add', { url: /received at (http\S+)/.exec(run.stderr())?.[1] });
      registered.resolve();
      const { exit, stdout } = await run.ended;
      expect(exit).toBe(0);
      await expectPaidOnceEach(service, [reportOf(stdout)]);
    },
  );
});
