import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { approvalsNeeded, checkApprovals, isPreparer, isPreparersAccount } from '../../src/approval/check.ts';
import { isPrepared, isSigned, signPrepared, signStatement, statementOf } from '../../src/approval/statement.ts';
import type { Approval, ApprovalPolicy, PlanFacts } from '../../src/domain/plan.ts';
import { type SigningKey, signingKey } from '../../src/keys/ed25519.ts';
import { sampleHeader, samplePlan } from '../journal/samples.ts';

const keyOf = (byte: number): SigningKey => signingKey(new Uint8Array(32).fill(byte));
const base64url = (key: SigningKey): string => Buffer.from(key.publicKey).toString('base64url');

const ANNA = keyOf(1);
const BEN = keyOf(2);
const STRANGER = keyOf(3);
const NOW = Date.UTC(2026, 10, 25, 9);
const DAY_MS = 86_400_000;
const DIGEST = 'd'.repeat(64);

const POLICY: ApprovalPolicy = {
  approvers: [
    { name: 'Anna', public_key: base64url(ANNA) },
    { name: 'Ben', public_key: base64url(BEN) },
  ],
  bands: [{ over: null, approvals: 1 }],
  valid_for_ms: DAY_MS,
  preparer: 'petra@desk-7',
};

const planWith = (policy: Partial<ApprovalPolicy> = {}): PlanFacts => ({
  ...samplePlan(sampleHeader('R1')),
  approval: { ...POLICY, ...policy },
});

const PLAN = planWith();

type Changes = Partial<Approval> & { validForMs?: number };

/** Signed after the changes, so that only what is changed is wrong with it. */
function approval(
  key: SigningKey,
  approver: string,
  { by = `${approver}@laptop`, validForMs = DAY_MS, ...changes }: Changes = {},
) {
  const signedAt = changes.signed_at ?? NOW - 3_600_000;
  const statement = statementOf(
    PLAN,
    DIGEST,
    { approver, publicKey: key.publicKey },
    { signedAt, expiresAt: signedAt + validForMs },
  );
  return signStatement({ ...statement, ...changes }, key, by);
}

const whysOf = (approvals: Approval[], plan = PLAN, nowMs = NOW) =>
  checkApprovals(plan, DIGEST, approvals, nowMs).void.map(({ why }) => why);

describe('approvals of a plan', () => {
  it('count one for each approver who signed this digest and these figures', () => {
    const {
      needed,
      counted,
      void: others,
    } = checkApprovals(PLAN, DIGEST, [approval(ANNA, 'Anna'), approval(BEN, 'Ben')], NOW);
    expect(needed).toBe(1);
    expect(counted.map(({ approver }) => approver)).toEqual(['Anna', 'Ben']);
    expect(others).toEqual([]);
  });

  it.each<[string, Approval, string]>([
    ['of another digest', approval(ANNA, 'Anna', { digest: 'e'.repeat(64) }), 'another_plan'],
    ['with another number of payouts', approval(ANNA, 'Anna', { payouts: 4 }), 'another_plan'],
    ['with another total', approval(ANNA, 'Anna', { totals: [] }), 'another_plan'],
    ['of a stranger', approval(STRANGER, 'Anna'), 'unknown_approver'],
    ['of an approver under the name of another', approval(ANNA, 'Ben'), 'unknown_approver'],
    ['of an approver whose name is the preparer', approval(ANNA, 'Anna', { by: 'petra@laptop' }), 'preparer'],
    ['that was good until now', approval(ANNA, 'Anna', { signed_at: NOW - DAY_MS }), 'expired'],
    ['that is good for longer than allowed', approval(ANNA, 'Anna', { validForMs: DAY_MS + 1 }), 'bad_times'],
    ['of tomorrow', approval(ANNA, 'Anna', { signed_at: NOW + DAY_MS }), 'bad_times'],
  ])('%s do not count', (_, one, why) => {
    expect(whysOf([one])).toEqual([why]);
  });

  it('of the same approver count once', () => {
    const later = approval(ANNA, 'Anna', { signed_at: NOW - 60_000 });
    const result = checkApprovals(PLAN, DIGEST, [approval(ANNA, 'Anna'), later], NOW);
    expect(result.counted).toHaveLength(1);
    expect(result.void.map(({ why }) => why)).toEqual(['again']);
  });

  it('an expired one does not stand in the way of a new one', () => {
    const expired = approval(ANNA, 'Anna', { signed_at: NOW - 2 * DAY_MS });
    const { counted } = checkApprovals(PLAN, DIGEST, [expired, approval(ANNA, 'Anna')], NOW);
    expect(counted).toHaveLength(1);
  });

  describe('of rows by themselves', () => {
    const plan = { ...planWith({ bands: [{ over: null, approvals: 2 }] }), cooling_off: [2, 4] };
    const check = (...approvals: Approval[]) => {
      const { approvers, rowsMissing, void: voids } = checkApprovals(plan, DIGEST, approvals, NOW);
      return { approvers, rowsMissing, whys: voids.map(({ why }) => why) };
    };
    const anna = (rows: number[]) => approval(ANNA, 'Anna', { rows });
    const ben = (rows: number[]) => approval(BEN, 'Ben', { rows });

    it('need as many approvers as the plan', () => {
      expect(check(anna([]), ben([]))).toEqual({ approvers: 2, rowsMissing: [2, 4], whys: [] });
      expect(check(anna([2, 4]), ben([4]))).toEqual({ approvers: 2, rowsMissing: [2], whys: [] });
      expect(check(anna([2, 4]), ben([2, 4]))).toEqual({ approvers: 2, rowsMissing: [], whys: [] });
    });

    it('may follow, and make no second approver', () => {
      expect(check(anna([2]), anna([4]))).toEqual({ approvers: 1, rowsMissing: [2, 4], whys: [] });
      expect(check(anna([2]), anna([2]))).toEqual({ approvers: 1, rowsMissing: [2, 4], whys: ['again'] });
      expect(check(anna([2]), anna([4]), ben([2, 4]))).toEqual({ approvers: 2, rowsMissing: [], whys: [] });
    });

    it('are void for a row that does not wait, and where rows were added after they were signed', () => {
      expect(check(anna([2, 3]))).toEqual({ approvers: 0, rowsMissing: [2, 4], whys: ['other_rows'] });
      const more = { ...anna([2]), rows: [2, 4] };
      expect(check(more, { ...anna([2]), rows: [] })).toMatchObject({
        approvers: 0,
        whys: ['not_signed', 'not_signed'],
      });
    });

    it('wait for ever where nobody is named who approves', () => {
      expect(checkApprovals({ ...plan, approval: null }, DIGEST, [], NOW).rowsMissing).toEqual([2, 4]);
    });
  });

  it('are not needed where the plan has no policy', () => {
    expect(checkApprovals({ ...PLAN, approval: null }, DIGEST, [], NOW)).toEqual({
      needed: 0,
      counted: [],
      approvers: 0,
      rowsMissing: [],
      void: [],
    });
  });
});

test('whatever is changed in an approval after it was signed, its signature does not fit any more', () => {
  const good = approval(ANNA, 'Anna', { rows: [2] });
  expect(isSigned(good)).toBe(true);
  const { by: _, ...signed } = good;
  for (const name of Object.keys(signed) as (keyof typeof signed)[]) {
    const value = signed[name];
    const other = Array.isArray(value) ? [] : typeof value === 'number' ? value + 1 : `${String(value)}A`;
    expect([name, isSigned({ ...good, [name]: other } as Approval)]).toEqual([name, false]);
  }
});

test('a signature with any bit turned, or cut, or of any text is none', () => {
  const good = approval(ANNA, 'Anna');
  const bytes = Buffer.from(good.signature, 'base64url');
  const isGood = (changes: Partial<Approval>): boolean => isSigned({ ...good, ...changes });
  const turned = fc.nat({ max: 511 }).map((bit) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy.toString('base64url');
  });
  const hostile = fc.oneof(
    turned,
    fc.string({ unit: 'binary' }),
    fc.constant(bytes.subarray(0, 63).toString('base64url')),
  );
  fc.assert(
    fc.property(hostile, (signature) => !isGood({ signature })),
    { numRuns: 40 },
  );
  fc.assert(
    fc.property(fc.string(), (public_key) => !isGood({ public_key })),
    { numRuns: 40 },
  );
});

test('as many sign as the strictest band asks for that a total is over', () => {
  const bands = [
    { over: null, approvals: 1 },
    { over: { code: 'AUD', minor: '3701' }, approvals: 2 },
    { over: { code: 'AUD', minor: '3702' }, approvals: 3 },
    { over: { code: 'USD', minor: '1' }, approvals: 9 },
  ];
  expect(approvalsNeeded({ ...POLICY, bands }, PLAN)).toBe(2);
  expect(approvalsNeeded({ ...POLICY, bands: [] }, PLAN)).toBe(0);
  // What is sent from a currency counts in its bands too, so that paying another one does not pass them by.
  const ofEuro = { over: { code: 'EUR', minor: '999' }, approvals: 3 };
  const dollars = { code: 'USD', chain: null, decimals: 2 };
  const pair = { source: { ...dollars, code: 'EUR' }, currency: dollars, payouts: 1, planned_minor: '1150' };
  const sent = { quoted_minor: '1000', sent_minor: '1000', fees_minor: null };
  const conversions = { pairs: [{ ...pair, ...sent }], ceilings: { payout_bps: 50, run_bps: 50 } };
  const received = { currency: dollars, payouts: 1, planned_minor: '1150', fees_minor: null };
  expect(approvalsNeeded({ bands: [ofEuro] }, { totals: [received], conversions })).toBe(3);
  expect(approvalsNeeded({ bands: [ofEuro] }, { totals: [received], conversions: null })).toBe(0);
});

describe('the preparer', () => {
  const as = (name: string, public_key = base64url(STRANGER)) => ({ name, public_key });

  it('is known on every machine, whatever the case', () => {
    expect(isPreparer(POLICY, as('PETRA@laptop'))).toBe(true);
    expect(isPreparer(POLICY, as('Petra'))).toBe(true);
    expect(isPreparer(POLICY, as('petra2@desk-7'))).toBe(false);
    expect(isPreparersAccount(POLICY, 'petra@laptop')).toBe(true);
  });

  const keyed = { preparer: 'Ben', preparer_key: base64url(BEN), preparers: [as('Ben', base64url(BEN))] };
  it('who showed a key is known by it and by the name, from whichever account', () => {
    const plan = planWith(keyed);
    const from = { by: 'petra@desk-7' };
    expect(whysOf([approval(ANNA, 'Anna', from)], plan)).toEqual([]);
    expect(whysOf([approval(ANNA, 'Anna', { by: 'ben@desk-7' })], plan)).toEqual([]);
    expect(whysOf([approval(BEN, 'Ben', from)], plan)).toEqual(['preparer']);
    const other = { name: 'Ben', public_key: base64url(STRANGER) };
    const twoKeys = planWith({ ...keyed, approvers: [other] });
    expect(whysOf([approval(STRANGER, 'Ben', from)], twoKeys)).toEqual(['preparer']);
    const otherName = planWith({ ...keyed, approvers: [{ name: 'Bob', public_key: base64url(BEN) }] });
    expect(whysOf([approval(BEN, 'Bob', from)], otherName)).toEqual(['preparer']);
  });

  it('has signed the digest with that key, or the plan is nobody’s', () => {
    const plan = planWith(keyed);
    const signature = signPrepared(DIGEST, BEN);
    expect(isPrepared(plan, DIGEST, signature)).toBe(true);
    expect(isPrepared(plan, 'e'.repeat(64), signature)).toBe(false);
    expect(isPrepared(plan, DIGEST, signPrepared(DIGEST, ANNA))).toBe(false);
    expect(isPrepared(plan, DIGEST, null)).toBe(false);
    // What an approver signs is none of it.
    expect(isPrepared(plan, DIGEST, approval(BEN, 'Ben').signature)).toBe(false);
    expect(isPrepared(PLAN, DIGEST, null)).toBe(true);
  });
});
