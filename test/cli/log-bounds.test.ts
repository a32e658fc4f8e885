import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';

const MAX_BYTES = 16 * 2 ** 10;
/** Whether a file is full is looked at before each block of lines. */
const BLOCK_BYTES_MAX = 8 * 2 ** 10;

/** A run with a line for each state of each payout, in `logs` of the data directory. */
async function pay(folder: string, bounds: readonly string[], env: Record<string, string> = {}) {
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const file = join(PROJECT, 'samples/payroll.csv');
  const words = ['run', file, '--yes', '--allow-repeat', '--json', '--log-level', 'debug', ...bounds, ...where];
  const { exit, stdout } = await payrun(words, { env });
  expect(exit).toBe(0);
  const { run_id } = JSON.parse(stdout);
  const { payouts } = JSON.parse((await payrun(['show', run_id, '--json', ...where.slice(0, 2)])).stdout);
  return { runId: run_id as string, rows: payouts.map(({ row }: { row: number }) => row) as number[] };
}

/** The files of the log, the oldest first. */
function logFiles(folder: string): { bytes: number; lines: { run: string; row: number; msg: string }[] }[] {
  const logs = join(folder, 'data/logs');
  const names = readdirSync(logs).filter((name) => name.startsWith('payrun.log'));
  const byAge = [...names.filter((name) => name !== 'payrun.log').toSorted(), 'payrun.log'];
  return byAge.map((name) => {
    const path = join(logs, name);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return { bytes: statSync(path).size, lines: lines.map((line) => JSON.parse(line)) };
  });
}

/** What the lines of a run say of each row, in their order. */
function statesOf(files: ReturnType<typeof logFiles>, runId: string): Map<number, string[]> {
  const states = new Map<number, string[]>();
  for (const { run, row, msg } of files.flatMap((file) => file.lines))
    if (run === runId && msg.startsWith('payout ')) states.set(row, [...(states.get(row) ?? []), msg]);
  return states;
}

const WHOLE = ['payout sending', 'payout accepted', 'payout completed'];

test('the log rotates at --log-max-size, and keeps each line of the newest --log-files', async () => {
  const folder = temporaryFolder();
  const first = await pay(folder, ['--log-max-size', '16KiB', '--log-files', '99']);
  const all = logFiles(folder);
  expect(all.length).toBeGreaterThan(2);
  for (const { bytes } of all) expect(bytes).toBeLessThan(MAX_BYTES + BLOCK_BYTES_MAX);
  for (const { bytes } of all.slice(0, -1)) expect(bytes).toBeGreaterThanOrEqual(MAX_BYTES);
  expect(statesOf(all, first.runId)).toEqual(new Map(first.rows.map((row) => [row, WHOLE])));

  const second = await pay(folder, [], { PAYRUN_LOG_MAX_SIZE: '16KiB', PAYRUN_LOG_FILES: '1' });
  const kept = logFiles(folder);
  expect(kept).toHaveLength(2);
  expect(statesOf(kept, first.runId).size).toBe(0);
  const states = statesOf(kept, second.runId);
  expect(states.size).toBeGreaterThan(0);
  // Of a row only older lines may be missing.
  for (const found of states.values()) expect(found).toEqual(WHOLE.slice(-found.length));
});

test.each([
  [['--log-max-size', '64'], '--log-max-size: write a whole number and KiB, MiB or GiB, as in 64MiB; 16KiB to 16GiB'],
  [['--log-max-size', '15KiB'], '16KiB to 16GiB'],
  [['--log-max-size', '17GiB'], '16KiB to 16GiB'],
  [['--log-files', '0'], '--log-files: write a whole number from 1 to 99'],
  [['--log-files', '100'], '--log-files: write a whole number from 1 to 99'],
])('%j is refused', async (bounds, words) => {
  const { exit, stderr } = await payrun(['web', ...bounds, '--data-dir', temporaryFolder()]);
  expect(exit).toBe(2);
  expect(stderr).toContain(words);
});
