import { expect, test } from 'vitest';
import { machineRandomness } from '../../src/platform/machine.ts';
import {
  approvalChallenge,
  askForApproval,
  type KeptProof,
  verifyApproval,
  verifyKeptProof,
} from '../../src/web/sign-in/passkey-approval.ts';
import { authenticator } from './authenticator.ts';
import { openPage, PASSWORD } from './web-page.ts';
import { askedOf, withPasskey } from './with-passkey.ts';

const PLAN = { digest: 'ab'.repeat(32), payouts: 3, totals: ['2450.00 USD', '100.00 EUR'] };
const RUN = 'R20261125-7K3M9QZ2';

test('a passkey approves the plan that was shown, once, and its proof can be verified again', async () => {
  const { page, asked, key } = await withPasskey();
  const options = await askForApproval(page.web, asked, RUN, PLAN);
  expect(options?.allowCredentials).toHaveLength(1);
  const answer = key.get(options as never);
  const verified = await verifyApproval(page.web, asked, RUN, PLAN, answer);
  expect(verified).toMatchObject({ ok: true });
  expect(await verifyApproval(page.web, asked, RUN, PLAN, answer)).toMatchObject({ ok: false });

  const proof: KeptProof = JSON.parse(JSON.stringify(verified.ok && verified.proof));
  expect(await verifyKeptProof(proof)).toEqual({ ok: true, parts: proof.parts });
  const changed: readonly [string, (kept: KeptProof) => void][] = [
    [
      'digest',
      (kept) => {
        kept.parts.digest = 'cd'.repeat(32);
      },
    ],
    [
      'payouts',
      (kept) => {
        kept.parts.payouts = 4;
      },
    ],
    [
      'totals',
      (kept) => {
        kept.parts.totals[0] = '9450.00 USD';
      },
    ],
    [
      'nonce',
      (kept) => {
        kept.parts.nonce = 'AAAAAAAAAAAAAAAAAAAAAA';
      },
    ],
    [
      'signature',
      (kept) => {
        kept.assertion.response.signature = 'AAAA';
      },
    ],
    [
      'key',
      (kept) => {
        kept.credential.public_key = 'AAAA';
      },
    ],
    [
      'origin',
      (kept) => {
        kept.origin = 'https://evil.test';
      },
    ],
    [
      'host',
      (kept) => {
        kept.rp_id = 'evil.test';
      },
    ],
  ];
  for (const [what, change] of changed) {
    const kept = structuredClone(proof);
    change(kept);
    expect([what, (await verifyKeptProof(kept)).ok]).toEqual([what, false]);
  }
  for (const hostile of [null, 'proof', {}, { ...proof, parts: null }]) {
    expect(await verifyKeptProof(hostile)).toMatchObject({ ok: false });
  }
});

test('a signature for one plan approves no other, nor another run, nor later, nor by another key', async () => {
  const { page, asked, key } = await withPasskey();
  const attempt = async (change: { run?: string; plan?: typeof PLAN; waitMs?: number; by?: typeof key }) => {
    const options = await askForApproval(page.web, asked, RUN, PLAN);
    const answer = (change.by ?? key).get(options as never);
    if (change.waitMs !== undefined) await page.clock.pass(change.waitMs);
    return (await verifyApproval(page.web, asked, change.run ?? RUN, change.plan ?? PLAN, answer)).ok;
  };
  expect(await attempt({ plan: { ...PLAN, totals: ['9450.00 USD', '100.00 EUR'] } })).toBe(false);
  expect(await attempt({ plan: { ...PLAN, digest: 'cd'.repeat(32) } })).toBe(false);
  expect(await attempt({ run: 'R20261125-OTHER000' })).toBe(false);
  expect(await attempt({ waitMs: 5 * 60_000 + 1 })).toBe(false);
  expect(await attempt({ by: authenticator(page.origin) })).toBe(false);
  expect(await attempt({})).toBe(true);
});

test('an answer that another page asked for is refused, and so is a copy of the key, which counts on its own', async () => {
  const { page, asked, key } = await withPasskey();
  const attempt = async (how: { origin?: string; counter?: number }) => {
    const options = await askForApproval(page.web, asked, RUN, PLAN);
    return (await verifyApproval(page.web, asked, RUN, PLAN, key.get(options as never, how))).ok;
  };
  expect(await attempt({ counter: 7 })).toBe(true);
  expect(await attempt({ counter: 7 })).toBe(false);
  expect(await attempt({ counter: 3 })).toBe(false);
  expect(await attempt({ counter: 8, origin: 'http://localhost.evil.test:8800' })).toBe(false);
  expect(await attempt({ counter: 8 })).toBe(true);
});

test('no plan has the challenge of another, however its texts are cut', () => {
  const randomness = { bytes: (count: number) => new Uint8Array(count) };
  const plans = [
    { digest: 'a', payouts: 1, totals: ['1 USD', '2 EUR'] },
    { digest: 'a', payouts: 1, totals: ['1 USD\n5:2 EUR'] },
    { digest: 'a', payouts: 1, totals: ['1 USD2 EUR'] },
    { digest: 'a', payouts: 12, totals: ['1 USD', '2 EUR'] },
    { digest: 'a1', payouts: 1, totals: ['1 USD', '2 EUR'] },
  ];
  expect(new Set(plans.map((plan) => approvalChallenge(plan, randomness).challenge)).size).toBe(plans.length);
  const challenges = [1, 2].map(() => approvalChallenge(PLAN, machineRandomness).challenge);
  expect(challenges[0]).not.toBe(challenges[1]);
});

test('a passkey is added and removed only with the password and a passkey, and by an address there are none', async () => {
  const { page, bea, key } = await withPasskey();
  const person = await page.web.people.byName('Bea');
  const current = PASSWORD;
  expect((await bea.post('/me/passkeys/options', { label: 'Other', current: 'something else' })).status).toBe(403);
  const id = (await page.web.passkeys.of(person?.id ?? ''))[0]?.id ?? '';
  const signed = async (by = key, how = {}) =>
    by.get(JSON.parse((await bea.post('/me/passkeys/ask', { current })).text), how);
  expect((await bea.post('/me/passkeys/ask', { current: 'something else' })).status).toBe(403);

  const thief = authenticator(page.origin);
  const used = await signed();
  const made = await bea.post('/me/passkeys/options', { current, credential: used });
  const other = authenticator(page.origin);
  const added = await bea.post('/me/passkeys', { label: 'Other', credential: other.create(JSON.parse(made.text)) });
  expect(added.location).toBe('/me?done=passkey');
  const forApproval = async () =>
    key.get((await askForApproval(page.web, await askedOf(page, bea), RUN, PLAN)) as never, { counter: 90 });
  for (const answer of [
    () => '',
    () => used,
    () => signed(thief, { counter: 90 }),
    () => signed(key, { counter: 90, origin: 'http://evil.test' }),
    forApproval,
  ]) {
    const removed = await bea.post('/me/passkeys/remove', { id, current, credential: await answer() });
    expect([removed.status, removed.text]).toEqual([422, expect.stringContaining('an administrator can remove')]);
    const asked = await bea.post('/me/passkeys/options', { label: 'Mine', current, credential: await answer() });
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('an administrator can remove')]);
  }
  const wrong = await bea.post('/me/passkeys/remove', { id, current: 'not it', credential: await signed() });
  expect(wrong.status).toBe(422);
  expect((await page.web.passkeys.of(person?.id ?? '')).map(({ label }) => label).sort()).toEqual(['Other', 'Phone']);
  expect((await bea.post('/me/passkeys/remove', { id, current, credential: await signed(other) })).location).toBe(
    '/me?done=removed',
  );
  expect((await page.web.passkeys.of(person?.id ?? '')).map(({ label }) => label)).toEqual(['Other']);

  const byAddress = await openPage({ options: { origin: 'https://192.0.2.7' } });
  const anna = await byAddress.first('Anna');
  expect((await anna.post('/me/passkeys/options', { label: 'Phone', current: PASSWORD })).status).toBe(409);
});
