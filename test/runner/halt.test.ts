import { describe, expect, test } from 'vitest';
import type { StopReason } from '../../src/domain/entry.ts';
import { type StopWhy, stopWhy } from '../../src/domain/outcomes/stop-why.ts';
import { stoppedText, stopText } from '../../src/messages/stop-words.ts';
import { Halt } from '../../src/runner/halt.ts';

const HELD = { code: 'second_payment', row: 2, transactionId: 'tx_9' } as const;

/** Every code, the reason that it stops a run for, and the beginning of its words. */
const STOPS: [why: StopWhy, reason: StopReason, words: string][] = [
  [{ code: 'service_trouble', trouble: { code: 'unavailable' } }, 'outage', 'the service is unavailable (HTTP 503)'],
  [{ code: 'credentials_refused', cause: 'no key' }, 'outage', 'the service refuses our credentials: no key'],
  [{ code: 'read_refused', cause: 'no' }, 'outage', 'the service refuses to answer: no'],
  [{ code: 'unreadable', cause: 'another shape' }, 'outage', 'another shape'],
  [{ code: 'unreached', cause: null }, 'outage', 'the service cannot be reached'],
  [
    { code: 'no_usable_answer', to: 'payout', cause: '500' },
    'outage',
    'the service gives no usable answer to payouts: 500',
  ],
  [{ code: 'attempts_used_up', of: 'payout', row: 2, attempts: 50 }, 'outage', 'row 2: 50 attempts took no effect'],
  [{ code: 'not_final', payouts: 1, held: null }, 'wait_timeout', '1 payout is not final after the set waiting time'],
  [{ code: 'not_final', payouts: 3, held: HELD }, 'person_needed', 'row 2: the service holds tx_9 beside'],
  [{ code: 'first_unresolved' }, 'person_needed', 'the first payout is unresolved'],
  [
    { code: 'first_missing', row: 2, fault: { fault: 'not_found', transactionId: 'tx_9', token: 'PR1' } },
    'person_needed',
    'the first payout (row 2) did not come back: the service’s search does not find tx_9 by its token PR1',
  ],
  [
    { code: 'copy_unseen', because: 'list_late' },
    'person_needed',
    'the service lists accepted payouts half an hour late',
  ],
  [{ code: 'old_copy', rows: 1 }, 'person_needed', 'the service holds a payment that this journal does not know'],
  [
    { code: 'paid_twice', row: 2, token: 'PR1', transactions: 2 },
    'person_needed',
    'row 2: the service holds 2 transactions with its token PR1',
  ],
  [HELD, 'person_needed', 'row 2: the service holds tx_9 beside the transaction that paid it'],
  [
    { code: 'too_many_failures', bad: 6, of: 10, among: 'final', percent: 50 },
    'person_needed',
    '6 of the 10 payouts that are final failed',
  ],
  [
    { code: 'misfit', row: 2, transactionId: 'tx_9', others: 1 },
    'person_needed',
    'row 2: transaction tx_9 was accepted',
  ],
  [{ code: 'open_payees', rows: 1, count: 1, payees: [], states: ['not_made'] }, 'outage', '1 row of 1 payee waits'],
  [
    { code: 'open_payees', rows: 1, count: 1, payees: [], states: ['unresolved', 'not_made'] },
    'person_needed',
    '1 row of 1 payee waits',
  ],
];

describe('a stop', () => {
  test.each(STOPS)('for %o', (why, reason, words) => {
    const halt = new Halt(why);
    expect(halt.reason).toBe(reason);
    expect(halt.why).toBe(why);
    expect(stopText(why, 'command_line').startsWith(words)).toBe(true);
    expect(stopWhy.parse(why)).toEqual(why);
  });

  test('has an example of every code here', () => {
    const codes = stopWhy.options.map((option) => option.shape.code.value);
    expect([...new Set(STOPS.map(([{ code }]) => code))].sort()).toEqual(codes.sort());
  });

  test('of an older journal is shown in the words that it kept', () => {
    expect(stoppedText({ stopMessage: 'the market was shut', stopWhy: null }, 'page')).toBe('the market was shut');
    expect(stoppedText({ stopMessage: null, stopWhy: null }, 'page')).toBeNull();
  });
});
