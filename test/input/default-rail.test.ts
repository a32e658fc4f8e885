import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RAILS } from '../../src/domain/rails/registry.ts';
import { parseDefaultRail } from '../../src/input/cells/rail-cells.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { placesOf, readAll } from './reading.ts';

const HEADER = 'name,amount,currency,account_number,national_clearing_code,bic,rail';
const GERMAN = 'DE89370400440532013000';
/** What most payrolls have: an IBAN and a BIC, which fit two rails. */
const ANA = `Ana,1,EUR,${GERMAN},,COBADEFF,`;
const BEN = 'Ben,2,GBP,31926819,60-16-13,,';
const CAI = 'Cai,3,EUR,FR1420041010050500013M02606,,BNPAFRPP,EUR_SWIFT';
const EUR_SEPA = { defaultRails: new Map([['EUR', 'EUR_SEPA']] as const) };

describe('the text of a default rail', () => {
  it.each([
    ['EUR=EUR_SEPA', 'EUR', 'EUR_SEPA'],
    [' eur = eur sepa ', 'EUR', 'EUR_SEPA'],
    ['GBP=GBP_FPS', 'GBP', 'GBP_FPS'],
    ['USDC=WEB3', 'USDC', 'WEB3'],
  ])('%j', (text, code, rail) => {
    expect(parseDefaultRail(text)).toEqual({ ok: true, code, rail });
  });

  const ofEur = { code: 'EUR', rails: ['EUR_SEPA', 'EUR_SWIFT'] };
  it.each([
    ['EUR', { form: 'default_rail', text: 'EUR' }],
    ['=EUR_SEPA', { form: 'default_rail', text: '=EUR_SEPA' }],
    ['EUR_SEPA', { form: 'default_rail', text: 'EUR_SEPA' }],
    ['EUR=', { form: 'known_rail', name: '', ...ofEur }],
    ['EUR=SEPA', { form: 'known_rail', name: 'SEPA', ...ofEur }],
    ['EUR=USD_ACH', { form: 'fitting_rail', rail: 'USD_ACH', pays: 'USD', ...ofEur }],
    ['EUR=WEB3', { form: 'fitting_rail', rail: 'WEB3', pays: null, ...ofEur }],
    ['USDC=USD_ACH', { form: 'fitting_rail', rail: 'USD_ACH', pays: 'USD', code: 'USDC', rails: ['WEB3'] }],
    ['NZD=EUR_SEPA', { form: 'paid_currency', code: 'NZD' }],
  ])('%j is none', (text, wanted) => {
    expect(parseDefaultRail(text)).toEqual({ ok: false, wanted });
  });

  it('may be each rail, for its currency', () => {
    for (const { name, currency } of RAILS)
      expect(parseDefaultRail(`${currency ?? 'USDT'}=${name}`)).toMatchObject({ ok: true, rail: name });
  });
});

describe('a default rail', () => {
  it('is that of the rows of its currency that name none', async () => {
    const { problems, runRows, inferredRails, defaultRails } = await readAll(
      [HEADER, ANA, BEN, CAI].join('\n'),
      EUR_SEPA,
    );
    expect(problems).toEqual([]);
    expect(runRows.map(({ order }) => order?.destination)).toMatchObject([
      { rail: 'EUR_SEPA', fields: { account_number: GERMAN } },
      { rail: 'GBP_FPS' },
      { rail: 'EUR_SWIFT' },
    ]);
    expect(inferredRails).toEqual([{ rail: 'GBP_FPS', count: 1 }]);
    expect(defaultRails).toEqual([{ rail: 'EUR_SEPA', count: 1 }]);
  });

  it('is that of rows whose fields fit another rail alone: they are told, not paid otherwise', async () => {
    const brazilian = 'Eva,1,EUR,BR1800360305000010009795493C1,,BRASBRRJ,';
    expect((await readAll(`${HEADER}\n${brazilian}`)).inferredRails).toEqual([{ rail: 'EUR_SWIFT', count: 1 }]);
    const result = await readAll(`${HEADER}\n${brazilian}`, EUR_SEPA);
    expect(placesOf(result)).toEqual(['D2 iban_not_sepa']);
    expect(result.defaultRails).toEqual([]);
  });

  it('is not that of an account that exists at the service', async () => {
    const { runRows, defaultRails } = await readAll(
      'name,amount,currency,external_account_id\nAna,1,EUR,acc_1\n',
      EUR_SEPA,
    );
    expect(runRows[0]?.order?.destination).toEqual({ kind: 'existing', external_account_id: 'acc_1' });
    expect(defaultRails).toEqual([]);
  });
});

describe('--default-rail', () => {
  /** A folder with a file of these rows, and its path. */
  function folderWith(...rows: string[]) {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'pay.csv'), `${[HEADER, ...rows].join('\n')}\n`);
    return { cwd };
  }

  it('is what the problem of a file without rails names, and mends it', async () => {
    const options = folderWith(ANA, BEN);
    const refused = await payrun(['check', 'pay.csv'], options);
    const [option = ''] = /--default-rail EUR=\w+/.exec(refused.stdout) ?? [];
    expect([refused.exit, option]).toEqual([3, '--default-rail EUR=EUR_SEPA']);
    const mended = await payrun(['check', 'pay.csv', ...option.split(' ')], options);
    expect([mended.exit, mended.stdout]).toEqual([
      0,
      expect.stringContaining('\nrail inferred for 1 row: GBP_FPS\nrail by default for 1 row: EUR_SEPA\n'),
    ]);
    const { stdout } = await payrun(['check', 'pay.csv', '--json', ...option.split(' ')], options);
    expect(JSON.parse(stdout)).toMatchObject({
      inferred_rails: [{ rail: 'GBP_FPS', count: 1 }],
      default_rails: [{ rail: 'EUR_SEPA', count: 1 }],
    });
  });

  it('is part of what a person confirms, and may come from the environment', async () => {
    const swiss = 'Eva,5,USD,123456789,,UBSWCHZH,';
    const options = { ...folderWith(ANA, swiss), env: { PAYRUN_DEFAULT_RAIL: 'EUR=EUR_SEPA, USD=USD_SWIFT' } };
    const asked = await payrun(['run', 'pay.csv'], options);
    expect([asked.exit, asked.stderr]).toEqual([
      6,
      expect.stringContaining('1.00 EUR, 5.00 USD; rail by default for 2 rows: EUR_SEPA 1, USD_SWIFT 1.'),
    ]);
    const paid = await payrun(['run', 'pay.csv', '--yes'], options);
    expect([paid.exit, paid.stderr]).toEqual([0, expect.stringContaining('rail by default for 2 rows:')]);
  });

  it.each([
    [['--default-rail', 'EUR=USD_ACH'], '--default-rail: USD_ACH pays USD, not EUR'],
    [['--default-rail', 'EUR=EUR_SEPA', '--default-rail', 'eur=EUR_SWIFT'], '--default-rail: EUR is given twice'],
  ])('%j is refused', async (args, message) => {
    const { exit, stderr } = await payrun(['check', 'pay.csv', ...args], folderWith(ANA));
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
