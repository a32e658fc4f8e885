import { describe, expect } from 'vitest';
import {
  type AlteredService,
  alteredService,
  answeredInstead,
  books,
  expectPaidOnce,
  payoutOf,
} from '../support/altered-service.ts';
import { answer } from '../support/hostile-server.ts';
import { expectPaidOnceEach, reportOf } from '../support/plain-payroll.ts';
import { transferAgain } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type Fate, hasSecondLoopback, pass } from '../support/tcp-proxy.ts';

// Answers that say something else than what happened: ids that nobody knows, and refusals of what was carried out.

const ALL = [1, 2, 3, 4, 5];
const LAG = 'listing_lag: 1s\n';
const NO_REPLAY_PROTECTION = 'guarantees: {replay_protection: false}\n';

const invented = answer(200, '{"data":"txn_invented"}');
const revoked = answer(401, '{"error":{"code":"UNAUTHORIZED","message":"the key was revoked","reason":"REVOKED"}}');

/** It takes effect, and somebody on the way answers. */
const answeredByAnother =
  (text: string): Fate =>
  async ({ deliver, socket }) => {
    await deliver();
    socket.write(text);
  };

/** The first attempt at the payout meets the fate, and everything else passes. */
function meets(at: AlteredService, payout: number, fate: Fate): void {
  at.view.fate = (leaving) => (leaving.payout === payout && leaving.attempt === 1 ? fate : pass);
}

describe.skipIf(!(await hasSecondLoopback()))('answers that are not true', () => {
  for (const payout of [1, 3]) {
    testBeside(
      `payout ${payout} is paid, and its answer names an id that nobody knows: it is found by its token`,
      async () => {
        const at = await alteredService({ profile: LAG });
        meets(at, payout, answeredByAnother(invented));
        const { exit, stdout } = await at.run();
        await expectPaidOnce(at.service, ALL);
        expect(exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      },
    );

    testBeside(
      `payout ${payout} never arrives, and its answer names an id that nobody knows: a person says that it was not sent`,
      async () => {
        const at = await alteredService({ profile: LAG });
        meets(at, payout, answeredInstead(invented));
        expect((await at.run()).exit).toBe(5);
        expect((await at.shown()).get(payout)).toMatchObject({ state: 'unresolved', status: 'unresolved' });
        await expectPaidOnce(at.service, payout === 1 ? [] : [1, 2, 4, 5]);
        expect((await at.resume()).exit).toBe(5);
        const { exit, stderr } = await at.command('resolve', String(payout + 1), '--not-sent', '--yes');
        expect({ exit, stderr }).toMatchObject({ exit: 0 });
        const resumed = await at.resume();
        expect(resumed.exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(resumed.stdout)]);
      },
    );

    testBeside(
      `payout ${payout} is paid and not listed, and its answer names an id that nobody knows: a person names the right one`,
      async () => {
        const at = await alteredService({ profile: `${LAG}${NO_REPLAY_PROTECTION}` });
        let isHidden = true;
        at.view.hides = (record) => isHidden && payoutOf(record) === payout;
        meets(at, payout, answeredByAnother(invented));
        expect((await at.run()).exit).toBe(5);
        await expectPaidOnce(at.service, payout === 1 ? [1] : ALL);
        expect((await at.shown()).get(payout)).toMatchObject({ status: 'unresolved' });
        const [id = ''] = (await books(at.service)).get(payout) ?? [];
        const { exit, stderr } = await at.command('resolve', String(payout + 1), '--sent', id, '--yes');
        expect({ exit, stderr }).toMatchObject({ exit: 0 });
        isHidden = false;
        const resumed = await at.resume();
        expect(resumed.exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(resumed.stdout)]);
      },
    );
  }

  testBeside(
    'the id of a payout is known at first and not any more: it does not hold the run for ever, and is called unconfirmed',
    async () => {
      const at = await alteredService({ profile: LAG, settleAfter: '1h' });
      let isForgotten = false;
      at.view.hides = (record) => isForgotten && payoutOf(record) === 3;
      at.view.shows = (record) => (isForgotten && payoutOf(record) === 3 ? null : record);
      at.view.fate = ({ payout }) => {
        if (payout === 5) isForgotten = true;
        return pass;
      };
      expect((await at.run()).exit).toBe(5);
      expect((await at.shown()).get(3)?.status).toBe('unresolved');
      await expectPaidOnce(at.service, ALL);
    },
  );

  testBeside(
    'an answer names an id that nobody knows, and the payout is carried out much later: it is found and not paid twice',
    async () => {
      const at = await alteredService({ profile: LAG });
      let body = '';
      meets(at, 3, async (exchange) => {
        body = exchange.body;
        await answeredInstead(invented)(exchange);
      });
      expect((await at.run()).exit).toBe(5);
      await transferAgain(at.service, body);
      const resumed = await at.resume();
      await expectPaidOnceEach(at.service, [reportOf(resumed.stdout)]);
    },
  );

  for (const payout of [1, 3]) {
    testBeside(
      `the key is refused for what payout ${payout} did: it is not called unsent, and goes on with the key`,
      async () => {
        const at = await alteredService({ profile: LAG });
        let isRevoked = false;
        at.view.meets = () => (isRevoked ? answeredInstead(revoked) : null);
        meets(at, payout, async (exchange) => {
          isRevoked = true;
          await answeredByAnother(revoked)(exchange);
        });
        const stopped = await at.run(['--concurrency', '1']);
        // An outage that leaves a payout unconfirmed needs a person more than anything else.
        expect([5, 8]).toContain(stopped.exit);
        const row = reportOf(stopped.stdout)[payout - 1];
        expect(row).toMatchObject({ status: 'unresolved', token: expect.stringMatching(/^PR/) });
        expect((await at.shown()).get(payout)?.status).toBe('unresolved');
        isRevoked = false;
        const { exit, stdout } = await at.resume();
        expect(exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      },
    );
  }
});
