import { expect, test } from 'vitest';
import { summaryText } from '../../src/cli/runs/summary.ts';
import { commandsFor } from '../../src/compose/command-hints.ts';
import type { Entry } from '../../src/domain/entry.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { countsOf } from '../../src/report/model/outcome.ts';
import { totalsOf } from '../../src/report/model/totals.ts';
import type { RunEnd } from '../../src/runner/run.ts';
import { accepted, completed, exampleRun, final, intent, payoutRow, RUN_ID } from '../report/example-run.ts';

function summary(run: RunState, end?: RunEnd, dataDir = '.payrun'): string {
  const counts = countsOf(run);
  const options = { run, end: end ?? { end: 'finished' as const, counts }, counts, totals: totalsOf(run) };
  return summaryText({ ...options, report: ['reports/x/report.csv'], command: commandsFor({ dataDir }) });
}

function inDoubt(row: number, about: 'no_expiry' | 'candidate', transactions: string[] = []): Entry[] {
  return [
    intent(row),
    { kind: 'doubt', row, attempt: 1, reason: 'the answer was lost (timeout)' },
    { kind: 'looked', row, attempt: 1, found: 0, complete: true },
    { kind: 'unresolved', row, attempt: 1, about, reason: 'as it was noted', transactions },
  ];
}

const REJECTED: Entry = {
  kind: 'rejected',
  row: 6,
  attempt: 1,
  code: 'NOT_PAYABLE',
  message: 'Not payable.',
  spent: true,
};

test('the end of a run leads with its doubts, by their kind, and with what a person can do and risks', () => {
  const rows = [2, 3, 4, 5, 6].map((row) => payoutRow(row));
  const doubts = [...inDoubt(3, 'no_expiry'), ...inDoubt(4, 'no_expiry'), ...inDoubt(5, 'candidate', ['t7'])];
  const run = exampleRun(rows, [...completed(2), ...doubts, intent(6), REJECTED]);
  expect(summary(run, undefined, "Anna's pay")).toBe(
    `Run ${RUN_ID} finished: 1 completed, 1 rejected, 3 unresolved.

In doubt, perhaps paid: 2 payouts. The service does not promise to drop a request that it did not
accept in time. It may still be paid, so its absence from the list proves nothing.
  row 3  Payee 3  1250.00 AUD  sent 2026-11-25 09:00:00 UTC
  row 4  Payee 4  1250.00 AUD  sent 2026-11-25 09:00:00 UTC
  you can  payrun resume ${RUN_ID} --data-dir 'Anna'\\''s pay'
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 3 --sent TX --data-dir 'Anna'\\''s pay'
             Records the transaction that you name as this payout. Its amount, currency and account
             are compared first. If it is another payment, Payee 3 is not paid.
           payrun resolve ${RUN_ID} 3 --not-sent --data-dir 'Anna'\\''s pay'
             Records that it was never made, unless the service shows it; resume then sends it
             again. If it was sent after all, Payee 3 is paid twice.
           payrun resume ${RUN_ID} --resubmit-absent --data-dir 'Anna'\\''s pay'
             Checks again, and resends every unconfirmed payout of this run that is not in the
             service's list. Any that were made after all will be paid twice.
  the same for each other row; all about each: payrun show ${RUN_ID} --data-dir 'Anna'\\''s pay'

In doubt, perhaps paid: 1 payout. The service shows a payment of this amount that could be this one,
and nothing in it says whether it is.
  row 5  Payee 5  1250.00 AUD  sent 2026-11-25 09:00:00 UTC  found t7
  you can  payrun resume ${RUN_ID} --data-dir 'Anna'\\''s pay'
             Checks the service again. No risk.
           payrun resolve ${RUN_ID} 5 --sent t7 --data-dir 'Anna'\\''s pay'
             Records t7 as this payout. Its amount, currency and account are compared first. If it
             is another payment, Payee 5 is not paid.
           payrun resolve ${RUN_ID} 5 --not-sent --data-dir 'Anna'\\''s pay'
             Records that it was never made, unless the service shows it; resume then sends it
             again. If it was sent after all, Payee 5 is paid twice.

  currency   planned      sent
  AUD       6,250.00  1,250.00

Not paid:
  row 6  Payee 6  rejected: Not payable.

report  reports/x/report.csv
retry   payrun retry ${RUN_ID} --data-dir 'Anna'\\''s pay'
look    payrun show ${RUN_ID} --data-dir 'Anna'\\''s pay'
`,
  );
});

test('what was refused is not called unpaid while another copy of its request may have been taken', () => {
  const rows = [payoutRow(6)];
  const end: RunEnd = { end: 'interrupted' };
  const [proven, open] = [REJECTED, { ...REJECTED, spent: undefined }].map((entry) =>
    summary(exampleRun(rows, [intent(6), entry as Entry]), end),
  );
  expect(proven).toContain('Not paid:');
  expect(open).not.toContain('Not paid');
});

test('a run without doubts says nothing of them, and no codes', () => {
  const failed = final(2, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'The account is closed.' });
  const run = exampleRun([payoutRow(2), payoutRow(6)], [intent(2), accepted(2), failed, intent(6), REJECTED]);
  expect(summary(run)).toBe(
    `Run ${RUN_ID} finished: 1 failed, 1 rejected.

  currency   planned      sent
  AUD       2,500.00      0.00

Not paid:
  row 2  Payee 2  failed: The account is closed.
  row 6  Payee 6  rejected: Not payable.

report  reports/x/report.csv
retry   payrun retry ${RUN_ID}
`,
  );
});

test.each([
  ['person_needed', { code: 'old_copy', rows: 1 }, 'is it an old copy?', 'look    payrun show'],
  ['outage', { code: 'unreached', cause: null }, 'the service cannot be reached.', 'go on   payrun resume'],
] as const)('a run that stopped for %s says why, and what comes next', (reason, why, said, next) => {
  const run = exampleRun([payoutRow(2)], inDoubt(2, 'no_expiry'));
  const text = summary(run, { end: 'halted', reason, why });
  expect(text).toMatch(new RegExp(`^Run ${RUN_ID} stopped: `));
  expect(text).toContain(` ${said}\n`);
  expect(text.trimEnd().split('\n').at(-1)).toBe(`${next} ${RUN_ID}`);
});

test('a cancelled run is called so, and a terminal is not commanded by what it shows', () => {
  const row = payoutRow(2);
  if (row.order) row.order.payee.name = 'Eve\u001b[2J';
  const cancelled: Entry[] = [
    { kind: 'cancelled', by: 'anna@desk' },
    { kind: 'not_submitted', row: 2, code: 'cancelled', message: 'The run was cancelled before it was sent.' },
  ];
  const text = summary(exampleRun([row], cancelled));
  expect(text).toContain(`Run ${RUN_ID} was cancelled: 1 not submitted.\n`);
  expect(text).toContain('  row 2  Eve\uFFFD[2J  not submitted: The run was cancelled before it was sent.\n');
});

test('no whole account number is shown, wherever it was copied to', () => {
  const row = payoutRow(2);
  if (row.order) row.order.payee.name = 'Payee 987654321';
  const closed = final(2, { status: 'FAILED', code: 'CLOSED', message: 'The account 987654321 is closed.' });
  const text = summary(exampleRun([row], [intent(2), accepted(2), closed]));
  expect(text).toContain('  row 2  Payee ••••4321  failed: The account ••••4321 is closed.\n');
});

test('a long list of doubts names the first of them, and the report has all', () => {
  const rows = Array.from({ length: 25 }, (_, at) => payoutRow(at + 2));
  const run = exampleRun(
    rows,
    rows.flatMap(({ row }) => inDoubt(row, 'no_expiry')),
  );
  const text = summary(run);
  expect(text).toContain('row 21  Payee 21');
  expect(text).not.toContain('row 22');
  expect(text).toContain('  … and 5 more in the report\n');
});
