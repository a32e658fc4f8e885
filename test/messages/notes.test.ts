import { expect, test } from 'vitest';
import { isSameNote, type Note, note, noteWith } from '../../src/domain/entries/note.ts';
import { noteText } from '../../src/messages/note-words.ts';

test.each<[Note, string]>([
  ['the answer was lost (timeout)', 'the answer was lost (timeout)'],
  [{ code: 'answer_lost', cause: 'timeout' }, 'the answer was lost (timeout)'],
  [{ code: 'answered', status: 500, lacks: null }, 'the service answered 500'],
  [{ code: 'answered', status: 403, lacks: 'error' }, 'the service answered 403 without an error of the contract'],
  [{ code: 'answered', status: 200, lacks: 'data' }, 'the service answered 200 without the data of the contract'],
  [{ code: 'resent_in_vain', about: 'no funds' }, 'resending proved nothing (no funds)'],
  [
    { code: 'copy_possible', about: { code: 'slower_pace' } },
    'the service asked for a slower pace (429), and another copy of the request may have arrived',
  ],
  [
    { code: 'other_amount', transaction_id: 'tx_1', token: 'PR1' },
    'tx_1 carries its token PR1, with another amount or currency',
  ],
  [
    { code: 'several_transactions', transactions: 2, token: 'PR1' },
    'the service holds 2 transactions with its token PR1',
  ],
  [
    { code: 'rate_drift_each_time', cause: 'ask for a fresh quote', sent: 4 },
    'ask for a fresh quote. It was quoted and sent 4 times. Nothing was paid: retry the run later',
  ],
  [{ code: 'not_listed', lists: 2, by_person: false }, 'not in 2 complete lists after its deadline'],
  [
    { code: 'not_listed', lists: 1, by_person: true },
    'not in 1 complete lists after its deadline; a person accepts that',
  ],
  [{ code: 'cancelled_unsent' }, 'The run was cancelled before it was sent.'],
  [{ code: 'plan_cancelled' }, 'The plan was cancelled before it started.'],
  [{ code: 'plan_replaced', run_id: 'R2' }, 'The plan was replaced by R2 before it started.'],
  [
    { code: 'plan_ended', as: 'rejected', person: 'Bea Ortiz', reason: 'Too much' },
    'Bea Ortiz rejected the plan: “Too much”',
  ],
  [
    { code: 'plan_ended', as: 'recalled', person: 'Anna Novak', reason: '' },
    'Anna Novak recalled the plan before it was started.',
  ],
  [
    { code: 'account_not_approved' },
    'The account is new or changed, and too few approvers have approved this row. `retry` plans it again, for them to approve.',
  ],
])('%j has its words, and is read back', (of, words) => {
  expect(noteText(of)).toBe(words);
  expect(note.parse(JSON.parse(JSON.stringify(of)))).toEqual(of);
});

test('what others wrote in a note is masked, and its code is kept', () => {
  const mask = (text: string) => text.replaceAll('1', 'x');
  expect(noteWith('account 1', mask)).toBe('account x');
  expect(noteWith({ code: 'credentials_refused', cause: 'key 1' }, mask)).toEqual({
    code: 'credentials_refused',
    cause: 'key x',
  });
  const nested: Note = { code: 'copy_possible', about: { code: 'no_connection', cause: 'port 1' } };
  expect(noteWith(nested, mask)).toEqual({ code: 'copy_possible', about: { code: 'no_connection', cause: 'port x' } });
});

test('two notes are the same where all of them is', () => {
  expect(isSameNote({ code: 'candidate' }, { code: 'candidate' })).toBe(true);
  expect(isSameNote({ code: 'candidate' }, { code: 'list_behind' })).toBe(false);
  expect(isSameNote('a', 'a')).toBe(true);
});
