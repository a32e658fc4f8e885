import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { VerifyInput } from '../../src/app/verify/verify.ts';
import { reportRun } from '../../src/cli/commands/report/run.ts';
import { listRuns } from '../../src/cli/commands/runs/run.ts';
import { showRun } from '../../src/cli/commands/show/run.ts';
import { verifyAll as verifyJournal, verifyRun } from '../../src/cli/commands/verify/run.ts';
import type { Here } from '../../src/cli/here.ts';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { machineRandomness } from '../../src/platform/machine.ts';
import { writeHeads } from '../../src/report/witness.ts';
import {
  accepted,
  completed,
  final,
  intent,
  payoutRow,
  problemRow,
  runCreated,
  STARTED_AT,
} from '../report/example-run.ts';
import { hereOver } from '../support/over-journal.ts';
import { unpublished } from '../support/published-schemas.ts';
import { refusedBy } from '../support/refused.ts';

const ACCOUNT = '987654321';

let directory: string;
let journal: Journal;
let nowMs: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'payrun-commands-'));
  nowMs = STARTED_AT;
  journal = opened();
});
afterEach(async () => {
  await journal.close();
  rmSync(directory, { recursive: true, force: true });
});

function opened(): Journal {
  const clock: Clock = {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: () => Promise.resolve(),
    soon: (work) => setImmediate(work),
  };
  return openJournal({
    path: join(directory, 'journal.db'),
    clock,
    randomness: machineRandomness,
    process: { host: 'here', boot_id: 'boot', pid: 1, started: '1' },
    isAlive: () => true,
    leaseMs: 30_000,
  });
}

/** A run in the journal, with its report under the test's directory. */
async function runIn(runId: string, rows: RunRow[], after: Entry[] = [], rehearsal = false): Promise<void> {
  const header = { ...runCreated(rows.length, { rehearsal }), run_id: runId, report_dir: join(directory, 'reports') };
  const created = await journal.createRun({ header, rows: [{ kind: 'rows', rows }], refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  nowMs += 1_000;
  if (after.length > 0) await created.writer.append(after);
  await created.writer.release();
}

/** Every state at once: rows 2 to 9, the last three of them problems. */
function everyEntry(): { rows: RunRow[]; after: Entry[] } {
  const rows = [2, 3, 4, 5, 6, 7, 8].map((row) => payoutRow(row));
  rows.push(
    problemRow(9, ['Payee 9', 'x', 'AUD', ACCOUNT, ''], {
      code: 'account_number',
      message: `${ACCOUNT} is no account.`,
    }),
  );
  return {
    rows,
    after: [
      ...completed(3),
      intent(4),
      accepted(4),
      intent(5),
      { kind: 'doubt', row: 5, attempt: 1, reason: 'the answer was lost (timeout)' },
      { kind: 'looked', row: 5, attempt: 1, found: 0, complete: true },
      { kind: 'looked', row: 5, attempt: 1, found: 0, complete: true },
      intent(6),
      accepted(6),
      final(6, { status: 'FAILED', code: 'CLOSED', message: `The account ${ACCOUNT} is closed.` }),
      intent(7),
      { kind: 'rejected', row: 7, attempt: 1, code: 'NOT_PAYABLE', message: 'Not payable.', spent: true },
      intent(8),
      { kind: 'stopped', reason: 'interrupted' },
    ],
  };
}

type Printed = { exit: number; stdout: string; stderr: string };

async function printed(
  options: { json?: boolean; reportDir?: string },
  command: (here: Here) => number | Promise<number>,
  schema: string | false = false,
): Promise<Printed> {
  const out: Printed = { exit: -1, stdout: '', stderr: '' };
  const io = {
    stdout(text: string) {
      out.stdout += text;
    },
    stderr(text: string) {
      out.stderr += text;
    },
  };
  out.exit = await command(hereOver(journal, io, { dataDir: directory, ...options }));
  if (schema !== false) expect(unpublished(schema, out.stdout)).toBeNull();
  return out;
}

const runs = (json: boolean) => printed({ json }, listRuns, json && 'runs');
const show = (runId: string, json: boolean) => printed({ json }, (here) => showRun(here, runId), json && 'show');
const report = (runId: string, options: { reportDir?: string; json?: boolean } = {}) =>
  printed(options, (here) => reportRun(here, runId, ['csv', 'json']));
const verify = (runId: string, json: boolean) =>
  printed({ json }, (here) => verifyRun(here, runId, {}), json && 'verify');

/** Edits the journal's file behind its back: as one who knows SQL, but not the hashes. */
async function tamper(sql: string): Promise<void> {
  await journal.close();
  const database = new DatabaseSync(join(directory, 'journal.db'));
  database.exec('DROP TRIGGER entry_is_never_changed; DROP TRIGGER entry_is_never_deleted;');
  database.exec(sql);
  database.close();
  journal = opened();
}

const COUNTS = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

describe('runs', () => {
  test('says what to do where there are none', async () => {
    expect(await runs(false)).toMatchObject({
      exit: 0,
      stdout: 'No runs yet. Make the first with `payrun run FILE`.\n',
    });
    expect(JSON.parse((await runs(true)).stdout)).toEqual({ runs: [] });
  });

  test('--json has the newest first, each with its state and counts', async () => {
    const done: Entry = { kind: 'finished', counts: { ...COUNTS, completed: 1 } };
    await runIn('first', [payoutRow(2)], [...completed(2), done]);
    await runIn('second', everyEntry().rows, everyEntry().after);
    await runIn('third', [payoutRow(2)], [intent(2)], true);
    const input = { name: 'pay.csv', path: 'in/pay.csv', sha256: 'ab'.repeat(32), bytes: 4_321 };
    expect(JSON.parse((await runs(true)).stdout)).toEqual({
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
    await runIn('first', [payoutRow(2)], [...completed(2), { kind: 'finished', counts: { ...COUNTS, completed: 1 } }]);
    await runIn('second', [payoutRow(2)], [], true);
    expect((await runs(false)).stdout).toBe(
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
    await runIn('held', [payoutRow(2)]);
    const state = async (): Promise<string> => JSON.parse((await runs(true)).stdout).runs[0].state;
    expect(await state()).toBe('stopped');
    const opening = await journal.openRun('held');
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
    await runIn('again', [payoutRow(2)], [intent(2), doubt, parked, done]);
    const opening = await journal.openRun('again');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    await opening.writer.append([accepted(2), final(2)]);
    await opening.writer.release();
    expect(JSON.parse((await runs(true)).stdout).runs[0]).toMatchObject({ counts: { ...COUNTS, completed: 1 } });
  });
});

describe('show', () => {
  test('leaves the payouts out of the JSON where none of a hundred thousand is wanted', async () => {
    const { rows, after } = everyEntry();
    await runIn('run1', rows, after);
    const { payouts, ...rest } = JSON.parse((await show('run1', true)).stdout);
    const without = { withPayouts: false };
    const { exit, stdout } = await printed({ json: true }, (here) => showRun(here, 'run1', without), 'show');
    expect([exit, payouts.length]).toEqual([0, 8]);
    expect(JSON.parse(stdout)).toEqual(rest);
  });

  test('tells the state of each payout, problems last and doubts in words', async () => {
    const { rows, after } = everyEntry();
    await runIn('run1', rows, after);
    const { exit, stdout } = await show('run1', false);
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
  answer   It was lost on the way, or never came.
  looked   2 times by its token, last at 2026-11-25 09:00:01 UTC: it is not in the service's list,
           which was complete.
  why      Nobody has finished looking for it at the service. It is not sent again before that.
  you can  payrun resume run1
             Looks at the service again. Risks nothing.

row 8, Payee 8: in doubt
  payout   1250.00 AUD to AUD_NPP ••••4321
  sent     2026-11-25 09:00:01 UTC, with the token PR0000000000081 in its description
  answer   The process stopped before an answer was recorded.
  looked   Not looked for yet.
  why      Nobody has finished looking for it at the service. It is not sent again before that.
  you can  payrun resume run1
             Looks at the service again. Risks nothing.

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
    await runIn('run1', [payoutRow(2), payoutRow(3)], [intent(2), ...parked]);
    expect((await show('run1', false)).stdout).toContain('\nrow 2, Payee 2: in doubt\n');
    const opening = await journal.openRun('run1');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    const { stdout } = await show('run1', false);
    expect(stdout).not.toContain('\nrow 2, Payee 2: in doubt\n');
    expect(stdout).toContain('\nrow 3, Payee 3: in doubt\n');
    // It holds the run, so nobody else can go on with it.
    expect(stdout).not.toContain('\ngo on with ');
    await opening.writer.release();
  });

  test('of a finished rehearsal says that no money moved, and nothing to go on with', async () => {
    const done: Entry = { kind: 'finished', counts: { ...COUNTS, completed: 1 } };
    await runIn('run1', [payoutRow(2)], [...completed(2), done], true);
    const { stdout } = await show('run1', false);
    expect(stdout).toMatch(/^REHEARSAL: no money moves\nRun run1: finished; 1 payout from pay\.csv\n/);
    expect(stdout).toContain('finished 2026-11-25T09:00:01.000Z');
    expect(stdout).not.toContain('resume');
    expect(stdout.trimEnd()).toMatch(/1 completed\n1250\.00 of 1250\.00 AUD sent$/);
  });

  test('--json has every payout with its exact state', async () => {
    const { rows, after } = everyEntry();
    await runIn('run1', rows, after);
    const { payouts, ...run } = JSON.parse((await show('run1', true)).stdout);
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
    await runIn(
      'many',
      Array.from({ length: 3_000 }, (_, at) => payoutRow(at + 2)),
    );
    const { stdout } = await show('many', true);
    expect(JSON.parse(stdout).payouts).toHaveLength(3_000);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('shows nothing of a cell that could command the terminal', async () => {
    const row = payoutRow(2);
    if (row.order) row.order.payee.name = 'Eve\u001b[2J\u202Egpj';
    await runIn(
      'run1',
      [row],
      [intent(2), { kind: 'rejected', row: 2, attempt: 1, code: 'X', message: 'no\u001b]0;x\u0007' }],
    );
    const { stdout } = await show('run1', false);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
    expect(stdout).toContain('Eve\uFFFD[2J');
  });
});

describe('report', () => {
  test('is written again from the journal alone, and its paths are printed', async () => {
    const { rows, after } = everyEntry();
    await runIn('run1', rows, after);
    const { exit, stdout } = await report('run1');
    const paths = ['csv', 'json'].map((format) => join(directory, 'reports', 'run1', `report.${format}`));
    expect({ exit, paths: stdout.trimEnd().split('\n') }).toEqual({ exit: 0, paths });
    const lines = parse(readFileSync(paths[0] ?? ''), { bom: true, columns: true }) as Record<string, string>[];
    expect(lines.map(({ status }) => status)).toEqual([
      'not_submitted',
      'completed',
      'unresolved',
      'unresolved',
      'failed',
      'rejected',
      'unresolved',
      'not_submitted',
    ]);
  });

  test('goes where --report-dir says, and --json names the files', async () => {
    await runIn('run1', [payoutRow(2)], completed(2));
    const { stdout } = await report('run1', { reportDir: join(directory, 'elsewhere'), json: true });
    expect(JSON.parse(stdout)).toEqual({
      run_id: 'run1',
      report: ['csv', 'json'].map((format) => join(directory, 'elsewhere', 'run1', `report.${format}`)),
      exit: 0,
    });
  });

  test('that cannot be written is refused with what to do', async () => {
    await runIn('run1', [payoutRow(2)]);
    writeFileSync(join(directory, 'reports'), 'a file in the way');
    await expect(report('run1')).rejects.toMatchObject({ name: 'Refusal', kind: 'usage' });
  });
});

describe('verify', () => {
  test('proves an untouched run, and names its head', async () => {
    await runIn('run1', [payoutRow(2)], completed(2));
    const head = await journal.head('run1');
    const { exit, stdout } = await verify('run1', false);
    expect(exit).toBe(0);
    expect(stdout).toContain(
      `Run run1: 6 entries, none altered.\nhead ${head?.hash}\nNo report.json or heads-….txt to compare with`,
    );
    expect(JSON.parse((await verify('run1', true)).stdout)).toEqual({
      run_id: 'run1',
      ok: true,
      entries: 6,
      head: head?.hash,
      altered_at: null,
      message: null,
      witness: null,
      exit: 0,
    });
  });

  test('compares with the head that the report notes, also where the run went on since', async () => {
    await runIn('run1', [payoutRow(2)], [intent(2), accepted(2)]);
    await report('run1');
    const opening = await journal.openRun('run1');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    await opening.writer.append([final(2)]);
    const { exit, stdout } = await verify('run1', false);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Run run1: 7 entries, none altered.`);
    expect(stdout).toContain('report.json notes the same hash for entry 5.');
  });

  test.each([
    ['an edited entry', "UPDATE entry SET data = replace(data, '125000', '925000') WHERE n = 4", 4],
    ['a removed entry', 'DELETE FROM entry WHERE n = 5', 5],
    ['a lost end', 'DELETE FROM entry WHERE n = 6', 6],
  ])('finds %s: exit 5', async (_what, sql, alteredAt) => {
    await runIn('run1', [payoutRow(2)], completed(2));
    await tamper(sql);
    const { exit, stdout } = await verify('run1', false);
    expect(exit).toBe(5);
    expect(stdout).toMatch(/^Run run1 was altered: /);
    expect(JSON.parse((await verify('run1', true)).stdout)).toMatchObject({
      ok: false,
      altered_at: alteredAt,
      head: null,
      exit: 5,
    });
  });

  test('finds a run that was cut with its record and its hashes, by the report that names what is gone', async () => {
    await runIn('run1', [payoutRow(2)], completed(2));
    await report('run1');
    await tamper(
      'DELETE FROM entry WHERE n = 6; UPDATE run SET head_n = 5, head_hash = (SELECT hash FROM entry WHERE n = 5)',
    );
    const { exit, stdout } = await verify('run1', false);
    expect(exit).toBe(5);
    expect(stdout).toContain('entry 6, which an earlier report names, is gone');
    rmSync(join(directory, 'reports'), { recursive: true });
    expect((await verify('run1', false)).exit).toBe(0);
  });

  test('compares with a report that begins with more doubts than the head of a file holds', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => payoutRow(at + 2));
    const doubts = rows.flatMap(({ row }): Entry[] => [
      intent(row),
      { kind: 'doubt', row, attempt: 1, reason: 'lost' },
      { kind: 'unresolved', row, attempt: 1, about: 'no_expiry', reason: 'no proof', transactions: [] },
    ]);
    await runIn('run1', rows, doubts);
    await report('run1');
    expect((await verify('run1', false)).stdout).toContain('report.json notes the same hash for entry 903.');
    const written = JSON.parse(readFileSync(join(directory, 'reports', 'run1', 'report.json'), 'utf8'));
    expect(written.doubts).toHaveLength(300);
    expect(Object.keys(written).slice(-2)).toEqual(['doubts', 'rows']);
  });

  test('says that a report which is no report cannot serve', async () => {
    await runIn('run1', [payoutRow(2)]);
    mkdirSync(join(directory, 'reports', 'run1'), { recursive: true });
    writeFileSync(join(directory, 'reports', 'run1', 'report.json'), '{}');
    const { exit, stderr } = await verify('run1', false);
    expect(exit).toBe(0);
    expect(stderr).toContain('cannot serve as a witness: it is not a report of payrun.');
  });
});

describe('what is kept outside of the journal', () => {
  const all = ({ json = true, ...input }: Partial<VerifyInput> & { json?: boolean } = {}) =>
    printed({ json }, (here) => verifyJournal(here, input), json && 'verify');
  const reports = () => join(directory, 'reports');

  async function threeRuns(): Promise<string> {
    for (const id of ['run1', 'run2', 'run3']) await runIn(id, [payoutRow(2)], completed(2));
    const written = await writeHeads(journal, reports());
    return written?.path ?? '';
  }

  const deleteRun = (run: number) =>
    tamper(
      `PRAGMA foreign_keys = 0; DELETE FROM entry WHERE run = ${run}; DELETE FROM lease WHERE run = ${run}; DELETE FROM run WHERE run = ${run}`,
    );

  test('is one line for each run, which verify of them all compares with the journal', async () => {
    const path = await threeRuns();
    expect(readFileSync(path, 'utf8')).toMatch(/^payrun heads 1\nrun1 6 [0-9a-f]{64}\nrun2 6 .*\nrun3 6 .*\n$/);
    const { exit, stdout } = await all();
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      runs: [{ run_id: 'run1', ok: true }, { run_id: 'run2' }, { run_id: 'run3' }],
      deleted: [],
      faults: [],
      witnesses: [path],
    });
    expect((await all({ json: false })).stdout).toContain('Run run3: 6 entries, none altered.\nCompared with');
  });

  test('names the last run, which was deleted without a trace: exit 5', async () => {
    const path = await threeRuns();
    await deleteRun(3);
    const { exit, stdout } = await all();
    expect(exit).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      faults: [],
      deleted: [{ run_id: 'run3', entries: 6, witness: path }],
    });
    expect(await verify('run3', false)).toMatchObject({
      exit: 5,
      stdout: expect.stringContaining('Run run3 was deleted, or an older copy'),
    });
    rmSync(path);
    expect((await all()).exit).toBe(0);
  });

  test('is not needed to see that a run in the middle was deleted', async () => {
    rmSync(await threeRuns());
    await deleteRun(2);
    const { exit, stdout } = await all({ json: false });
    expect(exit).toBe(5);
    expect(stdout).toContain('The journal was altered: a run was deleted from it.');
  });

  test('shows that an older copy was put back, and is not written over by what that copy goes on with', async () => {
    await runIn('run1', [payoutRow(2)], [intent(2), accepted(2)]);
    const copy = join(directory, 'copy.db');
    await tamper(`VACUUM INTO '${copy}'`);
    await writeHeads(journal, reports());
    const later = await journal.openRun('run1');
    if (later.outcome !== 'opened') throw new Error('the run was not opened');
    await later.writer.append([final(2)]);
    await later.writer.release();
    await writeHeads(journal, reports());
    await journal.close();
    for (const end of ['-wal', '-shm']) rmSync(join(directory, `journal.db${end}`), { force: true });
    renameSync(copy, join(directory, 'journal.db'));
    journal = opened();
    expect((await verify('run1', false)).stdout).toMatch(/entries 6 to 7, which .*heads-run1.txt names, are gone/);
    const again = await journal.openRun('run1');
    if (again.outcome !== 'opened') throw new Error('the run was not opened');
    for (let row = 0; row < 3; row++) await again.writer.append([{ kind: 'accounted' }]);
    await again.writer.release();
    const written = await writeHeads(journal, reports());
    expect(written?.against).toMatchObject([{ runId: 'run1', n: 7 }]);
    expect((await verify('run1', false)).stdout).toMatch(/entry 7 is not the one that .*heads-run1.txt names/);
  });

  test.each(['json', 'html', 'xlsx'] as const)('can be a report.%s that is named', async (format) => {
    await threeRuns();
    await printed({}, (here) => reportRun(here, 'run3', [format]));
    const kept = join(directory, `kept.${format}`);
    renameSync(join(reports(), 'run3', `report.${format}`), kept);
    rmSync(reports(), { recursive: true });
    expect((await all({ witnesses: [kept] })).exit).toBe(0);
    await deleteRun(3);
    const { exit, stdout } = await all({ witnesses: [kept] });
    expect(exit).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ deleted: [{ run_id: 'run3', entries: 6, witness: kept }] });
  });

  test('has to be something that names entries', async () => {
    await threeRuns();
    const kept = join(directory, 'kept.txt');
    writeFileSync(kept, 'nothing');
    await expect(all({ witnesses: [kept] })).rejects.toMatchObject({ kind: 'usage' });
    await expect(all({ witnesses: [join(directory, 'none')] })).rejects.toMatchObject({ kind: 'usage' });
  });

  test('of another journal in the same directory says nothing', async () => {
    await threeRuns();
    writeFileSync(join(reports(), 'heads-other.txt'), `payrun heads 1\nother 5 ${'a'.repeat(64)}\n`);
    expect((await all()).exit).toBe(0);
  });
});

describe('a run that does not exist', () => {
  const commands: [string, (runId: string) => Promise<Printed>][] = [
    ['show', (runId) => show(runId, false)],
    ['report', (runId) => report(runId)],
    ['verify', (runId) => verify(runId, false)],
  ];

  test.each(commands)('is refused by %s with the one that was probably meant', async (_name, command) => {
    await runIn('R20261125-7K3M9QZ2', [payoutRow(2)]);
    await runIn('R20260101-AAAAAAAA', [payoutRow(2)]);
    expect(await refusedBy(command('R20261125-7K3N9QZ2'))).toMatchObject({
      kind: 'usage',
      message: 'There is no run R20261125-7K3N9QZ2 in this data directory.',
      remedy: 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.',
    });
  });

  test.each([
    ['r20261125-7k3m9qz2', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['7K3M9QZ2', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['R20261125', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['banana', 'See `payrun runs` for the runs there are.'],
    ['', 'See `payrun runs` for the runs there are.'],
    ['x'.repeat(10_000), 'See `payrun runs` for the runs there are.'],
  ])('%j: %s', async (typed, remedy) => {
    await runIn('R20261125-7K3M9QZ2', [payoutRow(2)]);
    expect(await refusedBy(show(typed, false))).toMatchObject({ kind: 'usage', remedy });
  });
});

test('a damaged journal is a matter for a person, and verify is named', async () => {
  await runIn('run1', [payoutRow(2)], completed(2));
  await tamper("UPDATE entry SET data = replace(data, '125000', '925000') WHERE n = 4");
  expect(await refusedBy(show('run1', false))).toMatchObject({
    kind: 'person_needed',
    remedy: 'See what `payrun verify run1` says.',
  });
  await expect(runs(true)).rejects.toMatchObject({ kind: 'person_needed' });
});

test('no command prints a whole account number', async () => {
  const { rows, after } = everyEntry();
  const [first] = rows;
  if (first?.order) first.order.payee.name = `Payee ${ACCOUNT}`;
  await runIn('run1', rows, after);
  const said = [await runs(false), await runs(true), await show('run1', false), await show('run1', true)];
  said.push(await report('run1'), await verify('run1', true));
  for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(ACCOUNT);
});
