import { describe, expect, test } from 'vitest';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { stopText } from '../../src/messages/stop-words.ts';
import { Halt } from '../../src/runner/halt.ts';
import { openPayees, whyPayeesOpen } from '../../src/runner/provision/payees.ts';
import type { Fate } from './payee-service.ts';
import { Crash, type PayeeRow, type World, world } from './payee-world.ts';

// Services without fingerprints show of an account its type, routing code, holder and four digits. Money must never go to
// another account because four digits agree, and nothing is made anew because they are all there is.

const ADD = 'account.external.bank.add';
const PROMISED = { hasFingerprints: false };
const one: PayeeRow = { payee_id: 'E1', name: 'Ada', email: 'ada@example.com', account: '11115678' };
const other: PayeeRow = { ...one, account: '22225678' };
const ben: PayeeRow = { payee_id: 'E2', name: 'Ben', account: '33335678' };

/** The account that each row would be paid to; null where it waits. */
function paidTo(run: RunState): (string | null)[] {
  const ids = [...run.ensures].filter(([key]) => key.startsWith('account:'));
  return ids.map(([, ensure]) => ('id' in ensure ? ensure.id : null)).sort();
}

function numberOf(at: World, id: string): string | undefined {
  return at.service.accounts.find((made) => made.id === id)?.body.account_number;
}

function adaIn(at: World): string {
  return at.service.putRecipient({ name: 'Ada', email: 'ada@example.com' }, 1_000_000);
}

describe('an account that is there before', () => {
  test('is the payee’s where it is the only one that looks so', async () => {
    const at = world({ promised: PROMISED });
    const there = at.service.putAccount(adaIn(at), '11115678', 'Ada');
    expect(paidTo(await at.run([one]))).toEqual([there]);
    expect(at.service.asked(ADD)).toBe(0);
  });

  test('is for a person where there are two that look so, and the others are paid', async () => {
    const at = world({ promised: PROMISED });
    const ada = adaIn(at);
    const ids = [at.service.putAccount(ada, '11115678', 'Ada'), at.service.putAccount(ada, '99995678', 'Ada')];
    const run = await at.run([one, ben]);
    expect(openPayees(run)).toMatchObject([{ target: 'account', name: 'Ada', ensure: { ids }, rows: [2] }]);
    expect(at.service.asked(ADD)).toBe(1);
    const why = whyPayeesOpen(run);
    const halt = why && new Halt(why);
    expect(halt?.reason).toBe('person_needed');
    const words = why ? stopText(why, 'command_line') : '';
    expect(words).toMatch(/^1 row of 1 payee waits: .*Ada \(row 2\): acc1, acc2\. .*external_account_id/);
    expect(words).not.toMatch(/5678|ada@/);
  });

  test('is taken for neither of two accounts of one payee that both look so', async () => {
    const at = world({ promised: PROMISED });
    at.service.putAccount(adaIn(at), '22225678', 'Ada');
    const run = await at.run([one, other, ben]);
    expect(openPayees(run).map(({ rows }) => rows)).toEqual([[2], [3]]);
    expect(at.service.asked(ADD)).toBe(1);
    // Once a person has taken it away, both are made.
    at.service.accounts.shift();
    const resumed = await at.resume();
    expect(openPayees(resumed)).toEqual([]);
    expect(at.service.asked(ADD)).toBe(3);
  });

  test('is taken for that of neither of two namesakes that both look so', async () => {
    const at = world({ promised: PROMISED });
    const rows = [
      { ...one, email: null },
      { ...other, payee_id: 'E9', email: null },
    ];
    at.service.putAccount(at.service.putRecipient({ name: 'Ada' }, 1_000_000), '22225678', 'Ada');
    const run = await at.run([...rows, ben]);
    expect(openPayees(run).map(({ target }) => target)).toEqual(['recipient', 'recipient']);
    expect(at.service.recipients).toHaveLength(2);
  });

  test('and is known to this journal is that account alone', async () => {
    const at = world({ promised: PROMISED });
    await at.run([one]);
    expect(paidTo(await at.run([other]))).toEqual(['acc2']);
    expect([numberOf(at, 'acc1'), numberOf(at, 'acc2')]).toEqual(['11115678', '22225678']);
    // The same again makes nothing.
    expect(paidTo(await at.run([one, other]))).toEqual(['acc1', 'acc2']);
    expect(at.service.asked(ADD)).toBe(2);
  });
});

test('two accounts of one payee that look alike are made, whatever becomes of the answers', async () => {
  for (const nth of [1, 2]) {
    const at = world({ promised: PROMISED, fate: (asked, at) => (asked === ADD && at === nth ? 'lost' : 'ok') });
    const run = await at.run([one, other]);
    expect([paidTo(run), at.service.accounts.length]).toEqual([['acc1', 'acc2'], 2]);
    for (const [key, ensure] of run.ensures) {
      if (!key.startsWith('account:') || !('id' in ensure)) continue;
      const isFirst = run.ensures.keys().toArray().indexOf(key) === 1;
      expect(numberOf(at, ensure.id)).toBe(isFirst ? one.account : other.account);
    }
  }
});

test('of two accounts that look alike and are both in doubt neither is taken for the other', async () => {
  const promised = { ...PROMISED, enforcesExpiry: false, refusesReplays: false };
  // The first is made when the second is looked for, which is not made.
  const fates: Fate[] = [{ lateMs: 50_000 }, 'dropped'];
  const at = world({ promised, fate: (asked, nth) => (asked === ADD && fates[nth - 1]) || 'ok' });
  const run = await at.run([one, other]);
  expect(at.service.accounts).toHaveLength(1);
  expect(openPayees(run).map(({ ensure }) => ensure?.state)).toEqual(['unresolved', 'ambiguous']);
});

test('two accounts that look alike are each made once wherever a process ends', async () => {
  for (let crashAt = 1; ; crashAt++) {
    const at = world({ promised: PROMISED });
    const whole = await at.run([one, other], { crashAt }).catch((error) => {
      if (!(error instanceof Crash)) throw error;
    });
    if (whole) break;
    const run = await at.resume();
    expect([paidTo(run), at.service.accounts.length]).toEqual([['acc1', 'acc2'], 2]);
    expect([numberOf(at, 'acc1'), numberOf(at, 'acc2')].sort()).toEqual([one.account, other.account]);
  }
});
