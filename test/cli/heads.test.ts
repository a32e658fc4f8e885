import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportRun } from '../../src/cli/commands/report/run.ts';
import { writeHeads } from '../../src/report/witness.ts';
import { accepted, completed, final, intent, payoutRow } from '../report/example-run.ts';
import { JournalPlace } from './journal-place.ts';

const place = new JournalPlace();

describe('what is kept outside of the journal', () => {
  const reports = () => join(place.directory, 'reports');

  async function threeRuns(): Promise<string> {
    for (const id of ['run1', 'run2', 'run3']) await place.runIn(id, [payoutRow(2)], completed(2));
    const written = await writeHeads(place.journal, reports());
    return written?.path ?? '';
  }

  const deleteRun = (run: number) =>
    place.tamper(
      `PRAGMA foreign_keys = 0; DELETE FROM entry WHERE run = ${run}; DELETE FROM lease WHERE run = ${run}; DELETE FROM run WHERE run = ${run}`,
    );

  test('is one line for each run, which verify of them all compares with the journal', async () => {
    const path = await threeRuns();
    expect(readFileSync(path, 'utf8')).toMatch(/^payrun heads 1\nrun1 6 [0-9a-f]{64}\nrun2 6 .*\nrun3 6 .*\n$/);
    const { exit, stdout } = await place.verifyAll();
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      runs: [{ run_id: 'run1', ok: true }, { run_id: 'run2' }, { run_id: 'run3' }],
      deleted: [],
      faults: [],
      witnesses: [path],
    });
    expect((await place.verifyAll({ json: false })).stdout).toContain(
      'Run run3: 6 entries, none altered.\nCompared with',
    );
  });

  test('names the last run, which was deleted without a trace: exit 5', async () => {
    const path = await threeRuns();
    await deleteRun(3);
    const { exit, stdout } = await place.verifyAll();
    expect(exit).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      faults: [],
      deleted: [{ run_id: 'run3', entries: 6, witness: path }],
    });
    expect(await place.verify('run3', false)).toMatchObject({
      exit: 5,
      stdout: expect.stringContaining('Run run3 was deleted, or an older copy'),
    });
    rmSync(path);
    expect((await place.verifyAll()).exit).toBe(0);
  });

  test('is not needed to see that a run in the middle was deleted', async () => {
    rmSync(await threeRuns());
    await deleteRun(2);
    const { exit, stdout } = await place.verifyAll({ json: false });
    expect(exit).toBe(5);
    expect(stdout).toContain('The journal was altered: a run was deleted from it.');
  });

  test('shows that an older copy was put back, and is not written over by what that copy goes on with', async () => {
    await place.runIn('run1', [payoutRow(2)], [intent(2), accepted(2)]);
    const copy = join(place.directory, 'copy.db');
    await place.tamper(`VACUUM INTO '${copy}'`);
    await writeHeads(place.journal, reports());
    const later = await place.journal.openRun('run1');
    if (later.outcome !== 'opened') throw new Error('the run was not opened');
    await later.writer.append([final(2)]);
    await later.writer.release();
    await writeHeads(place.journal, reports());
    await place.journal.close();
    for (const end of ['-wal', '-shm']) rmSync(join(place.directory, `journal.db${end}`), { force: true });
    renameSync(copy, join(place.directory, 'journal.db'));
    place.reopen();
    expect((await place.verify('run1', false)).stdout).toMatch(
      /entries 6 to 7, which .*heads-run1.txt names, are gone/,
    );
    const again = await place.journal.openRun('run1');
    if (again.outcome !== 'opened') throw new Error('the run was not opened');
    for (let row = 0; row < 3; row++) await again.writer.append([{ kind: 'accounted' }]);
    await again.writer.release();
    const written = await writeHeads(place.journal, reports());
    expect(written?.against).toMatchObject([{ runId: 'run1', n: 7 }]);
    expect((await place.verify('run1', false)).stdout).toMatch(/entry 7 is not the one that .*heads-run1.txt names/);
  });

  test.each(['json', 'html', 'xlsx'] as const)('can be a report.%s that is named', async (format) => {
    await threeRuns();
    await place.printed({}, (here) => reportRun(here, 'run3', [format]));
    const kept = join(place.directory, `kept.${format}`);
    renameSync(join(reports(), 'run3', `report.${format}`), kept);
    rmSync(reports(), { recursive: true });
    expect((await place.verifyAll({ witnesses: [kept] })).exit).toBe(0);
    await deleteRun(3);
    const { exit, stdout } = await place.verifyAll({ witnesses: [kept] });
    expect(exit).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ deleted: [{ run_id: 'run3', entries: 6, witness: kept }] });
  });

  test('has to be something that names entries', async () => {
    await threeRuns();
    const kept = join(place.directory, 'kept.txt');
    writeFileSync(kept, 'nothing');
    await expect(place.verifyAll({ witnesses: [kept] })).rejects.toMatchObject({ kind: 'usage' });
    await expect(place.verifyAll({ witnesses: [join(place.directory, 'none')] })).rejects.toMatchObject({
      kind: 'usage',
    });
  });

  test('of another journal in the same directory says nothing', async () => {
    await threeRuns();
    writeFileSync(join(reports(), 'heads-other.txt'), `payrun heads 1\nother 5 ${'a'.repeat(64)}\n`);
    expect((await place.verifyAll()).exit).toBe(0);
  });
});
