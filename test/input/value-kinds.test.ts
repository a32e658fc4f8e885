import { expect, test } from 'vitest';
import { columnByValues, looksLikeAccount } from '../../src/input/header/value-kinds.ts';

test.each<[string, readonly string[], string | null]>([
  ['amounts with hundredths', ['3120.55', '3,845.00', '£99.10'], 'amount'],
  ['whole numbers, which may be anything', ['1018', '1019'], null],
  ['currencies', ['GBP', 'GBP', 'EUR'], 'currency'],
  ['rails', ['AUD_NPP', 'gbp_fps'], 'rail'],
  ['IBANs', ['DE89 3704 0044 0532 0130 00', 'FR1420041010050500013M02606'], 'account_number'],
  ['long numbers', ['55779911', '70872490'], 'account_number'],
  ['dates, which are no accounts', ['20261130', '2026-11-30'], null],
  ['sort codes and BSBs', ['60-16-13', '062-000'], 'national_clearing_code'],
  ['routing numbers, by their check digit', ['021000021'], 'national_clearing_code'],
  ['BICs', ['COBADEFF', 'PSSTFRPPPAR'], 'bic'],
  ['names of people, each once', ['Siân Llewellyn', "Alice O'Neil", 'Bob Roe'], 'name'],
  ['the same name twice, as of a manager', ['R. Osei', 'R. Osei', 'L. Marsh'], null],
  ['a mistake among four', ['12.50', '13.50', '14.50', 'ca. 900'], 'amount'],
  ['as many mistakes as others', ['12.50', 'ca. 900'], null],
  ['nothing', [], null],
])('of %s', (_, values, column) => {
  expect(columnByValues(values)).toBe(column);
});

test('what may be an account is known as one in whatever column, and dates and amounts are not', () => {
  for (const account of ['12345678', 'DE89370400440532013000', '0x52908400098527886E0F7030069857D2E4169EE7'])
    expect([account, looksLikeAccount(account)]).toEqual([account, true]);
  for (const other of ['20261130', '3120.55', 'Siân Llewellyn', 'PAY NOV 26', '1018'])
    expect([other, looksLikeAccount(other)]).toEqual([other, false]);
});
