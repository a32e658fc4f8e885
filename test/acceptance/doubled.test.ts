import { describe, expect } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import {
  type AlteredService,
  alteredService,
  answeredInstead,
  books,
  expectPaidOnce,
  type Leaving,
  payoutOf,
} from '../support/altered-service.ts';
import { answer } from '../support/hostile-server.ts';
import type { Ended } from '../support/payrun.ts';
import { expectPaidOnceEach, reportOf } from '../support/plain-payroll.ts';
import { transferAgain } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type Fate, hasSecondLoopback, pass } from '../support/tcp-proxy.ts';

// Of one request the network makes two, and what is true of one copy is not true of the other.

const ALL = [1, 2, 3, 4, 5];
const LAG = 'listing_lag: 1s\n';
/** Complete listings that prove an absence. */
const PROOFS = 3;
const NO_REPLAY_PROTECTION = 'guarantees: {replay_protection: false}\n';

/** A service without replay protection takes both copies. Gives the second's transaction as soon as it is there. */
function takesTwice(at: AlteredService, isMeant: (leaving: Leaving) => boolean, afterMs = 0): string[] {
  const seconds: string[] = [];
  at.view.fate = (leaving) => {
    if (!isMeant(leaving)) return pass;
    return async (exchange) => {
      const { socket, deliver, body } = exchange;
      const first = await deliver();
      const again = async (): Promise<void> => void seconds.push(await transferAgain(at.service, body));
      if (afterMs === 0) await again();
      socket.write(first);
      // The connection goes on meanwhile.
      if (afterMs > 0) void machineClock.sleep(afterMs).then(again);
    };
  };
  return seconds;
}

/** The run ended for a person, who is shown both transactions of the payout. */
async function expectBothNamed(at: AlteredService, { exit, stdout }: Ended, payout: number): Promise<void> {
  const both = (await books(at.service)).get(payout) ?? [];
  expect(both).toHaveLength(2);
  expect(exit).toBe(5);
  const row = reportOf(stdout)[payout - 1];
  expect(JSON.stringify(row)).toContain(both[0]);
  expect(JSON.stringify(row)).toContain(both[1]);
}

/** Going on does not make it better, and nothing more leaves. */
async function expectStays(at: AlteredService, payout: number): Promise<void> {
  const before = at.leavings.length;
  await expectBothNamed(at, await at.resume(), payout);
  expect(at.leavings).toHaveLength(before);
}

/** Resolves once the run was shown that these are completed. */
function untilCompleted(at: AlteredService, payouts: number[]): Promise<void> {
  const open = new Set(payouts);
  return new Promise((resolve) => {
    at.view.seen = (record) => {
      if (record.status === 'COMPLETED') open.delete(payoutOf(record));
      if (open.size === 0) resolve();
    };
  });
}

async function timesPaid(at: AlteredService): Promise<[number, number][]> {
  const paid = [...(await books(at.service))].map(([payout, ids]): [number, number] => [payout, ids.length]);
  return paid.toSorted(([one], [other]) => one - other);
}

describe.skipIf(!(await hasSecondLoopback()))('two copies of one request', () => {
  for (const profile of ['', `${LAG}${NO_REPLAY_PROTECTION}`]) {
    const promise = profile === '' ? 'against its promise' : 'and promises nothing else';
    testBeside(`a service takes each payout twice, ${promise}: the first stops the run`, async () => {
      const at = await alteredService({ profile });
      takesTwice(at, () => true);
      await expectBothNamed(at, await at.run(), 1);
      expect(await timesPaid(at)).toEqual([[1, 2]]);
      await expectStays(at, 1);
      expect(await timesPaid(at)).toEqual([[1, 2]]);
    });
  }

  testBeside(
    'a service takes one payout in the middle twice: the run stops there, and does not end with 0',
    async () => {
      const at = await alteredService({ rows: 12 });
      takesTwice(at, ({ payout }) => payout === 4);
      await expectBothNamed(at, await at.run(), 4);
      expect((await timesPaid(at)).filter(([, times]) => times > 1)).toEqual([[4, 2]]);
      await expectStays(at, 4);
    },
  );

  testBeside(
    'the second transaction is listed only when everything is completed: the run does not end with 0',
    async () => {
      const at = await alteredService({ rows: 12, profile: LAG });
      const seconds = takesTwice(at, ({ payout }) => payout === 4);
      const completed = new Set<number>();
      at.view.hides = ({ id }) => seconds.includes(id) && completed.size < 12;
      at.view.seen = (record) => {
        if (record.status === 'COMPLETED') completed.add(payoutOf(record));
      };
      await expectBothNamed(at, await at.run(), 4);
      expect((await timesPaid(at)).filter(([, times]) => times > 1)).toEqual([[4, 2]]);
      await expectStays(at, 4);
    },
  );

  testBeside(
    'without replay protection the second copy arrives when everything is completed: it is waited for',
    async () => {
      const at = await alteredService({ profile: `${LAG}${NO_REPLAY_PROTECTION}` });
      takesTwice(at, ({ payout }) => payout === 4, 4_000);
      await expectBothNamed(at, await at.run(), 4);
      expect((await timesPaid(at)).filter(([, times]) => times > 1)).toEqual([[4, 2]]);
      await expectStays(at, 4);
    },
  );

  const REFUSALS: [what: string, refusal: string][] = [
    ['429', answer(429, '{"error":{"code":"TOO_MANY_REQUESTS","message":"slower"}}', { 'retry-after': '1' })],
    ['400', answer(400, '{"error":{"code":"BAD_REQUEST","message":"no","reason":"INVALID"}}')],
    ['404', answer(404, '{"error":{"code":"NOT_FOUND","message":"no such account"}}')],
    ['401 EXPIRED', answer(401, '{"error":{"code":"UNAUTHORIZED","message":"late","reason":"EXPIRED"}}')],
  ];

  for (const [what, refusal] of REFUSALS) {
    testBeside(`one copy is refused with ${what} and the other arrives later: it is not called unpaid`, async () => {
      const at = await alteredService({ profile: LAG, lifetime: '20s' });
      const othersPaid = untilCompleted(at, [1, 2, 4, 5]);
      const landed = Promise.withResolvers<unknown>();
      at.view.fate = ({ payout, attempt, copy }) => {
        if (payout !== 3 || attempt > 1) return pass;
        return async ({ socket, deliver }) => {
          socket.write(refusal);
          // Nothing else keeps the run from ending. The connection goes on meanwhile.
          if (copy === 1)
            void othersPaid
              .then(() => machineClock.sleep(3_000))
              .then(() => deliver())
              .then(landed.resolve);
        };
      };
      const { exit, stdout } = await at.run();
      await landed.promise;
      await expectPaidOnce(at.service, ALL);
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect([0, 5]).toContain(exit);
    });
  }

  testBeside('a payout is refused for good, by each copy: it is rejected, and the others are paid', async () => {
    const at = await alteredService({ profile: LAG });
    at.view.fate = ({ payout }) => (payout === 3 ? answeredInstead(REFUSALS[1]?.[1] ?? '') : pass);
    const { exit, stdout } = await at.run();
    expect(exit).toBe(4);
    expect(reportOf(stdout).map(({ status }) => status)).toEqual(
      ALL.map((payout) => (payout === 3 ? 'rejected' : 'completed')),
    );
    await expectPaidOnce(at.service, [1, 2, 4, 5]);
  });

  testBeside(
    '429, no guarantees, and a copy that arrives much later: parked, never sent again, and found later',
    async () => {
      const profile = `guarantees: {enforces_expiry: false, replay_protection: false}\n${LAG}`;
      const at = await alteredService({ profile });
      const refused: Leaving[] = [];
      at.view.fate = (leaving) => {
        if (leaving.payout !== 3 || leaving.attempt > 1) return pass;
        refused.push(leaving);
        return answeredInstead(REFUSALS[0]?.[1] ?? '');
      };
      expect((await at.run()).exit).toBe(5);
      expect((await at.shown()).get(3)).toMatchObject({ state: 'unresolved', status: 'unresolved' });
      expect((await at.resume()).exit).toBe(5);
      expect(refused).toHaveLength(1);
      await transferAgain(at.service, refused[0]?.exchange.body ?? '');
      const { stdout } = await at.resume();
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    },
  );

  testBeside(
    'a process stands still between the proof of absence and the new attempt: it looks again before it sends',
    async () => {
      const at = await alteredService({ profile: `${LAG}${NO_REPLAY_PROTECTION}` });
      let isHidden = true;
      at.view.hides = (record) => isHidden && payoutOf(record) === 3;
      let proofs = 0;
      at.view.fate = (leaving) => {
        if (leaving.payout !== 3 || leaving.attempt > 1) return pass;
        return async ({ socket, deliver }) => {
          await deliver();
          socket.resetAndDestroy();
          at.view.meets = ({ operation, body }) => {
            const isProof = operation === 'transaction.getMany' && !body.includes('"search"');
            return isProof && ++proofs === PROOFS ? standingStill : null;
          };
        };
      };
      // The listing that completes the proof: it is read only when the process goes on, and by then it is out of date.
      const standingStill: Fate = async (exchange) => {
        running.child.kill('SIGSTOP');
        at.view.meets = () => null;
        await at.answer(exchange);
        await machineClock.sleep(5_000);
        isHidden = false;
        running.child.kill('SIGCONT');
      };
      const running = at.start();
      const { exit, stdout } = await running.ended;
      await expectPaidOnce(at.service, ALL);
      expect(exit).toBe(0);
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    },
  );

  testBeside(
    'a record that was made after its deadline: expiry is relied on no more, and the run ends with 5',
    async () => {
      const at = await alteredService({ profile: `listing_lag: 6s\n${NO_REPLAY_PROTECTION}` });
      let lost = '';
      at.view.fate = ({ payout, attempt, exchange }) => {
        if (attempt > 1 || (payout !== 3 && payout !== 5)) return pass;
        if (payout === 5) lost = exchange.body;
        return async ({ socket, body }) => {
          socket.resetAndDestroy();
          if (payout !== 3) return;
          await machineClock.sleep(6_000 + 8_000);
          await transferAgain(at.service, body);
        };
      };
      const { exit, stdout } = await at.run();
      expect(exit).toBe(5);
      const report = reportOf(stdout);
      expect(report[2]?.transaction_id).toMatch(/^txn_/);
      expect(await at.entries()).toContainEqual(expect.objectContaining({ kind: 'expiry_broken', row: 4 }));
      // What would have been proven absent by the same promise is not sent anew: it may come true as late.
      expect(report[4]?.status).toBe('unresolved');
      await expectPaidOnce(at.service, [1, 2, 3, 4]);
      await transferAgain(at.service, lost);
      const resumed = await at.resume();
      expect(resumed.exit).toBe(5);
      await expectPaidOnce(at.service, ALL);
      expect(reportOf(resumed.stdout).map(({ status }) => status)).toEqual(ALL.map(() => 'completed'));
    },
  );
});
