import { describe, expect, test } from 'vitest';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { Fate, Promised } from './payee-service.ts';
import { Crash, type PayeeRow, type World, world } from './payee-world.ts';

// One recipient and one account for each payee, whatever becomes of requests and answers.

const CREATE = 'account.recipient.create';
const ADD = 'account.external.bank.add';
const LIST = 'account.recipient.getMany';
const PAYEES: PayeeRow[] = [
  { payee_id: 'E1', name: 'Ada', email: 'ada@example.com', account: '11111111' },
  { payee_id: 'E2', name: 'Ben', account: '22222222' },
  { payee_id: 'E3', name: 'Clo', account: '33333333' },
];
const NAMESAKES: PayeeRow[] = [
  { payee_id: 'E1', name: 'Ada', account: '11111111' },
  { payee_id: 'E2', name: 'Ada', account: '22222222' },
  { payee_id: 'E3', name: 'Ada', account: '33333333' },
];

const second =
  (operation: string, what: Fate) =>
  (asked: string, nth: number): Fate =>
    asked === operation && nth === 2 ? what : 'ok';

function statesOf(run: RunState): string[] {
  return [...run.ensures.values()].map(({ state }) => state);
}

/** Each payee has a recipient and an account of its own, and there is no other; not even when late requests arrive. */
async function expectOneOfEach(at: World, run: RunState, payees = PAYEES): Promise<void> {
  expect(statesOf(run)).toEqual(Array(2 * payees.length).fill('ensured'));
  await at.clock.pass(200_000);
  const { recipients, accounts } = at.service;
  expect(recipients.map(({ metadata }) => metadata.name).sort()).toEqual(payees.map(({ name }) => name));
  expect(accounts.map(({ body }) => body.account_number).sort()).toEqual(payees.map(({ account }) => account));
  expect(new Set(accounts.map(({ body }) => body.recipient_id)).size).toBe(payees.length);
  for (const { account } of payees) {
    const made = accounts.find(({ body }) => body.account_number === account);
    expect([...run.ensures.values()]).toContainEqual(expect.objectContaining({ id: made?.id }));
  }
}

const SERVICES: [about: string, promised: Partial<Promised>][] = [
  ['that keeps every promise', {}],
  ['that refuses no replays', { refusesReplays: false }],
  ['that lists late', { listingLagMs: 20_000 }],
  ['without fingerprints and times', { hasFingerprints: false, hasCreatedAt: false }],
  ['whose clock is behind', { aheadMs: -5_000 }],
  ['whose clock is ahead', { aheadMs: 5_000 }],
  ['that gives pages of two that overlap', { pageMax: 2, pagesOverlap: true }],
];
const FATES: Fate[] = [
  'lost',
  'dropped',
  '429',
  'twice: 429',
  { lateMs: 20_000 },
  { lateMs: 33_000 },
  { lateMs: 45_000 },
  { after429Ms: 800 },
  { after429Ms: 20_000 },
];

test.each([
  [false, false],
  [false, true],
  [true, false],
])(
  'a 429 whose other copy arrives later, where expiry is promised: %s, and replay protection: %s',
  async (enforcesExpiry, refusesReplays) => {
    for (const operation of [CREATE, ADD]) {
      const promised = { enforcesExpiry, refusesReplays };
      const at = world({ promised, fate: second(operation, { after429Ms: 25_000 }) });
      await expectOneOfEach(at, await at.run(PAYEES));
    }
  },
);

describe.each(SERVICES)('at a service %s', (_, promised) => {
  test.each(FATES.flatMap((what) => [CREATE, ADD].map((operation) => [operation, what] as const)))(
    '%s that meets %j makes one record',
    async (operation, what) => {
      const at = world({ promised, fate: second(operation, what) });
      await expectOneOfEach(at, await at.run(PAYEES));
    },
  );

  test('a process that ends anywhere, and the next one too, makes one record of each', async () => {
    const cases: [PayeeRow[], Fate][] = [
      [PAYEES, 'lost'],
      [NAMESAKES, 'lost'],
      [NAMESAKES, { lateMs: 20_000 }],
    ];
    for (const [payees, what] of cases) {
      for (let crashAt = 1; ; crashAt++) {
        const at = world({ promised: { ...promised, hasCreatedAt: true }, fate: second(CREATE, what) });
        const whole = await at.run(payees, { crashAt }).catch(orCrash);
        if (whole) break;
        await at.resume({ crashAt: 2 }).catch(orCrash);
        await expectOneOfEach(at, await at.resume(), payees);
      }
    }
  });

  test('another journal finds what was made a moment ago, and makes nothing', async () => {
    const at = world({ promised });
    await at.run(PAYEES);
    at.otherJournal();
    await expectOneOfEach(at, await at.run(PAYEES));
  });
});

function orCrash(error: unknown): null {
  if (error instanceof Crash) return null;
  throw error;
}

test.each([CREATE, ADD])('%s that is delivered twice and refused the second time is found, not refused', async (op) => {
  const at = world({ fate: second(op, 'twice: 400') });
  await expectOneOfEach(at, await at.run(PAYEES));
});

test.each([CREATE, ADD])(
  '%s that our credentials were refused for is looked for before it is made again',
  async (op) => {
    const at = world({ fate: second(op, 'twice: 401') });
    await expect(at.run(PAYEES, { concurrency: 1 })).rejects.toMatchObject({ why: { code: 'credentials_refused' } });
    await expectOneOfEach(at, await at.resume());
  },
);

describe('a creation in doubt that is not found', () => {
  const NO_EXPIRY: Partial<Promised> = { enforcesExpiry: false, refusesReplays: false };

  test.each([CREATE, ADD])('by %s is never made again where requests do not expire, and the others are', async (op) => {
    const at = world({ promised: NO_EXPIRY, fate: second(op, 'dropped') });
    const parked = await at.run(PAYEES);
    expect([...parked.ensures.values()].filter(({ state }) => state !== 'ensured')).toMatchObject([
      { state: 'unresolved', about: 'no_expiry', attempts: 1 },
    ]);
    expect(at.service.accounts).toHaveLength(2);
    const asked = at.service.asked(op);
    const before = (await at.entries()).length;
    const again = await at.resume();
    expect(statesOf(again)).toEqual(statesOf(parked));
    expect([at.service.asked(op), (await at.entries()).length]).toEqual([asked, before + 1]);
  });

  test.each([CREATE, ADD])('by %s is found by a later process when it took effect after all', async (operation) => {
    const at = world({ promised: NO_EXPIRY, fate: second(operation, { lateMs: 90_000 }) });
    expect(statesOf(await at.run(PAYEES))).toContain('unresolved');
    await at.clock.pass(90_000);
    await expectOneOfEach(at, await at.resume());
  });

  test.each([CREATE, ADD])('by %s is made again once where a person accepts complete lists', async (operation) => {
    const fate = (asked: string, nth: number): Fate =>
      asked === operation && (nth === 2 || nth === 4) ? 'dropped' : 'ok';
    const at = world({ promised: NO_EXPIRY, fate });
    await at.run(PAYEES, { concurrency: 1 });
    // What a person accepts is the doubt that was there, and not the one that the second attempt gives.
    expect(statesOf(await at.resume({ resubmitAbsent: true }))).toContain('unresolved');
    expect(at.service.asked(operation)).toBe(4);
    await expectOneOfEach(at, await at.resume({ resubmitAbsent: true }));
  });

  const UNPROVEN: [about: string, promised: Partial<Promised>][] = [
    ['says no time', { hasDate: false }],
    ['gives full pages without a cursor', { pages: 'silent', pageMax: 500 }],
    ['gives pages of its own size without a cursor', { pages: 'silent', pageMax: 50 }],
  ];
  test.each(UNPROVEN)(
    'is parked where the service %s, even if a person accepts complete lists',
    async (_, promised) => {
      const at = world({
        promised: { ...promised, hasCreatedAt: false, refusesReplays: false },
        fate: second(CREATE, 'dropped'),
      });
      for (let nth = 0; nth < 500; nth++) at.service.putRecipient({ name: `Other ${nth}` }, 1_000_000);
      const parked = await at.run(PAYEES);
      expect([...parked.ensures.values()].find(({ state }) => state !== 'ensured')).toMatchObject({
        state: 'unresolved',
        about: 'incomplete',
      });
      expect(at.service.accounts).toHaveLength(2);
      expect(statesOf(await at.resume({ resubmitAbsent: true }))).toContain('unresolved');
      expect(at.service.recipients).toHaveLength(502);
    },
  );

  test.each([CREATE, ADD])('by %s is not proven absent before its deadline has passed at the service', async (op) => {
    const promised = { aheadMs: -20_000, hasCreatedAt: false, refusesReplays: false };
    const at = world({ promised, fate: second(op, { lateMs: 45_000 }) });
    await expectOneOfEach(at, await at.run(PAYEES));
  });

  test.each([CREATE, ADD])('by %s is not proven absent by one list, which may be later than promised', async (op) => {
    const promised = { listingLagMs: 8_000, refusesReplays: false };
    const at = world({ promised, profile: { listing_lag_ms: 0 }, fate: second(op, { lateMs: 29_000 }) });
    await expectOneOfEach(at, await at.run(PAYEES));
  });

  test('is proven absent by a list without a cursor that goes back beyond it', async () => {
    const at = world({ promised: { pages: 'silent' }, fate: second(CREATE, 'dropped') });
    for (let nth = 0; nth < 600; nth++) at.service.putRecipient({ name: `Other ${nth}` }, 1_000_000);
    expect(statesOf(await at.run(PAYEES))).toEqual(Array(6).fill('ensured'));
    expect(at.service.recipients).toHaveLength(603);
  });

  test('costs the others nothing when the service can answer it never', async () => {
    const fate = (asked: string, _nth: number, body: { metadata?: { name: string } }): Fate =>
      asked === CREATE && body.metadata?.name === 'Ben' ? 'dropped' : 'ok';
    const at = world({ fate });
    const run = await at.run(PAYEES);
    expect(statesOf(run).filter((state) => state === 'ensured')).toHaveLength(4);
    expect(at.service.accounts).toHaveLength(2);
  });
});

test('no request that creates leaves twice where replays are not refused', async () => {
  for (const operation of [CREATE, ADD]) {
    const at = world({ promised: { refusesReplays: false }, fate: second(operation, 'dropped') });
    await at.run(PAYEES);
    const nonces = at.service.transport.left
      .filter(({ path }) => /create$|add$/.test(path))
      .map((one) => one.headers.nonce);
    expect(new Set(nonces).size).toBe(nonces.length);
  }
});

describe('namesakes without e-mail', () => {
  test.each(FATES)('have a recipient each when one creation meets %j', async (what) => {
    for (let nth = 1; nth <= 3; nth++) {
      const at = world({ fate: (asked, at) => (asked === CREATE && at === nth ? what : 'ok') });
      await expectOneOfEach(at, await at.run(NAMESAKES), NAMESAKES);
    }
  });

  test('do not take the recipient of one whose answer is on its way', async () => {
    const fates: Fate[] = [{ slowMs: 10_000 }, 'lost'];
    const at = world({ fate: (asked, nth) => (asked === CREATE && fates[nth - 1]) || 'ok' });
    await expectOneOfEach(at, await at.run(NAMESAKES), NAMESAKES);
  });

  test('do not take the recipient of a stranger of their name, whatever becomes of an answer', async () => {
    const at = world({ promised: { hasCreatedAt: false }, fate: second(CREATE, 'dropped') });
    const stranger = at.service.putRecipient({ name: 'Ada' });
    const run = await at.run(NAMESAKES);
    expect([...run.ensures.values()].map((ensure) => 'id' in ensure && ensure.id)).not.toContain(stranger);
    expect(at.service.recipients).toHaveLength(4);
  });

  test('do not take the recipient of a stranger, whatever process looks', async () => {
    const at = world({});
    at.service.putRecipient({ name: 'Ada' }, 1_000_000);
    await at.run(NAMESAKES.slice(0, 1), { crashAt: 2 }).catch(orCrash);
    expect([...(await at.resume()).ensures.values()]).toMatchObject([{ id: 'rec2', by: 'found' }, { id: 'acc1' }]);
    expect(at.service.recipients).toHaveLength(2);
  });

  test('are for a person to tell apart where the service says no times and the process that asked is gone', async () => {
    const at = world({ promised: { hasCreatedAt: false }, fate: (asked) => (asked === CREATE ? 'lost' : 'ok') });
    at.service.putRecipient({ name: 'Ada' });
    await at.run(NAMESAKES.slice(0, 1), { crashAt: 2 }).catch(orCrash);
    const run = await at.resume();
    expect([...run.ensures.values()]).toMatchObject([{ state: 'ambiguous', ids: ['rec1', 'rec2'] }]);
    expect(at.service.recipients).toHaveLength(2);
  });
});

test('payees that are new cost two requests each, and one list', async () => {
  const at = world({});
  await at.run(PAYEES);
  expect([CREATE, ADD, LIST, 'account.external.bank.getAll'].map(at.service.asked)).toEqual([3, 3, 1, 0]);
  await at.run([...PAYEES, { payee_id: 'E4', name: 'Dan', account: '44444444' }]);
  expect([CREATE, ADD, LIST, 'account.external.bank.getAll'].map(at.service.asked)).toEqual([4, 4, 2, 0]);
});

test('rows that name a recipient and rows that name its payee share an account, even one that is listed late', async () => {
  const at = world({ promised: { listingLagMs: 60_000 } });
  const recipient_id = at.service.putRecipient({ name: 'Ada', email: 'ada@example.com' }, 1_000_000);
  const ada = PAYEES[0] as PayeeRow;
  expect(statesOf(await at.run([ada, { ...ada, recipient_id }]))).toEqual(['ensured', 'ensured', 'ensured']);
  expect([at.service.recipients.length, at.service.accounts.length]).toEqual([1, 1]);
});

test('the list of recipients is read some times, not once for each doubt', async () => {
  const payees = Array.from(
    { length: 400 },
    (_, nth): PayeeRow => ({ name: `Payee ${nth}`, account: String(1e7 + nth) }),
  );
  const at = world({ fate: (asked, nth) => (asked === CREATE && nth % 2 === 0 ? 'lost' : 'ok') });
  for (let nth = 0; nth < 2_000; nth++) at.service.putRecipient({ name: `Other ${nth}` }, 1_000_000);
  const run = await at.run(payees);
  expect(statesOf(run)).toEqual(Array(800).fill('ensured'));
  expect(at.service.recipients).toHaveLength(2_400);
  expect(at.service.asked(LIST)).toBeLessThan(200);
});

test('an answer that names the account of another is not believed, and what it made is found', async () => {
  const at = world({ fate: second(ADD, { id: 'acc1' }) });
  await expectOneOfEach(at, await at.run(PAYEES, { concurrency: 1 }));
});

test('answers that all name one account pay one payee, and a person is asked about the others', async () => {
  const fate = (asked: string): Fate => (asked === ADD ? { id: 'acc1' } : 'ok');
  const at = world({ promised: { listingLagMs: 1_000_000_000 }, profile: { listing_lag_ms: 0 }, fate });
  for (const take of [() => at.run(PAYEES), at.resume, at.resume]) {
    expect(statesOf(await take()).filter((state) => state !== 'ensured')).toEqual(['ambiguous', 'ambiguous']);
    expect(at.service.asked(ADD)).toBe(3);
  }
});
