import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { placesOf, readAll } from './reading.ts';

const HEADER = 'name,amount,currency,account_number,national_clearing_code,bic';
const GERMAN = 'DE89370400440532013000';
const ANA = `Ana,1,EUR,${GERMAN},,`;
const BEN = 'Ben,2,GBP,31926819,60-16-13,';
const CAI = `Cai,3,EUR,FR1420041010050500013M02606,,`;

function fileOf(...rows: string[]): string {
  const path = join(temporaryFolder(), 'payees.csv');
  writeFileSync(path, `${[HEADER, ...rows].join('\n')}\n`);
  return path;
}

describe('a file without a rail', () => {
  it('is paid by the rails that the fields tell', async () => {
    const { problems, runRows, inferredRails } = await readAll([HEADER, ANA, BEN, CAI].join('\n'));
    expect(problems).toEqual([]);
    expect(runRows.map(({ order }) => order?.destination)).toMatchObject([
      { rail: 'EUR_SEPA', fields: { account_number: GERMAN } },
      { rail: 'GBP_FPS', fields: { national_clearing_code: '601613' } },
      { rail: 'EUR_SEPA' },
    ]);
    expect(inferredRails).toEqual([
      { rail: 'EUR_SEPA', count: 2 },
      { rail: 'GBP_FPS', count: 1 },
    ]);
  });

  it('is refused where several rails fit, with what each would take', async () => {
    const { problems, payouts } = await readAll(`${HEADER}\nAna,1,EUR,${GERMAN},,COBADEFF\n`);
    expect(payouts).toBe(0);
    expect(problems).toMatchObject([
      {
        severity: 'error',
        code: 'rail_several_fit',
        row: 2,
        column: 'rail',
        cell: null,
        message:
          'The rail is missing, and the row fits 2 that pay EUR: EUR_SEPA (account_number, bic), EUR_SWIFT (account_number, bic).',
        remedy:
          'Add a column with the header rail. Write the one that is meant into the column rail. In place of that, --default-rail EUR=EUR_SEPA or --default-rail EUR=EUR_SWIFT says it for all rows in EUR that name none.',
      },
    ]);
  });

  it('is refused where none fits, with what the nearest one finds', async () => {
    const result = await readAll(`${HEADER},reference\nAna,1,USD,12345678,21000021,,${'x'.repeat(11)}\n`);
    expect(placesOf(result)).toEqual(['row 2 rail rail_none_fits', 'E2 aba_leading_zero', 'G2 reference_too_long']);
    expect(result.problems[0]).toMatchObject({
      message:
        'The rail is missing, and the row fits none that pays USD: USD_ACH (Routing number: zeros in front lost), USD_WIRE (Routing number: zeros in front lost), USD_SWIFT (BIC: missing).',
      remedy:
        'Add a column with the header rail. Correct what does not fit USD_ACH, the nearest match, or enter the rail you mean: one of USD_ACH, USD_WIRE, USD_SWIFT.',
    });
  });

  it.each([
    ['a currency that no rail pays', 'Ana,1,NZD,12345678,,', ['C2 currency_without_rail']],
    ['a currency that there is not', 'Ana,1,XYZ,12345678,,', ['C2 currency_unknown']],
    ['no currency', 'Ana,1,,12345678,,', ['C2 currency_missing']],
  ])('has one problem for %s', async (_what, row, expected) => {
    expect(placesOf(await readAll(`${HEADER}\n${row}\n`))).toEqual(expected);
  });

  it('tells the rail by the currency that a crypto asset is', async () => {
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const header = 'name,amount,currency,wallet_address,chain';
    const { runRows } = await readAll(`${header}\nAna,1,USDC,${wallet},polygon\n`);
    expect(runRows[0]?.order?.destination).toMatchObject({ rail: 'WEB3', fields: { wallet_address: wallet } });
    expect(placesOf(await readAll(`${header}\nAna,1,USDC,${wallet},\n`))).toEqual(['E2 chain_missing']);
  });

  it('checks the reference by the rail that was inferred', async () => {
    const result = await readAll(`${HEADER},reference\n${BEN},${'x'.repeat(19)}\n`);
    expect(placesOf(result)).toEqual(['G2 reference_too_long']);
  });
});

describe('a row without a rail', () => {
  it.each([
    ['EUR', 'SEPA Credit Transfer', 'Write EUR_SEPA.', 'EUR_SEPA'],
    ['GBP', 'fps', 'Write GBP_FPS.', 'GBP_FPS'],
    ['GBP', 'Faster Payments', 'Write GBP_FPS.', undefined],
    ['GBP', 'SWIFT', 'Write GBP_FPS.', undefined],
    ['EUR', 'SEPA or SWIFT', 'Write one of EUR_SEPA, EUR_SWIFT.', undefined],
  ])('in %s is told what `%s` is', async (currency, rail, remedy, suggestion) => {
    const { problems } = await readAll(`${HEADER},rail\nAna,1,${currency},${GERMAN},,,${rail}\n`);
    expect(problems).toMatchObject([{ code: 'rail_unknown', cell: 'G2', remedy }]);
    expect(problems[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    ['€', 'EUR'],
    ['Euro', 'EUR'],
    ['A$', 'AUD'],
    ['RMB', 'CNY'],
    ['UKP', 'GBP'],
    ['$', undefined],
    ['£', undefined],
    ['pounds', undefined],
  ])('in %s is told the code, where one currency alone is called so', async (currency, suggestion) => {
    const { problems } = await readAll(`${HEADER},rail\nAna,1,${currency},${GERMAN},,,EUR_SEPA\n`);
    expect(problems.map((problem) => problem.code)).toEqual(['currency_unknown']);
    expect(problems[0]?.suggestion).toBe(suggestion);
  });

  it('has its rail beside rows that name theirs', async () => {
    const named = `Dan,1,EUR,${GERMAN},,COBADEFF,EUR_SWIFT`;
    const { problems, runRows, inferredRails } = await readAll(`${HEADER},rail\n${named}\n${CAI},\nEve,1,GBP,1,1,,x\n`);
    expect(problems.map(({ row, code }) => [row, code])).toEqual([[4, 'rail_unknown']]);
    expect(runRows.slice(0, 2).map(({ order }) => order?.destination)).toMatchObject([
      { rail: 'EUR_SWIFT' },
      { rail: 'EUR_SEPA' },
    ]);
    expect(inferredRails).toEqual([{ rail: 'EUR_SEPA', count: 1 }]);
  });

  it('needs none where it names an account that exists at the service', async () => {
    const header = `${HEADER},external_account_id`;
    const { problems, runRows, inferredRails } = await readAll(
      `${header}\nAna,1,EUR,,,,acc_1\nBen,1,GBP,31926819,601613,,\n`,
    );
    expect(problems).toEqual([]);
    expect(runRows.map(({ order }) => order?.destination.kind)).toEqual(['existing', 'account']);
    expect(inferredRails).toEqual([{ rail: 'GBP_FPS', count: 1 }]);
    const empty = await readAll(`${header}\nAna,1,EUR,,,COBADEFF,\n`);
    expect(placesOf(empty)).toEqual(['G2 destination_missing']);
  });

  it('is not counted where it is not paid', async () => {
    const { inferredRails } = await readAll(`${HEADER}\n${ANA}\n${ANA.replace(',1,', ',0,')}\n`);
    expect(inferredRails).toEqual([{ rail: 'EUR_SEPA', count: 1 }]);
  });
});

describe('the rails that were inferred', () => {
  it('are shown by check, and in its JSON', async () => {
    const path = fileOf(ANA, BEN, CAI);
    expect((await payrun(['check', path])).stdout).toContain('\nrail inferred for 3 rows: EUR_SEPA 2, GBP_FPS 1\n');
    expect((await payrun(['check', fileOf(ANA)])).stdout).toContain('\nrail inferred for 1 row: EUR_SEPA\n');
    const { inferred_rails } = JSON.parse((await payrun(['check', path, '--json'])).stdout);
    expect(inferred_rails).toEqual([
      { rail: 'EUR_SEPA', count: 2 },
      { rail: 'GBP_FPS', count: 1 },
    ]);
  });

  it('are part of what a person confirms, and are said where nobody is asked', async () => {
    const dataDir = temporaryFolder();
    const where = ['--data-dir', dataDir, '--report-dir', join(dataDir, 'reports')];
    const path = fileOf(BEN);
    const asked = await payrun(['run', path, ...where]);
    expect(asked.exit).toBe(6);
    expect(asked.stderr).toContain(
      'Not confirmed: 1 payout from payees.csv: 2.00 GBP; rail inferred for 1 row: GBP_FPS.',
    );
    const paid = await payrun(['run', path, '--yes', ...where]);
    expect([paid.exit, paid.stderr]).toEqual([0, expect.stringContaining('rail inferred for 1 row: GBP_FPS\n')]);
    const quiet = await payrun(['run', path, '--yes', '--quiet', '--allow-repeat', ...where]);
    expect([quiet.exit, quiet.stderr]).toEqual([0, expect.not.stringContaining('inferred')]);
  });
});
