import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import {
  type AlteredService,
  alteredService,
  answeredInstead,
  answeredWith,
  answerLost,
  books,
  expectPaidOnce,
  type Leaving,
  withoutFirst,
} from '../support/altered-service.ts';
import { resetRequest } from '../support/fates.ts';
import { answer } from '../support/hostile-server.ts';
import type { Started } from '../support/payrun.ts';
import { expectPaidOnceEach, reportOf } from '../support/plain-payroll.ts';
import { transferAgain } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type Fate, hasSecondLoopback, pass } from '../support/tcp-proxy.ts';

// What a service shows of a payout is late, or says less than it knows: nothing is concluded against what was seen.

const ALL = [1, 2, 3, 4, 5];
const FOR_EVER = Number.POSITIVE_INFINITY;
/** Longer than a request lives (6 s), than clocks may differ (6 s), and than a run may look without another reason. */
const LATE_MS = 20_000;

/** The first copy of the payout's first attempt takes effect and is not answered; later copies meet the other fate. */
function loses(at: AlteredService, payout: number, laterCopies: Fate): void {
  const { fate } = at.view;
  at.view.fate = (leaving) => {
    if (leaving.payout !== payout || leaving.attempt > 1) return fate(leaving);
    return leaving.copy === 1 ? answerLost : laterCopies;
  };
}

/** The payout's records are listed so late; all others at once. */
function listsLate(at: AlteredService, lagMs: number, ...payouts: number[]): void {
  at.view.lagMs = (payout) => (payouts.includes(payout) ? lagMs : 0);
}

async function expectNeverAgain(at: AlteredService, payout: number): Promise<void> {
  expect((await at.shown()).get(payout)).toMatchObject({ state: 'unresolved', status: 'unresolved' });
  expect(at.leavings.filter((leaving) => leaving.payout === payout && leaving.attempt > 1)).toEqual([]);
}

const replayed = (error: object = {}): Fate =>
  answeredInstead(
    answer(401, JSON.stringify({ error: { code: 'UNAUTHORIZED', message: 'again', reason: 'REPLAYED', ...error } })),
  );

/** Kills the process when the payout's first copy took effect and before anything came back. */
function killedAt(
  at: AlteredService,
  payout: number,
  running: () => Started,
  isReady: () => Promise<unknown>,
): Promise<void> {
  const { fate } = at.view;
  return new Promise((resolve) => {
    at.view.fate = (leaving) => {
      if (leaving.payout !== payout || leaving.attempt > 1) return fate(leaving);
      return async ({ deliver }) => {
        await isReady();
        await deliver();
        running().child.kill('SIGKILL');
        await running().ended;
        at.view.fate = fate;
        resolve();
      };
    };
  });
}

/** How often the journal says that a payout was accepted, while the run writes to it. */
function acceptedOf({ folder }: AlteredService, payout: number): unknown {
  using database = new DatabaseSync(join(folder, 'data', 'journal.db'), { readOnly: true });
  const sql = "SELECT count(*) AS n FROM entry WHERE kind = 'accepted' AND row_number = ?";
  return database.prepare(sql).get(payout + 1)?.n;
}

async function runKilledAt(at: AlteredService, payout: number, isReady: () => Promise<unknown> = async () => null) {
  const killed = killedAt(at, payout, () => running, isReady);
  const running = at.start();
  await killed;
}

describe.skipIf(!(await hasSecondLoopback()))('late and silent services', () => {
  testBeside(
    'REPLAYED says what became of the first copy: the payout is settled by it, though its record is listed late',
    async () => {
      const at = await alteredService();
      loses(at, 3, pass);
      listsLate(at, LATE_MS, 3);
      const { exit, stdout } = await at.run();
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(exit).toBe(0);
    },
  );

  testBeside('REPLAYED names a transaction that cannot be read yet: it is paid once', async () => {
    const at = await alteredService();
    loses(at, 3, pass);
    listsLate(at, LATE_MS, 3);
    at.view.shows = (record) =>
      record.currency_out.value === '300' && machineClock.wallMs() < Date.parse(record.created_at) + LATE_MS
        ? null
        : record;
    const { exit, stdout } = await at.run();
    await expectPaidOnce(at.service, ALL);
    expect([0, 5]).toContain(exit);
    if (exit === 5) expect((await at.resume()).exit).toBe(0);
    else expect(reportOf(stdout).map(({ status }) => status)).toEqual(ALL.map(() => 'completed'));
    await expectPaidOnce(at.service, ALL);
  });

  testBeside('REPLAYED names the transaction of another payout: it is not taken for this one', async () => {
    const at = await alteredService();
    loses(at, 3, async (exchange) => {
      const [stranger = ''] = (await books(at.service)).get(1) ?? [];
      const first = { status: 200, transaction_id: stranger };
      return answeredWith(({ error }: { error: object }) => ({ error: { ...error, first } }))(exchange);
    });
    listsLate(at, LATE_MS, 3);
    const { exit } = await at.run();
    await expectPaidOnce(at.service, ALL);
    expect([0, 5]).toContain(exit);
    if (exit === 5) expect((await at.resume()).exit).toBe(0);
    const shown = await at.shown();
    expect(new Set([...shown.values()].map(({ transaction_id }) => transaction_id)).size).toBe(ALL.length);
    await expectPaidOnce(at.service, ALL);
  });

  testBeside(
    'REPLAYED and nothing more, and no lag is stated: parked, and never paid again until it is listed',
    async () => {
      // A machine that is busy for as long as a request lives would never hear that it is replayed.
      const at = await alteredService({ hasFirst: false, lifetime: '12s' });
      loses(at, 3, answeredWith(withoutFirst));
      listsLate(at, FOR_EVER, 3);
      expect((await at.run()).exit).toBe(5);
      await expectNeverAgain(at, 3);
      expect(await at.entries()).toContainEqual(
        expect.objectContaining({ kind: 'replayed', row: 4, attempt: 1, first: null }),
      );
      expect((await at.resume()).exit).toBe(5);
      // It is no absence that a person may accept for all.
      expect((await at.resume('--resubmit-absent')).exit).toBe(5);
      await expectNeverAgain(at, 3);
      await expectPaidOnce(at.service, ALL);
      listsLate(at, 0);
      const { exit, stdout } = await at.resume();
      expect(exit).toBe(0);
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    },
  );

  testBeside('REPLAYED is known to the process that resumes after kill -9', async () => {
    const at = await alteredService({ hasFirst: false });
    listsLate(at, FOR_EVER, 3);
    const running = at.start();
    const killed = new Promise<void>((resolve) => {
      const kill: Fate = async () => {
        running.child.kill('SIGKILL');
        await running.ended;
        at.view.meets = () => null;
        resolve();
      };
      loses(at, 3, async (exchange) => {
        await answeredWith(withoutFirst)(exchange);
        // What it looks for next it looks for after it has kept what it heard.
        at.view.meets = ({ operation, body }) =>
          operation === 'transaction.getMany' && body.includes(exchange.intent) ? kill : null;
      });
    });
    await killed;
    expect((await at.resume()).exit).toBe(5);
    await expectNeverAgain(at, 3);
    await expectPaidOnce(at.service, ALL);
    expect(await at.entries()).toContainEqual(expect.objectContaining({ kind: 'replayed', row: 4 }));
  });

  for (const [kept, lagMs] of [
    ['kept to', 3_000],
    ['exceeded several times', 18_000],
  ] as const)
    testBeside(`REPLAYED and nothing more, and the lag that is stated is ${kept}: it is found`, async () => {
      const at = await alteredService({ hasFirst: false, profile: 'listing_lag: 3s\n' });
      loses(at, 3, answeredWith(withoutFirst));
      listsLate(at, lagMs, 3);
      const { exit, stdout } = await at.run();
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(exit).toBe(0);
    });

  for (const [why, profile, first, expected] of [
    ['and the service says so: sent anew', '', { first: { status: 429 } }, 0],
    ['and the lag is stated: sent anew', 'listing_lag: 1s\n', {}, 0],
    ['and nothing says so: parked', '', {}, 5],
  ] as const)
    testBeside(`REPLAYED of a first copy that was refused, ${why}`, async () => {
      const at = await alteredService({ profile });
      at.view.fate = ({ payout, attempt, copy }) => {
        if (payout !== 3 || attempt > 1) return pass;
        return copy === 1 ? resetRequest : replayed(first);
      };
      const { exit } = await at.run();
      expect(exit).toBe(expected);
      await expectPaidOnce(at.service, expected === 0 ? ALL : [1, 2, 4, 5]);
      if (expected === 5) await expectNeverAgain(at, 3);
    });

  for (const [stated, profile] of [
    ['no lag', ''],
    ['a lag', 'listing_lag: 2s\n'],
  ] as const)
    testBeside(
      `the first payout gets no answer, nothing of ours is ever listed and ${stated} is stated: it is parked`,
      async () => {
        const at = await alteredService({ profile });
        loses(at, 1, resetRequest);
        listsLate(at, FOR_EVER, ...ALL);
        expect((await at.run()).exit).toBe(5);
        await expectPaidOnce(at.service, [1]);
        expect((await at.resume()).exit).toBe(5);
        await expectNeverAgain(at, 1);
        await expectPaidOnce(at.service, [1]);
        const shown = await at.shown();
        for (const payout of ALL.slice(1)) expect(shown.get(payout)?.status).toBe('not_submitted');
        listsLate(at, 0);
        const { exit, stdout } = await at.resume();
        expect(exit).toBe(0);
        await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      },
    );

  testBeside(
    'the first payout is listed at once and a later one late, beside neighbours that are listed: it is waited for',
    async () => {
      const at = await alteredService();
      listsLate(at, LATE_MS, 3);
      await runKilledAt(at, 3);
      const { exit, stdout } = await at.resume();
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(exit).toBe(0);
    },
  );

  testBeside('a request that leaves the network late is listed late too: it is waited for', async () => {
    const at = await alteredService({ profile: 'listing_lag: 12s\nguarantees: {replay_protection: false}\n' });
    listsLate(at, 12_000, 3);
    at.view.fate = ({ payout, attempt }) => {
      if (payout !== 3 || attempt > 1) return pass;
      return async ({ socket, deliver }) => {
        socket.resetAndDestroy();
        await machineClock.sleep(4_000);
        await deliver();
      };
    };
    const { exit, stdout } = await at.run();
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    expect(exit).toBe(0);
  });

  testBeside('a lag that is seen to be longer than the stated one is the lag from then on', async () => {
    const at = await alteredService({ profile: 'listing_lag: 1s\n' });
    at.view.lagMs = (payout) => [0, 0, 16_000, 24_000][payout] ?? 0;
    await runKilledAt(at, 3, () => expect.poll(() => acceptedOf(at, 2)).toBe(1));
    const { exit, stdout } = await at.resume();
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    expect(exit).toBe(0);
  });

  testBeside('a payout that was in doubt itself shows the lag too', async () => {
    const at = await alteredService({ profile: 'listing_lag: 1s\n' });
    at.view.lagMs = (payout) => [0, 0, 12_000, 24_000][payout] ?? 0;
    const second = Promise.withResolvers<void>();
    at.view.fate = ({ payout, attempt }) => {
      if (payout !== 2 || attempt > 1) return pass;
      return async ({ deliver }) => {
        await deliver();
        second.resolve();
      };
    };
    await runKilledAt(at, 3, () => second.promise);
    const { exit, stdout } = await at.resume();
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    expect(exit).toBe(0);
  });

  testBeside(
    'a service that carries out late what arrived in time, and says only REPLAYED: parked, and found when it is there',
    async () => {
      const at = await alteredService({ hasFirst: false });
      const held: Leaving[] = [];
      at.view.fate = (leaving) => {
        if (leaving.payout !== 3 || leaving.attempt > 1) return pass;
        if (leaving.copy === 1) held.push(leaving);
        return leaving.copy === 1 ? resetRequest : replayed();
      };
      expect((await at.run()).exit).toBe(5);
      await expectNeverAgain(at, 3);
      await transferAgain(at.service, held[0]?.exchange.body ?? '');
      // That was after the deadline, which the service had promised to keep to.
      const { exit, stdout } = await at.resume();
      expect(exit).toBe(5);
      expect(reportOf(stdout).map(({ status }) => status)).toEqual(ALL.map(() => 'completed'));
      await expectPaidOnce(at.service, ALL);
    },
  );

  const AT_ARRIVAL = 'guarantees: {enforces_expiry: at_arrival}\n';

  testBeside(
    'what arrives in time is carried out so much later, as the profile says: it is waited for, and nothing is wrong',
    async () => {
      const at = await alteredService({ profile: `${AT_ARRIVAL}commits_within: 10s\nlisting_lag: 1s\n` });
      at.view.fate = ({ payout, attempt, copy }) => {
        if (payout !== 3 || attempt > 1) return pass;
        return async ({ socket, body }) => {
          socket.resetAndDestroy();
          if (copy > 1) return;
          await machineClock.sleep(14_000);
          await transferAgain(at.service, body);
        };
      };
      const { exit, stdout } = await at.run();
      await expectPaidOnceEach(at.service, [reportOf(stdout)]);
      expect(exit).toBe(0);
    },
  );

  testBeside('what arrives in time is carried out so much later, and it never arrived: it is sent anew', async () => {
    const at = await alteredService({ profile: `${AT_ARRIVAL}commits_within: 3s\nlisting_lag: 1s\n` });
    at.view.fate = ({ payout, attempt }) => (payout === 3 && attempt === 1 ? resetRequest : pass);
    const { exit, stdout } = await at.run();
    expect(exit).toBe(0);
    await expectPaidOnceEach(at.service, [reportOf(stdout)]);
    expect(reportOf(stdout).map(({ attempts }) => attempts)).toEqual(['1', '1', '2', '1', '1']);
  });

  testBeside(
    'what arrives in time is carried out whenever the service likes: what is not found is parked',
    async () => {
      const at = await alteredService({ profile: `${AT_ARRIVAL}listing_lag: 1s\n` });
      at.view.fate = ({ payout, attempt }) => (payout === 3 && attempt === 1 ? resetRequest : pass);
      expect((await at.run()).exit).toBe(5);
      expect((await at.resume()).exit).toBe(5);
      await expectNeverAgain(at, 3);
      await expectPaidOnce(at.service, [1, 2, 4, 5]);
    },
  );
});
