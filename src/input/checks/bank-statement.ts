import { fault } from '../../domain/problem.ts';
import type { Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import { hasAccounts, type Kind, roughAmount, type TableSample } from './table-sample.ts';
import * as words from './words/statement-words.ts';

/** Signs count for so much, and a list with so many is a statement: fewer will do where it lacks what payouts need. */
const OWN_SIGN = 4;
const GOOD_SIGN = 2;
const STATEMENT_MIN = 4;
const STATEMENT_MIN_OF_NO_PAYOUTS = 3;

/** So many columns that go with bookings are one weak sign more, and show amounts of both signs to be bookings. */
const OF_BOOKINGS_MIN = 2;

/** Bookings of a bank account. Paid, its credits would go back to those who paid them. */
export function bankStatement(sample: TableSample, header: Header): Kind | null {
  const found: number[] = [];
  const sign = (at: number, points: number) => {
    if (at === -1) return 0;
    found.push(at);
    return points;
  };
  const isLikely = sample.all(words.OF_BOOKINGS).length >= OF_BOOKINGS_MIN;
  const hasSigns = hasBothSigns(sample, header);
  const balance = sample.find(words.BALANCE);
  const side = sideOf(sample);
  const score =
    sign(sample.find(words.RUNNING_BALANCE), OWN_SIGN) +
    sign(debitBesideCredit(sample), OWN_SIGN) +
    sign(side, hasBothSides(sample, side) ? OWN_SIGN : GOOD_SIGN) +
    sign(balance, runsAlong(sample, balance, header) ? OWN_SIGN : GOOD_SIGN) +
    sign(sample.find(words.BOOKING_DATE), GOOD_SIGN) +
    sign(sample.find(words.BOOKING_TEXT), GOOD_SIGN) +
    sign(sample.find(words.OWN_ACCOUNT), GOOD_SIGN) +
    (hasSigns ? GOOD_SIGN : 0) +
    (isLikely ? 1 : 0) +
    (hasSigns && isLikely ? sign(header.index.amount, 1) : 0) -
    (sample.find(words.OF_INVOICES) === -1 ? 0 : GOOD_SIGN);
  found.sort((a, b) => a - b);
  const [first] = found;
  const hasAll =
    hasAccounts(sample, header) && (balance === -1 || (header.index.name !== -1 && header.index.amount !== -1));
  if (first === undefined || score < (hasAll ? STATEMENT_MIN : STATEMENT_MIN_OF_NO_PAYOUTS)) return null;
  return { what: fault('bank_statement', { headers: found.map((at) => sample.header(at)) }), at: first };
}

/** The column of debits, where one of credits is beside it and each row fills one of the two. */
function debitBesideCredit(sample: TableSample): number {
  for (const [debits, credits] of words.DEBIT_CREDIT_PAIRS) {
    const debit = sample.find(debits);
    const credit = sample.find(credits);
    if (debit === -1 || credit === -1) continue;
    const sides = sample.rows.map((row) => [debit, credit].map((at) => sample.cell(row, at)));
    const isAmounts = sides.flat().every((cell) => cell === '' || roughAmount(cell) !== null);
    const filled = sides.map((side) => side.filter((cell) => cell !== '' && roughAmount(cell) !== 0).length);
    if (isAmounts && filled.every((count) => count < 2) && (filled.length === 0 || filled.includes(1))) return debit;
  }
  return -1;
}

/** The column that tells debits from credits, or -1. */
function sideOf(sample: TableSample): number {
  const isSide = (cell: string) => words.DEBIT_SIDE.has(headerKey(cell)) || words.CREDIT_SIDE.has(headerKey(cell));
  return sample.all(words.SIDE).find((at) => sample.every(at, isSide)) ?? -1;
}

/** Whether there are both: payments are all on one side. */
function hasBothSides(sample: TableSample, at: number): boolean {
  const keys = sample.filled(at).map(headerKey);
  return keys.some((key) => words.DEBIT_SIDE.has(key)) && keys.some((key) => words.CREDIT_SIDE.has(key));
}

/** Whether each balance is the one before it, more or less an amount of the two rows. */
function runsAlong(sample: TableSample, balance: number, { index, cells }: Header): boolean {
  if (balance === -1 || cells !== sample.headers || index.amount === -1) return false;
  const at = (column: number) => sample.rows.map((row) => roughAmount(sample.cell(row, column)));
  const balances = at(balance);
  const amounts = at(index.amount);
  const isStep = (to: number) => {
    const step = Math.abs((balances[to] ?? Number.NaN) - (balances[to - 1] ?? Number.NaN));
    return step > 0 && [amounts[to], amounts[to - 1]].some((amount) => Math.abs(amount ?? Number.NaN) === step);
  };
  return balances.length > 2 && balances.every((_, to) => to === 0 || isStep(to));
}

/** Whether the amounts are partly negative. */
function hasBothSigns(sample: TableSample, { index, cells }: Header): boolean {
  if (cells !== sample.headers || index.amount === -1) return false;
  const amounts = sample.filled(index.amount).map((cell) => Math.sign(roughAmount(cell) ?? 0));
  return amounts.includes(1) && amounts.includes(-1);
}
