import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { accepted, completed, final, intent, payoutRow } from '../report/example-run.ts';
import { JournalPlace } from './journal-place.ts';

const place = new JournalPlace();

describe('verify', () => {
  test('proves an untouched run, and names its head', async () => {
    await place.runIn('run1', [payoutRow(2)], completed(2));
    const head = await place.journal.head('run1');
    const { exit, stdout } = await place.verify('run1', false);
    expect(exit).toBe(0);
    expect(stdout).toContain(
      `Run run1: 6 entries, none altered.\nhead ${head?.hash}\nNo report.json or heads-….txt to compare with`,
    );
    expect(JSON.parse((await place.verify('run1', true)).stdout)).toEqual({
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
    await place.runIn('run1', [payoutRow(2)], [intent(2), accepted(2)]);
    await place.report('run1');
    const opening = await place.journal.openRun('run1');
    if (opening.outcome !== 'opened') throw new Error('the run was not opened');
    await opening.writer.append([final(2)]);
    const { exit, stdout } = await place.verify('run1', false);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Run run1: 7 entries, none altered.`);
    expect(stdout).toContain('report.json notes the same hash for entry 5.');
  });

  test.each([
    ['an edited entry', "UPDATE entry SET data = replace(data, '125000', '925000') WHERE n = 4", 4],
    ['a removed entry', 'DELETE FROM entry WHERE n = 5', 5],
    ['a lost end', 'DELETE FROM entry WHERE n = 6', 6],
  ])('finds %s: exit 5', async (_what, sql, alteredAt) => {
    await place.runIn('run1', [payoutRow(2)], completed(2));
    await place.tamper(sql);
    const { exit, stdout } = await place.verify('run1', false);
    expect(exit).toBe(5);
    expect(stdout).toMatch(/^Run run1 was altered: /);
    expect(JSON.parse((await place.verify('run1', true)).stdout)).toMatchObject({
      ok: false,
      altered_at: alteredAt,
      head: null,
      exit: 5,
    });
  });

  test('finds a run that was cut with its record and its hashes, by the report that names what is gone', async () => {
    await place.runIn('run1', [payoutRow(2)], completed(2));
    await place.report('run1');
    await place.tamper(
      'DELETE FROM entry WHERE n = 6; UPDATE run SET head_n = 5, head_hash = (SELECT hash FROM entry WHERE n = 5)',
    );
    const { exit, stdout } = await place.verify('run1', false);
    expect(exit).toBe(5);
    expect(stdout).toContain('entry 6, which an earlier report names, is gone');
    rmSync(join(place.directory, 'reports'), { recursive: true });
    expect((await place.verify('run1', false)).exit).toBe(0);
  });

  test('compares with a report that begins with more doubts than the head of a file holds', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => payoutRow(at + 2));
    const doubts = rows.flatMap(({ row }): Entry[] => [
      intent(row),
      { kind: 'doubt', row, attempt: 1, reason: 'lost' },
      { kind: 'unresolved', row, attempt: 1, about: 'no_expiry', reason: 'no proof', transactions: [] },
    ]);
    await place.runIn('run1', rows, doubts);
    await place.report('run1');
    expect((await place.verify('run1', false)).stdout).toContain('report.json notes the same hash for entry 903.');
    const written = JSON.parse(readFileSync(join(place.directory, 'reports', 'run1', 'report.json'), 'utf8'));
    expect(written.doubts).toHaveLength(300);
    expect(Object.keys(written).slice(-2)).toEqual(['doubts', 'rows']);
  });

  test('says that a report which is no report cannot serve', async () => {
    await place.runIn('run1', [payoutRow(2)]);
    mkdirSync(join(place.directory, 'reports', 'run1'), { recursive: true });
    writeFileSync(join(place.directory, 'reports', 'run1', 'report.json'), '{}');
    const { exit, stderr } = await place.verify('run1', false);
    expect(exit).toBe(0);
    expect(stderr).toContain('cannot serve as a witness: it is not a report of payrun.');
  });
});
