import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAllowedPayees } from '../../src/job/allowed-payees.ts';
import { readJob } from '../../src/job/job-file.ts';
import { refusedWith } from '../support/refused.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'payrun-limits-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** What a job with these limits says, or its problems as `LINE:COLUMN what; remedy`. */
function limitsOf(text: string) {
  const file = join(folder(), 'pay.yaml');
  writeFileSync(file, `input: a.csv\nlimits: {${text}}\n`);
  const read = readJob(file);
  if (read.ok) return read.job.limits;
  return read.problems.map(({ line, column, message, remedy }) => `${line}:${column} ${message}; ${remedy}`);
}

describe('the limits of a job', () => {
  it('are sums to the last digit, counts and shares', () => {
    expect(limitsOf('per_payout: {AUD: 20000, USDC: 0.000001}, per_run: {AUD: 1e}')).toEqual([
      expect.stringMatching(/^2:\d+ limits\.per_run\.AUD .*digits/),
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

  it.each([
    ['', /^2:9 limits names no limit; write one/],
    ['payees: 1, per_pay: {AUD: 1}', /^2:21 there is no key limits\.per_pay; did you mean per_day\?/],
    ['per_run: {}', /^2:19 limits\.per_run names no currency; write one, such as AUD: 20000/],
    ['per_run: 500000', /^2:19 limits\.per_run cannot be `500000`; write keys/],
    ['per_run: {ABC: 1}', /^2:25 limits\.per_run\.ABC cannot be `1`; ABC is not the code of a currency/],
    ['per_run: {AUD: 1.234}', /^2:25 limits\.per_run\.AUD cannot be `1\.234`; .*more than 2 decimals/],
    ['per_run: {AUD: -1}', /^2:25 limits\.per_run\.AUD cannot be `-1`/],
    ['per_run: {AUD: 1, aud: 2}', /^2:28 limits\.per_run\.aud is the same currency as one above/],
    ['payees: 0', /^2:18 limits\.payees cannot be `0`; write a whole number from 1/],
    ['only_payees: []', /^2:23 limits\.only_payees/],
    ['only_payees: {E1: true}', /^2:23 limits\.only_payees .*write the name of a file, or a list/],
    ['failures: 100%', /^2:20 limits\.failures cannot be `100%`; write whole per cent, from 0% to 99%/],
    ['cooling_off: 0s', /^2:23 limits\.cooling_off cannot be `0s`; write a time such as 14d/],
    ['cooling_off: true', /^2:23 limits\.cooling_off is the truth value true/],
    [
      'cooling_off: 14d',
      /^2:10 limits\.cooling_off needs somebody who approves, and the job has no approval:; name who/,
    ],
    ['failures: 0.1', /^2:20 limits\.failures cannot be `0\.1`; write whole per cent/],
  ])('are refused where they are wrong: %s', (text, problem) => {
    expect(limitsOf(text)).toEqual([expect.stringMatching(problem)]);
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
