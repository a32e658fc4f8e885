import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import { checkIban } from '../../domain/rails/fields/iban.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { columnOf, currenciesInHeader, type Header } from '../header/columns.ts';
import { isGross } from '../header/gross-words.ts';
import { headerKey } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import { isOfSender } from '../header/sender-words.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { amountUnits } from './amount-units.ts';
import { isFormer, isSecond } from './second-words.ts';
import { mappedPlaces, roughAmount, type TableSample } from './table-sample.ts';

/**
 * What is doubtful of the columns that decide how much is paid and to which account: amounts in minor units or in thousands, a
 * net amount beside a gross one or any other amount, a second account, and the sender's account in place of the payee's. Each is
 * an error until a person decides.
 */
export function headerDoubts(header: Header, sample: TableSample): Problem[] {
  return [
    ...unitsOfAmounts(header, sample),
    ...whichAmount(header, sample),
    ...whichAccount(header, sample),
    ...accountsOfSender(header),
  ];
}

function unitsOfAmounts(header: Header, sample: TableSample): Problem[] {
  const found = amountUnits(header, sample);
  return found === null ? [] : [atHeader('amount', found.what, header.cells, header.row, found.at)];
}

const NET_KEY = new RegExp(
  'net,liquid,cist,bersih,thực lĩnh,thực nhận,实发,實發,税后,稅後,差引,手取,실지급,실수령,차인,สุทธิ,к выплате,на руки,صافي'
    .split(',')
    .map(headerKey)
    .join('|'),
);

/**
 * Another column that may be what is paid: a gross amount beside a net one, amounts under a header that names the same currency
 * (`Salary (EUR)`, `Invoice (EUR)`) or is the second (`Amount 2`), or what the rows work out of the amount (`Balance to pay`). Not where a person or the job decided, in this command or an earlier one.
 */
function whichAmount(given: Header, sample: TableSample): Problem[] {
  const { cells, row, columns, index } = given;
  const header = cells[index.amount]?.trim() ?? '';
  const isTwice = given.problems.some(({ code, column }) => code === 'column_twice' && column === 'amount');
  if (index.amount === -1 || isTwice || mappedPlaces(given, (column) => column === 'amount').has(index.amount))
    return [];
  const ignored = mappedPlaces(given, (column) => column === null);
  const others = [...cells.keys()].filter((at) => columns[at] === null && !ignored.has(at));
  const gross = NET_KEY.test(headerKey(header)) ? others.find((at) => isGross(cells[at] ?? '')) : undefined;
  const other = gross ?? others.find((at) => isOtherAmount(given, sample, at));
  if (other === undefined) return [];
  const found = fault(gross === undefined ? 'amount_or_other' : 'amount_net_or_gross', {
    header,
    beside: sample.header(other),
  });
  return [atHeader('amount', found, cells, row, index.amount)];
}

/** Whether a column holds other amounts in the currency of the amounts, by both headers. A known layout has its own meaning. */
function isOtherAmount({ cells, index }: Header, sample: TableSample, at: number): boolean {
  if (layoutOf(cells) !== null) return false;
  if (isSecond(cells[at] ?? '', 'amount') || isWorkedOut(index.amount, at, sample)) return hasAmount(sample, at);
  const codes = currenciesInHeader(cells[index.amount] ?? '');
  if (!currenciesInHeader(cells[at] ?? '').some((code) => codes.includes(code))) return false;
  if (!sample.every(at, (cell) => roughAmount(cell) !== null)) return false;
  return sample.rows.some(
    (below) => roughAmount(sample.cell(below, at)) !== roughAmount(sample.cell(below, index.amount)),
  );
}

function hasAmount(sample: TableSample, at: number): boolean {
  return sample.filled(at).some((cell) => (roughAmount(cell) ?? 0) !== 0);
}

/**
 * Whether each row works out a column to the right of the amounts from these and a column between, by adding or taking off:
 * `Amount`, `VAT`, `Total`; `Net pay`, `Advance`, `Balance`.
 */
function isWorkedOut(amount: number, result: number, sample: TableSample): boolean {
  if (result < amount || !sample.every(result, isAmount) || !sample.every(amount, isAmount)) return false;
  const operands = [...sample.headers.keys()].slice(amount + 1, result).slice(0, OPERANDS_MAX);
  return operands.some((at) => {
    if (!sample.every(at, isAmount) || !hasAmount(sample, at)) return false;
    const figures = sample.rows.map((row) =>
      [amount, at, result].map((one) => roughAmount(sample.cell(row, one)) ?? 0),
    );
    return [1, -1].some((sign) => figures.every(([from = 0, by = 0, to = 0]) => from + sign * by === to));
  });
}

/** So many columns are tried. */
const OPERANDS_MAX = 64;

function isAmount(cell: string): boolean {
  return roughAmount(cell) !== null;
}

/** Another column with accounts of the payees: a second or new one, or IBANs that are not the same account in every row. */
function whichAccount(given: Header, sample: TableSample): Problem[] {
  const { cells, row, columns, index } = given;
  const account = index.account_number;
  if (account === -1 || layoutOf(cells) !== null) return [];
  if (mappedPlaces(given, (column) => column === 'account_number').has(account)) return [];
  const ignored = mappedPlaces(given, (column) => column === null);
  const other = [...cells.keys()].find((at) => {
    const header = cells[at] ?? '';
    if (columns[at] !== null || ignored.has(at) || isOfSender(header) || isFormer(header)) return false;
    return isSecond(header, 'account_number') ? sample.filled(at).length > 0 : hasOtherIbans(sample, account, at);
  });
  if (other === undefined) return [];
  const found = fault('account_or_other', { header: cells[account]?.trim() ?? '', beside: sample.header(other) });
  return [atHeader('account_number', found, cells, row, account)];
}

/** One IBAN in all rows is the sender's. */
function hasOtherIbans(sample: TableSample, account: number, at: number): boolean {
  const plain = (row: readonly string[], place: number) => sample.cell(row, place).replace(/\s/g, '').toUpperCase();
  const ibans = sample.rows.filter(
    (row) => /^[A-Z]{2}\d\d/.test(plain(row, at)) && checkIban(plain(row, at)).length === 0,
  );
  const isOne =
    sample.rows.length > 1 &&
    ibans.length === sample.rows.length &&
    new Set(ibans.map((row) => plain(row, at))).size === 1;
  return !isOne && ibans.some((row) => plain(row, at) !== plain(row, account));
}

const OF_ACCOUNTS: readonly ColumnName[] = [
  'account_number',
  'wallet_address',
  'bic',
  'national_clearing_code',
  'name',
];

/** No header of a sender names a column by itself: a person mapped it, or an earlier mapping did. */
function accountsOfSender({ cells, row, columns }: Header): Problem[] {
  return columns.flatMap((column, at) => {
    const header = cells[at]?.trim() ?? '';
    if (column === null || !OF_ACCOUNTS.includes(column) || !isOfSender(header)) return [];
    if (columnOf(header) === column) return [];
    return [atHeader(column, fault('account_of_sender', { header, column }), cells, row, at)];
  });
}

function atHeader(column: ColumnName, what: Fault, cells: readonly string[], row: number, at: number): Problem {
  return problemAt('error', what, { row, column, cell: cellName(at, row), value: cells[at] ?? null });
}
