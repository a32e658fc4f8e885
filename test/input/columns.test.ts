import { describe, expect, it } from 'vitest';
import { isCountry } from '../../src/domain/countries.ts';
import { columnOf } from '../../src/input/header/columns.ts';
import { readHeader } from '../../src/input/header/header.ts';
import { keysOf } from '../../src/input/header/header-key.ts';
import { COLUMN_NAMES } from '../../src/input/header/synonyms.ts';
import { synonymsOf } from '../../src/input/header/vocabulary.ts';
import { cellName } from '../../src/platform/xlsx/cell-names.ts';

describe('headers', () => {
  it.each([
    ['name', 'name'],
    ['  Payee Name ', 'name'],
    ['AMOUNT', 'amount'],
    ['Net Pay', 'amount'],
    ['Account-Number', 'account_number'],
    ['accountnumber', 'account_number'],
    ['IBAN', 'account_number'],
    ['CLABE', 'account_number'],
    ['PIX key', 'account_number'],
    ['BSB', 'national_clearing_code'],
    ['sort_code', 'national_clearing_code'],
    ['Routing Number (ABA)', null],
    ['routing_number', 'national_clearing_code'],
    ['aba', 'national_clearing_code'],
    ['IFSC Code', 'national_clearing_code'],
    ['SWIFT/BIC', 'bic'],
    ['employee_id', 'payee_id'],
    ['E-mail', 'email'],
    ['Ｎａｍｅ', 'name'],
    ['address', null],
    ['id', null],
    ['department', null],
    ['', null],
    ['__proto__', null],
    ['constructor', null],
  ])('%j is %j', (header, column) => {
    expect(columnOf(header)).toBe(column);
  });

  it('no word is two columns', () => {
    const keys = COLUMN_NAMES.flatMap((column) => [...new Set([column, ...synonymsOf(column)].flatMap(keysOf))]);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('every canonical name is its own column', () => {
    for (const column of COLUMN_NAMES) expect(columnOf(column)).toBe(column);
  });
});

describe('the header row', () => {
  it('keeps unknown columns and their places', () => {
    const header = readHeader(['Department', 'Name', 'Amount', 'Currency', 'Rail', '__proto__', ''], 1);
    expect(header.columns).toEqual([null, 'name', 'amount', 'currency', 'rail', null, null]);
    expect(header.index.amount).toBe(2);
    expect(header.index.bic).toBe(-1);
    expect(header.problems).toEqual([]);
  });

  it.each(['external_account_id', 'account_number', 'wallet_address'])('needs no rail beside %s', (column) => {
    expect(readHeader(['name', 'amount', 'currency', column], 1).problems).toEqual([]);
  });

  it('has one problem for each missing required column', () => {
    const { problems } = readHeader(['name', 'amount', 'bic'], 3);
    expect(problems.map(({ code, column, row }) => [code, column, row])).toEqual([
      ['column_missing', 'currency', 3],
      ['column_missing', 'rail', 3],
    ]);
  });

  it('refuses two headers for one column', () => {
    const { problems } = readHeader(['name', 'amount', 'currency', 'rail', 'account', 'IBAN'], 1);
    expect(problems).toMatchObject([{ code: 'column_twice', column: 'account_number', cell: 'F1', value: 'IBAN' }]);
    expect(problems[0]?.params).toMatchObject({ cells: ['E1', 'F1'] });
  });
});

it.each([
  [0, 1, 'A1'],
  [5, 17, 'F17'],
  [25, 2, 'Z2'],
  [26, 2, 'AA2'],
  [51, 2, 'AZ2'],
  [52, 2, 'BA2'],
  [701, 9, 'ZZ9'],
  [702, 9, 'AAA9'],
  [16383, 1048576, 'XFD1048576'],
])('column %j of row %j is the cell %s', (index, row, cell) => {
  expect(cellName(index, row)).toBe(cell);
});

it('there are 249 countries, and not those that are only reserved', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  expect(codes).toHaveLength(249);
  for (const reserved of ['UK', 'EU', 'SU', 'ZZ', 'XK', 'AN']) expect(codes).not.toContain(reserved);
});
