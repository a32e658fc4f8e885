import { describe, expect, test } from 'vitest';
import { showRun } from '../../src/cli/commands/show/run.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { completed, intent, payoutRow } from '../report/example-run.ts';
import { COUNTS, everyEntry, JournalPlace } from './journal-place.ts';

const place = new JournalPlace();

describe('show', () => {
  test('leaves the payouts out of the JSON where none of a hundred thousand is wanted', async () => {
    const { rows, after } = everyEntry();
    await place.runIn('run1', rows, after);
    const { payouts, ...rest } = JSON.parse((await place.show('run1', true)).stdout);
    const without = { withPayouts: false };
    const { exit, stdout } = await place.printed({ json: true }, (here) => showRun(here, 'run1', without), 'show');
    expect([exit, payouts.length]).toEqual([0, 8]);
    expect(JSON.parse(stdout)).toEqual(rest);
  });

  test('tells the state of each payout, problems last and doubts in words', async () => {
    const { rows, after } = everyEntry();
    await place.runIn('run1', rows, after);
    const { exit, stdout } = await place.show('run1', false);
    expect(exit).toBe(0);
    expect(stdout).toBe(
      `Run run1: stopped (interrupted); 8 payouts from pay.csv
created 2026-11-25T09:00:00.000Z

ROW  PAYEE     AMOUNT  CURRENCY  ACCOUNT           STATE            TRANSACTION
  2  Payee 2  1250.00  AUD       AUD_NPP ••••4321  not sent yet
  3  Payee 3  1250.00  AUD       AUD_NPP ••••4321  completed        tx_3
  4  Payee 4  1250.00  AUD       AUD_NPP ••••4321  accepted         tx_4
  5  Payee 5  1250.00  AUD       AUD_NPP ••••4321  in doubt
  6  Payee 6  1250.00  AUD       AUD_NPP ••••4321  failed           tx_6
  7  Payee 7  1250.00  AUD       AUD_NPP ••••4321  rejected
  8  Payee 8  1250.00  AUD       AUD_NPP ••••4321  sent, no answer
  9                                                not submitted

row 9, not submitted: ••••4321 is no account.
row 7 (Payee 7), rejected: Not payable.
row 6 (Payee 6), failed: The account ••••4321 is closed.

row 5, Payee 5: in doubt
  payout   1250.00 AUD to AUD_NPP ••••4321
  sent     2026-11-25 09:00:01 UTC, with the token PR0000000000051 in its description
  answer   It was lost on the way or never sent.
  looked   2 times by its token, last at 2026-11-25 09:00:01 UTC: it is not in the service's list,
           which was complete.
  why      The lookup at the service is not complete. It is not resent before that.
  you can  payrun resume run1
             Checks the service again. No risk.

row 8, Payee 8: in doubt
  payout   1250.00 AUD to AUD_NPP ••••4321
  sent     2026-11-25 09:00:01 UTC, with the token PR0000000000081 in its description
  answer   The process stopped before an answer was recorded.
  looked   Not looked up yet.
  why      The lookup at the service is not complete. It is not resent before that.
  you can  payrun resume run1
             Checks the service again. No risk.

1 completed, 1 failed, 1 rejected, 3 unresolved, 2 not submitted
2500.00 of 8750.00 AUD sent
go on with   payrun resume run1
`,
    );
  });

  test('leaves to a living process what it has under way, and not what it has parked', async () => {
    const parked: Entry[] = [
      intent(3),
      { kind: 'doubt', row: 3, attempt: 1, reason: 'lost' },
      { kind: 'unresolved', row: 3, attempt: 1, about: 'no_expiry', reason: 'no proof', transactions: [] },
    ];
    await place.runIn('run1', [payoutRow(2), payoutRow(3)], [intent(2), ...parked]);
    expect((await place.show('run1', false)).stdout).toContain('\nrow 2, Payee 2: in doubt\n');
    const opening = await place.journal.openRun('run1');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    const { stdout } = await place.show('run1', false);
    expect(stdout).not.toContain('\nrow 2, Payee 2: in doubt\n');
    expect(stdout).toContain('\nrow 3, Payee 3: in doubt\n');
    // It holds the run, so nobody else can go on with it.
    expect(stdout).not.toContain('\ngo on with ');
    await opening.writer.release();
  });

  test('of a finished rehearsal says that no money moved, and nothing to go on with', async () => {
    const done: Entry = { kind: 'finished', counts: { ...COUNTS, completed: 1 } };
    await place.runIn('run1', [payoutRow(2)], [...completed(2), done], true);
    const { stdout } = await place.show('run1', false);
    expect(stdout).toMatch(/^REHEARSAL: no money moves\nRun run1: finished; 1 payout from pay\.csv\n/);
    expect(stdout).toContain('finished 2026-11-25T09:00:01.000Z');
    expect(stdout).not.toContain('resume');
    expect(stdout.trimEnd()).toMatch(/1 completed\n1250\.00 of 1250\.00 AUD sent$/);
  });

  test('--json has every payout with its exact state', async () => {
    const { rows, after } = everyEntry();
    await place.runIn('run1', rows, after);
    const { payouts, ...run } = JSON.parse((await place.show('run1', true)).stdout);
    expect(run).toMatchObject({ run_id: 'run1', state: 'stopped', stopped: 'interrupted', rehearsal: false, exit: 0 });
    expect(payouts.map(({ row, state, status }: Record<string, unknown>) => [row, state, status])).toEqual([
      [2, 'waiting', 'not_submitted'],
      [3, 'completed', 'completed'],
      [4, 'accepted', 'unresolved'],
      [5, 'in_doubt', 'unresolved'],
      [6, 'failed', 'failed'],
      [7, 'rejected', 'rejected'],
      [8, 'sending', 'unresolved'],
      [9, 'not_submitted', 'not_submitted'],
    ]);
    expect(payouts[1]).toMatchObject({
      name: 'Payee 3',
      amount: '1250.00',
      currency: 'AUD',
      account: 'AUD_NPP ••••4321',
    });
  });

  test('--json of three thousand payouts is one object', async () => {
    await place.runIn(
      'many',
      Array.from({ length: 3_000 }, (_, at) => payoutRow(at + 2)),
    );
    const { stdout } = await place.show('many', true);
    expect(JSON.parse(stdout).payouts).toHaveLength(3_000);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('shows nothing of a cell that could command the terminal', async () => {
    const row = payoutRow(2);
    if (row.order) row.order.payee.name = 'Eve\u001b[2J\u202Egpj';
    await place.runIn(
      'run1',
      [row],
      [intent(2), { kind: 'rejected', row: 2, attempt: 1, code: 'X', message: 'no\u001b]0;x\u0007' }],
    );
    const { stdout } = await place.show('run1', false);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
    expect(stdout).toContain('Eve\uFFFD[2J');
  });
});
