import { expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { type PaidStanding, paidStanding } from '../../../src/domain/run/paid-standing.ts';
import { meaningOf } from '../../../src/journal/projections/run-payouts.ts';
import { RunProjection } from '../../../src/journal/projections/run-projection.ts';
import { endedPayout, sampleHeader, sampleIntent, samplePlan, sampleRows } from '../samples.ts';

const intent = (attempt: number): Entry => {
  const entry = sampleIntent(2, attempt);
  return entry.kind === 'intent' ? { ...entry, token: `PR${attempt}` } : entry;
};
const row = { row: 2, attempt: 1 };
const rejected: Entry = { kind: 'rejected', ...row, code: 'X', message: '' };
const noEffect: Entry = { kind: 'no_effect', ...row, reason: 'X', answered: true };
const suspected: Entry = { kind: 'suspected', ...row, transactions: ['t9'], reason: 'alike' };
const surfaced: Entry = { kind: 'surfaced', ...row, transaction_id: 't8' };
const doubt: Entry = { kind: 'doubt', ...row, reason: 'lost' };
const parked: Entry = { kind: 'unresolved', ...row, about: 'incomplete', reason: '', transactions: [] };
const notSent: Entry = { kind: 'resolved', ...row, verdict: 'not_sent', transaction_id: null, by: 'ana', sent: null };
const sent: Entry = { ...notSent, verdict: 'sent', transaction_id: 't1' };
const absent: Entry = { kind: 'absent', ...row, witness: null, listings: 2, by: 'listing' };
const accepted: Entry = { kind: 'accepted', ...row, transaction_id: 't1', by: 'answer' };
const unsent: Entry = { kind: 'not_submitted', row: 2, code: 'X', message: '' };
const finished: Entry = {
  kind: 'finished',
  counts: { completed: 0, failed: 0, rejected: 1, unresolved: 0, not_submitted: 0 },
};
const takenUp: Entry = { kind: 'lease_taken', epoch: 2, holder: 'b' };
const [, , completed] = endedPayout(2) as [Entry, Entry, Entry];
const [, , failed] = endedPayout(2, { status: 'FAILED' }) as [Entry, Entry, Entry];
const ended = (entry: Entry): Entry => ({ ...entry, transaction_id: 't1' }) as Entry;
const late = (entry: Entry): Entry => ({ ...entry, transaction_id: 't8' }) as Entry;

const CASES: [what: string, entries: Entry[], standing: PaidStanding][] = [
  ['was sent, and is not final', [intent(1)], 'perhaps'],
  ['was accepted, and is not final', [intent(1), accepted], 'perhaps'],
  ['was completed', [intent(1), accepted, ended(completed)], 'paid'],
  ['failed', [intent(1), accepted, ended(failed)], 'unpaid'],
  ['was never sent', [], 'waiting'],
  ['was rejected before it was sent', [{ ...rejected, attempt: 0 }], 'unpaid'],
  ['was rejected for good', [intent(1), { ...rejected, spent: true }], 'unpaid'],
  ['was rejected, and not looked for yet', [intent(1), rejected], 'perhaps'],
  ['was rejected, and looked for', [intent(1), rejected, finished], 'unpaid'],
  ['was rejected in a run that was taken up after its end', [intent(1), rejected, finished, takenUp], 'perhaps'],
  ['was rejected, and looked for twice', [intent(1), rejected, finished, takenUp, finished], 'unpaid'],
  ['was rejected, and is suspected to be paid', [intent(1), rejected, suspected, finished], 'perhaps'],
  [
    'was rejected, suspected, and not paid as a person found',
    [intent(1), rejected, suspected, { ...notSent }, finished],
    'unpaid',
  ],
  ['was rejected, suspected, found not paid, and not looked for', [intent(1), rejected, suspected, notSent], 'perhaps'],
  ['was answered with no effect for good', [intent(1), { ...noEffect, spent: true }], 'waiting'],
  ['was answered with no effect, of one copy', [intent(1), noEffect], 'perhaps'],
  ['was answered with no effect, looked for, and waits', [intent(1), noEffect, finished], 'waiting'],
  ['was not answered, since no connection was made', [intent(1), { ...noEffect, answered: false }], 'waiting'],
  ['was refused once, then left out', [intent(1), noEffect, unsent], 'perhaps'],
  ['was refused once, then left out, and looked for', [intent(1), noEffect, unsent, finished], 'unpaid'],
  ['was absent, and sent again', [intent(1), doubt, absent, intent(2)], 'perhaps'],
  ['was absent', [intent(1), doubt, absent], 'waiting'],
  ['is parked', [intent(1), doubt, parked], 'perhaps'],
  ['was sent, as a person says', [intent(1), doubt, parked, sent], 'perhaps'],
  ['was not sent, as a person says', [intent(1), doubt, parked, notSent], 'waiting'],
  ['was given up before it was sent', [unsent], 'unpaid'],
  ['was rejected, and is there after all', [intent(1), rejected, surfaced], 'perhaps'],
  ['was given up after it was absent, and is there after all', [intent(1), doubt, absent, unsent, surfaced], 'perhaps'],
  ['was rejected, is there after all, and was completed', [intent(1), rejected, surfaced, late(completed)], 'paid'],
  ['was paid, and perhaps by another transaction too', [intent(1), accepted, ended(completed), surfaced], 'paid'],
  ['failed, and is there as another transaction', [intent(1), accepted, ended(failed), surfaced, finished], 'perhaps'],
];

it.each(CASES)('a payout that %s', (_, entries, expected) => {
  const header = sampleHeader('R1');
  const projection = new RunProjection('R1');
  const started: Entry[] = [
    { kind: 'planned', plan: samplePlan(header) },
    { kind: 'started', by: 'ana' },
  ];
  const all = [header, { kind: 'lease_taken' as const, epoch: 1, holder: 'a' }, sampleRows(2), ...started, ...entries];
  for (const [index, entry] of all.entries()) projection.follow({ n: index + 1, at: index, entry });
  expect(projection.error).toBeNull();
  const [page] = projection.pages();
  const meaning = meaningOf(page?.states.charAt(0) ?? '');
  expect(meaning && paidStanding(meaning.state, meaning.beside, projection.facts.is_finished)).toBe(expected);
  // The other row is as it was.
  expect(page?.states.charAt(1)).toBe('w');
});

it('a row of a plan that was given up is not paid, and never will be', () => {
  const header = sampleHeader('R1');
  const projection = new RunProjection('R1');
  const plan: Entry[] = [
    { kind: 'planned', plan: samplePlan(header) },
    { kind: 'cancelled', by: 'ana' },
  ];
  for (const [index, entry] of [header, sampleRows(2), ...plan].entries())
    projection.follow({ n: index + 1, at: index, entry });
  expect([...projection.pages()].map(({ states }) => states)).toEqual(['nn']);
});
