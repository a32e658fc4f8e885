import { writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test, vi } from 'vitest';
import { placeFor } from '../../src/compose/command-hints.ts';
import { DATA_DIR_DEFAULT } from '../../src/compose/settings.ts';
import { isNamedLike } from '../../src/job/choose-input.ts';
import { requireJob } from '../../src/job/job-file.ts';
import { temporaryFolder } from '../support/payrun.ts';

// Simulates Windows paths.

vi.mock('node:path', async (original) => {
  const { win32, posix } = await original<typeof import('node:path')>();
  return { ...win32, win32, posix, default: win32 };
});

afterEach(() => {
  vi.restoreAllMocks();
});

const HOSTILE = 'tx"$(calc)`%PATH%&calc\n1';

test.each([
  ['pay', ' --data-dir pay'],
  ['C:\\Pay\\july', ' --data-dir C:\\Pay\\july'],
  ['C:\\Users\\Ana Silva\\pay', ' --data-dir "C:\\Users\\Ana Silva\\pay"'],
  ['C:\\My Pay\\', ' --data-dir "C:\\My Pay\\\\"'],
  [DATA_DIR_DEFAULT, ''],
])('commands for the data directory %s can be pasted into PowerShell and cmd.exe', (dataDir, text) => {
  const { command } = placeFor({ dataDir, database: undefined });
  expect(command('show', 'R20261125-7K3M9QZ2')).toBe(`payrun show R20261125-7K3M9QZ2${text}`);
  expect(command('resolve', HOSTILE)).toBe(`payrun resolve "tx??(calc)??PATH?&calc?1"${text}`);
});

test.each([
  ['C:\\Pay\\in\\july.csv', 'in\\july.csv'],
  ['c:\\pay\\in\\july.csv', 'in\\july.csv'],
  ['C:\\july.csv', 'C:\\july.csv'],
  ['D:\\Pay\\july.csv', 'D:\\Pay\\july.csv'],
  ['\\\\server\\pay\\july.csv', '\\\\server\\pay\\july.csv'],
])('%s is shown as %s in C:\\Pay', (file, near) => {
  vi.spyOn(process, 'cwd').mockReturnValue('C:\\Pay');
  expect(placeFor({ dataDir: DATA_DIR_DEFAULT, database: undefined }).near(file)).toBe(near);
});

test('the input of a job can be beside it, on another drive or on a server', () => {
  const folder = temporaryFolder();
  const file = posix.join(folder, 'july.yaml');
  const inputOf = (input: string) => {
    writeFileSync(file, `input: '${input}'\n`);
    return requireJob(file).input;
  };
  expect(inputOf('in\\july.csv')).toBe(`${folder.replaceAll('/', '\\')}\\in\\july.csv`);
  expect(inputOf('D:\\Pay\\july*.csv')).toBe('D:\\Pay\\july*.csv');
  expect(inputOf('\\\\server\\pay\\july.csv')).toBe('\\\\server\\pay\\july.csv');
  expect(() => inputOf('D:\\Pay*\\july.csv')).toThrow('file_problems');
  expect(isNamedLike('D:\\Pay\\july*.csv', 'july 2026.csv')).toBe(true);
  expect(isNamedLike('D:\\Pay\\july*.csv', 'june.csv')).toBe(false);
});
