import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wanted } from '../../src/domain/refusals/settings-faults.ts';
import { readAllowedPayees } from '../../src/job/allowed-payees.ts';
import { readJob } from '../../src/job/job-file.ts';
import { refusedWith } from '../support/refused.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'payrun-limits-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The limits of a job, or what is wrong with them. */
function limitsOf(text: string) {
  const file = join(folder(), 'pay.yaml');
  writeFileSync(file, `input: a.csv\nlimits: {${text}}\n`);
  const read = readJob(file);
  return read.ok ? read.job.limits : read.problems;
}

/** A value in the second line that cannot be what it is. */
function wrong(column: number, key: string, value: string | null, wanted: Wanted) {
  return { line: 2, column, key: `limits.${key}`, code: 'wrong_value', value, wanted };
}

describe('the limits of a job', () => {
  it('are sums to the last digit, counts and shares', () => {
    expect(limitsOf('per_payout: {AUD: 20000, USDC: 0.000001}, per_run: {AUD: 1e}')).toEqual([
      wrong(67, 'per_run.AUD', '1e', { form: 'digits', code: 'AUD' }),
    ]);
    expect(
      limitsOf(
        'per_payout: {AUD: 20000, usdc: 0.000001}, per_run: {AUD: 10000000000000000000.01}, per_day: {AUD: 0}, payees: 500, only_payees: [E1, 007], failures: 10%',
      ),
    ).toEqual({
      per_payout: [
        { code: 'AUD', minor: '2000000' },
        { code: 'USDC', minor: '1' },
      ],
      per_run: [{ code: 'AUD', minor: '1000000000000000000001' }],
      per_day: [{ code: 'AUD', minor: '0' }],
      payees: 500,
      only_payees: { ids: ['E1', '007'] },
      failures_percent: 10,
      cooling_off_ms: null,
    });
    expect(limitsOf('payees: 1')).toMatchObject({ per_payout: null, only_payees: null, failures_percent: null });
  });

  const percent = { form: 'whole_percent', max: 99 } as const;
  it.each<[string, object]>([
    ['', { line: 2, column: 9, key: 'limits', code: 'no_limit' }],
    ['payees: 1, per_pay: {AUD: 1}', { column: 21, key: 'limits.per_pay', code: 'unknown_key', nearest: 'per_day' }],
    ['per_run: {}', { line: 2, column: 19, key: 'limits.per_run', code: 'no_currency' }],
    ['per_run: 500000', wrong(19, 'per_run', '500000', { form: 'keys' })],
    ['per_run: {ABC: 1}', wrong(25, 'per_run.ABC', '1', { form: 'known_currency', code: 'ABC' })],
    ['per_run: {AUD: 1.234}', wrong(25, 'per_run.AUD', '1.234', { form: 'fewer_decimals', code: 'AUD', decimals: 2 })],
    ['per_run: {AUD: -1}', wrong(25, 'per_run.AUD', '-1', { form: 'digits', code: 'AUD' })],
    ['per_run: {AUD: 1, aud: 2}', { line: 2, column: 28, key: 'limits.per_run.aud', code: 'same_currency' }],
    ['payees: 0', wrong(18, 'payees', '0', { form: 'whole_number', min: 1, max: 1_000_000 })],
    ['only_payees: []', wrong(23, 'only_payees', null, { form: 'one_at_least' })],
    ['only_payees: {E1: true}', { column: 23, code: 'keys_value', wanted: { form: 'payee_ids' } }],
    ['failures: 100%', wrong(20, 'failures', '100%', percent)],
    ['cooling_off: 0s', wrong(23, 'cooling_off', '0s', { form: 'cooling_off' })],
    ['cooling_off: true', { column: 23, key: 'limits.cooling_off', code: 'truth_value', value: true }],
    ['cooling_off: 14d', { column: 10, key: 'limits.cooling_off', code: 'cooling_off_without_approval' }],
    ['failures: 0.1', wrong(20, 'failures', '0.1', percent)],
  ])('are refused where they are wrong: %s', (text, problem) => {
    expect(limitsOf(text)).toMatchObject([problem]);
  });
});

describe('a file of the payees that may be paid', () => {
  const read = (text: string | Uint8Array) => {
    const file = join(folder(), 'allowed.csv');
    writeFileSync(file, text);
    return readAllowedPayees(file, 'pay.yaml:3:5');
  };

  it.each([
    ['a line for each', 'E1\nE2\n\n', ['E1', 'E2']],
    ['a table with their column', 'name,Payee ID\nAda,E1\nMary,E2\n', ['E1', 'E2']],
    ['semicolons, quotes, a byte order mark', '\ufeffpayee_id;name\r\n"E;1";Ada\r\n', ['E;1']],
    ['zeros in front', '007\n', ['007']],
  ])('names them in %s', (_, text, ids) => {
    expect(read(text)).toEqual(ids);
  });

  it.each([
    ['nobody', '\n', /names no payee/],
    ['a column alone', 'payee_id\n', /names no payee/],
    ['a table without the column', 'name,amount\nAda,1\n', /table without a column payee_id/],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), /cannot be read/],
  ])('is refused where it has %s', (_, text, message) => {
    expect(refusedWith(() => read(text))).toMatch(message);
    const ofNone = refusedWith(() => readAllowedPayees('no such file', 'pay.yaml:3:5'));
    expect(ofNone).toMatch(/^pay\.yaml:3:5: limits\.only_payees: no such/);
  });
});
