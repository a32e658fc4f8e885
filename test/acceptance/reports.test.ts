import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { elementsOf } from '../report/page.ts';
import { PROJECT, payrun, start, temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';

const SAMPLE = join(PROJECT, 'samples/payroll-with-failures.csv');

const QUICK = ['--rate', '0', '--poll-every', '50ms'];

const FORMATS = ['csv', 'html', 'json', 'xlsx'];

function where(folder: string): string[] {
  return ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
}

test('a run leaves a page that says what became of it and what to do, and the page is written again', async () => {
  const folder = temporaryFolder();
  const run = await payrun(['run', SAMPLE, '--yes', '--json', ...QUICK, ...where(folder)]);
  expect(run.exit).toBe(4);
  const { run_id, report } = JSON.parse(run.stdout);
  const reports = join(folder, 'reports', run_id);
  expect(report).toEqual(FORMATS.map((format) => join(reports, `report.${format}`)));
  expect(readdirSync(reports).sort()).toEqual(FORMATS.map((format) => `report.${format}`));

  const page = readFileSync(join(reports, 'report.html'), 'utf8');
  const elements = elementsOf(page);
  expect(elements.find(({ attributes }) => attributes.get('class') === 'band')?.text).toBe('REHEARSAL: no money moves');
  expect(elements.find(({ name }) => name === 'h1')?.text).toBe('Rehearsal: 10 of 12 payouts completed');
  const main = elements.find(({ name }) => name === 'main')?.text ?? '';
  expect(main).toContain('2 failed: what to do about each is below.');
  expect(main).toContain('Ask the service and your sanctions officer');
  expect(main).toContain(`payrun retry ${run_id} --data-dir ${join(folder, 'data')}`);
  expect(main).toContain(JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')).journal.head);

  const again = await payrun(['report', run_id, '--format', 'html', ...where(folder)]);
  expect(again).toMatchObject({ exit: 0, stdout: `REHEARSAL: no money moves\n${join(reports, 'report.html')}\n` });
  expect(readFileSync(join(reports, 'report.html'), 'utf8')).toBe(page);
});

test('the formats are those that are asked for, each by itself or with others', async () => {
  const folder = temporaryFolder();
  const run = await payrun(['run', SAMPLE, '--yes', '--json', ...QUICK, ...where(folder)]);
  const { run_id } = JSON.parse(run.stdout);
  const asked = async (...formats: string[]) => {
    const to = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, formats.join('-'))];
    const { exit, stdout } = await payrun(['report', run_id, '--json', ...to, ...formats]);
    expect(exit).toBe(0);
    return JSON.parse(stdout).report.map((path: string) => path.split('.').at(-1));
  };
  for (const format of FORMATS) expect(await asked('--format', format)).toEqual([format]);
  expect(await asked('--format', 'csv,xlsx,html,json')).toEqual(['csv', 'xlsx', 'html', 'json']);
  expect(await asked('--format', 'json', '--format', 'html')).toEqual(['json', 'html']);
  expect(await asked()).toEqual(FORMATS);
  const wrong = await payrun(['report', run_id, '--format', 'pdf', ...where(folder)]);
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toContain('pdf');
});

test('a report that cannot be written changes nothing of the run', async () => {
  const folder = temporaryFolder();
  const data = ['--data-dir', join(folder, 'data')];
  const { run_id } = JSON.parse((await payrun(['plan', SAMPLE, '--json', ...QUICK, ...where(folder)])).stdout);
  writeFileSync(join(folder, 'reports', run_id), 'a file in the way');
  const run = await payrun(['run', run_id, '--yes', '--json', ...QUICK, ...where(folder)]);
  expect(run.exit).toBe(4);
  expect(JSON.parse(run.stdout)).toMatchObject({ state: 'finished', counts: { completed: 10, failed: 2 }, report: [] });
  expect(run.stderr).toContain('The report could not be written');
  expect(run.stderr).toContain(`payrun report ${run_id} --report-dir DIR`);
  const again = await payrun(['report', run_id, ...data, '--report-dir', join(folder, 'elsewhere'), '--json']);
  expect(JSON.parse(again.stdout).report).toHaveLength(FORMATS.length);
});

test('a run whose folder is removed meanwhile ends, and its report is where it was said to be', async () => {
  const folder = temporaryFolder();
  const cwd = join(folder, 'here');
  mkdirSync(cwd);
  const options = ['--data-dir', join(folder, 'data'), '--rate', '5', '--poll-every', '50ms'];
  const run = start(['run', SAMPLE, '--yes', '--json', ...options], { cwd });
  await run.wrote('submitting');
  rmSync(cwd, { recursive: true });
  const { exit, stdout } = await run.ended;
  expect(exit).toBe(4);
  const { report } = JSON.parse(stdout);
  expect(report).toHaveLength(FORMATS.length);
  for (const file of report) expect(readFileSync(join(cwd, file)).length).toBeGreaterThan(0);
});

test('a command in a folder that was removed says so', async () => {
  const gone = temporaryFolder();
  const inGone = ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, PAYRUN_MAIN, 'runs', '--json'];
  const { status, stdout, stderr } = spawnSync('/bin/sh', inGone, { cwd: gone, encoding: 'utf8' });
  expect(status, stderr).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'refused', exit: 2 });
  expect(stderr).toContain('no longer exists');
});
