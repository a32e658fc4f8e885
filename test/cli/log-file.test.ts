import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogFile, openLog } from '../../src/compose/data-dir.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { temporaryFolder } from '../support/payrun.ts';

const BOUNDS = { maxBytes: 64 * 2 ** 20, files: 8 };

test('lines are written in blocks, in order, to a file for its owner', () => {
  const path = join(temporaryFolder(), 'payrun.log');
  const file = new LogFile(path, BOUNDS);
  file.write('one\n');
  expect(readFileSync(path, 'utf8')).toBe('');
  file.write(`${'ü'.repeat(4_096)}\n`);
  file.write('three\n');
  file.flush();
  file.flush();
  expect(readFileSync(path, 'utf8')).toBe(`one\n${'ü'.repeat(4_096)}\nthree\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that is full is set aside by any of several writers: no line is lost, and the newest files are kept', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'payrun.log');
  const bounds = { maxBytes: 10_000, files: 1_000 };
  const writers = [1, 2, 3].map(() => new LogFile(path, bounds));
  const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${'x'.repeat(100)}`);
  for (const [n, line] of lines.entries()) writers[n % 3]?.write(`${line}\n`);
  for (const writer of writers) writer.flush();
  const names = readdirSync(folder);
  const written = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  expect(written.toSorted()).toEqual(lines.toSorted());
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThan(20_000);

  const last = new LogFile(path, { maxBytes: 1_000, files: 2 });
  for (const word of ['first', 'second', 'third', 'fourth']) {
    last.write(`${word} ${'y'.repeat(2_000)}\n`);
    last.flush();
  }
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').split(' ')[0]);
  expect(kept.toSorted()).toEqual(['fourth', 'second', 'third']);
});

// A device that answers every write as a full disk does.
test.runIf(existsSync('/dev/full'))('a full disk stops nobody', () => {
  const file = new LogFile('/dev/full', BOUNDS);
  for (let line = 0; line < 3_000; line++) file.write(`${'x'.repeat(1_000)}\n`);
  file.flush();
});

test('an error is logged with what it says and where it was, and without what it carries', () => {
  const dataDir = temporaryFolder();
  const { log } = openLog(readSettings({ dataDir }, {}));
  const error = Object.assign(new TypeError('no such row', { cause: new Error('the disk') }), { account: '12345678' });
  log.error({ error }, 'it failed');
  log.error({ error: 'only words' }, 'it failed');
  const [first = '', second = ''] = readFileSync(join(dataDir, 'logs/payrun.log'), 'utf8').split('\n');
  expect(JSON.parse(first).error).toEqual({
    name: 'TypeError',
    message: 'no such row',
    stack: expect.stringContaining('log-file.test.ts'),
    cause: { name: 'Error', message: 'the disk', stack: expect.any(String) },
  });
  expect(JSON.parse(second).error).toBe('only words');
});
