import { describe, expect, test } from 'vitest';
import { reportRows } from '../../src/report/model/rows.ts';
import { exampleRun, intent, payoutRow, problemRow, USDC } from './example-run.ts';

const ACCOUNT = '987654321';

function cellsOf(...options: Parameters<typeof payoutRow>): string[] {
  const [row] = reportRows(exampleRun([payoutRow(...options)]));
  return row?.cells ?? [];
}

describe('account identifiers in a report', () => {
  test('are masked to the last four in their own column', () => {
    expect(cellsOf(2, { account: ACCOUNT })[3]).toBe('••••4321');
  });

  test.each([
    ['a wallet', '0x52908400098527886E0F7030069857D2E4169EE7', '••••9EE7'],
    ['an IBAN with blanks', 'DE89 3704 0044 0532 0130 00', '••••3000'],
    ['four characters', '1234', '••••'],
    ['an empty cell', '', ''],
  ])('%s', (_name, account, masked) => {
    const run = exampleRun([payoutRow(2, { currency: USDC, cells: ['P', '1', 'USDC', account, ''] })], [], {
      columns: ['name', 'amount', 'currency', 'wallet_address', null],
    });
    expect([...reportRows(run)][0]?.cells[3]).toBe(masked);
  });

  test.each([
    ['as it is', `pay to ${ACCOUNT} please`, 'pay to ••••4321 please'],
    ['with blanks and hyphens', 'pay to 987-654 321', 'pay to ••••4321'],
    ['inside a longer number', `000${ACCOUNT}`, '000••••4321'],
    ['twice', `${ACCOUNT}/${ACCOUNT}`, '••••4321/••••4321'],
  ])('are masked in other cells too: %s', (_name, note, shown) => {
    expect(cellsOf(2, { account: ACCOUNT, cells: ['P', '1', 'AUD', ACCOUNT, note] })[4]).toBe(shown);
  });

  test('are masked in any case of letters', () => {
    const cells = ['P', '1', 'AUD', 'GB33BUKB20201555555555', 'gb33 bukb 2020 1555 5555 55'];
    expect(cellsOf(2, { account: 'GB33BUKB20201555555555', cells })[4]).toBe('••••5555');
  });

  test('are known from the order where the account stands in no column of its own', () => {
    const run = exampleRun([payoutRow(2, { account: ACCOUNT, cells: ['P', '1', 'AUD', 'x', ACCOUNT] })], [], {
      columns: ['name', 'amount', 'currency', null, null],
    });
    expect([...reportRows(run)][0]?.cells[4]).toBe('••••4321');
  });

  test('do not take other numbers with them', () => {
    expect(
      cellsOf(2, { account: '12345', cells: ['P', '112345.00', 'AUD', '12345', 'year 2026, 0412345678'] }),
    ).toEqual(['P', '112345.00', 'AUD', '••••2345', 'year 2026, 0412345678']);
  });

  test('are masked in messages that repeat them', () => {
    const run = exampleRun(
      [
        payoutRow(2, { account: ACCOUNT }),
        problemRow(3, ['P', '1', 'AUD', '55-566-677', ''], { code: 'x', message: 'Account 55566677 is wrong.' }),
      ],
      [
        intent(2),
        { kind: 'rejected', row: 2, attempt: 1, code: 'INVALID', message: `account ${ACCOUNT} is closed`, spent: true },
      ],
    );
    expect([...reportRows(run)].map(({ result }) => result.message)).toEqual([
      'account ••••4321 is closed',
      'Account ••••6677 is wrong.',
    ]);
  });

  test.each(['row_too_many_cells', 'row_too_few_cells'])('are masked wherever they slipped to in a %s', (code) => {
    const run = exampleRun([problemRow(2, ['Payee', 'Ltd', '1250.00', 'AUD', '987 654 321'], { code, params: {} })]);
    expect([...reportRows(run)][0]?.cells).toEqual(['Payee', 'Ltd', '••••0.00', '••••', '••••4321']);
  });
});
