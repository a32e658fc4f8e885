import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMajor } from '../../src/domain/money.ts';
import { parseExpectedTotal } from '../../src/input/checks/control-figures.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { HEADER, npp, readAll } from './reading.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('the text of an expected total', () => {
  it.each([
    ['AUD=1234.50', 'AUD', 123450n],
    ['aud=0', 'AUD', 0n],
    ['JPY=1200', 'JPY', 1200n],
    ['KWD=1.234', 'KWD', 1234n],
    ['USDC=2450.5', 'USDC', 2450500000n],
  ])('%s', (text, code, minor) => {
    expect(parseExpectedTotal(text)).toEqual({ ok: true, code, minor });
  });

  it.each([
    ['AUD', { form: 'total', text: 'AUD' }],
    ['=5', { form: 'total', text: '=5' }],
    ['AUD:5', { form: 'total', text: 'AUD:5' }],
    ['XYZ=5', { form: 'known_currency', code: 'XYZ' }],
    ['AUD=', { form: 'digits', code: 'AUD' }],
    ['AUD=1,234.50', { form: 'digits', code: 'AUD' }],
    ['AUD=1234,50', { form: 'digits', code: 'AUD' }],
    ['AUD=-5', { form: 'digits', code: 'AUD' }],
    ['AUD=$5', { form: 'digits', code: 'AUD' }],
    ['AUD= 5', { form: 'digits', code: 'AUD' }],
    ['AUD=5.', { form: 'digits', code: 'AUD' }],
    ['AUD=1e3', { form: 'digits', code: 'AUD' }],
    ['AUD=5.005', { form: 'fewer_decimals', code: 'AUD', decimals: 2 }],
    [`AUD=${'9'.repeat(41)}`, { form: 'smaller_sum', code: 'AUD' }],
  ])('%j is none', (text, wanted) => {
    expect(parseExpectedTotal(text)).toEqual({ ok: false, wanted });
  });

  it('reads back what is written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), (minor) => {
        expect(parseExpectedTotal(`EUR=${formatMajor(minor, 2)}`)).toEqual({ ok: true, code: 'EUR', minor });
      }),
    );
  });
});

describe('a file that must agree with figures', () => {
  const FILE = [HEADER, npp('Ana', '1000.50', '12345678'), npp('Bob', '234', '12345679')].join('\n');

  async function compare(content: string, count: number | null, totals: Record<string, bigint> = {}) {
    const result = await readAll(content, { expected: { count, totals: new Map(Object.entries(totals)) } });
    return { ...result, said: result.problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`) };
  }

  it('and does', async () => {
    const { said, isWhole } = await compare(FILE, 2, { AUD: 123450n });
    expect(said).toEqual([]);
    expect(isWhole).toBe(true);
  });

  it.each([
    [1, 'The file has 2 rows that can be paid, 1 more than the 1 expected.'],
    [5, 'The file has 2 rows that can be paid, 3 fewer than the 5 expected.'],
  ])('and has another number of payouts than %i', async (count, message) => {
    const { said, isWhole } = await compare(FILE, count);
    expect(said).toEqual([`error expected_count: ${message}`]);
    expect(isWhole).toBe(false);
  });

  it.each<[Record<string, bigint>, string[]]>([
    [{ AUD: 123451n }, ['The file pays 1,234.50 AUD, 0.01 AUD less than the 1,234.51 AUD expected.']],
    [{ AUD: 3450n }, ['The file pays 1,234.50 AUD, 1,200.00 AUD more than the 34.50 AUD expected.']],
    [{ AUD: 123450n, USD: 100n }, ['The file pays 0.00 USD, 1.00 USD less than the 1.00 USD expected.']],
    [{ USD: 0n }, ['The file pays 1,234.50 AUD, and no total was expected in AUD.']],
  ])('and pays something else than %o', async (totals, messages) => {
    const { said, isWhole } = await compare(FILE, 2, totals);
    expect(said).toEqual(messages.map((message) => `error expected_total: ${message}`));
    expect(isWhole).toBe(false);
  });

  it('counts what can be paid, not what has errors', async () => {
    const { said } = await compare(`${FILE}\n${npp('', '5')}`, 3, { AUD: 123950n });
    expect(said.map((text) => text.split(':')[0])).toEqual([
      'error expected_count',
      'error expected_total',
      'error name_missing',
    ]);
  });

  it('sums a crypto asset over its chains', async () => {
    const rows = ['polygon', 'ethereum'].map((chain) => `Ana,1.5,USDC,WEB3,${WALLET},${chain}`);
    const content = ['name,amount,currency,rail,wallet_address,chain', ...rows].join('\n');
    expect((await compare(content, 2, { USDC: 3_000_000n })).said).toEqual([]);
  });
});

describe('the command line', () => {
  const file = (...rows: string[]) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'payroll.csv'), `${[HEADER, ...rows].join('\n')}\n`);
    return folder;
  };
  const TWO = [npp('Ana', '1000.50', '12345678'), npp('Bob', '"$1,000.00"', '12345679')];

  it('takes figures that agree, before and behind the file', async () => {
    const cwd = file(...TWO);
    const args = ['check', '--expect-total', 'AUD=2000.50', 'payroll.csv', '--expect-count', '2'];
    expect((await payrun(args, { cwd })).exit).toBe(0);
    expect((await payrun(['check', 'payroll.csv', '--expect-total=AUD=2000.5'], { cwd })).exit).toBe(0);
  });

  it('reads several totals, and in the environment all of them in one text', async () => {
    const cwd = file(...TWO);
    const both = await payrun(
      ['check', 'payroll.csv', '--json', '--expect-total', 'AUD=1', '--expect-total', 'USD=2'],
      { cwd },
    );
    expect(both.exit).toBe(3);
    const messages = JSON.parse(both.stdout).problems.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([expect.stringContaining('1.00 AUD'), expect.stringContaining('2.00 USD')]);
    const env = { PAYRUN_EXPECT_TOTAL: 'AUD=2000.50, USD=0', PAYRUN_EXPECT_COUNT: '2' };
    expect((await payrun(['check', 'payroll.csv'], { cwd, env })).exit).toBe(0);
  });

  it.each([
    [['--expect-total', 'AUD=1,234.50'], '--expect-total: write the sum of AUD'],
    [['--expect-total', 'AUD=1', '--expect-total', 'aud=1'], '--expect-total: AUD is given twice'],
    [['--expect-count', 'two'], '--expect-count: write how many'],
    [['--expect-total'], 'expect-total'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { exit, stderr } = await payrun(['check', 'payroll.csv', ...args], { cwd: file(...TWO) });
    expect(stderr).toContain(message);
    expect(exit).toBe(2);
  });

  it('pays nothing where they do not agree, not even the valid rows', async () => {
    const cwd = file(...TWO);
    const args = ['run', 'payroll.csv', '--yes', '--only-valid', '--expect-total', 'AUD=2000.51'];
    const refused = await payrun(args, { cwd });
    expect(refused.exit).toBe(3);
    expect(refused.stdout).toContain('0.01 AUD less');
    expect(refused.stderr).toContain('Nothing was sent. Mend the file.\n');
    const paid = await payrun(['run', 'payroll.csv', '--yes', '--expect-count', '2', '--expect-total', 'AUD=2000.50'], {
      cwd,
    });
    expect(paid.exit).toBe(0);
  });

  it('are what decides whether the valid rows alone can be paid', async () => {
    const cwd = file(npp('Ana', '1'), npp('Bob', '0'));
    const { stderr } = await payrun(['run', 'payroll.csv', '--yes'], { cwd });
    expect(stderr).toContain('Nothing was sent. Mend the file, or pay the rows without problems with --only-valid.\n');
  });

  it('takes the decimal separator', async () => {
    const cwd = file(npp('Ana', '"1,234"'));
    const unproven = await payrun(['check', 'payroll.csv'], { cwd });
    expect(unproven.exit).toBe(3);
    expect(unproven.stdout).toContain('--decimal .');
    const { stdout, exit } = await payrun(['check', 'payroll.csv', '--decimal', '.'], { cwd });
    expect(stdout).toContain('1,234.00 AUD');
    expect(exit).toBe(0);
  });
});
