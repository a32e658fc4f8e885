import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { accepted, completed, final, intent, payoutRow } from '../report/example-run.ts';
import { COUNTS, everyEntry, JournalPlace } from './journal-place.ts';

const place = new JournalPlace();

describe('runs', () => {
  test('says what to do where there are none', async () => {
    expect(await place.runs(false)).toMatchObject({
      exit: 0,
      stdout: 'No runs yet. Make the first with `payrun run FILE`.\n',
    });
    expect(JSON.parse((await place.runs(true)).stdout)).toEqual({ runs: [] });
  });

  test('--json has the newest first, each with its state and counts', async () => {
    const done: Entry = { kind: 'finished', counts: { ...COUNTS, completed: 1 } };
    await place.runIn('first', [payoutRow(2)], [...completed(2), done]);
    await place.runIn('second', everyEntry().rows, everyEntry().after);
    await place.runIn('third', [payoutRow(2)], [intent(2)], true);
    const input = { name: 'pay.csv', path: 'in/pay.csv', sha256: 'ab'.repeat(32), bytes: 4_321 };
    expect(JSON.parse((await place.runs(true)).stdout)).toEqual({
      runs: [
        {
          run_id: 'third',
          state: 'stopped',
          rehearsal: true,
          input,
          job: null,
          period: null,
          retries: null,
          retried_by: [],
          created_at: '2026-11-25T09:00:02.000Z',
          counts: { ...COUNTS, unresolved: 1 },
        },
        {
          run_id: 'second',
          state: 'stopped',
          rehearsal: false,
          input,
          job: null,
          period: null,
          retries: null,
          retried_by: [],
          created_at: '2026-11-25T09:00:01.000Z',
          counts: { completed: 1, failed: 1, rejected: 1, unresolved: 3, not_submitted: 2 },
        },
        {
          run_id: 'first',
          state: 'finished',
          rehearsal: false,
          input,
          job: null,
          period: null,
          retries: null,
          retried_by: [],
          created_at: '2026-11-25T09:00:00.000Z',
          counts: { ...COUNTS, completed: 1 },
        },
      ],
    });
  });

  test('for people is a table, and marks rehearsals', async () => {
    await place.runIn(
      'first',
      [payoutRow(2)],
      [...completed(2), { kind: 'finished', counts: { ...COUNTS, completed: 1 } }],
    );
    await place.runIn('second', [payoutRow(2)], [], true);
    expect((await place.runs(false)).stdout).toBe(
      [
        'RUN     STATE     CREATED               JOB  INPUT    PAYOUTS',
        'second  stopped   2026-11-25 09:00:01Z       pay.csv  1 not submitted (rehearsal)',
        'first   finished  2026-11-25 09:00:00Z       pay.csv  1 completed',
        '',
        '(rehearsal) REHEARSAL: no money moves',
        '',
      ].join('\n'),
    );
  });

  test('a run is running while its lease is held by a process that lives, whatever its entries say', async () => {
    await place.runIn('held', [payoutRow(2)]);
    const state = async (): Promise<string> => JSON.parse((await place.runs(true)).stdout).runs[0].state;
    expect(await state()).toBe('stopped');
    const opening = await place.journal.openRun('held');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    expect(await state()).toBe('running');
    await opening.writer.release();
    expect(await state()).toBe('stopped');
  });

  test('counts a run that was taken up again after its end by what its payouts say', async () => {
    const doubt: Entry = { kind: 'doubt', row: 2, attempt: 1, reason: 'lost' };
    const parked: Entry = {
      kind: 'unresolved',
      row: 2,
      attempt: 1,
      about: 'no_expiry',
      reason: 'no proof',
      transactions: [],
    };
    const done: Entry = { kind: 'finished', counts: { ...COUNTS, unresolved: 1 } };
    await place.runIn('again', [payoutRow(2)], [intent(2), doubt, parked, done]);
    const opening = await place.journal.openRun('again');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    await opening.writer.append([accepted(2), final(2)]);
    await opening.writer.release();
    expect(JSON.parse((await place.runs(true)).stdout).runs[0]).toMatchObject({ counts: { ...COUNTS, completed: 1 } });
  });
});
