import { expect, it } from 'vitest';
import { paidRows } from '../../src/app/compare/past-runs.ts';

const intent = (row: number, attempt: number) => ({ row, attempt });
const rejected = (row: number, attempt: number) => ({ row, attempt, code: 'X', message: '' });
const finished = (count: number) => ({ counts: { rejected: count } });
const final = (row: number, status: string) => ({ row, status });

/** A run's entries, by kind. */
function journalOf(entries: Record<string, object[]>) {
  return { textsOf: (_: string, kind: string) => (entries[kind] ?? []).map((entry) => JSON.stringify(entry)) };
}

const CASES: [string, Record<string, object[]>, number[], number[], number[]?][] = [
  ['sent, and not final', { intent: [intent(2, 1)] }, [], [2]],
  ['completed', { intent: [intent(2, 1)], final: [final(2, 'COMPLETED')] }, [2], []],
  ['failed', { intent: [intent(2, 1)], final: [final(2, 'FAILED')] }, [], [], [2]],
  ['never sent', {}, [], []],
  ['rejected before it was sent', { rejected: [rejected(2, 0)] }, [], [], [2]],
  ['rejected for good', { intent: [intent(2, 1)], rejected: [{ ...rejected(2, 1), spent: true }] }, [], [], [2]],
  [
    'rejected, and looked for',
    { intent: [intent(2, 1)], rejected: [rejected(2, 1)], finished: [finished(1)] },
    [],
    [],
    [2],
  ],
  [
    'rejected in a run that was resumed after its end, and not looked for yet',
    { intent: [intent(2, 1)], rejected: [rejected(2, 1)], finished: [finished(0)] },
    [],
    [2],
  ],
  ['rejected, and not looked for yet', { intent: [intent(2, 1)], rejected: [rejected(2, 1)] }, [], [2]],
  [
    'rejected, and suspected to be paid all the same',
    { intent: [intent(2, 1)], rejected: [rejected(2, 1)], suspected: [intent(2, 1)], finished: [finished(0)] },
    [],
    [2],
  ],
  [
    'rejected, suspected, and not paid as a person found',
    {
      intent: [intent(2, 1)],
      rejected: [rejected(2, 1)],
      suspected: [intent(2, 1)],
      resolved: [{ row: 2, attempt: 1, verdict: 'not_sent' }],
      finished: [finished(1)],
    },
    [],
    [],
    [2],
  ],
  ['answered with no effect', { intent: [intent(2, 1)], no_effect: [{ row: 2, attempt: 1, answered: true }] }, [], []],
  ['perhaps on its way', { intent: [intent(2, 1)], no_effect: [{ row: 2, attempt: 1, answered: false }] }, [], [2]],
  ['spent', { intent: [intent(2, 1)], no_effect: [{ row: 2, attempt: 1, answered: false, spent: true }] }, [], []],
  ['absent, and sent again', { intent: [intent(2, 1), intent(2, 2)], absent: [{ row: 2, attempt: 1 }] }, [], [2]],
  ['a person says sent', { resolved: [{ row: 2, attempt: 1, verdict: 'sent' }] }, [], [2]],
  [
    'a person says not sent',
    { intent: [intent(2, 1)], resolved: [{ row: 2, attempt: 1, verdict: 'not_sent' }] },
    [],
    [],
  ],
  ['given up', { intent: [intent(2, 1)], not_submitted: [{ row: 2, code: 'X', message: '' }] }, [], [], [2]],
  [
    'rejected, and then there after all',
    { intent: [intent(2, 1)], rejected: [intent(2, 1)], surfaced: [intent(2, 1)] },
    [],
    [2],
  ],
];

it.each(CASES)('a row of a run of two that was %s', (_, entries, completed, perhaps, unpaid = []) => {
  const paid = paidRows(journalOf(entries), 'R1', 2);
  expect([[...paid.completed], [...paid.perhaps], [...paid.unpaid]]).toEqual([completed, perhaps, unpaid]);
});
