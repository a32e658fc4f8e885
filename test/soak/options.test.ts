import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('options are read, and have defaults', async () => {
  expect(await parseOptions([], 7)).toEqual({ mode: 'kill', kills: 300, freezes: 20, rows: 500, seed: 7, lanes: 2 });
  const given = ['--mode', 'freeze', '--freezes', '3', '--rows', '40', '--seed', '9'];
  expect(await parseOptions(given, 0)).toMatchObject({ mode: 'freeze', freezes: 3, rows: 40, seed: 9, lanes: 6 });
});

test.each([
  [['--mode', 'pause'], 'mode'],
  [['--rows', '1e3'], '--rows must be a whole number from 10 to 20000, and not "1e3"'],
  [['--rows', '9'], '--rows must be'],
  [['--kills', '-1'], '--kills'],
  [['--kills', '0'], '--kills must be'],
  [['--seed', '4294967296'], '--seed must be'],
  [['--freezes', '3'], '--freezes is for the mode freeze'],
  [['--mode', 'freeze', '--kills', '3'], '--kills is for the modes kill and both'],
  [['--minutes', '3'], 'minutes'],
  [['500'], 'Only options are understood'],
])('%j is refused', async (argv, message) => {
  await expect(parseOptions(argv, 0)).rejects.toThrow(message);
});
