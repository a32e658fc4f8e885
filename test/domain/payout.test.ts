import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PayoutEntry } from '../../src/domain/entry.ts';
import { applyToPayout, type PayoutState, UNSENT } from '../../src/domain/run/payout.ts';
import { AUD, entryOf, finalOf, REQUEST, ROW } from './entries.ts';

type State = PayoutState['state'];
type Kind = PayoutEntry['kind'];

const KINDS: Kind[] = [
  'intent',
  'accepted',
  'no_effect',
  'rejected',
  'doubt',
  'looked',
  'absent',
  'unresolved',
  'suspected',
  'resolved',
  'surfaced',
  'final',
  'not_submitted',
];

/** How each state is reached, in the second attempt. */
const PATHS: Record<State, Kind[]> = {
  waiting: [],
  sending: ['intent'],
  in_doubt: ['intent', 'doubt'],
  accepted: ['intent', 'accepted'],
  completed: ['intent', 'accepted', 'final'],
  failed: ['intent', 'accepted'],
  rejected: ['intent', 'rejected'],
  unresolved: ['intent', 'doubt', 'unresolved'],
  suspected: ['suspected'],
  not_submitted: ['not_submitted'],
};

/** What follows each state by each entry. What is not here is refused. */
const TABLE: Record<State, Partial<Record<Kind, State>>> = {
  waiting: { intent: 'sending', rejected: 'rejected', suspected: 'suspected', not_submitted: 'not_submitted' },
  sending: { accepted: 'accepted', no_effect: 'waiting', rejected: 'rejected', doubt: 'in_doubt' },
  in_doubt: {
    accepted: 'accepted',
    doubt: 'in_doubt',
    looked: 'in_doubt',
    absent: 'waiting',
    unresolved: 'unresolved',
  },
  accepted: { final: 'completed' },
  unresolved: {
    accepted: 'accepted',
    doubt: 'in_doubt',
    looked: 'unresolved',
    absent: 'waiting',
    unresolved: 'unresolved',
    resolved: 'waiting',
  },
  suspected: { suspected: 'suspected', resolved: 'waiting' },
  completed: {},
  failed: {},
  rejected: { suspected: 'suspected' },
  not_submitted: {},
};

const STATES = Object.keys(TABLE) as State[];
const TERMINAL: State[] = ['completed', 'failed', 'not_submitted'];
/** Where money may have moved or be about to. */
const MOVING: State[] = ['sending', 'in_doubt', 'unresolved', 'accepted'];
/** Nothing of ours has moved, according to this journal. */
const STILL: State[] = ['waiting', 'suspected', 'rejected'];

describe('each entry in each state', () => {
  for (const state of STATES) {
    for (const kind of KINDS) {
      const next = TABLE[state][kind];
      test(`${kind} after ${state}: ${next ?? 'refused'}`, () => {
        const before = reach(state);
        const apply = () => applyToPayout(before, entryOf(kind, attemptOf(before, kind)), 5_000);
        if (next === undefined) expect(apply).toThrow(/^bug in payrun: row 7: /);
        else expect(apply().state).toBe(next);
      });
    }
  }
});

test.each(STATES)('an entry of another attempt than the last is refused in the state %s', (state) => {
  const before = reach(state);
  for (const kind of KINDS.filter((one) => one !== 'final' && one !== 'not_submitted')) {
    const attempt = attemptOf(before, kind);
    for (const wrong of [attempt - 1, attempt + 1]) {
      expect(() => applyToPayout(before, entryOf(kind, wrong), 5_000)).toThrow(/^bug in payrun: row 7: /);
    }
  }
});

test('the final state of another transaction is refused', () => {
  expect(() => applyToPayout(reach('accepted'), finalOf('tx_other', 'COMPLETED'), 5_000)).toThrow(
    'not its transaction',
  );
});

test('a transaction that failed is failed', () => {
  const failed = reach('failed');
  expect(failed).toMatchObject({ state: 'failed', final: { status: 'FAILED' }, finishedAt: 4_000 });
});

test('an accepted payout keeps what was sent, by the intent, and when its intent was durable', () => {
  for (const path of [['accepted'], ['doubt', 'accepted'], ['doubt', 'unresolved', 'accepted']] as Kind[][]) {
    const sending = applyToPayout(UNSENT, entryOf('intent', 1), 1_000);
    const accepted = path.reduce((before, kind) => applyToPayout(before, entryOf(kind, 1), 2_000), sending);
    expect(accepted).toEqual({
      state: 'accepted',
      attempts: 1,
      sent: {
        transaction_id: 'tx_1',
        attempt: 1,
        token: 'PR0000000000001',
        recipient_id: 'rec_1',
        external_account_id: 'acc_1',
        amount_minor: '1050',
        received: null,
        currency: AUD,
        submittedAt: 1_000,
        expires: REQUEST.expires,
        order: 0,
        by: 'answer',
      },
    });
  }
});

test('looks are counted through doubt and parking', () => {
  const path: Kind[] = ['intent', 'doubt', 'looked', 'looked', 'unresolved', 'looked', 'doubt', 'looked'];
  expect(path.reduce((before, kind) => applyToPayout(before, entryOf(kind, 1), 0), UNSENT)).toMatchObject({ looks: 4 });
});

test('a rejected payout keeps the token of the attempt that was rejected, and none where nothing was sent', () => {
  expect(reach('rejected')).toMatchObject({ token: 'PR0000000000002' });
  expect(applyToPayout(UNSENT, entryOf('rejected', 0), 0)).toMatchObject({ token: null });
});

test('a person who says sent names the transaction, and of a suspected payout also what was sent', () => {
  const said = { ...entryOf('resolved', 2), verdict: 'sent' as const, transaction_id: 'tx_found' };
  expect(applyToPayout(reach('unresolved'), said, 5_000)).toMatchObject({
    state: 'accepted',
    sent: { transaction_id: 'tx_found', token: 'PR0000000000002', submittedAt: 3_000 },
  });
  const { token, external_account_id, recipient_id, amount_minor, currency, received } = entryOf('intent', 2);
  const sent = { token, external_account_id, recipient_id, amount_minor, currency, received };
  const suspected = reach('suspected');
  expect(applyToPayout(suspected, { ...said, attempt: suspected.attempts, sent }, 5_000)).toMatchObject({
    state: 'accepted',
    sent: { transaction_id: 'tx_found', amount_minor: '1050' },
  });
  expect(() => applyToPayout(suspected, { ...said, attempt: suspected.attempts }, 5_000)).toThrow('nothing says what');
  expect(() => applyToPayout(reach('unresolved'), { ...said, transaction_id: null }, 5_000)).toThrow('no transaction');
});

test('a state is never changed in place', () => {
  for (const state of STATES) {
    for (const kind of Object.keys(TABLE[state]) as Kind[]) {
      const before = reach(state);
      const copy = structuredClone(before);
      applyToPayout(before, entryOf(kind, attemptOf(before, kind)), 5_000);
      expect(before).toEqual(copy);
    }
  }
});

describe('any sequence of entries', () => {
  /** Mostly an entry that may follow, seldom one that ends the payout, and now and then anything at all. */
  const anyStep = fc.record({
    pick: fc.nat(1_000),
    mayEnd: fc.nat(19).map((drawn) => drawn === 0),
    wild: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...KINDS) }),
    attemptOffset: fc.oneof(
      { weight: 19, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
    ),
  });

  function kindOf(before: PayoutState, step: { pick: number; mayEnd: boolean }): Kind {
    const legal = (Object.entries(TABLE[before.state]) as [Kind, State][])
      .filter(([, next]) => step.mayEnd || !TERMINAL.includes(next))
      .map(([kind]) => kind);
    return legal[step.pick % legal.length] ?? 'intent';
  }

  test('never leaves an ending, falls back to waiting only by proof, and never has two transactions', () => {
    let applied = 0;
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 20, maxLength: 60 }), (steps) => {
        let before: PayoutState = UNSENT;
        const transactions = new Set<string>();
        let openIntents = 0;
        for (const step of steps) {
          const kind = step.wild ?? kindOf(before, step);
          const attempt = attemptOf(before, kind) + step.attemptOffset;
          const status = step.pick % 2 === 0 ? 'FAILED' : 'COMPLETED';
          const entry = kind === 'final' ? finalOf(`tx_${attempt}`, status) : entryOf(kind, attempt);
          const after = attemptToApply(before, entry);
          if (after === null) continue;
          applied++;
          expect(TERMINAL).not.toContain(before.state);
          if (MOVING.includes(before.state) && after.state === 'waiting')
            expect(['no_effect', 'absent', 'resolved']).toContain(kind);
          if (before.state === 'in_doubt' || before.state === 'unresolved') expect(kind).not.toBe('no_effect');
          expect(after.attempts - before.attempts).toBe(kind === 'intent' ? 1 : 0);
          if (kind === 'intent') openIntents++;
          if (!STILL.includes(before.state) && !MOVING.includes(after.state)) openIntents--;
          expect(openIntents).toBe(MOVING.includes(after.state) ? 1 : 0);
          if ('sent' in after) transactions.add(after.sent.transaction_id);
          expect(transactions.size).toBeLessThanOrEqual(1);
          before = after;
        }
      }),
      { numRuns: 1_000 },
    );
    // Most sequences must be long ones, or little was shown.
    expect(applied).toBeGreaterThan(4_000);
  });
});

function reach(state: State): PayoutState {
  const first = applyToPayout(applyToPayout(UNSENT, entryOf('intent', 1), 1_000), entryOf('no_effect', 1), 2_000);
  const reached = PATHS[state].reduce(
    (before, kind) => applyToPayout(before, entryOf(kind, attemptOf(before, kind)), 3_000),
    first,
  );
  return state === 'failed' ? applyToPayout(reached, finalOf('tx_2', 'FAILED'), 4_000) : reached;
}

function attemptOf(before: PayoutState, kind: Kind): number {
  return kind === 'intent' ? before.attempts + 1 : before.attempts;
}

function attemptToApply(before: PayoutState, entry: PayoutEntry): PayoutState | null {
  try {
    return applyToPayout(before, entry, 5_000);
  } catch (error) {
    expect((error as Error).message).toMatch(new RegExp(`^bug in payrun: row ${ROW}: `));
    return null;
  }
}
