import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { RAIL_NAMES } from '../../src/domain/rails/rail.ts';
import { openArchive } from '../../src/platform/xlsx/archive.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const MARK = 'EXAMPLE - not paid';

/** A template as CSV, in lines. */
async function csvTemplate(...rails: string[]): Promise<{ path: string; lines: string[] }> {
  const path = join(temporaryFolder(), 'template.csv');
  const { exit } = await payrun(['template', ...rails, '--out', path]);
  expect(exit).toBe(0);
  return { path, lines: readFileSync(path, 'utf8').trimEnd().split('\r\n') };
}

async function check(path: string) {
  const { exit, stdout } = await payrun(['check', path, '--json']);
  return { exit, ...JSON.parse(stdout) };
}

describe('a template as it comes', () => {
  test('has no payouts, and says of the examples that they are passed over', async () => {
    const { path, lines } = await csvTemplate();
    expect(lines).toHaveLength(1 + RAIL_NAMES.length);
    const { exit, rows, payouts, groups } = await check(path);
    expect({ exit, rows, payouts }).toEqual({ exit: 3, rows: 0, payouts: 0 });
    expect(groups).toMatchObject([
      { severity: 'warning', code: 'example_row', count: RAIL_NAMES.length },
      { severity: 'error', code: 'no_payouts', message: 'The file has a header and no payouts under it.' },
    ]);
  });

  test('is not paid', async () => {
    const { path } = await csvTemplate('AUD_NPP');
    const { exit, stdout, stderr } = await payrun(['run', path, '--yes'], { cwd: temporaryFolder() });
    expect(exit).toBe(3);
    expect(stdout).toContain('no_payouts');
    expect(stderr).toContain('Nothing was sent.');
  });
});

describe('a template that is filled in', () => {
  test('passes for every rail, each example being an account that our own rules take', async () => {
    const { path, lines } = await csvTemplate();
    const filled = lines.map((line, at) => line.replace(MARK, `P-${at}`).replace('Example payee by', 'Payee'));
    writeFileSync(path, filled.join('\r\n'));
    const { exit, payouts, problems } = await check(path);
    expect(problems.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
    expect({ exit, payouts }).toEqual({ exit: 0, payouts: RAIL_NAMES.length });
  });

  test('passes with the examples left in, whatever decimal separator its amounts have', async () => {
    const { path, lines } = await csvTemplate('EUR_SEPA');
    const own = 'E-1,Ana Kovač,"1.234,50",EUR,EUR_SEPA,DE89370400440532013000,,,';
    writeFileSync(path, [...lines, own, ''].join('\r\n'));
    const { exit, rows, totals } = await check(path);
    expect({ exit, rows, totals }).toEqual({
      exit: 0,
      rows: 1,
      totals: [{ currency: 'EUR', count: 1, amount: '1234.50' }],
    });
  });

  test.each([
    ['written over an example whose payee_id was left', (line: string) => line.replace(/Example payee[^,]*/, 'Ana')],
    ['an example whose payee_id was removed', (line: string) => line.replace(MARK, '')],
  ])('a row is an error and not forgotten: %s', async (_what, change) => {
    const { path, lines } = await csvTemplate('AUD_NPP');
    const own = 'E-1,Bob,5,AUD,AUD_NPP,12345679,062-000,,';
    writeFileSync(path, [lines[0], change(lines[1] ?? ''), own, ''].join('\r\n'));
    const { exit, payouts, problems } = await check(path);
    expect({ exit, payouts }).toEqual({ exit: 3, payouts: 1 });
    expect(problems).toMatchObject([{ severity: 'error', code: 'example_row_changed', row: 2 }]);
  });
});

test('the workbook has text columns, drop-downs, notes, a header that stays in view, and an example per rail', async () => {
  const folder = temporaryFolder();
  const { exit, stdout } = await payrun(['template', 'aud-npp', 'WEB3', '--data-dir', 'data'], { cwd: folder });
  expect(exit).toBe(0);
  expect(stdout).toContain('payroll-template.xlsx: 11 columns, 2 example rows');
  const { sheets } = await readXlsx(readFileSync(join(folder, 'payroll-template.xlsx')), { readStyles: true });
  expect(sheets.map(({ name }) => name)).toEqual(['Payouts', 'Notes']);
  const [sheet] = sheets;
  const header = ['payee_id', 'name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'];
  expect(sheet?.rows.slice(0, 3)).toEqual([
    [...header, 'wallet_address', 'chain', 'reference', 'description'],
    [MARK, 'Example payee by AUD_NPP', '1000', 'AUD', 'AUD_NPP', '12345678', '062-000'].concat(Array(4).fill(null)),
    [MARK, 'Example payee by WEB3', '1000', 'USDC', 'WEB3', null, null].concat([
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'polygon',
      null,
      null,
    ] as never[]),
  ]);
  expect(sheet?.freezePane).toMatchObject({ rows: 1 });
  expect(sheet?.dataValidations).toMatchObject([
    { type: 'list', range: 'D2:D1048576', values: ['AUD', 'USDC', 'USDT', 'ETH'] },
    { type: 'list', range: 'E2:E1048576', values: ['AUD_NPP', 'WEB3'] },
    { type: 'list', range: 'I2:I1048576', values: ['ethereum', 'polygon', 'arbitrum'] },
  ]);
  expect(sheet?.cells?.get('1,5')?.style?.numFmt).toBe('@');
  expect(await columnFormats(join(folder, 'payroll-template.xlsx'))).toEqual(
    sheet?.rows[0]?.map((name) => (name === 'amount' ? '0' : '49')),
  );
  expect(sheet?.cells?.get('0,5')?.comment?.text).toBe("The payee's account.\nAUD_NPP: 4 to 9 digits.");
  expect(sheet?.cells?.get('0,0')?.comment?.text).toContain(MARK);
  expect(sheets[1]?.rows).toContainEqual([null, 'AUD_NPP: the BSB, 6 digits.']);
});

describe('what template refuses', () => {
  test.each([
    [['SEPA'], 'Did you mean EUR_SEPA?'],
    [['AUD_NPT'], 'Did you mean AUD_NPP?'],
    [['bitcoin'], 'There is no rail bitcoin.\n'],
    [['AUD_NPP', '--out', 'a.ods'], 'neither .xlsx nor .csv'],
    [['AUD_NPP', '--out', 'no/such/folder/a.csv'], 'cannot be written'],
  ])('%j', async (args, text) => {
    const folder = temporaryFolder();
    const { exit, stderr } = await payrun(['template', ...args], { cwd: folder });
    expect(exit).toBe(2);
    expect(stderr).toContain(text);
  });

  test('a file that exists, unless told to replace it', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'mine.csv');
    writeFileSync(path, 'mine');
    const refused = await payrun(['template', 'GBP_FPS', '--out', path]);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect((await payrun(['template', 'GBP_FPS', '--out', path, '--force'])).exit).toBe(0);
    expect(readFileSync(path, 'utf8')).toMatch(/^payee_id,name,/);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });
});

/** The number formats of the first sheet's columns, by their built-in numbers: what is typed into an empty cell gets them. */
async function columnFormats(path: string): Promise<(string | undefined)[]> {
  const opened = await openArchive(readFileSync(path));
  if (!opened.ok) throw new Error(opened.code);
  const [styles, sheet] = await Promise.all(
    ['xl/styles.xml', 'xl/worksheets/sheet1.xml'].map((name) => opened.archive.text(name)),
  );
  const formats = Array.from(styles?.split('<cellXfs')[1]?.matchAll(/numFmtId="(\d+)"/g) ?? [], ([, id]) => id);
  return Array.from(sheet?.matchAll(/<col [^>]*style="(\d+)"/g) ?? [], ([, style]) => formats[Number(style)]);
}
