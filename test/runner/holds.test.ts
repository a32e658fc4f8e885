import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountHash, type HoldRecord, payeeHash } from '../../src/domain/run/holds.ts';
import { ON_HOLD } from '../../src/domain/run/left-out.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { noteText } from '../../src/messages/note-words.ts';
import { retryableAmong } from '../../src/runner/retries.ts';
import { answered } from '../client/fake-transport.ts';
import { sampleRow } from '../journal/samples.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Asked, LOST, taken } from './virtual-service.ts';

const ROWS = 12;

/** A person who puts a row's payee, or the account it goes to, on hold, or releases it, while row `during` is with the service. */
type Act = { during: number; row: number; by: 'payee' | 'account'; act: HoldRecord['act'] };

function recordOf({ row, by, act }: Act): HoldRecord {
  const { order } = sampleRow(row);
  if (order === null) throw new Error('the sample changed');
  const account = accountHash({ kind: 'existing', external_account_id: `a${row}` });
  // One who is no payee of the run, and was paid on the account of one.
  const other = { payee_id: `other of ${row}`, name: 'Mallory', email: null };
  const payee = payeeHash(by === 'payee' ? order.payee : other);
  const accounts = by === 'account' ? [account] : [];
  return { act, payee, name: 'Mallory', payee_id: null, accounts, reason: 'They asked us to', by: 'bea@desk' };
}

type Fate = 'taken' | 'lost' | 'lost_before' | 'slower';

/** A run while people put payees on hold: `before` it, and during its requests. Fates by row, of the first attempt. */
async function runWith(before: readonly Act[], acts: readonly Act[], fates: readonly Fate[]): Promise<VirtualRun> {
  let journal: Journal | null = null;
  let asked = 0;
  return virtualRun({
    rows: ROWS,
    profile: { concurrency: 3 },
    async onJournal(opened) {
      journal = opened;
      for (const act of before) await opened.payeeHolds.add(recordOf(act));
    },
    behave: (clock) => ({
      async transfer({ row, attempt }: Asked, commit) {
        await clock.sleep(5);
        for (const act of attempt === 1 ? acts : [])
          if (act.during === row) await journal?.payeeHolds.add(recordOf(act));
        await clock.sleep(5);
        // By the first payout it is shown that doubts can be reconciled.
        const fate = asked++ > 0 && attempt === 1 ? (fates[row - 2] ?? 'taken') : 'taken';
        if (fate === 'slower') return answered(429, { error: { code: 'RATE_LIMITED', message: 'slower' } });
        if (fate === 'lost_before') return LOST;
        const id = commit();
        return fate === 'lost' ? LOST : taken(id);
      },
    }),
  });
}

/** When each row's attempts became durable, and when it was on hold: from, to (exclusive). */
async function timesOf({ journal }: VirtualRun, row: number) {
  const intents: number[] = [];
  for await (const page of journal.readRun('R1'))
    for (const { entry, at } of page) if (entry.kind === 'intent' && entry.row === row) intents.push(at);
  const held = (by: Act['by']) => {
    const { payee } = recordOf({ row, by, act: 'hold', during: 0 });
    return { payee, spans: [] as [number, number][] };
  };
  const both = [held('payee'), held('account')];
  for (const { payee, act, at } of await journal.payeeHolds.after(0))
    for (const { payee: own, spans } of both) {
      if (own !== payee) continue;
      const last = spans.at(-1);
      const isOpen = last !== undefined && last[1] === Number.POSITIVE_INFINITY;
      if (act === 'hold' && !isOpen) spans.push([at, Number.POSITIVE_INFINITY]);
      if (act === 'release' && isOpen) last[1] = at;
    }
  return { intents, spans: both.flatMap(({ spans }) => spans) };
}

test('a payee who is on hold is never submitted, the others are paid, and every row is reported', async () => {
  const row = fc.integer({ min: 2, max: ROWS + 1 });
  const kinds = { by: fc.constantFrom('payee' as const, 'account' as const) };
  const acts = fc.constantFrom('hold' as const, 'hold' as const, 'release' as const);
  const act = fc.record({ during: row, row, ...kinds, act: acts });
  const fate = fc.constantFrom<Fate>('taken', 'taken', 'lost', 'lost_before', 'slower');
  const given = [fc.array(act, { maxLength: 3 }), fc.array(act, { maxLength: 8 }), fc.array(fate)] as const;
  await fc.assert(
    fc.asyncProperty(...given, async (before, during, fates) => {
      const done = await runWith(before, during, fates);
      expect(done.end.end).toBe('finished');
      const { run } = done.context;
      for (const [row, payout] of run.payouts) {
        const { intents, spans } = await timesOf(done, row);
        for (const at of intents)
          for (const [from, to] of spans) expect([row, at, from < at && at < to]).toEqual([row, at, false]);
        const paid = done.service.kept.filter(({ account }) => account === `a${row}`).length;
        const isOnHold = payout.state === 'not_submitted' && payout.code === ON_HOLD;
        expect([row, paid, payout.state]).toEqual(isOnHold ? [row, 0, 'not_submitted'] : [row, 1, 'completed']);
      }
    }),
    { numRuns: 60 },
  );
});

test('a payout that was left out for a hold says why, and can be paid by a retry', async () => {
  const done = await runWith([{ during: 0, row: 3, by: 'payee', act: 'hold' }], [], []);
  const { run } = done.context;
  const payout = run.payouts.get(3);
  const message = payout?.state === 'not_submitted' && 'message' in payout ? payout.message : '';
  const words = 'do not pay. bea@desk recorded it on 2026-11-25: “They asked us to”. Nothing was sent.';
  expect(noteText(message)).toBe(`Mallory is on hold: ${words}`);
  expect(done.end).toMatchObject({ counts: { completed: ROWS - 1, not_submitted: 1 } });
  expect(retryableAmong(run, []).rows.map(({ row }) => row)).toEqual([3]);
  expect(done.service.requests.filter(({ operation }) => operation === 'transaction.transfer')).toHaveLength(ROWS - 1);
});
