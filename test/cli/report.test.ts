import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { completed, payoutRow } from '../report/example-run.ts';
import { everyEntry, JournalPlace } from './journal-place.ts';

const place = new JournalPlace();

describe('report', () => {
  test('is written again from the journal alone, and its paths are printed', async () => {
    const { rows, after } = everyEntry();
    await place.runIn('run1', rows, after);
    const { exit, stdout } = await place.report('run1');
    const paths = ['csv', 'json'].map((format) => join(place.directory, 'reports', 'run1', `report.${format}`));
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
    await place.runIn('run1', [payoutRow(2)], completed(2));
    const { stdout } = await place.report('run1', { reportDir: join(place.directory, 'elsewhere'), json: true });
    expect(JSON.parse(stdout)).toEqual({
      run_id: 'run1',
      report: ['csv', 'json'].map((format) => join(place.directory, 'elsewhere', 'run1', `report.${format}`)),
      exit: 0,
    });
  });

  test('that cannot be written is refused with what to do', async () => {
    await place.runIn('run1', [payoutRow(2)]);
    writeFileSync(join(place.directory, 'reports'), 'a file in the way');
    await expect(place.report('run1')).rejects.toMatchObject({ name: 'Refusal', kind: 'usage' });
  });
});
