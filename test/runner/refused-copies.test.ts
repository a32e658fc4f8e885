import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../src/domain/run/payout.ts';
import { lookForDeadAttempts } from '../../src/runner/reconcile/last-look.ts';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { answered } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Asked, type Behaviour, LOST, taken } from './virtual-service.ts';

// A network can deliver a request twice: the first copy takes effect, and the answer is the second one's refusal.
// Row n (from 2) pays n.00 AUD to the account `a<n>`.

const SLOW_DOWN = answered(429, { error: { code: 'RATE_LIMITED', message: 'slow down' } });
const REFUSED = answered(400, { error: { code: 'INSUFFICIENT_FUNDS', message: 'the first copy took it' } });

const REPLAYED = answered(401, { error: { code: 'UNAUTHORIZED', message: 'seen before', reason: 'REPLAYED' } });

const lateBy =
  (lagMs: number): Behaviour['list'] =>
  (found, _, nowMs) => {
    const shown = found.filter(({ atMs }) => atMs <= nowMs - lagMs);
    return { shown, next_cursor: null, total: shown.length };
  };

/** The first request of one row is taken, and answered as the second copy is. */
function doubled(doubledRow: number, answer: typeof SLOW_DOWN): Required<Pick<Behaviour, 'transfer'>> {
  return {
    transfer({ row, attempt }, commit) {
      const id = commit();
      return row === doubledRow && attempt === 1 ? answer : taken(id);
    },
  };
}

/**
 * The first sending of one row (the last of four unless told) is answered 429 by something on the way, which delivers it
 * all the same, some time later. So are the next ones, up to as many `refusals`, less what was delivered: the service
 * takes the same bytes once.
 */
function followedBy(
  clock: VirtualClock,
  { row: followed = 5, lateMs, refusals }: { row?: number; lateMs: number; refusals: number },
): Required<Pick<Behaviour, 'transfer'>> {
  const used = new Set<string>();
  let first: string | null = null;
  return {
    transfer({ row, attempt, nonce }, commit) {
      const take = (): boolean => {
        if (used.has(nonce)) return false;
        used.add(nonce);
        commit();
        return true;
      };
      if (row !== followed) return taken(commit());
      first ??= nonce;
      if (attempt === 1) void clock.sleep(lateMs).then(take);
      if (attempt <= refusals && nonce === first) return SLOW_DOWN;
      if (used.has(nonce)) return REPLAYED;
      used.add(nonce);
      return taken(commit());
    },
  };
}

/** After everything that was still on its way has arrived. */
async function paidInTheEnd(run: VirtualRun): Promise<number[]> {
  await run.clock.pass(60_000);
  return paidRows(run);
}

function paidRows({ service }: VirtualRun): number[] {
  return service.kept.map(({ amount }) => Number(amount) / 100).toSorted((a, b) => a - b);
}

const stateOf = ({ context }: VirtualRun, row: number) => context.payout(row).state;

describe('a 429 for the second copy, where the service lists late: the first copy is seen before another attempt', () => {
  test.each([
    ['as its profile says', 4, 60_000, 50_000],
    ['as the first payout showed', 4, 0, 4_000],
    ['and this is the first payout', 2, 0, 4_000],
  ])('%s', async (_, row, listing_lag_ms, lagMs) => {
    const run = await virtualRun({
      rows: 4,
      profile: { listing_lag_ms },
      behave: () => ({ ...doubled(row, SLOW_DOWN), list: lateBy(lagMs) }),
    });
    expect(paidRows(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });
});

describe('a 429 for the first copy, and the second one arrives later', () => {
  const both = { enforces_expiry: true, replay_protection: true };
  const guarantees = [
    ['a service that promises both', both],
    ['one that promises expiry', { enforces_expiry: true, replay_protection: false }],
    ['one that promises to take no bytes twice', { enforces_expiry: false, replay_protection: true }],
    ['one that promises nothing', { enforces_expiry: false, replay_protection: false }],
  ] as const;

  test.each(guarantees)('at %s: the last row is paid once, and not called unpaid', async (_, promised) => {
    for (const lateMs of [500, 9_000, 29_000]) {
      const run = await virtualRun({
        rows: 4,
        profile: { guarantees: promised },
        behave: (clock) => followedBy(clock, { lateMs, refusals: promised.replay_protection ? 1 : Infinity }),
      });
      expect(await paidInTheEnd(run)).toEqual([2, 3, 4, 5]);
      expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
    }
  });

  test('in a storm that outlasts the request, at a service that promises both', async () => {
    const run = await virtualRun({
      rows: 4,
      profile: { guarantees: both },
      behave: (clock) => followedBy(clock, { lateMs: 29_000, refusals: 60 }),
    });
    expect(await paidInTheEnd(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });

  test.each(guarantees)(
    'at %s, and Ctrl-C before it arrives: the next process sees what it did',
    async (_, promised) => {
      const stop = new AbortController();
      const run = await virtualRun({
        rows: 4,
        stop: stop.signal,
        profile: { guarantees: promised },
        behave(clock) {
          void clock.sleep(2_000).then(() => stop.abort());
          return followedBy(clock, { lateMs: 25_000, refusals: Infinity });
        },
      });
      expect(run.end).toEqual({ end: 'interrupted' });
      const next = await run.resume();
      expect(await paidInTheEnd(next)).toEqual([2, 3, 4, 5]);
      expect(next.end).toMatchObject({ counts: { completed: 4 } });
    },
  );

  test.each(guarantees.slice(0, 2))('at %s, and our clock is set forward meanwhile', async (_, promised) => {
    const run = await virtualRun({
      rows: 4,
      profile: { guarantees: promised },
      behave(clock) {
        void clock.sleep(3_000).then(() => clock.setWallBy(25_000));
        return followedBy(clock, { lateMs: 28_000, refusals: Infinity });
      },
    });
    expect(await paidInTheEnd(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });

  test('the first row, before anything shows how late the service lists', async () => {
    const run = await virtualRun({
      rows: 1,
      profile: { guarantees: both },
      behave: (clock) => ({ ...followedBy(clock, { row: 2, lateMs: 20_000, refusals: 1 }), list: lateBy(4_000) }),
    });
    expect(await paidInTheEnd(run)).toEqual([2]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 1 } });
  });
});

describe('a 429, and no other copy', () => {
  test('the same bytes are sent again where the service takes them once, and no new attempt is made', async () => {
    const run = await virtualRun({
      rows: 2,
      profile: { guarantees: { enforces_expiry: true, replay_protection: true } },
      behave: () => ({
        transfer: ({ row, attempt }, commit) => (row === 3 && attempt < 4 ? SLOW_DOWN : taken(commit())),
      }),
    });
    const sendings = run.service.asked.filter(({ row }) => row === 3);
    expect(sendings).toHaveLength(4);
    expect(new Set(sendings.map(({ nonce }) => nonce)).size).toBe(1);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 2 } });
  });

  test('a service that promises nothing is sent nothing more: a copy may be on its way', async () => {
    const run = await virtualRun({
      rows: 2,
      profile: { guarantees: { enforces_expiry: false, replay_protection: false } },
      behave: () => ({
        transfer: ({ row, attempt }, commit) => (row === 3 && attempt < 3 ? SLOW_DOWN : taken(commit())),
      }),
    });
    expect(run.service.asked.filter(({ row }) => row === 3)).toHaveLength(1);
    expect(run.context.payout(3)).toMatchObject({ state: 'unresolved', about: 'no_expiry' });
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 1, unresolved: 1 } });
  });

  test('a service whose refusals are true of every copy gets a new attempt at once', async () => {
    const run = await virtualRun({
      rows: 2,
      profile: { guarantees: { enforces_expiry: false, replay_protection: false, refusals_are_final: true } },
      behave: () => ({
        transfer: ({ row, attempt }, commit) => (row === 3 && attempt < 3 ? SLOW_DOWN : taken(commit())),
      }),
    });
    const sendings = run.service.asked.filter(({ row }) => row === 3);
    expect(new Set(sendings.map(({ nonce }) => nonce)).size).toBe(3);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 2 } });
  });

  test('one that promises nothing and shows a payment like it without its token is not sent it again', async () => {
    const run = await virtualRun({
      rows: 3,
      profile: { guarantees: { enforces_expiry: false, replay_protection: false } },
      behave: () => ({
        transfer({ row }, commit) {
          const id = commit();
          return row === 4 ? SLOW_DOWN : taken(id);
        },
        list(found) {
          const shown = found.map((one) => (one.account === 'a4' ? { ...one, description: '' } : one));
          return { shown, next_cursor: null, total: shown.length };
        },
        get: (id) => (id === 't3' ? answered(404, { error: { code: 'NOT_FOUND', message: 'not here' } }) : null),
      }),
    });
    expect(stateOf(run, 4)).toBe('unresolved');
    expect(paidRows(run)).toEqual([2, 3, 4]);
  });

  describe('a service that uses up what it refuses', () => {
    const refusing = (listing_lag_ms: number | null, first?: object) => {
      const used = new Set<string>();
      const error = { code: 'UNAUTHORIZED', message: 'seen before', reason: 'REPLAYED', first };
      return virtualRun({
        rows: 2,
        profile: { listing_lag_ms, guarantees: { enforces_expiry: true, replay_protection: true } },
        behave: () => ({
          transfer({ row, attempt, nonce }, commit) {
            if (used.has(nonce)) return answered(401, { error });
            used.add(nonce);
            return row === 3 && attempt === 1 ? SLOW_DOWN : taken(commit());
          },
        }),
      });
    };
    const sendingsOf = ({ service }: VirtualRun) => service.asked.filter(({ row }) => row === 3);
    const lastedMs = (run: VirtualRun) => (sendingsOf(run).at(-1)?.atMs ?? 0) - (sendingsOf(run)[0]?.atMs ?? 0);

    test('and says so gets a new attempt at once', async () => {
      const run = await refusing(null, { status: 429 });
      expect(new Set(sendingsOf(run).map(({ nonce }) => nonce)).size).toBe(2);
      expect(lastedMs(run)).toBeLessThan(10_000);
      expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 2 } });
    });

    test('gets one after three times the lag that its profile states', async () => {
      const run = await refusing(20_000);
      expect(new Set(sendingsOf(run).map(({ nonce }) => nonce)).size).toBe(2);
      expect(lastedMs(run)).toBeGreaterThan(90_000);
      expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 2 } });
    });

    test('and states no lag gets none: it had these bytes, and may list late what it did', async () => {
      const run = await refusing(null);
      expect(new Set(sendingsOf(run).map(({ nonce }) => nonce)).size).toBe(1);
      expect(run.context.payout(3)).toMatchObject({
        state: 'unresolved',
        about: 'replayed',
        replayed: { first: null },
      });
      const next = await run.resume();
      expect(next.context.payout(3)).toMatchObject({ state: 'unresolved', about: 'replayed' });
    });
  });

  test('the second sending is refused for what it is: the row is, when no other copy can take effect', async () => {
    const run = await virtualRun({
      rows: 2,
      profile: { guarantees: { enforces_expiry: true, replay_protection: true } },
      behave: () => ({
        transfer: ({ row, attempt }, commit) => (row === 2 ? taken(commit()) : attempt === 1 ? SLOW_DOWN : REFUSED),
      }),
    });
    expect(stateOf(run, 3)).toBe('rejected');
    expect(paidRows(run)).toEqual([2]);
  });

  test('the second sending is refused on its way, and the first one has taken effect', async () => {
    for (const enforces_expiry of [true, false]) {
      const run = await virtualRun({
        rows: 2,
        profile: { guarantees: { enforces_expiry, replay_protection: true } },
        behave: () => ({
          transfer({ row, attempt }, commit) {
            if (row === 2) return taken(commit());
            if (attempt === 1) commit();
            return attempt === 1 ? SLOW_DOWN : REFUSED;
          },
        }),
      });
      expect(stateOf(run, 3)).toBe('completed');
      expect(paidRows(run)).toEqual([2, 3]);
    }
  });
});

test('a rejection of the first copy, where the second one arrives later and nothing uses it up: it is not called refused', async () => {
  const run = await virtualRun({
    rows: 4,
    behave: (clock) => ({
      transfer({ row }, commit) {
        if (row !== 5) return taken(commit());
        void clock.sleep(25_000).then(commit);
        return REFUSED;
      },
    }),
  });
  expect(stateOf(run, 5)).toBe('completed');
  expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
});

test('a refusal of the second copy, where the service lists late as the first payout showed: it is not called refused', async () => {
  const run = await virtualRun({
    rows: 4,
    behave: (clock) => ({
      async transfer({ row }: Asked, commit) {
        // So long that the last payout is sent just before the run ends.
        if (row === 4) await clock.sleep(4_500);
        const id = commit();
        return row === 5 ? REFUSED : taken(id);
      },
      list: lateBy(4_000),
    }),
  });
  expect(stateOf(run, 5)).toBe('completed');
  expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
});

test('Ctrl-C before the list has caught up: the run is not finished, and the next process sees what the first copy did', async () => {
  const stop = new AbortController();
  const run = await virtualRun({
    rows: 4,
    stop: stop.signal,
    profile: { listing_lag_ms: 60_000 },
    behave: (clock) => ({
      transfer({ row }, commit) {
        const id = commit();
        if (row !== 5) return taken(id);
        void clock.sleep(30_000).then(() => stop.abort());
        return REFUSED;
      },
      list: lateBy(50_000),
    }),
  });
  expect(stateOf(run, 5)).toBe('rejected');
  expect(run.end).toEqual({ end: 'interrupted' });
  expect((await run.resume()).end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
});

test('both copies took effect and a third was refused: it is not made again, and is an alarm', async () => {
  const run = await virtualRun({
    rows: 4,
    behave: () => ({
      transfer({ row }, commit) {
        const id = commit();
        if (row !== 4) return taken(id);
        commit();
        return REFUSED;
      },
    }),
  });
  expect(paidRows(run)).toEqual([2, 3, 4, 4, 5]);
  expect(run.context.run.surfaced).toMatchObject([{ row: 4, attempt: 1 }]);
  expect(run.end).toMatchObject({ end: 'finished' });
});

test('what the first copy made is not what was sent: a person says what it is before the row is paid', async () => {
  const stopped = await virtualRun({
    rows: 4,
    behave: () => ({
      ...doubled(4, answered(401, { error: { code: 'UNAUTHORIZED', message: 'no such key' } })),
      list(found) {
        for (const record of found) if (record.id === 't3') record.amount = '399';
        return { shown: found, next_cursor: null, total: found.length };
      },
    }),
  });
  expect(stopped.end).toMatchObject({ end: 'halted', why: { code: 'credentials_refused' } });
  const run = await stopped.resume();
  expect(run.context.payout(4)).toMatchObject({ state: 'unresolved', about: 'mismatch' });
  expect(run.service.asked.filter(({ row }) => row === 4)).toHaveLength(1);
  await run.clock.until(resolveRow(run.context, 4, { kind: 'not_sent' }, { by: 'ada@desk' }));
  const next = await run.resume();
  expect(next.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  expect(next.service.asked.filter(({ row }) => row === 4)).toHaveLength(2);
});

test('an attempt that surfaces while a later one is in doubt pays the row, once the later one is out of the world', async () => {
  let late: (() => string) | null = null;
  const run = await virtualRun({
    rows: 4,
    behave: () => ({
      transfer({ row, attempt }, commit) {
        if (row !== 4 || attempt > 2) return taken(commit());
        // The service breaks its promise: what it should have refused takes effect when the second one is lost.
        if (attempt === 1) late = commit;
        else late?.();
        return LOST;
      },
      // From then on its list does not prove that the second one is absent.
      list: (found, _cursor, _nowMs, search) => {
        const isCut = search === '' && found.some(({ account }) => account === 'a4');
        return { shown: found, next_cursor: null, total: found.length + (isCut ? 1 : 0) };
      },
    }),
  });
  expect(stateOf(run, 4)).toBe('unresolved');
  expect(run.context.run.surfaced).toMatchObject([{ row: 4, attempt: 1 }]);
  await run.clock.until(resolveRow(run.context, 4, { kind: 'not_sent' }, { by: 'ada@desk' }));
  const next = await run.resume();
  expect(paidRows(next)).toEqual([2, 3, 4, 5]);
  expect(next.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
});

describe('very many that were refused', () => {
  test('at a service whose list is cut off: each is searched for', async () => {
    const rows = 64;
    const run = await virtualRun({
      rows,
      profile: { cursor: false },
      behave: () => ({
        transfer({ row }, commit) {
          if (row === 2 || row > 61) return taken(commit());
          if (row === 3) commit();
          return REFUSED;
        },
        list: (found, _cursor, _nowMs, search) => ({
          shown: search === '' ? found.slice(0, 2) : found,
          next_cursor: null,
          total: found.length,
        }),
      }),
    });
    expect(stateOf(run, 3)).toBe('completed');
  });

  test('as many as a large file has rows', async () => {
    const run = await virtualRun({ rows: 3, behave: () => doubled(4, REFUSED) });
    expect(stateOf(run, 4)).toBe('completed');
    const one = run.context.run;
    const sample = { row: 3, attempt: 1, request: { created: 1_795_599_000, expires: 1_795_599_030 } };
    for (let at = 0; at < 200_000; at++) {
      const intent = { ...sample, token: `PR${at}` } as Attempt['intent'];
      one.dead.set(intent.token, { intent, intentAt: 1_795_599_000_000, order: at, drifted: false, by: 'rejected' });
    }
    await run.clock.until(lookForDeadAttempts(run.context));
    expect(one.surfaced).toEqual([]);
  });
});
