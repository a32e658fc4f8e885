import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MODULUS_SUBSTITUTIONS, MODULUS_WEIGHTS } from '../support/modulus.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const PAYROLL = `name,amount,currency,rail,account_number,sort_code
Ana,1,GBP,GBP_FPS,66374959,08-99-99
Ben,2,GBP,GBP_FPS,42368003,938600
`;

/** A folder with a payroll in which one account is wrong, and both tables. */
function folder(weights = MODULUS_WEIGHTS) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pay.csv'), PAYROLL);
  writeFileSync(join(cwd, 'valacdos.txt'), weights);
  writeFileSync(join(cwd, 'scsubtab.txt'), MODULUS_SUBSTITUTIONS);
  return cwd;
}

const TABLE = ['--modulus-table', 'valacdos.txt'];
const SUBSTITUTIONS = ['--modulus-substitutions', 'scsubtab.txt'];

async function codesOf(cwd: string, args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await payrun(['check', 'pay.csv', '--json', ...args], { cwd, env });
  return JSON.parse(stdout).problems.map(({ cell, code }: { cell: string; code: string }) => `${cell} ${code}`);
}

describe('check', () => {
  it('compares accounts with the tables that are given, by options or in the environment', async () => {
    const cwd = folder();
    expect(await codesOf(cwd, [])).toEqual([]);
    expect(await codesOf(cwd, [...TABLE, ...SUBSTITUTIONS])).toEqual(['E2 account_modulus']);
    expect(await codesOf(cwd, TABLE)).toEqual(['E2 account_modulus', 'E3 account_modulus_unchecked']);
    const env = { PAYRUN_MODULUS_TABLE: 'valacdos.txt', PAYRUN_MODULUS_SUBSTITUTIONS: 'scsubtab.txt' };
    expect(await codesOf(cwd, [], env)).toEqual(['E2 account_modulus']);
  });

  it.each([
    ['a line that is none', [...TABLE], 'valacdos.txt:2: This is no line of weights'],
    ['a file that is not there', ['--modulus-table', 'no.txt'], '--modulus-table: no.txt cannot be read: ENOENT'],
    ['a folder', ['--modulus-table', 'folder'], '--modulus-table: folder cannot be read: EISDIR'],
    ['substitutions alone', SUBSTITUTIONS, '--modulus-substitutions requires --modulus-table'],
    ['substitutions that are not there', [...TABLE, '--modulus-substitutions', 'no.txt'], 'valacdos.txt:2:'],
  ])('refuses %s', async (_what, args, message) => {
    const cwd = folder(MODULUS_WEIGHTS.replace('070116 070116 MOD10', '070116 070116 MOD'));
    mkdirSync(join(cwd, 'folder'));
    const { exit, stderr } = await payrun(['check', 'pay.csv', ...args], { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses a file that is too large to be a table', async () => {
    const { exit, stderr } = await payrun(['check', 'pay.csv', ...TABLE], { cwd: folder('\n'.repeat(2 ** 20 + 1)) });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('which no table of Pay.UK has')]);
  });
});

describe('run', () => {
  it('says before it pays which accounts are to be confirmed', async () => {
    const cwd = folder();
    const { exit, stderr } = await payrun(['run', 'pay.csv', '--yes', ...TABLE, ...SUBSTITUTIONS], { cwd });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Ask the payee to confirm both.')]);
  });
});
