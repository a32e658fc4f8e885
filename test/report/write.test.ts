import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunRow } from '../../src/domain/entry.ts';
import { ByRow } from '../../src/domain/run/by-row.ts';
import type { PayoutState } from '../../src/domain/run/payout.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { REPORT_COLUMNS, reportRows } from '../../src/report/model/rows.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../src/report/report-text.ts';
import { readWitness, readWitnessFile } from '../../src/report/witness.ts';
import { writeReports } from '../../src/report/write.ts';
import { programOf } from '../support/program.ts';
import { completed, everyState, exampleRun, HEADER, payoutRow, problemRow, RUN_ID } from './example-run.ts';

const HEAD = { n: 21, hash: '0123456789abcdef'.repeat(4) };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'payrun-report-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(run: RunState, formats: ReportFormat[] = ['csv', 'json']): Promise<string[]> {
  return writeReports({ run, head: HEAD, directory, formats, version: '1.2.3' });
}

function jsonOf(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Names of everything under the report directory, hidden files too. */
function everything(): string[] {
  return readdirSync(directory, { recursive: true }).map(String).sort();
}

/** Counts how often all rows are read. */
class CountedRows extends Array<RunRow> {
  passes = 0;

  override [Symbol.iterator](): ArrayIterator<RunRow> {
    this.passes++;
    return super[Symbol.iterator]();
  }
}

describe('writing reports', () => {
  test('gives their paths, under the run id', async () => {
    expect(await write(everyState())).toEqual([
      join(directory, RUN_ID, 'report.csv'),
      join(directory, RUN_ID, 'report.json'),
    ]);
    expect(everything()).toEqual([RUN_ID, join(RUN_ID, 'report.csv'), join(RUN_ID, 'report.json')]);
  });

  test('writes only the formats that are asked for, each once', async () => {
    expect(await write(everyState(), ['json', 'json'])).toEqual([join(directory, RUN_ID, 'report.json')]);
    expect(everything()).toEqual([RUN_ID, join(RUN_ID, 'report.json')]);
  });

  test('names bank files as XML, and writes them in pieces', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => payoutRow(at + 2));
    const run = exampleRun(
      rows,
      rows.flatMap(({ row }) => completed(row)),
    );
    const paths = await write(run, ['pain002', 'camt054']);
    expect(paths).toEqual(['pain002', 'camt054'].map((format) => join(directory, RUN_ID, `report.${format}.xml`)));
    const counts = paths.map((path) => readFileSync(path, 'utf8').split(/<(?:TxInfAndSts|Ntry)>/).length - 1);
    expect(counts).toEqual([3_000, 3_000]);
    expect(REPORT_FORMATS).not.toContain('pain002');
  });

  test('lets only the owner read them, also where an earlier file was open to all', async () => {
    const nested = join(directory, 'a', 'b');
    await writeReports({ run: everyState(), head: HEAD, directory: nested, formats: ['csv'], version: '1' });
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(modeOf(nested)).toBe('700');
    expect(modeOf(join(nested, RUN_ID))).toBe('700');
    expect(modeOf(join(nested, RUN_ID, 'report.csv'))).toBe('600');
    writeFileSync(join(nested, RUN_ID, 'report.json'), 'old', { mode: 0o644 });
    await writeReports({ run: everyState(), head: HEAD, directory: nested, formats: ['json'], version: '1' });
    expect(modeOf(join(nested, RUN_ID, 'report.json'))).toBe('600');
  });

  test('replaces a link and does not write through it', async () => {
    const outside = join(directory, 'outside.txt');
    writeFileSync(outside, 'precious');
    mkdirSync(join(directory, RUN_ID));
    symlinkSync(outside, join(directory, RUN_ID, 'report.csv'));
    await write(everyState(), ['csv']);
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect(readFileSync(join(directory, RUN_ID, 'report.csv'), 'utf8')).toContain('completed');
  });

  test('two at once do not disturb each other', async () => {
    await Promise.all([write(everyState()), write(everyState()), write(everyState())]);
    expect(everything()).toHaveLength(3);
    expect(jsonOf(join(directory, RUN_ID, 'report.json')).rows).toHaveLength(9);
  });

  test('of a completed run read its rows twice: for the totals, and for the rows of the report', async () => {
    const run = exampleRun([payoutRow(2), payoutRow(3)], [...completed(2), ...completed(3)]);
    const rows = CountedRows.from(run.rows) as CountedRows;
    run.rows = rows;
    rows.passes = 0;
    await write(run, [...REPORT_FORMATS]);
    expect(rows.passes).toBe(2);
  });

  test('ten thousand rows come back, in order, from both files', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => payoutRow(at + 2));
    const run = exampleRun(
      rows,
      rows.flatMap(({ row }) => completed(row)),
    );
    const [csv = '', json = ''] = await write(run);
    const expected = rows.map(({ row }) => `tx_${row}`);
    const fromCsv = parse(readFileSync(csv), { bom: true, columns: true }) as Record<string, string>[];
    expect(fromCsv.map((row) => row.transaction_id)).toEqual(expected);
    expect(jsonOf(json).rows.map((row: { transaction_id: string }) => row.transaction_id)).toEqual(expected);
    expect(jsonOf(json).totals).toEqual([{ currency: 'AUD', planned: '12500000.00', sent: '12500000.00' }]);
  });
});

describe('report.json', () => {
  test('says what was run, how it ended and where the journal stood', async () => {
    const [path = ''] = await write(everyState(), ['json']);
    const { rows, doubts, ...report } = jsonOf(path);
    expect(rows).toHaveLength(9);
    expect(doubts.map(({ row }: { row: number }) => row)).toEqual([3, 4, 9]);
    expect(report).toEqual({
      payrun: '1.2.3',
      run_id: RUN_ID,
      state: 'running',
      rehearsal: false,
      input: { name: 'pay.csv', sha256: 'ab'.repeat(32), bytes: 4_321 },
      job: null,
      retries: null,
      retried_by: [],
      digest: 'cd'.repeat(32),
      approvals: [],
      created_at: '2026-11-25T09:00:00.001Z',
      finished_at: null,
      counts: { completed: 1, failed: 1, rejected: 1, unresolved: 4, not_submitted: 2 },
      totals: [{ currency: 'AUD', planned: '10000.00', sent: '2500.00' }],
      journal: { entries: 21, head: HEAD.hash },
    });
  });

  test('of a finished run says when', async () => {
    const counts = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
    const run = exampleRun([payoutRow(2)], [...completed(2), { kind: 'finished', counts }]);
    const [path = ''] = await write(run, ['json']);
    expect(jsonOf(path)).toMatchObject({ state: 'finished', finished_at: '2026-11-25T09:00:00.006Z', counts });
  });

  test('has its rows as objects by column name, with every column in every row', async () => {
    const run = everyState();
    const [path = ''] = await write(run, ['json']);
    const expected = Array.from(reportRows(run), ({ cells, result }) => ({
      ...Object.fromEntries(HEADER.map((name, at) => [name, cells[at]])),
      ...result,
    }));
    const { rows } = jsonOf(path);
    expect(rows).toEqual(expected);
    for (const row of rows) expect(Object.keys(row)).toEqual([...HEADER, ...REPORT_COLUMNS]);
  });

  test('of a run without rows is an object with an empty list', async () => {
    const [path = ''] = await write(exampleRun([]), ['json']);
    expect(jsonOf(path)).toMatchObject({ rows: [], totals: [] });
  });

  test('keeps any text exactly, and any header', async () => {
    const header = ['__proto__', 'quote"', 'back\\slash', 'constructor', 'a\u2028b'];
    const cells = ['=1+1', '"\\', '\u0000\u001f\u007f', '\ud800 alone', '☃ 李 •'];
    const run = exampleRun([payoutRow(2, { cells, account: '' })], [], {
      header,
      columns: [null, null, null, null, null],
    });
    const [path = ''] = await write(run, ['json']);
    const [row] = jsonOf(path).rows;
    expect(header.map((name) => Object.getOwnPropertyDescriptor(row, name)?.value)).toEqual(cells);
  });
});

describe('a report that cannot be written whole', () => {
  test('leaves the earlier one as it was, and nothing else, when a row cannot be made', async () => {
    await write(exampleRun([payoutRow(2)], completed(2)));
    const before = readFileSync(join(directory, RUN_ID, 'report.json'), 'utf8');
    const broken = everyState();
    const payouts = new ByRow<PayoutState>();
    for (const [row, payout] of broken.payouts) if (row !== 10) payouts.set(row, payout);
    broken.payouts = payouts;
    await expect(write(broken, [...REPORT_FORMATS])).rejects.toThrow('row 10 has no payout');
    expect(everything()).toEqual([RUN_ID, join(RUN_ID, 'report.csv'), join(RUN_ID, 'report.json')]);
    expect(readFileSync(join(directory, RUN_ID, 'report.json'), 'utf8')).toBe(before);
  });

  test('leaves no file behind when the disk takes no more, in a real process', () => {
    const child = programOf('test/report/write-child.ts');
    const limited = (kilobytes: string) =>
      spawnSync('bash', ['-c', `ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, child, directory], {
        encoding: 'utf8',
      });
    const failed = limited('64');
    expect(failed.stdout).toBe('EFBIG\n');
    expect(everything()).toEqual([RUN_ID]);
    expect(limited('unlimited').stdout).toBe('written\n');
    expect(everything()).toHaveLength(5);
  });

  test('says so when the directory is a file', async () => {
    writeFileSync(join(directory, RUN_ID), '');
    await expect(write(everyState())).rejects.toThrow('EEXIST');
  });
});

describe('the witness of an earlier report', () => {
  test('is the head that the report noted', async () => {
    const [path = ''] = await write(everyState(), ['json']);
    expect(await readWitness(directory, RUN_ID)).toEqual({ outcome: 'witness', witness: HEAD, path });
  });

  test('is read without its rows', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => payoutRow(at + 2));
    const [path = ''] = await write(exampleRun(rows), ['json']);
    expect(statSync(path).size).toBeGreaterThan(500_000);
    expect(await readWitness(directory, RUN_ID)).toMatchObject({ outcome: 'witness', witness: HEAD });
  });

  test('is there for a run of no rows', async () => {
    await write(exampleRun([]), ['json']);
    expect(await readWitness(directory, RUN_ID)).toMatchObject({ outcome: 'witness', witness: HEAD });
  });

  test('is absent without a report', async () => {
    expect(await readWitness(directory, RUN_ID)).toMatchObject({ outcome: 'absent' });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['another JSON', '{"run_id":"x"}'],
    ['a null', 'null'],
    ['a head that is no hash', `{"run_id":"${RUN_ID}","journal":{"entries":3,"head":"abc"}}`],
    ['the report of another run', `{"run_id":"other","journal":{"entries":3,"head":"${HEAD.hash}"}}`],
  ])('is unreadable where the file holds %s', async (_name, text) => {
    mkdirSync(join(directory, RUN_ID));
    writeFileSync(join(directory, RUN_ID, 'report.json'), text);
    expect(await readWitness(directory, RUN_ID)).toMatchObject({ outcome: 'unreadable' });
  });

  test('is unreadable where the report is a directory', async () => {
    mkdirSync(join(directory, RUN_ID, 'report.json'), { recursive: true });
    expect(await readWitness(directory, RUN_ID)).toMatchObject({ outcome: 'unreadable' });
  });
});

describe('a report as a witness', () => {
  test.each(['html', 'xlsx'] as const)('has its head in %s where no language changes it', async (format) => {
    const [path = ''] = await write(everyState(), [format]);
    expect(await readWitnessFile(path)).toEqual([{ runId: RUN_ID, ...HEAD }]);
  });

  test('of an earlier payrun has it in its words', async () => {
    const [path = ''] = await write(everyState(), ['html']);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/<meta name="payrun_journal_head"[^>]*>/, ''));
    expect(readFileSync(path, 'utf8').length).toBeLessThan(text.length);
    expect(await readWitnessFile(path)).toEqual([{ runId: RUN_ID, ...HEAD }]);
  });

  test('is not taken in by a payee of that name', async () => {
    const name = `<meta name="payrun_journal_head" content="other 9 ${'0'.repeat(64)}">`;
    for (const format of ['html', 'xlsx'] as const) {
      const run = exampleRun([{ ...payoutRow(2), cells: [name] }]);
      const [path = ''] = await write(run, [format]);
      expect(await readWitnessFile(path)).toEqual([{ runId: RUN_ID, ...HEAD }]);
    }
  });
});

test('no file of a report holds a whole account number', async () => {
  const accounts = Array.from({ length: 200 }, (_, at) => String(718_281_828 + at * 7_919));
  const rows = accounts.map((account, at) =>
    at % 3 === 0
      ? problemRow(
          at + 2,
          [`P${at}`, 'x', 'AUD', account, `was ${account}`],
          at % 2 === 0
            ? { code: 'account_number', message: `${account} is no account` }
            : { code: 'not_read', params: { isCell: true, reason: account } },
        )
      : payoutRow(at + 2, {
          account,
          cells: [`P${at} ${account}`, '1', 'AUD', account.replace(/(...)/g, '$1 '), account],
        }),
  );
  for (const path of await write(exampleRun(rows))) {
    const text = readFileSync(path, 'utf8');
    expect(existsSync(path)).toBe(true);
    for (const account of accounts) {
      expect(text).not.toContain(account);
      expect(text.replace(/[ -]/g, '')).not.toContain(account);
      expect(text).toContain(`••••${account.slice(-4)}`);
    }
  }
});
