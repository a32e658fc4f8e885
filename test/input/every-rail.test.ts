import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RAIL_NAMES } from '../../src/domain/rails/rail.ts';
import { columnOf } from '../../src/input/header/columns.ts';
import { csvOf, DESTINATIONS, EXAMPLE_ROWS } from '../support/destinations.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { readAll } from './reading.ts';

const WRONG = EXAMPLE_ROWS.map((row) => ({ ...row, fields: { ...row.fields, ...DESTINATIONS[row.rail].wrong } }));

/** `check --json` of a file, by the real command. */
async function check(text: string) {
  const file = join(temporaryFolder(), 'payees.csv');
  writeFileSync(file, text);
  const { exit, stdout } = await payrun(['check', file, '--json']);
  return { exit, ...JSON.parse(stdout) };
}

describe('payrun check', () => {
  it('accepts a payee of each rail without a word', async () => {
    const { exit, rows, payouts, problems, totals } = await check(csvOf(EXAMPLE_ROWS));
    expect(problems).toEqual([]);
    expect([exit, rows, payouts]).toEqual([0, RAIL_NAMES.length, RAIL_NAMES.length]);
    const currencies = new Set(
      EXAMPLE_ROWS.map(({ currency, fields }) => (fields.chain ? `${currency} on ${fields.chain}` : currency)),
    );
    expect(totals.map(({ currency }: { currency: string }) => currency)).toEqual([...currencies]);
  });

  it('refuses wrong values of each rail, every one with its place and a remedy', async () => {
    const { exit, payouts, problems } = await check(csvOf(WRONG));
    expect([exit, payouts]).toEqual([3, 0]);
    for (const [at, { rail }] of WRONG.entries()) {
      const found = problems.filter(({ row }: { row: number }) => row === at + 2);
      expect([rail, found.map(({ code }: { code: string }) => code)]).toEqual([rail, DESTINATIONS[rail].errors]);
      for (const problem of found) {
        expect(problem).toMatchObject({ severity: 'error', column: expect.stringMatching(/^[a-z_]+$/) });
        expect(problem.cell).toMatch(/^[E-J]\d+$/);
        expect(problem.message).toMatch(/^[A-Z].+\.$/);
        expect(problem.remedy).toMatch(/^[A-Z].+\.$/);
      }
    }
  });
});

describe('a row', () => {
  it.each(RAIL_NAMES)('by %s says so where its currency is another', async (rail) => {
    const currency = rail === 'WEB3' ? 'EUR' : 'NZD';
    const { problems } = await readAll(csvOf([{ ...DESTINATIONS[rail], name: 'Ana', rail, currency }]));
    expect(problems.map(({ code }) => code)).toContain('rail_currency_mismatch');
  });

  it.each([
    ['HKD', 'HKD_SWIFT, HKD_FPS, HKD_CHATS'],
    ['BRL', 'BRL_PIX, BRL_SWIFT'],
    ['eur', 'EUR_SEPA, EUR_SWIFT'],
  ])('in %s without a rail is told which there are', async (currency, names) => {
    for (const rail of ['', 'NONE']) {
      const { problems } = await readAll(`name,amount,currency,rail\nAna,1,${currency},${rail}\n`);
      const remedy = problems.find(({ column }) => column === 'rail')?.remedy ?? '';
      expect(/one of ([A-Z0-9_, ]+)\.$/.exec(remedy)?.[1]).toBe(names);
    }
  });

  it.each([
    ['pix_key', 'BRL_PIX', 'BRL', '111.444.777-35'],
    ['Chave PIX', 'BRL_PIX', 'BRL', 'ana@example.com'],
    ['CLABE', 'MXN_SPEI', 'MXN', '032180000118359719'],
    ['IBAN', 'EUR_SEPA', 'EUR', 'DE89370400440532013000'],
  ])('has its account in a column %s', async (header, rail, currency, account) => {
    const { problems, payouts } = await readAll(
      `name,amount,currency,rail,${header}\nAna,1,${currency},${rail},${account}\n`,
    );
    expect([problems, payouts]).toEqual([[], 1]);
  });

  it.each([
    ['Bank code', 'HKD_FPS', 'HKD', '123456789', '004', ''],
    ['CNAPS', 'CNY_SWIFT', 'CNY', '6222021001122337722', '102100099996', 'ICBKCNBJ'],
    ['IFSC', 'INR_SWIFT', 'INR', '50100234567812', 'HDFC0000123', 'HDFCINBB'],
  ])('has its clearing code in a column %s', async (header, rail, currency, account, code, bic) => {
    const file = `name,amount,currency,rail,account,${header},SWIFT/BIC code\nAna,1,${currency},${rail},${account},${code},${bic}\n`;
    const { problems, runRows } = await readAll(file);
    expect(problems).toEqual([]);
    expect(runRows[0]?.order?.destination).toMatchObject({ fields: { national_clearing_code: code, bic } });
  });

  it.each([
    ['Swift code', 'bic'],
    ['BIC / SWIFT code', 'bic'],
    ['Cuenta CLABE', 'account_number'],
    ['CPF', null],
    ['CNPJ', null],
  ])('the header %s is %s', (header, column) => {
    expect(columnOf(header)).toBe(column);
  });
});
