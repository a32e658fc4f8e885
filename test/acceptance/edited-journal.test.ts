import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const ROWS = 4;

/** What somebody who can write to the file does with it, behind everybody's back, so that a payroll is forgotten. */
function edit(data: string, sql: string): void {
  using database = new DatabaseSync(join(data, 'journal.db'), { enableForeignKeyConstraints: false });
  database.exec(`DROP TRIGGER entry_is_never_changed; DROP TRIGGER entry_is_never_deleted; ${sql}`);
}

async function paidTwice(service: ReadyService, folder: string, named: string, sql: string) {
  const file = join(folder, `${named}.csv`);
  const data = join(folder, named);
  await generatePayroll({ rows: ROWS, path: file, seed: named.charCodeAt(0), mode: 'full' });
  const where = ['--data-dir', data, '--report-dir', join(folder, `${named}-reports`), '--json'];
  const run = ['run', file, '--yes', '--rate', '0', '--poll-every', '50ms', ...service.options, ...where];
  const first = await payrun(run);
  expect(first.exit).toBe(0);
  const before = (await allTransactions(service)).length;
  edit(data, sql);
  const again = await payrun(run);
  expect((await allTransactions(service)).length).toBe(before);
  const verified = await payrun(['verify', ...where]);
  return { runId: String(JSON.parse(first.stdout).run_id), again, verified };
}

test('a run that was edited in the journal so that its file could be paid again is still known, and verify names it', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const edits: [name: string, sql: string, says: RegExp][] = [
    ['planned', 'UPDATE run SET is_planned = 1', /is_planned/],
    ['input', "UPDATE run SET input_sha256 = 'b'", /input_sha256/],
    ['created', 'UPDATE run SET created_at = 1', /created_at/],
  ];
  for (const [named, sql, says] of edits) {
    const { runId, again, verified } = await paidTwice(service, folder, named, sql);
    expect(again.exit).toBe(6);
    expect(again.stderr).toContain(runId);
    expect(verified.exit).toBe(5);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: false, runs: [{ run_id: runId, ok: false }] });
    expect(verified.stdout).toMatch(says);
  }
  const unstarted = await paidTwice(service, folder, 'unstarted', "DELETE FROM entry WHERE kind = 'started'");
  expect([unstarted.again.exit, unstarted.verified.exit]).toEqual([5, 5]);
  expect(unstarted.again.stderr).toMatch(/is missing/);
});

test('a run that was deleted from the journal is named by the heads that stand beside the reports', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json'];
  const ids: string[] = [];
  for (const named of ['one', 'two']) {
    const file = join(folder, `${named}.csv`);
    await generatePayroll({ rows: ROWS, path: file, seed: named.charCodeAt(0), mode: 'full' });
    const run = ['run', file, '--yes', '--rate', '0', '--poll-every', '50ms', ...service.options, ...where];
    const { exit, stdout } = await payrun(run);
    expect(exit).toBe(0);
    ids.push(JSON.parse(stdout).run_id);
  }
  expect((await payrun(['verify', ...where])).exit).toBe(0);
  edit(
    join(folder, 'data'),
    'DELETE FROM entry WHERE run = 2; DELETE FROM lease WHERE run = 2; DELETE FROM run WHERE run = 2',
  );
  const verified = await payrun(['verify', ...where]);
  expect(verified.exit).toBe(5);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ok: false,
    runs: [{ run_id: ids[0], ok: true }],
    deleted: [{ run_id: ids[1], witness: expect.stringContaining(`heads-${ids[0]}.txt`) }],
  });
  const kept = join(folder, 'reports', String(ids[1]), 'report.html');
  const elsewhere = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'nowhere'), '--json'];
  expect((await payrun(['verify', ...elsewhere])).exit).toBe(0);
  expect((await payrun(['verify', '--witness', kept, ...elsewhere])).exit).toBe(5);
});
