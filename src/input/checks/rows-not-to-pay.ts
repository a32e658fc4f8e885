import { type Fault, fault } from '../../domain/problem.ts';
import type { Beside } from '../cells/row-cells.ts';
import type { Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import * as words from './not-payout-words.ts';
import { mappedPlaces, TableSample } from './table-sample.ts';

/** So many texts of each column are remembered with what they mean; a status has a handful. */
const REMEMBERED_MAX = 1_000;

/** A column whose cells can say that their row is not to be paid. */
type Watched = { column: number; what: Fault; isReason: (cell: string) => boolean; remembered: Map<string, boolean> };

/** Finds the rows that say themselves that they are not to be paid: they were paid before, or are direct debits. */
export class RowsNotToPay {
  readonly #watched: readonly Watched[];

  constructor(header: Header) {
    const sample = new TableSample(header, []);
    // A column that a person ignores says nothing.
    const ignored = mappedPlaces(header, (column) => column === null);
    this.#watched = [...header.cells.entries()].flatMap(([column, cell]): Watched[] => {
      if (ignored.has(column)) return [];
      const found = reasonOf(sample, column, cell.trim());
      return found === null ? [] : [{ ...found, column, remembered: new Map() }];
    });
  }

  /** Why a row is not to be paid, at the cell that says so; null for nearly every row. */
  reasonIn(cells: readonly string[]): Beside | null {
    for (const { column, what, isReason, remembered } of this.#watched) {
      const text = cells[column] ?? '';
      if (text === '') continue;
      let is = remembered.get(text);
      if (is === undefined) {
        is = isReason(text.trim());
        if (remembered.size < REMEMBERED_MAX) remembered.set(text, is);
      }
      if (is) return { column, text, severity: 'error', fault: what };
    }
    return null;
  }
}

function reasonOf(sample: TableSample, at: number, header: string): Pick<Watched, 'what' | 'isReason'> | null {
  const paid = fault('row_paid_already', { header });
  if (sample.is(at, words.IS_PAID)) return { what: paid, isReason: (cell) => isYes(cell) || isPaid(cell, true) };
  if (sample.is(at, words.STATUS)) {
    const isOfPayment =
      headerKey(header) !== 'status' &&
      /pa[yi]|pago|pagam|zahl|beta|ödeme|odeme|plat|plac|付|支/.test(headerKey(header));
    return { what: paid, isReason: (cell) => isPaid(cell, isOfPayment) };
  }
  const debit = fault('row_is_direct_debit', { header });
  if (sample.is(at, words.MANDATE)) return { what: debit, isReason: (cell) => /[\p{L}\p{N}]/u.test(cell) };
  if (sample.is(at, words.TRANSACTION_CODE)) return { what: debit, isReason: (cell) => words.DEBIT_CODES.has(cell) };
  return sample.is(at, words.PAYMENT_KIND)
    ? { what: debit, isReason: (cell) => words.DEBIT.has(headerKey(cell)) || words.SEQUENCES.has(cell.toUpperCase()) }
    : null;
}

/** Ticks, a word for yes, or the day on which it was paid. */
function isYes(cell: string): boolean {
  return /^[✓✔✅☑🗸]/u.test(cell) || words.YES.has(headerKey(cell)) || DATE.test(cell);
}

const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b/;

/** `Paid`, `PAID 30.10.2026`, `✓ bezahlt am 30. 10.`; no cell that has other words too (`not paid`). */
function isPaid(cell: string, isOfPayment: boolean): boolean {
  const parts = cell.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  const last = parts.findLastIndex((word) => !words.BEFORE_DATE.has(word.toLowerCase()));
  const key = headerKey(parts.slice(0, last + 1).join(' '));
  return words.PAID.has(key) || (isOfPayment && words.DONE.has(key));
}
