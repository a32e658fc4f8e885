import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN, PROJECT } from '../support/payrun-process.ts';

/** Node.js itself does not start with fewer. */
const NODE_STARTS_WITH = 24;

function withDescriptors(count: number, args: string[]) {
  const words = ['-c', `ulimit -n ${count}; exec "$@"`, 'sh', process.execPath, PAYRUN_MAIN, ...args];
  return spawnSync('sh', words, { cwd: PROJECT, encoding: 'utf8' });
}

test.skipIf(!existsSync('/proc/self/limits'))(
  'a process that may open too few files says so, and begins nothing',
  () => {
    const data = join(temporaryFolder(), 'data');
    const run = ['run', 'samples/payroll.csv', '--yes', '--data-dir', data, '--json'];
    for (const count of [NODE_STARTS_WITH, 26, 28, 32, 48, 63]) {
      const { status, stdout, stderr } = withDescriptors(count, run);
      expect({ count, status }).toEqual({ count, status: 5 });
      expect(stderr).toContain(`may open only ${count} files at once, and needs 64. Nothing was done.`);
      expect(stderr).toContain('ulimit -n 1024');
      expect(JSON.parse(stdout)).toMatchObject({ state: 'refused', exit: 5 });
    }
    expect(existsSync(data)).toBe(false);
    expect(withDescriptors(64, ['runs', '--help']).status).toBe(0);
  },
);
