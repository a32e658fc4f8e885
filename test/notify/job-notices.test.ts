import { expect, test } from 'vitest';
import { messages } from '../../src/messages/messages.ts';
import { refusedNotice } from '../../src/notify/job-notices.ts';

test('what was said of a refusal is told without the accounts that it names', () => {
  const message =
    'Row 5: the same amount to ••••3000 (DE89 3704 0044 0532 0130 00) was paid.\nRow 6: 1,234.50 AUD to 12345678.';
  const refused = { job: 'pay\r\nBcc: x', runId: null, rehearsal: true, message, remedy: 'See R20261125-7K3M9QZ2.' };
  const told = refusedNotice({ ...refused, exit: 6, isStopped: false }, { at: 1, id: 'refused-1' });
  expect(told.subject).toBe('REHEARSAL: payrun: pay Bcc: x did not start: nothing was sent');
  expect(told.text).toBe(`REHEARSAL: no money moves.

Job pay Bcc: x did not start: nothing was sent (exit 6).

Row 5: the same amount to (left out) (left out) was paid.
Row 6: 1,234.50 AUD to (left out).
See R20261125-7K3M9QZ2.
`);
  expect(JSON.stringify(told.data)).not.toMatch(/3000|3704|12345678/);
  expect(told.event).toBe('failed');
  const beside = refusedNotice({ ...refused, runId: 'R1', exit: 6, isStopped: false }, { at: 1, id: 'refused-2' });
  expect(beside.data).toMatchObject({ run_id: null, refers_to: 'R1' });
});

test('where nobody knows whether it was a rehearsal, neither is said', () => {
  const refused = { job: 'pay', runId: null, rehearsal: null, message: 'It is away.', remedy: '', exit: 8 };
  const told = refusedNotice({ ...refused, isStopped: false }, { at: 1, id: 'refused-1' });
  expect([told.subject, told.data.rehearsal]).toEqual(['payrun: pay did not start: nothing was sent', null]);
  expect(told.text).not.toContain('REHEARSAL');
});

test('a process that had to stop says so, and not that nothing was sent', () => {
  const refused = { job: 'pay', runId: 'R1', rehearsal: false, message: 'The disk did not confirm it.', remedy: '' };
  const told = refusedNotice({ ...refused, exit: 5, isStopped: true }, { at: 1, id: 'refused-1' });
  expect(told.data).toMatchObject({ run_id: 'R1', refers_to: null });
  expect([told.event, told.subject]).toEqual(['doubts', 'payrun: pay stopped']);
  expect(told.text + JSON.stringify(told.data)).not.toContain('nothing was sent');
});

test('a mail of the page says LIVE or TEST first in its subject, and what that means first in its text', () => {
  const letter = { subject: 'July is waiting for you', lines: ['July is waiting for you.'] };
  expect([true, false].map((isRehearsal) => messages.notices.pageLetterText(letter, isRehearsal))).toEqual([
    {
      subject: '[TEST] payrun: July is waiting for you',
      text: 'REHEARSAL: no money moves.\n\nJuly is waiting for you.\n',
    },
    {
      subject: '[LIVE] payrun: July is waiting for you',
      text: 'LIVE: real money moves.\n\nJuly is waiting for you.\n',
    },
  ]);
});
