import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnsureState, ensureKey } from '../../src/domain/ensure.ts';
import type { EnsureEntry, Entry, PayoutEntry, PlacedEntry, RunCreated, RunRow } from '../../src/domain/entry.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { applyToRun, foldRun, promisesOf } from '../../src/domain/run/run.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import { countPayouts } from '../../src/domain/run/tally.ts';
import { AUD, entryOf, REQUEST, ROW } from './entries.ts';

const COUNTS = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

const CREATED: RunCreated = {
  kind: 'run_created',
  run_id: 'run_1',
  input: { name: 'p.csv', path: '/p.csv', sha256: 'aa', bytes: 1, header: ['name'], columns: ['name'] },
  job: null,
  period: null,
  rehearsal: true,
  profile: DEFAULT_PROFILE,
  settings: { poll_every_ms: 1, wait_timeout_ms: 1 },
  digest: 'bb',
  payouts: 1,
  scope: 'shipped|key_1',
  report_dir: 'reports',
  repeats: null,
  retries: null,
  corrections_sha256: null,
  job_source: null,
};

describe('rows', () => {
  test('with a problem are not submitted, and the others wait', () => {
    const run = runWith(row(2), row(3, { code: 'amount_not_a_number', message: 'no' }));
    expect(run.payouts.get(2)).toEqual({ state: 'waiting', attempts: 0 });
    expect(run.payouts.get(3)).toEqual({
      state: 'not_submitted',
      attempts: 0,
      code: 'amount_not_a_number',
      message: 'no',
    });
    expect(Array.from(run.rows, (one) => one.row)).toEqual([2, 3]);
  });

  test('that come twice are a bug', () => {
    expect(() => runWith(row(2), row(2))).toThrow('bug in payrun: row 2 is twice in the run');
  });

  test('that are not in the run have no entries', () => {
    expect(() => apply(runWith(row(2)), entryOf('intent', 1))).toThrow(`row ${ROW} has an entry but is not in the run`);
  });
});

describe('the run as a whole', () => {
  test('is created once', () => {
    const run = new RunState();
    applyToRun(run, CREATED, 1_000);
    expect([run.header, run.createdAt]).toEqual([CREATED, 1_000]);
    expect(() => applyToRun(run, CREATED, 2_000)).toThrow('created twice');
  });

  test('is stopped until somebody takes it up again', () => {
    const run = new RunState();
    apply(run, { kind: 'stopped', reason: 'outage' });
    expect(run.stopped).toBe('outage');
    apply(run, { kind: 'lease_taken', epoch: 2, holder: 'host' });
    expect(run.stopped).toBeNull();
  });

  test('has a canary, and a failed one is forgotten when a later one comes back', () => {
    const run = new RunState();
    const failed: Entry = { kind: 'canary_failed', row: ROW, transaction_id: 'tx_1', failed: 'search', message: 'no' };
    apply(run, failed);
    expect([run.canary, run.canaryFailure]).toEqual([null, failed]);
    apply(run, { kind: 'canary', row: ROW, transaction_id: 'tx_1', visible_after_ms: 12 });
    expect(run.canary).toMatchObject({ transaction_id: 'tx_1', visible_after_ms: 12 });
    expect(run.canaryFailure).toBeNull();
  });

  test('is finished with its counts', () => {
    const run = new RunState();
    applyToRun(run, { kind: 'finished', counts: COUNTS }, 9_000);
    expect([run.finished, run.finishedAt]).toEqual([COUNTS, 9_000]);
  });
});

describe('attempts that were given up', () => {
  const surfacing: Entry = { kind: 'surfaced', row: ROW, attempt: 1, transaction_id: 'tx_1' };

  test.each<[string, PayoutEntry[]]>([
    ['refused', [entryOf('intent', 1), entryOf('rejected', 1)]],
    ['answered with no effect', [entryOf('intent', 1), { ...entryOf('no_effect', 1), answered: true }]],
    ['proven absent', [entryOf('intent', 1), entryOf('doubt', 1), entryOf('absent', 1)]],
    [
      'declared not sent',
      [entryOf('intent', 1), entryOf('doubt', 1), entryOf('unresolved', 1), entryOf('resolved', 1)],
    ],
  ])('%s can surface: then that transaction pays the row', (_, entries) => {
    const run = entries.reduce<RunState>(apply, runWith(row(ROW)));
    expect([...run.dead.keys()]).toEqual(['PR0000000000001']);
    apply(run, surfacing);
    expect(run.payouts.get(ROW)).toMatchObject({ state: 'accepted', sent: { transaction_id: 'tx_1' } });
    expect([run.dead.size, run.surfaced]).toEqual([0, []]);
  });

  test('that surface beside another attempt are kept: the row was perhaps paid twice', () => {
    const again = [entryOf('intent', 1), entryOf('doubt', 1), entryOf('absent', 1), entryOf('intent', 2)];
    const run = [...again, entryOf('accepted', 2)].reduce<RunState>(apply, runWith(row(ROW)));
    apply(run, surfacing);
    expect(run.payouts.get(ROW)).toMatchObject({ state: 'accepted', sent: { transaction_id: 'tx_2' } });
    expect(run.surfaced).toMatchObject([{ row: ROW, attempt: 1, transaction_id: 'tx_1' }]);
  });

  test.each<[string, PayoutEntry]>([
    ['absent', entryOf('absent', 2)],
    ['not sent by a person', entryOf('resolved', 2)],
  ])('that surface beside one in doubt pay the row, once that one is %s', (_, last) => {
    const before = [entryOf('intent', 1), entryOf('doubt', 1), entryOf('absent', 1), entryOf('intent', 2)];
    const run = [...before, entryOf('doubt', 2), entryOf('unresolved', 2)].reduce<RunState>(apply, runWith(row(ROW)));
    apply(run, surfacing);
    expect(run.surfaced).toMatchObject([{ row: ROW, attempt: 1, transaction_id: 'tx_1' }]);
    apply(run, last);
    expect(run.payouts.get(ROW)).toMatchObject({ state: 'accepted', attempts: 2, sent: { transaction_id: 'tx_1' } });
    expect(run.surfaced).toEqual([]);
  });

  test('of two transactions with one token that a person chose from, the other is kept', () => {
    const twice = { ...entryOf('unresolved', 1), about: 'twice' as const, transactions: ['tx_1', 'tx_2'] };
    const said = { ...entryOf('resolved', 1), verdict: 'sent' as const, transaction_id: 'tx_1' };
    const run = [entryOf('intent', 1), entryOf('doubt', 1), twice, said].reduce<RunState>(apply, runWith(row(ROW)));
    expect(run.surfaced).toMatchObject([{ row: ROW, attempt: 1, transaction_id: 'tx_2' }]);
  });

  test('that never left this machine cannot surface', () => {
    const run = apply(apply(runWith(row(ROW)), entryOf('intent', 1)), entryOf('no_effect', 1));
    expect(run.dead.size).toBe(0);
    expect(() => apply(run, surfacing)).toThrow('attempt 1 surfaced, which was not given up');
  });

  test('come after each other in the order of their intents, whatever the clock says', () => {
    const run = runWith(row(ROW), row(8));
    const second: Entry = { ...entryOf('intent', 1), row: 8 };
    for (const entry of [entryOf('intent', 1), second]) applyToRun(run, entry, 0);
    expect([run.payouts.get(ROW), run.payouts.get(8)]).toMatchObject([{ order: 1 }, { order: 2 }]);
  });
});

describe('what the journal knows of the past', () => {
  const lease: Entry = { kind: 'lease_taken', epoch: 2, holder: 'host' };

  test('ends with the last entry before somebody else took it up, until the service was asked', () => {
    const run = runWith(row(ROW));
    applyToRun(run, { kind: 'accounted' }, 1_000);
    applyToRun(run, entryOf('intent', 1), 2_000);
    applyToRun(run, lease, 9_000);
    applyToRun(run, entryOf('doubt', 1), 9_500);
    expect([run.isAccounted, run.knownUntil]).toEqual([false, 2_000]);
    applyToRun(run, { kind: 'accounted' }, 10_000);
    expect([run.isAccounted, run.knownUntil]).toEqual([true, 10_000]);
  });

  test('is nothing before the service was asked once', () => {
    const run = apply(apply(runWith(row(ROW)), lease), entryOf('intent', 1));
    expect([run.isAccounted, run.knownUntil]).toEqual([false, null]);
  });

  test('a transaction that a person said is not the payout is not suspected again', () => {
    const run = apply(apply(runWith(row(ROW)), entryOf('suspected', 0)), entryOf('resolved', 0));
    expect(run.payouts.get(ROW)?.state).toBe('waiting');
    expect([...run.dismissed]).toEqual(['tx_8']);
  });
});

test('a promise that was taken back stays taken back', () => {
  const run = apply(new RunState(), CREATED);
  expect(promisesOf(run)).toMatchObject({ guarantees: DEFAULT_PROFILE.guarantees, listing_lag_ms: 0, cursor: true });
  const weaker = { guarantees: { enforces_expiry: false, replay_protection: true }, listing_lag_ms: 5, cursor: true };
  const stronger = { guarantees: { enforces_expiry: true, replay_protection: true }, listing_lag_ms: 0, cursor: false };
  apply(apply(run, { kind: 'promises', promises: weaker }), { kind: 'promises', promises: stronger });
  expect(promisesOf(run)).toEqual({
    guarantees: { ...weaker.guarantees, refusals_are_final: false },
    commits_within_ms: null,
    listing_lag_ms: 5,
    cursor: false,
  });
});

test('a paused run stays paused, whoever takes it up, until somebody resumes or cancels it', () => {
  const paused = () => apply(apply(new RunState(), CREATED), { kind: 'paused', by: 'ada@desk' });
  expect(apply(paused(), { kind: 'lease_taken', epoch: 2, holder: 'host' }).paused).toBe(true);
  expect(apply(paused(), { kind: 'resumed', by: 'ben@desk' }).paused).toBe(false);
  expect(apply(paused(), { kind: 'cancelled', by: 'ben@desk' })).toMatchObject({ paused: false, cancelled: true });
});

test('a cancelled run stays cancelled', () => {
  const run = apply(apply(new RunState(), CREATED), { kind: 'cancelled', by: 'ada@desk' });
  expect(apply(run, { kind: 'lease_taken', epoch: 2, holder: 'host' }).cancelled).toBe(true);
});

describe('counting', () => {
  test('each payout is in one ending or open, and the run is done when none is open', () => {
    const paths = [
      [],
      ['intent'],
      ['intent', 'doubt'],
      ['intent', 'accepted'],
      ['intent', 'accepted', 'final'],
      ['intent', 'rejected'],
      ['intent', 'doubt', 'unresolved'],
      ['not_submitted'],
    ] as const;
    const endings = [null, null, null, null, 'completed', 'rejected', 'unresolved', 'not_submitted'] as const;
    fc.assert(
      fc.property(fc.array(fc.nat(paths.length - 1), { maxLength: 30 }), (picks) => {
        const run = runWith(...picks.map((_, at) => row(at + 2)));
        for (const [at, pick] of picks.entries()) {
          for (const kind of paths[pick] ?? []) apply(run, { ...entryOf(kind, 1), row: at + 2 });
        }
        const count = (ending: string | null) => picks.filter((pick) => endings[pick] === ending).length;
        expect(countPayouts(run)).toEqual({
          completed: count('completed'),
          failed: 0,
          rejected: count('rejected'),
          unresolved: count('unresolved'),
          not_submitted: count('not_submitted'),
          open: count(null),
        });
      }),
    );
  });
});

describe('what is made for a payee', () => {
  type State = EnsureState['state'];
  const KINDS: EnsureEntry['kind'][] = [
    'ensure_intent',
    'ensure_doubt',
    'ensure_no_effect',
    'ensure_rejected',
    'ensure_unresolved',
    'ensure_ambiguous',
    'ensured',
  ];
  const PATHS: Record<State, EnsureEntry['kind'][]> = {
    waiting: ['ensure_intent', 'ensure_no_effect'],
    sending: ['ensure_intent'],
    in_doubt: ['ensure_intent', 'ensure_doubt'],
    unresolved: ['ensure_intent', 'ensure_doubt', 'ensure_unresolved'],
    ambiguous: ['ensure_ambiguous'],
    ensured: ['ensure_intent', 'ensured'],
    rejected: ['ensure_intent', 'ensure_rejected'],
  };
  const DOUBTFUL: Partial<Record<EnsureEntry['kind'], State>> = {
    ensure_doubt: 'in_doubt',
    ensure_no_effect: 'waiting',
    ensure_unresolved: 'unresolved',
    ensure_ambiguous: 'ambiguous',
    ensured: 'ensured',
  };
  const TABLE: Record<State, Partial<Record<EnsureEntry['kind'], State>>> = {
    waiting: { ensure_intent: 'sending', ensure_ambiguous: 'ambiguous', ensured: 'ensured' },
    sending: { ...DOUBTFUL, ensure_rejected: 'rejected' },
    in_doubt: DOUBTFUL,
    unresolved: DOUBTFUL,
    ambiguous: { ensure_intent: 'sending', ensure_ambiguous: 'ambiguous', ensured: 'ensured' },
    ensured: {},
    rejected: {},
  };

  for (const state of Object.keys(TABLE) as State[]) {
    for (const kind of KINDS) {
      const next = TABLE[state][kind];
      test(`${kind} after ${state}: ${next ?? 'refused'}`, () => {
        const run = new RunState();
        for (const one of PATHS[state]) apply(run, ensureOf(one, 1));
        const attempts = run.ensures.get('recipient:id:E1')?.attempts ?? 0;
        const step = () => apply(run, ensureOf(kind, kind === 'ensure_intent' ? attempts + 1 : attempts));
        if (next === undefined) expect(step).toThrow(/^bug in payrun: recipient:id:E1: /);
        else expect(step().ensures.get('recipient:id:E1')?.state).toBe(next);
      });
    }
  }

  test('an intent that leaves an attempt out is refused', () => {
    const run = new RunState();
    for (const kind of PATHS.waiting) apply(run, ensureOf(kind, 1));
    for (const attempt of [0, 1, 3])
      expect(() => apply(run, ensureOf('ensure_intent', attempt))).toThrow('bug in payrun');
  });

  test('that is ambiguous after a doubt keeps the attempt in doubt: no second one may follow', () => {
    const run = new RunState();
    for (const kind of ['ensure_intent', 'ensure_doubt', 'ensure_ambiguous'] as const) apply(run, ensureOf(kind, 1));
    expect(run.ensures.get('recipient:id:E1')).toMatchObject({ state: 'ambiguous', last: { request: REQUEST } });
    expect(() => apply(run, ensureOf('ensure_intent', 2))).toThrow('a second open intent');
    expect(apply(run, ensureOf('ensure_no_effect', 1)).ensures.get('recipient:id:E1')?.state).toBe('waiting');
  });

  test('remembers when its first attempt became durable', () => {
    const run = new RunState();
    for (const [at, kind] of (['ensure_intent', 'ensure_no_effect', 'ensure_intent'] as const).entries()) {
      applyToRun(run, ensureOf(kind, at === 2 ? 2 : 1), 1_000 + at);
    }
    expect(run.ensures.get('recipient:id:E1')).toMatchObject({ firstIntentAt: 1_000, intentAt: 1_002 });
  });

  test('a recipient and an account of the same key are two', () => {
    const run = new RunState();
    apply(run, { ...ensureOf('ensured', 0), target: 'account' } as EnsureEntry);
    apply(run, ensureOf('ensure_intent', 1));
    expect(run.ensures.get(ensureKey('account', 'id:E1'))).toMatchObject({ state: 'ensured', id: 'rec_1' });
    expect(run.ensures.get(ensureKey('recipient', 'id:E1'))).toMatchObject({ state: 'sending', intentAt: 5_000 });
  });
});

test('a fold is the entries one after the other, wherever it is cut', () => {
  const entries: Entry[] = [
    CREATED,
    { kind: 'rows', rows: [row(ROW), row(8)] },
    { kind: 'lease_taken', epoch: 1, holder: 'host' },
    ensureOf('ensure_intent', 1),
    ensureOf('ensured', 1),
    entryOf('intent', 1),
    entryOf('doubt', 1),
    { kind: 'stopped', reason: 'interrupted' },
    { kind: 'lease_taken', epoch: 2, holder: 'host' },
    entryOf('looked', 1),
    entryOf('accepted', 1),
    entryOf('final', 1),
    { ...entryOf('not_submitted', 0), row: 8 },
    { kind: 'finished', counts: { ...COUNTS, not_submitted: 1 } },
  ];
  const placed = entries.map((entry, n): PlacedEntry => ({ n, at: 1_000 + n, epoch: 1, entry }));
  const whole = foldRun(placed);
  expect(whole.payouts.get(ROW)).toMatchObject({ state: 'completed', finishedAt: 1_011 });
  expect(whole.payouts.get(8)).toMatchObject({ state: 'not_submitted', code: 'interrupted' });
  expect(countPayouts(whole)).toEqual({ ...COUNTS, not_submitted: 1, open: 0 });
  for (let cut = 0; cut <= placed.length; cut++) {
    const run = foldRun(placed.slice(0, cut));
    for (const { entry, at } of placed.slice(cut)) applyToRun(run, entry, at);
    expect(run).toEqual(whole);
  }
});

function row(number: number, problem: RunRow['problem'] = null): RunRow {
  const order: RunRow['order'] = {
    row: number,
    payee: { payee_id: 'E1', name: 'Ada', email: null, phone: null, business: null },
    recipient_id: null,
    destination: { kind: 'existing', external_account_id: 'acc_1' },
    amount_minor: '1050',
    currency: AUD,
    source: null,
    reference: null,
    description: null,
  };
  return { row: number, cells: ['Ada'], order: problem === null ? order : null, problem };
}

function runWith(...rows: RunRow[]): RunState {
  return apply(new RunState(), { kind: 'rows', rows });
}

function apply(run: RunState, entry: Entry): RunState {
  applyToRun(run, entry, 5_000);
  return run;
}

function ensureOf(kind: EnsureEntry['kind'], attempt: number): EnsureEntry {
  const base = { target: 'recipient', key: 'id:E1' } as const;
  switch (kind) {
    case 'ensure_intent':
      return { ...base, kind, attempt, request: REQUEST };
    case 'ensure_doubt':
    case 'ensure_no_effect':
      return { ...base, kind, attempt, reason: 'no' };
    case 'ensure_unresolved':
      return { ...base, kind, attempt, about: 'no_expiry', reason: 'no' };
    case 'ensure_ambiguous':
      return { ...base, kind, ids: ['rec_1', 'rec_2'] };
    case 'ensure_rejected':
      return { ...base, kind, attempt, code: 'BAD_REQUEST', message: 'no' };
    case 'ensured':
      return { ...base, kind, id: 'rec_1', by: 'created', scope: 'shipped|key_1' };
    default:
      return kind satisfies never;
  }
}
