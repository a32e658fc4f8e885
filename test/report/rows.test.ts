import { describe, expect, test } from 'vitest';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import { fault } from '../../src/domain/problem.ts';
import { decodeEntry, encodeEntry } from '../../src/journal/entries.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { countsOf, phaseOf, statusOf } from '../../src/report/model/outcome.ts';
import { ownColumns, REPORT_COLUMNS, type ReportRow, reportRows } from '../../src/report/model/rows.ts';
import { totalsOf } from '../../src/report/model/totals.ts';
import { readAll } from '../input/reading.ts';
import {
  AUD,
  accepted,
  completed,
  everyState,
  exampleRun,
  final,
  intent,
  JPY,
  payoutRow,
  problemRow,
  RUN_ID,
  USDC,
} from './example-run.ts';

const RESUME = `payrun resume ${RUN_ID}`;

describe('a row of the report', () => {
  test('of a completed payout says everything that is known, in major units and UTC', () => {
    const run = exampleRun([payoutRow(2)], completed(2));
    const [{ hide, ...told }] = Array.from(reportRows(run)) as [ReportRow];
    expect(hide('to 987654321')).toBe('to ••••4321');
    expect(told).toEqual({
      row: 2,
      cells: ['Payee 2', '1250.00', 'AUD', '••••4321', ''],
      result: {
        status: 'completed',
        transaction_id: 'tx_2',
        recipient_id: 'rec_2',
        external_account_id: 'acc_2',
        sent_amount: '1250.00',
        sent_currency: 'AUD',
        received_amount: '1250.00',
        received_currency: 'AUD',
        fees: '0.35',
        submitted_at: '2026-11-25T09:00:00.003Z',
        finished_at: '2026-11-25T09:00:00.005Z',
        attempts: 1,
        token: 'PR0000000000021',
        problem_code: null,
        message: null,
      },
      message: null,
      source: run.rows.at(0),
      payout: run.payouts.get(2),
    });
  });

  test('has the columns of the report in their order', () => {
    const [row] = reportRows(exampleRun([payoutRow(2)], completed(2)));
    expect(Object.keys(row?.result ?? {})).toEqual([...REPORT_COLUMNS]);
  });

  test.each([
    [2, 'waiting', 'not_submitted', 'not_sent_yet', `Not sent yet; ${RESUME} continues it.`],
    [
      3,
      'sending',
      'unresolved',
      'outcome_unknown',
      `Sent, and no answer was recorded; ${RESUME} looks it up at the service.`,
    ],
    [
      4,
      'in doubt',
      'unresolved',
      'outcome_unknown',
      `In doubt: the answer was lost (timeout); ${RESUME} looks it up at the service.`,
    ],
    [
      5,
      'accepted',
      'unresolved',
      'not_final_yet',
      `Accepted by the service, not final yet. ${RESUME} waits for the outcome.`,
    ],
    [6, 'completed', 'completed', null, null],
    [7, 'failed', 'failed', 'ACCOUNT_CLOSED', 'The account is closed.'],
    [8, 'rejected', 'rejected', 'NOT_PAYABLE', 'Not payable.'],
    [
      9,
      'unresolved',
      'unresolved',
      'unresolved',
      expect.stringMatching(/^In doubt, and a person must decide\. Sent 2026-11-25 09:00:00 UTC\. The answer: /),
    ],
    [10, 'refused for a problem', 'not_submitted', 'amount_not_a_number', 'The amount is not a number.'],
  ])('%i, which is %s, has the status %s', (number, _state, status, code, message) => {
    const row = [...reportRows(everyState())].find((found) => found.row === number);
    expect(row?.result).toMatchObject({ status, problem_code: code, message });
  });

  test('of a payout that may have been sent names its token and account, and no amount as sent', () => {
    for (const row of [...reportRows(everyState())].filter(({ row }) => row === 3 || row === 4 || row === 9))
      expect(row.result).toMatchObject({
        transaction_id: null,
        external_account_id: `acc_${row.row}`,
        recipient_id: `rec_${row.row}`,
        token: `PR${String(row.row).padStart(12, '0')}1`,
        sent_amount: null,
        submitted_at: expect.stringMatching(/^2026-11-25T09:00:00\.\d{3}Z$/),
        finished_at: null,
      });
  });

  test('that waits in a cancelled run does not read as unpaid before the service was asked', () => {
    const run = exampleRun([payoutRow(2)], [{ kind: 'cancelled', by: 'ada@desk' }]);
    const [row] = reportRows(run);
    expect(row?.result).toMatchObject({
      status: 'unresolved',
      problem_code: 'not_looked_up',
      message: `The run was cancelled before checking whether this was already paid. ${RESUME} looks it up at the service. Do not pay it by other means before that.`,
    });
    expect(countsOf(run)).toMatchObject({ unresolved: 1, not_submitted: 0 });
  });

  test('of a failed payout has no amounts, so that the column sums up to what was paid', () => {
    const failed = [...reportRows(everyState())].find(({ result }) => result.status === 'failed');
    expect(failed?.result).toMatchObject({
      sent_amount: null,
      received_amount: null,
      fees: null,
      transaction_id: 'tx_7',
    });
    expect(failed?.result.finished_at).not.toBeNull();
  });

  test('of an attempt that took no effect counts it and says so', () => {
    const [once] = reportRows(
      exampleRun(
        [payoutRow(2)],
        [intent(2), { kind: 'no_effect', row: 2, attempt: 1, reason: '429', answered: true, spent: true }],
      ),
    );
    expect(once?.result).toMatchObject({
      status: 'not_submitted',
      attempts: 1,
      token: null,
      message: `Its attempt took no effect, so nothing is sent; ${RESUME} tries again.`,
    });
  });

  test('keeps the decimals of each currency and names the chain of a crypto one', () => {
    const run = exampleRun(
      [payoutRow(2, { currency: JPY, amountMinor: '1250' }), payoutRow(3, { currency: USDC, amountMinor: '1' })],
      [...completed(2, { currency: JPY, amountMinor: '1250' }), ...completed(3, { currency: USDC, amountMinor: '1' })],
    );
    expect([...reportRows(run)].map(({ result }) => [result.received_amount, result.received_currency])).toEqual([
      ['1250', 'JPY'],
      ['0.000001', 'USDC on polygon'],
    ]);
  });

  test('takes what was sent and what was received from the service, each in its currency', () => {
    const run = exampleRun(
      [payoutRow(2)],
      [intent(2), accepted(2), final(2, { sent_minor: '81', sent_currency: JPY, fees_minor: '3' })],
    );
    const [row] = reportRows(run);
    expect(row?.result).toMatchObject({
      sent_amount: '81',
      sent_currency: 'JPY',
      fees: '3',
      received_amount: '1250.00',
      received_currency: 'AUD',
    });
  });

  test('of a rehearsal says so, whatever else it says', () => {
    const rows = [payoutRow(2), problemRow(3, ['P', 'x', 'AUD', '1', ''])];
    expect(
      [...reportRows(exampleRun(rows, completed(2), { rehearsal: true }))].map(({ result }) => result.message),
    ).toEqual(['REHEARSAL: no money moves', 'REHEARSAL: no money moves. The amount is not a number.']);
  });

  test('has as many cells as the header', () => {
    const run = exampleRun([problemRow(2, ['only one']), problemRow(3, ['1', '2', '3', '4', '5', '6'])]);
    expect([...reportRows(run)].map(({ cells }) => cells.length)).toEqual([5, 5]);
  });
});

describe('the words of a row that is not paid for what is wrong with it', () => {
  const RUN = { id: 'R20261125-7K3M9QZ2', at: Date.UTC(2026, 10, 25), isRehearsal: false };

  /** The row as it is read back from a journal, and its message in the report. */
  function kept(row: RunRow) {
    const read = decodeEntry(encodeEntry({ kind: 'rows', rows: [row] }).data);
    if (!read.ok || read.entry.kind !== 'rows') throw new Error(JSON.stringify(read));
    const [first] = reportRows(exampleRun(read.entry.rows));
    return { row: read.entry.rows[0], message: first?.message };
  }

  test('are made of its code and parameters, and are those that a journal of before has kept', async () => {
    const header = 'name,amount,currency,rail,account_number,national_clearing_code,bic';
    const rows = [
      'Ada,x,AUD,AUD_NPP,12345678,062-000,',
      'Ada,1.005,AUD,AUD_NPP,12345678,062-000,',
      'Ada,1,AUD,AUD_NPP,12345678,62000,',
      'Ada,1,EUR,EUR_SEPA,DE0212030000000020205,,',
      'Ada,1,EUR,EUR_SEPA,DE02120300000000202052,,',
      'Ada,1,GBP,GBP_FPS,GB33BUKB20201555555555,,',
      'Ada,1,AUDD,,12345678,062-000,',
      ',1,AUD,AUD_NPP,12345678,062-000,',
      'Ada,1,AUD,AUD_NPP,12345678,062-000,,more',
    ];
    const { runRows } = await readAll([header, ...rows].join('\n'));
    expect(runRows).toHaveLength(rows.length);
    for (const row of runRows) {
      if (row.problem === null || 'message' in row.problem) throw new Error(`row ${row.row} has no code`);
      const { code, params } = row.problem;
      const { message } = problemWords({ code, params }, 'command_line');
      const before = kept({ ...row, problem: { code, message } });
      expect(before.row?.problem).toEqual({ code, message });
      expect(kept(row)).toEqual({ row: { ...row, problem: { code, params } }, message: before.message });
      expect(message).not.toBe(`${code.replaceAll('_', ' ')}.`);
    }
  });

  test.each([
    ['paid', RUN, `The same amount was paid to the same account by run ${RUN.id} of 2026-11-25.`],
    ['perhaps', RUN, `The same amount was perhaps paid to the same account by run ${RUN.id} of 2026-11-25.`],
    ['waiting', null, 'The same amount is to be paid to the same account.'],
  ] as const)('say that it was left out as %s before', (standing, run, words) => {
    const row = { ...payoutRow(2), order: null, problem: fault('paid_before', { standing, run }) };
    expect(kept(row).message).toBe(words);
  });
});

describe('names of the own columns', () => {
  test.each([
    [
      ['Name', 'Amount'],
      ['Name', 'Amount'],
    ],
    [
      ['status', 'Message', ' TOKEN '],
      ['input_status', 'input_Message', 'input_TOKEN'],
    ],
    [
      ['status', 'input_status'],
      ['input_status', 'input_status (2)'],
    ],
    [
      ['note', 'note', 'note (2)', 'note'],
      ['note', 'note (2)', 'note (2) (2)', 'note (3)'],
    ],
    [
      ['', 'Name', '  '],
      ['column 1', 'Name', 'column 3'],
    ],
    [
      ['__proto__', 'constructor'],
      ['__proto__', 'constructor'],
    ],
  ])('%j become %j', (header, names) => {
    expect(ownColumns({ header })).toEqual(names);
  });

  test('are never one of ours, and never the same twice', () => {
    const header = [...REPORT_COLUMNS, ...REPORT_COLUMNS.map((name) => name.toUpperCase()), ...REPORT_COLUMNS, '', ''];
    const all = [...ownColumns({ header }), ...REPORT_COLUMNS];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('counts, phase, totals', () => {
  test('count every row under one of the five statuses', () => {
    expect(countsOf(everyState())).toEqual({ completed: 1, failed: 1, rejected: 1, unresolved: 4, not_submitted: 2 });
  });

  test('every status of the rows is the one that is counted', () => {
    const run = everyState();
    const counted = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
    for (const { result } of reportRows(run)) counted[result.status]++;
    expect(counted).toEqual(countsOf(run));
  });

  test('nothing that may have been sent is ever not_submitted', () => {
    for (const state of ['sending', 'in_doubt', 'accepted', 'unresolved'] as const)
      expect(statusOf(state, false)).toBe('unresolved');
  });

  test('what was refused is not called unpaid while another copy of the request may have been taken', () => {
    const rejected = { kind: 'rejected', row: 2, attempt: 1, code: 'INSUFFICIENT_FUNDS', message: 'no funds' } as const;
    const refused = { kind: 'no_effect', row: 3, attempt: 1, reason: 'too fast (429)', answered: true } as const;
    const rows = [payoutRow(2), payoutRow(3)];
    const statusesOf = (...after: Entry[]) => {
      const run = exampleRun(rows, [intent(2), intent(3), ...after]);
      const statuses = Array.from(reportRows(run), ({ result }) => result.status);
      for (const [status, count] of Object.entries(countsOf(run)))
        expect(statuses.filter((one) => one === status)).toHaveLength(count);
      return statuses;
    };
    const counts = { completed: 0, failed: 0, rejected: 1, unresolved: 0, not_submitted: 1 };
    expect(statusesOf(rejected, refused)).toEqual(['unresolved', 'unresolved']);
    expect(statusesOf({ ...rejected, spent: true }, { ...refused, spent: true })).toEqual([
      'rejected',
      'not_submitted',
    ]);
    // It has looked for them once more, when none could come any more.
    expect(statusesOf(rejected, refused, { kind: 'finished', counts })).toEqual(['rejected', 'not_submitted']);
    const [first] = reportRows(exampleRun(rows, [intent(2), rejected]));
    expect(first?.result.message).toMatch(
      /^no funds; another copy of the request may have been taken, and payrun resume \S+ looks it up/,
    );
  });

  test('a run is running, then stopped, then running again after its lease is taken, then finished', () => {
    const rows = [payoutRow(2)];
    const stopped = { kind: 'stopped', reason: 'interrupted' } as const;
    const taken = { kind: 'lease_taken', epoch: 2, holder: 'host' } as const;
    const counts = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
    expect(phaseOf(exampleRun(rows))).toBe('running');
    expect(phaseOf(exampleRun(rows, [stopped]))).toBe('stopped');
    expect(phaseOf(exampleRun(rows, [stopped, taken]))).toBe('running');
    expect(phaseOf(exampleRun(rows, [...completed(2), { kind: 'finished', counts }]))).toBe('finished');
  });

  test('totals are per currency and chain; what failed or is in doubt is planned and not sent', () => {
    const run = exampleRun(
      [
        payoutRow(2),
        payoutRow(3, { amountMinor: '1' }),
        payoutRow(4, { currency: USDC, amountMinor: '2500001' }),
        payoutRow(5, { amountMinor: '200' }),
        payoutRow(6, { amountMinor: '30' }),
        problemRow(7, ['Payee 7', 'x', 'AUD', '1', '']),
      ],
      [
        ...completed(2),
        intent(3, { amountMinor: '1' }),
        accepted(3),
        intent(4, { currency: USDC, amountMinor: '2500001' }),
        intent(5, { amountMinor: '200' }),
        accepted(5),
        final(5, { status: 'FAILED' }),
      ],
    );
    expect(totalsOf(run)).toEqual([
      { currency: 'AUD', planned: '1252.31', sent: '1250.01' },
      { currency: 'USDC on polygon', planned: '2.500001', sent: '0.000000' },
    ]);
  });

  test('totals of amounts beyond what a float holds are exact', () => {
    const amountMinor = '900719925474099301';
    const run = exampleRun([payoutRow(2, { amountMinor }), payoutRow(3, { amountMinor })]);
    expect(totalsOf(run)).toEqual([{ currency: 'AUD', planned: '18014398509481986.02', sent: '0.00' }]);
    expect(AUD.decimals).toBe(2);
  });
});
