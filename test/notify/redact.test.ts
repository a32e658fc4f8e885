import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { rowsText } from '../../src/messages/notice-words.ts';
import { oneLine, withoutNumbers } from '../../src/notify/redact.ts';
import { EXAMPLE_ROWS } from '../support/destinations.ts';
import { PROJECT } from '../support/payrun.ts';

const sample: Record<string, string>[] = parse(readFileSync(join(PROJECT, 'samples/payroll.csv')), {
  columns: true,
  bom: true,
});

/** Every account of the sample and of every rail, as it is and as people write it. */
const ACCOUNTS = [
  ...sample.flatMap(({ account_number = '', wallet_address = '' }) => [account_number, wallet_address]),
  ...EXAMPLE_ROWS.flatMap(({ fields }) => [fields.account_number ?? '', fields.wallet_address ?? '']),
  'maria@pix.example',
  '+5511987654321',
]
  .filter((account) => account !== '')
  .flatMap((account) => [account, ...apart(account), `••••${account.replaceAll(' ', '').slice(-4)}`]);

function apart(account: string): string[] {
  if (!/^[0-9A-Z]{9,}$/.test(account)) return [];
  return [' ', '-'].map((separator) => account.replace(/(.{4})(?=.)/g, `$1${separator}`));
}

test('leaves no part of an account number in a text', () => {
  expect(ACCOUNTS.length).toBeGreaterThan(150);
  for (const account of ACCOUNTS) {
    const text = withoutNumbers(
      `Row 5 pays 1,234.50 AUD to ${account}, again; "${account}" was paid by R20261125-7K3M9QZ2.`,
    );
    expect(text).toBe('Row 5 pays 1,234.50 AUD to (left out), again; "(left out)" was paid by R20261125-7K3M9QZ2.');
  }
});

test.each([
  ['to an account (ends in ••••3000).', 'to an account (ends in (left out)).'],
  ['to it (DE89370400440532013000), again', 'to it (left out), again'],
  ['{"account":"12345678"} was refused', '{"(left out)"} was refused'],
  ['[12345678] “12345678”…', '[(left out)] “(left out)”…'],
])('closes behind a number what was opened before it: %s', (text, told) => {
  expect(withoutNumbers(text)).toBe(told);
});

test.each([
  ['The balance is short: 1,234,567.89 AUD of 2026-11-25, in 2026-11.'],
  ['Job monthly-payroll was run for 2026-11 already, as R20261125-7K3M9QZ2. See `payrun show R20261125-7K3M9QZ2`.'],
  ['The service cannot be reached (ECONNREFUSED).'],
])('leaves %s as it is', (text) => {
  expect(withoutNumbers(text)).toBe(text);
});

test('makes one line of what a person wrote', () => {
  expect(oneLine('Ada\r\nBcc: x@example.org\u2028\u202e')).toBe('Ada Bcc: x@example.org');
});

test('names the first rows of many', () => {
  expect(rowsText([5])).toBe('row 5');
  expect(rowsText(Array.from({ length: 25 }, (_, at) => at + 1))).toMatch(/^rows 1, 2.* 20 and 5 more$/);
});
