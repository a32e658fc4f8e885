import { describe, expect, test } from 'vitest';
import type { Entry, Unresolved } from '../../src/domain/entry.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { doubtLines } from '../../src/messages/report/doubt-lines.ts';
import { answerText, choiceTexts, doubtMessage } from '../../src/messages/report/doubt-words.ts';
import { countDoubts, doubtsOf } from '../../src/report/model/doubts.ts';
import { reportRows } from '../../src/report/model/rows.ts';
import { accepted, exampleRun, final, intent, payoutRow, RUN_ID } from './example-run.ts';

const DOUBT: Entry = { kind: 'doubt', row: 2, attempt: 1, reason: 'the answer was lost (timeout)' };
const LOOKED: Entry = { kind: 'looked', row: 2, attempt: 1, found: 0, complete: true };

function unresolved(about: Unresolved['about'], transactions: string[] = []): Entry {
  return { kind: 'unresolved', row: 2, attempt: 1, about, reason: 'as it was noted', transactions };
}

/** Row 2, in doubt, and what was noted of it. */
function inDoubt(...after: Entry[]): RunState {
  return exampleRun([payoutRow(2)], [intent(2), DOUBT, ...after]);
}

function shown(run: RunState, command = plainCommand): string {
  return [...doubtsOf(run)].map((doubt) => `${doubtLines(doubt, command).join('\n')}\n`).join('\n');
}

const SUSPECTED: Entry = {
  kind: 'suspected',
  row: 2,
  attempt: 0,
  transactions: ['t7', 't9'],
  reason: 'as it was noted',
};

/** An attempt that was refused stands at the service after all, and a later one paid the row. */
function surfaced(): RunState {
  return exampleRun(
    [payoutRow(2)],
    [
      intent(2),
      { kind: 'no_effect', row: 2, attempt: 1, reason: 'the service asked for a slower pace (429)', answered: true },
      intent(2, { attempt: 2 }),
      accepted(2, 2),
      final(2),
      { kind: 'surfaced', row: 2, attempt: 1, transaction_id: 'tx_first' },
    ],
  );
}

describe('a doubt in words', () => {
  test('where the service promises no expiry: what was sent, looked for and found, and what each choice risks', () => {
    expect(shown(inDoubt(LOOKED, LOOKED, unresolved('no_expiry')))).toBe(
      `row 2, Payee 2: in doubt
  payout   1250.00 AUD to AUD_NPP ••••4321
  sent     2026-11-25 09:00:00 UTC, with the token PR0000000000021 in its description
  answer   It was lost on the way or never sent.
  looked   2 times by its token, last at 2026-11-25 09:00:00 UTC: it is not in the service's list,
           which was complete.
  why      The service does not promise to drop a request that it did not accept in time. It may
           still be paid, so its absence from the list proves nothing.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 2 --sent TX
             Records the transaction that you name as this payout. Its amount, currency and account
             are compared first. If it is another payment, Payee 2 is not paid.
           payrun resolve ${RUN_ID} 2 --not-sent
             Records that it was never made, unless the service shows it; resume then sends it
             again. If it was sent after all, Payee 2 is paid twice.
           payrun resume ${RUN_ID} --resubmit-absent
             Checks again, and resends every unconfirmed payout of this run that is not in the
             service's list. Any that were made after all will be paid twice.
`,
    );
  });

  test('with a payment that could be it: named, and written into the command', () => {
    expect(shown(inDoubt({ ...LOOKED, complete: false }, unresolved('candidate', ['t7'])))).toBe(
      `row 2, Payee 2: in doubt
  payout   1250.00 AUD to AUD_NPP ••••4321
  sent     2026-11-25 09:00:00 UTC, with the token PR0000000000021 in its description
  answer   It was lost on the way or never sent.
  looked   Once by its token, last at 2026-11-25 09:00:00 UTC: it is not in the service's list,
           which was not complete.
  found    t7
  why      The service shows a payment of this amount that could be this one, and nothing in it says
           whether it is.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 2 --sent t7
             Records t7 as this payout. Its amount, currency and account are compared first. If it
             is another payment, Payee 2 is not paid.
           payrun resolve ${RUN_ID} 2 --not-sent
             Records that it was never made, unless the service shows it; resume then sends it
             again. If it was sent after all, Payee 2 is paid twice.
`,
    );
  });

  test('of a row that this journal never sent, and the service seems to hold', () => {
    expect(shown(exampleRun([payoutRow(2)], [SUSPECTED]))).toBe(
      `row 2, Payee 2: perhaps paid already
  payout   1250.00 AUD to AUD_NPP ••••4321
  found    t7, t9
  why      The service shows payments like this one, and this journal knows nothing of them. Either
           the journal is an old copy that was restored, or the same file was paid from another
           machine or another data directory.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 2 --sent t7
             Records t7 as this payout. Its amount, currency and account are compared first. If it
             is another payment, Payee 2 is not paid.
           payrun resolve ${RUN_ID} 2 --sent t9
             Records t9 as this payout. Its amount, currency and account are compared first. If it
             is another payment, Payee 2 is not paid.
           payrun resolve ${RUN_ID} 2 --not-sent
             Records that those payments are others; resume then sends this one. If it was sent
             after all, Payee 2 is paid twice.
           If you have a newer copy of the journal, restore it first. Nothing is sent while this is
           open.
`,
    );
  });

  test('of a row that was perhaps paid twice: both transactions, and whom to ask', () => {
    expect(shown(surfaced())).toBe(
      `row 2, Payee 2: perhaps paid twice
  payout   1250.00 AUD to AUD_NPP ••••4321
  found    tx_first, tx_2
  why      The service holds another payment for this row, besides the one recorded here.
  you can  Ask the service whether both were made, and the service or the payee to return one of
           them. Every report of this run will keep showing this.
`,
    );
  });

  test('of a row that was refused, where a payment like it is there: what was answered, and that it stays refused', () => {
    const refused: Entry = { kind: 'rejected', row: 2, attempt: 1, code: 'BAD_REQUEST', message: 'no funds' };
    const run = exampleRun([payoutRow(2)], [intent(2), refused, { ...SUSPECTED, attempt: 1, transactions: ['t7'] }]);
    expect(shown(run)).toBe(
      `row 2, Payee 2: refused, and perhaps paid
  payout   1250.00 AUD to AUD_NPP ••••4321
  answer   No funds.
  found    t7
  why      The service refused it, and holds a payment like it without a token. Another copy of the
           request may have been taken, or someone else made that payment.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 2 --sent t7
             Records t7 as this payout. Its amount, currency and account are compared first. If it
             is another payment, Payee 2 is not paid.
           payrun resolve ${RUN_ID} 2 --not-sent
             Records that those payments are others: it stays refused. If it was sent after all, the
             report wrongly says that Payee 2 was not paid.
`,
    );
  });

  test.each([
    ['incomplete', [], ['resume R', 'resolve R 2 --sent TX', 'resolve R 2 --not-sent']],
    ['no_expiry', [], ['resume R', 'resolve R 2 --sent TX', 'resolve R 2 --not-sent', 'resume R --resubmit-absent']],
    ['mismatch', ['t1'], ['resume R', 'resolve R 2 --sent t1', 'resolve R 2 --not-sent']],
    ['twice', ['t1', 't2'], ['resume R', 'resolve R 2 --sent t1', 'resolve R 2 --sent t2']],
    ['candidate', ['a', 'b', 'c', 'd'], ['resume R', 'resolve R 2 --sent TX', 'resolve R 2 --not-sent']],
  ] as const)('about %s offers what can help, and nothing else', (about, transactions, commands) => {
    const [doubt] = doubtsOf(inDoubt(LOOKED, unresolved(about, [...transactions])));
    const choices = doubt === undefined ? [] : choiceTexts(doubt, plainCommand);
    expect(choices.map(({ command }) => command)).toEqual(
      commands.map((words) => `payrun ${words.replace('R', RUN_ID)}`),
    );
    for (const { does, risk } of choices) expect([does, risk].every((text) => text.endsWith('.'))).toBe(true);
  });

  test('that is not parked yet is only to be looked for', () => {
    const [doubt] = doubtsOf(inDoubt());
    expect(doubt).toMatchObject({ about: 'open', looks: 0, last_look: null, candidates: [] });
    expect(doubt && choiceTexts(doubt, plainCommand)).toEqual([
      { command: `payrun resume ${RUN_ID}`, does: 'Checks the service again.', risk: 'No risk.' },
    ]);
  });

  test('says what became of the answer, also where an earlier payrun kept it in words alone', () => {
    const answered = (reason: string, answer?: 'lost' | number) => {
      const doubt: Entry = { kind: 'doubt', row: 2, attempt: 1, reason, ...(answer !== undefined && { answer }) };
      const [found] = doubtsOf(exampleRun([payoutRow(2)], [intent(2), doubt, unresolved('no_expiry')]));
      return found && answerText(found);
    };
    const lost = 'It was lost on the way or never sent.';
    expect(answered('the answer was lost (timeout)')).toBe(lost);
    expect(answered('whatever the network says', 'lost')).toBe(lost);
    const open = 'It does not say whether the payment was made (status 502).';
    expect(answered('the service answered 502 without an error of the contract')).toBe(open);
    expect(answered('whatever the service says', 502)).toBe(open);
    expect(answered('the answer has no transaction id')).toBe('The answer has no transaction id.');
  });

  test('keeps what became of the answer beside why it is not settled', () => {
    const [doubt] = doubtsOf(inDoubt(unresolved('no_expiry'), unresolved('incomplete')));
    expect(doubt).toMatchObject({
      answer: 'the answer was lost (timeout)',
      reason: 'as it was noted',
    });
  });

  test('hides account numbers, also those that somebody copied into a name or that an answer repeats', () => {
    const row = payoutRow(2);
    if (row.order) row.order.payee.name = 'Payee 987654321';
    const run = exampleRun([row], [intent(2), { ...DOUBT, reason: 'to 987654321' } as Entry, unresolved('no_expiry')]);
    const [doubt] = doubtsOf(run);
    expect(JSON.stringify(doubt)).not.toContain('987654321');
    expect(shown(run)).not.toContain('987654321');
  });

  test('prints an id of the service as one word of the shell, whatever it is', () => {
    const text = shown(inDoubt(unresolved('candidate', ["x'; rm -r ~"])));
    expect(text).toContain(`payrun resolve ${RUN_ID} 2 --sent 'x'\\''; rm -r ~'\n`);
  });
});

test('a payment that is not what was sent is told with what differs, and --not-sent says what it says of that one', () => {
  const reason = 't1 carries its token PR1, with another amount';
  const mismatch: Entry = { kind: 'unresolved', row: 2, attempt: 1, about: 'mismatch', reason, transactions: ['t1'] };
  const text = shown(inDoubt(LOOKED, mismatch)).replace(/\s+/g, ' ');
  expect(text).toContain('that is not what was sent. t1 carries its token PR1, with another amount.');
  expect(text).toContain('was never made, and that what the service shows is another payment; resume then sends it');
});

test('of a cancelled run nothing is offered that would send again', () => {
  const run = inDoubt(LOOKED, unresolved('no_expiry'), { kind: 'cancelled', by: 'anna@desk' });
  expect(shown(run)).not.toMatch(/--resubmit-absent|then sends|paid twice/);
  expect(shown(run)).toContain('The run is cancelled, so');
});

describe('doubts of a run', () => {
  test('are those whose outcome is unknown and those that were perhaps paid twice', () => {
    expect(countDoubts(inDoubt(unresolved('no_expiry')))).toBe(1);
    expect(countDoubts(surfaced())).toBe(1);
    expect(countDoubts(exampleRun([payoutRow(2)], [intent(2), accepted(2), final(2)]))).toBe(0);
  });

  test('say in the report what the screen says, in one paragraph', () => {
    for (const run of [inDoubt(LOOKED, unresolved('twice', ['t1', 't2'])), surfaced()]) {
      const [doubt] = doubtsOf(run);
      const [row] = reportRows(run);
      expect(row?.result.message).toBe(doubt ? doubtMessage(doubt, plainCommand) : '');
    }
    const [suspected] = reportRows(exampleRun([payoutRow(2)], [SUSPECTED]));
    expect(suspected?.result).toMatchObject({ status: 'unresolved', problem_code: 'unresolved', token: null });
    expect(suspected?.result.message).toBe(
      `Perhaps paid already, and a person must decide. Found: t7, t9. The service shows payments like this one, and this journal knows nothing of them. Either the journal is an old copy that was restored, or the same file was paid from another machine or another data directory. What you can do: [payrun resume ${RUN_ID}] Checks the service again. No risk. [payrun resolve ${RUN_ID} 2 --sent t7] Records t7 as this payout. Its amount, currency and account are compared first. If it is another payment, Payee 2 is not paid. [payrun resolve ${RUN_ID} 2 --sent t9] Records t9 as this payout. Its amount, currency and account are compared first. If it is another payment, Payee 2 is not paid. [payrun resolve ${RUN_ID} 2 --not-sent] Records that those payments are others; resume then sends this one. If it was sent after all, Payee 2 is paid twice. If you have a newer copy of the journal, restore it first. Nothing is sent while this is open.`,
    );
  });
});
