import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run as runCheck } from '../../src/cli/commands/check/run.ts';
import { groupText } from '../../src/cli/input/problem-text.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { readInput } from '../../src/input/input.ts';
import { openFile } from '../../src/input/source/file.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { spoilPayroll } from '../support/spoil-payroll.ts';
import { HEADER, npp } from './reading.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payrun-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function check(
  path: string,
  { colour = false, ...options }: { json?: boolean; quiet?: boolean; colour?: boolean } = {},
) {
  const printed = { out: '', err: '' };
  const io = {
    stdout: (text: string) => {
      printed.out += text;
    },
    stderr: (text: string) => {
      printed.err += text;
    },
    isInteractive: false,
    colour,
    ask: async () => null,
  };
  const before = process.exitCode;
  try {
    await runCheck({ input: path, dataDir: join(folder, 'data'), ...options }, io);
    return { exit: process.exitCode, ...printed };
  } finally {
    process.exitCode = before;
  }
}

let files = 0;

async function file(...rows: string[]): Promise<string> {
  const path = join(folder, `${++files}.csv`);
  await writeFile(path, `${[HEADER, ...rows].join('\n')}\n`);
  return path;
}

describe('the samples', () => {
  it('payroll.csv pays at least forty payees in six currencies and one wallet, with nothing to remark', async () => {
    const names = new Set<string>();
    const source = await openFile(join(SAMPLES, 'payroll.csv'));
    const result = await readInput(source, { onRow: (row) => void names.add(row.order?.payee.name ?? '') });
    expect(result.problems).toEqual([]);
    expect(result.payouts).toBe(result.rows);
    expect(names.size).toBeGreaterThanOrEqual(40);
    expect(result.totals.map((total) => [total.currency.code, total.currency.chain])).toEqual([
      ['AUD', null],
      ['USD', null],
      ['GBP', null],
      ['EUR', null],
      ['INR', null],
      ['MXN', null],
      ['USDC', 'polygon'],
    ]);
    for (const { minor, currency } of result.totals)
      expect(minor).toBeLessThan(500_000n * 10n ** BigInt(currency.decimals));
    expect(result.input.columns[result.input.header.indexOf('department')]).toBeNull();
  });

  it('payroll-with-failures.csv has two rows that a rehearsal fails', async () => {
    const names: string[] = [];
    const source = await openFile(join(SAMPLES, 'payroll-with-failures.csv'));
    const result = await readInput(source, { onRow: (row) => void names.push(row.order?.payee.name ?? '') });
    expect(result.problems).toEqual([]);
    expect(names.filter((name) => name.startsWith('REHEARSE_'))).toEqual([
      'REHEARSE_SANCTIONS Ltd',
      'REHEARSE_CLOSED Supplies',
    ]);
  });

  it('payroll-with-mistakes.csv has one of each typical mistake', async () => {
    const { exit, out } = await check(join(SAMPLES, 'payroll-with-mistakes.csv'));
    expect(exit).toBe(3);
    for (const code of [
      'bsb_leading_zero',
      'iban_checksum',
      'clabe_scientific',
      'amount_too_many_decimals',
      'possible_duplicate',
    ])
      expect(out).toContain(code);
    expect(out).toContain('15 errors, 2 warnings: nothing would be sent.');
  });
});

describe('check --json', () => {
  it('prints one object, as documented', async () => {
    const { exit, out } = await check(await file(npp('Ana', '1234.5'), npp('Bob', '2', '123')), { json: true });
    expect(exit).toBe(3);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toEqual({
      rows: 2,
      payouts: 1,
      totals: [{ currency: 'AUD', count: 1, amount: '1234.50' }],
      sheet: null,
      header_row: 1,
      columns: ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'].map((header, at) => ({
        column: 'ABCDEF'[at],
        header,
        means: header,
        ignored: false,
      })),
      problem_counts: { errors: 1, warnings: 0 },
      problems: [
        {
          severity: 'error',
          code: 'account_number_length',
          sheet: null,
          row: 3,
          column: 'account_number',
          cell: 'E3',
          value: '123',
          message: 'The account number has 3 digits; it must have 4 to 9 digits.',
          remedy: 'Compare the account number with its source.',
        },
      ],
      inferred_rails: [],
      default_rails: [],
      groups: [
        {
          severity: 'error',
          code: 'account_number_length',
          column: 'account_number',
          count: 1,
          places: ['E3'],
          message: 'The account number has 3 digits; it must have 4 to 9 digits.',
          remedy: 'Compare the account number with its source.',
        },
      ],
      exit: 3,
    });
  });

  it('says 0 with warnings only', async () => {
    const { exit, out } = await check(await file(npp('Ana', '1'), npp('Ana', '1')), { json: true });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ exit: 0, problems: [{ severity: 'warning', code: 'possible_duplicate' }] });
  });
});

describe('check for people', () => {
  it('prints totals and that nothing is wrong', async () => {
    const { exit, out } = await check(await file(npp('Ana', '1234.5')));
    expect(exit).toBe(0);
    expect(out).toMatch(/1 row, 1 payout\n +1 +1,234\.50 AUD\n/);
    expect(out.trimEnd()).toMatch(/No problems found\.$/);
  });

  it('says of 300 rows with one mistake where the first five are, what they hold, why and what to do', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => npp(`P${at}`, at % 2 ? 'x' : 'y', String(10_000_000 + at)));
    const { out } = await check(await file(...rows));
    expect(out).toContain(
      [
        'error amount_not_a_number at B2, B3, B4, B5, B6 and 295 more',
        '  value       "y", "x"',
        '  reason      The amount is not a number.',
        '  remedy      Write digits with',
      ].join('\n'),
    );
    expect(out.match(/amount_not_a_number/g)).toHaveLength(1);
  });

  it('tells the reasons of one mistake apart, with the cell of each', async () => {
    const { out } = await check(await file(npp('Ana', '1'), npp('Ana', '1'), npp('Bob', '2'), npp('Bob', '2')));
    expect(out).toContain(
      [
        'warning possible_duplicate at E3, E5',
        '  value       "••••5678"',
        '  reason      E3: Row 2 pays the same amount to the same account.',
        '              E5: Row 4 pays the same amount to the same account.',
        '  remedy      Remove one',
      ].join('\n'),
    );
  });

  it('names the rows where the file has no such column, and asks for the column', async () => {
    const path = join(folder, 'no-bic.csv');
    const rows = [1, 2].map((at) => `P${at},${at},USD,USD_SWIFT,GB29NWBK60161331926819`);
    await writeFile(path, `${['name,amount,currency,rail,account_number', ...rows].join('\n')}\n`);
    const { out } = await check(path);
    expect(out).toContain('error bic_missing at row 2, row 3\n');
    expect(out).toContain('  remedy      Add a column with the header bic. ');
  });

  it('puts warnings first, then errors, and last what stops most rows', async () => {
    const many = Array.from({ length: 3 }, (_, at) => npp(`P${at}`, 'x', String(10_000_000 + at)));
    const { out } = await check(await file(...many, npp('', '1', '1111'), npp('Ana', '1'), npp('Ana', '1')));
    const places = ['possible_duplicate', 'name_missing', 'amount_not_a_number'].map((code) => out.indexOf(code));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  });

  it('puts a problem of the whole file last of all', async () => {
    const path = join(folder, 'no-currency.csv');
    await writeFile(path, `name,amount,rail,account_number\n${',x,AUD_NPP,1\n'.repeat(9)}`);
    const { out } = await check(path);
    const titles = [...out.matchAll(/^error (\w+)/gm)].map(([, code]) => code);
    expect(titles.length).toBeGreaterThan(2);
    expect(titles.at(-1)).toBe('column_missing');
  });

  it('names cells as the spreadsheet does, and their sheet once', () => {
    const problem: Problem = {
      severity: 'error',
      code: 'iban_checksum',
      sheet: 'July',
      row: 17,
      column: 'account_number',
      cell: 'F17',
      value: 'DE00',
      params: {},
      suggestion: 'DE01',
    };
    const other = { ...problem, row: 18, cell: 'F18', suggestion: 'DE02' };
    const group = { severity: problem.severity, code: problem.code, column: problem.column, count: 300 };
    expect(groupText({ ...group, first: [problem, other] }, false)).toBe(
      [
        'error iban_checksum at July!F17, F18 and 298 more',
        '  value       "DE00"',
        '  reason      The check digits of the IBAN are wrong, so at least one character is.',
        '  remedy      Compare the IBAN with its source, or ask the payee for it again.',
        '  suggestion  F17: "DE01", F18: "DE02"',
      ].join('\n'),
    );
  });

  it('lets no escape sequence of a cell reach the terminal, coloured or not', async () => {
    const path = await file(npp('\u001b[31mAna\u0007', '1'));
    expect((await check(path)).out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const { out } = await check(path, { colour: true });
    expect(out).not.toContain('\u001b[31mAna');
    expect(out).toContain('\u001b[31merror control_character\u001b[39m');
  });

  it('is quiet about totals when asked', async () => {
    const { out } = await check(await file(npp('Ana', '1')), { quiet: true });
    expect(out).toBe('No problems found.\n');
  });

  it('counts a million-row mistake whole though it shows a thousand', async () => {
    const { out } = await check(await file(...Array.from({ length: 2_500 }, () => npp('', '1'))));
    expect(out).toContain('A2, A3, A4, A5, A6 and 2,495 more');
    expect(out).toContain('2,500 errors');
  });

  it('refuses a file that is not there', async () => {
    await expect(check(join(folder, 'none.csv'))).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('a generated payroll', () => {
  it.each(['full', 'existing_accounts'] as const)('(%s) is valid and the same for the same seed', async (mode) => {
    const paths = ['a', 'b'].map((name) => join(folder, `${mode}-${name}.csv`));
    for (const path of paths) await generatePayroll({ rows: 3_000, path, seed: 7, mode });
    const [first, second] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(first).toBe(second);
    const result = await readInput(await openFile(paths[0] ?? ''));
    expect(result).toMatchObject({ rows: 3_000, payouts: 3_000, problems: [] });
  });

  it('with something wrong in every row is counted whole, and a thousand of its problems are told one by one', async () => {
    const [path, spoilt] = [join(folder, 'right.csv'), join(folder, 'wrong.csv')];
    await generatePayroll({ rows: 4_000, path, seed: 7, mode: 'full' });
    await spoilPayroll(path, spoilt);
    const { out } = await check(spoilt, { json: true });
    const { rows, payouts, problems, problem_counts, groups } = JSON.parse(out);
    // Every fifth row is the same payout, which is wrong as often as it is there again.
    expect({ rows, payouts }).toEqual({ rows: 4_000, payouts: 800 });
    expect(problem_counts.errors).toBeGreaterThanOrEqual(3_200);
    expect(problem_counts.warnings).toBe(799);
    expect(problems).toHaveLength(1_000);
    const counted = groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(counted).toBe(problem_counts.errors + problem_counts.warnings);
  });
});
