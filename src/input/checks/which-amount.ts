import { fault, type Problem } from '../../domain/problem.ts';
import { currenciesInHeader, type Header } from '../header/columns.ts';
import { isGross } from '../header/gross-words.ts';
import { headerKey } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import {
  amountsOf,
  freeColumns,
  hasAmount,
  isAmount,
  mappedPlaces,
  problemAtHeader,
  roughAmount,
  type TableSample,
} from './table-sample.ts';
import { isDeduction, isLeftOver } from './words/deduction-words.ts';
import { isSecond } from './words/second-words.ts';

const NET_KEY = new RegExp(
  'net,liquid,cist,bersih,thực lĩnh,thực nhận,实发,實發,税后,稅後,差引,手取,실지급,실수령,차인,สุทธิ,к выплате,на руки,صافي'
    .split(',')
    .map(headerKey)
    .join('|'),
);

/**
 * Another column that may be what is paid: a gross amount beside a net one, amounts under a header that names the same currency
 * (`Salary (EUR)`, `Invoice (EUR)`) or is the second (`Amount 2`), or what the rows work out of the amount (`Balance to pay`);
 * or one that may have to be taken off (`Deductions`). Not where a person or the job decided, in this command or an earlier one.
 */
export function whichAmount(given: Header, sample: TableSample, others = amountsBeside(given)): Problem[] {
  const { cells, index } = given;
  const header = cells[index.amount]?.trim() ?? '';
  const isNet = NET_KEY.test(headerKey(header));
  const gross = isNet ? others.find((at) => isGross(cells[at] ?? '')) : undefined;
  // A known layout has its own meaning.
  const unknown = layoutOf(cells) === null ? others : [];
  const other = gross ?? unknown.find((at) => isOtherAmount(given, sample, at));
  const taken = isNet || isLeftOver(header) ? undefined : takenOff(given, sample, unknown);
  const beside = other ?? taken;
  if (beside === undefined) return [];
  const code =
    gross !== undefined ? 'amount_net_or_gross' : other !== undefined ? 'amount_or_other' : 'amount_before_deductions';
  const found = fault(code, { header, beside: sample.header(beside) });
  return [problemAtHeader('amount', found, given, index.amount)];
}

/** The columns that may hold other amounts. None where a person or the job says which is paid, or two are it by their headers. */
export function amountsBeside(header: Header): number[] {
  const { amount } = header.index;
  const isTwice = header.problems.some(({ code, column }) => code === 'column_twice' && column === 'amount');
  if (amount === -1 || isTwice || mappedPlaces(header, (column) => column === 'amount').has(amount)) return [];
  return freeColumns(header);
}

/** Whether a column holds other amounts in the currency of the amounts, by both headers. */
function isOtherAmount({ cells, index }: Header, sample: TableSample, at: number): boolean {
  if (isSecond(cells[at] ?? '', 'amount') || isWorkedOut(index.amount, at, sample)) return hasAmount(sample, at);
  const codes = currenciesInHeader(cells[index.amount] ?? '');
  if (!currenciesInHeader(cells[at] ?? '').some((code) => codes.includes(code))) return false;
  if (!sample.every(at, isAmount)) return false;
  return sample.rows.some(
    (below) => roughAmount(sample.cell(below, at)) !== roughAmount(sample.cell(below, index.amount)),
  );
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
    const figures = sample.rows.map((row) => amountsOf(sample, row, [amount, at, result]));
    return [1, -1].some((sign) => figures.every(([from = 0, by = 0, to = 0]) => from + sign * by === to));
  });
}

/** So many columns are tried. */
const OPERANDS_MAX = 64;

/** A column of what is taken off the amounts, unless the rows show that it has been. */
function takenOff({ cells, index }: Header, sample: TableSample, others: readonly number[]): number | undefined {
  const isTaken = (at: number) => isDeduction(cells[at] ?? '');
  const amounts = others.slice(0, OPERANDS_MAX).filter((at) => sample.every(at, isAmount));
  const taken = amounts.filter((at) => isTaken(at) && hasAmount(sample, at));
  if (taken.length === 0 || !sample.every(index.amount, isAmount)) return undefined;
  const before = amounts.filter((at) => !isTaken(at) && hasAmount(sample, at));
  const isLeft = (from: readonly number[], off: readonly number[]) =>
    sample.rows.every((row) => sum(sample, row, from) - sum(sample, row, off) === sum(sample, row, [index.amount]));
  const wholes = [...before.map((at) => [at]), before];
  const parts = [...taken.map((at) => [at]), taken];
  const isShown = wholes.some((from) => from.length > 0 && parts.some((off) => isLeft(from, off)));
  const isOfGross = before.some((at) => isGross(cells[at] ?? '') && isMore(sample, at, index.amount, taken));
  return isShown || isOfGross ? undefined : taken[0];
}

/** Deductions are written with a minus by some. */
function sum(sample: TableSample, row: readonly string[], places: readonly number[]): number {
  return amountsOf(sample, row, places).reduce((whole, part) => whole + Math.abs(part), 0);
}

/** Whether a column has more than the amount wherever something is taken off. */
function isMore(sample: TableSample, at: number, amount: number, taken: readonly number[]): boolean {
  return sample.rows.every(
    (row) => sum(sample, row, taken) === 0 || sum(sample, row, [at]) > sum(sample, row, [amount]),
  );
}

/** Whether the header alone makes a column a question, once it has an amount. */
export function isDoubtfulAmount({ cells, index }: Header, at: number): boolean {
  const header = cells[at] ?? '';
  const codes = currenciesInHeader(cells[index.amount] ?? '');
  return (
    isSecond(header, 'amount') || isDeduction(header) || currenciesInHeader(header).some((code) => codes.includes(code))
  );
}
