import { type Fault, fault } from '../../domain/problem.ts';
import type { Beside } from '../cells/row-cells.ts';
import type { Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import type { NumberedRow } from '../header/header-search.ts';
import { type LaterDoubt, laterDoubts } from './later-doubts.ts';
import { mappedPlaces, TableSample } from './table-sample.ts';
import type { HeaderKeys } from './words/header-keys.ts';
import * as kinds from './words/not-payout-words.ts';
import * as words from './words/row-words.ts';

/** So many texts of each column are remembered with what they mean; a status has a handful. */
const REMEMBERED_MAX = 1_000;

/** A column whose cells can say that their row is not to be paid: why, or null. */
type Watched = { column: number; reasonOf: ReasonOf; remembered: Map<string, Fault | null> };
type WatchedLater = LaterDoubt & { remembered: Map<string, boolean> };
type ReasonOf = (cell: string) => Fault | null;

/**
 * Finds the rows that say themselves that they are not to be paid: they were paid before, are withheld, are direct debits, go
 * by cheque, or are money that came in; and those of which another account or amount may be meant.
 */
export class RowsNotToPay {
  readonly #watched: readonly Watched[];
  readonly #later: readonly WatchedLater[];

  /** `first`: the first rows of the file, by which it was judged as a whole. */
  constructor(header: Header, first: readonly NumberedRow[] = []) {
    const sample = new TableSample(header, first);
    this.#later = laterDoubts(header, sample).map((doubt) => ({ ...doubt, remembered: new Map() }));
    // A column that a person ignores says nothing.
    const ignored = mappedPlaces(header, (column) => column === null);
    this.#watched = [...header.cells.entries()].flatMap(([column, cell]): Watched[] => {
      if (ignored.has(column)) return [];
      const reasonOf = reasonsOf(sample, column, cell.trim()) ?? rollNumbers(header, sample, column);
      return reasonOf === null ? [] : [{ reasonOf, column, remembered: new Map() }];
    });
  }

  /** Why a row is not to be paid, at the cell that says so; null for nearly every row. */
  reasonIn(cells: readonly string[]): Beside | null {
    for (const { column, reasonOf, remembered } of this.#watched) {
      const text = cells[column] ?? '';
      if (text === '') continue;
      let reason = remembered.get(text);
      if (reason === undefined) {
        reason = reasonOf(text.trim());
        if (remembered.size < REMEMBERED_MAX) remembered.set(text, reason);
      }
      if (reason !== null) return { column, text, severity: 'error', fault: reason };
    }
    for (const later of this.#later) {
      const text = cells[later.column] ?? '';
      if (text === '' || !mayRaise(later, text)) continue;
      const question = later.questionOf(cells);
      if (question !== null) return { column: later.column, text, severity: 'error', fault: question };
    }
    return null;
  }
}

function mayRaise({ mayRaise: raises, remembered }: WatchedLater, text: string): boolean {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const found = raises(text.trim());
  if (remembered.size < REMEMBERED_MAX) remembered.set(text, found);
  return found;
}

/** What the cells under a header can say against paying their rows; null where they say nothing of it. */
function reasonsOf(sample: TableSample, at: number, header: string): ReasonOf | null {
  const paid = fault('row_paid_already', { header });
  const withheld = fault('row_withheld', { header });
  const debit = fault('row_is_direct_debit', { header });
  const is = (keys: HeaderKeys) => sample.is(at, keys);
  if (is(words.PAID_ON)) return (cell) => (isDay(cell) || isYes(cell) || isPaid(cell, true) ? paid : null);
  if (is(words.IS_PAID)) return (cell) => (isYes(cell) || isPaid(cell, true) ? paid : null);
  if (is(words.STATUS)) {
    const isOfPayment =
      headerKey(header) !== 'status' &&
      /pa[yi]|pago|pagam|zahl|beta|ödeme|odeme|plat|plac|付|支/.test(headerKey(header));
    return (cell) => (isPaid(cell, isOfPayment) ? paid : isOneOf(words.WITHHELD, cell) ? withheld : null);
  }
  if (is(words.PROOF_OF_PAYMENT)) return (cell) => (PROOF.test(cell) ? paid : null);
  if (is(words.IS_TO_PAY)) return (cell) => (NOT_TO_PAY.some((keys) => isOneOf(keys, cell)) ? withheld : null);
  if (is(words.IS_WITHHELD))
    return (cell) => (/[\p{L}\p{N}]/u.test(cell) && !/^0+$/.test(cell) && !isOneOf(words.NO, cell) ? withheld : null);
  if (is(kinds.MANDATE)) return (cell) => (/[\p{L}\p{N}]/u.test(cell) ? debit : null);
  if (is(kinds.TRANSACTION_CODE)) return (cell) => (kinds.DEBIT_CODES.has(cell) ? debit : null);
  if (!is(kinds.PAYMENT_KIND)) return null;
  const otherwise = fault('row_paid_otherwise', { header });
  const noPayout = fault('row_no_payout', { header });
  const first = new Set(sample.filled(at).map(headerKey));
  return (cell) => {
    const key = headerKey(cell);
    if (words.NO_PAYOUT.has(key)) return noPayout;
    // A list of credits or of fees is one of payments, of what it says in every row.
    if (words.NO_PAYOUT_AMONG_OTHERS.has(key) && (first.size > 1 || (first.size === 1 && !first.has(key))))
      return noPayout;
    if (kinds.DEBIT.has(key) || kinds.SEQUENCES.has(cell.toUpperCase())) return debit;
    return words.PAID_OTHERWISE.has(key) ? otherwise : null;
  };
}

/** `Roll No` alone is a pupil's number where no column is of sort codes. */
function rollNumbers({ cells, columns, index }: Header, sample: TableSample, at: number): ReasonOf | null {
  if (columns[at] !== null) return null;
  const isInUk = () => cells.some((cell) => /sort(?:ing)?code/.test(headerKey(cell)));
  if (!sample.is(at, words.SOCIETY_NUMBER) && !(sample.is(at, words.ROLL_NUMBER) && isInUk())) return null;
  const reference = index.reference === -1 ? null : (cells[index.reference]?.trim() ?? null);
  const unused = fault('roll_number_unused', { header: cells[at]?.trim() ?? '', reference });
  return (cell) => (/[\p{L}\p{N}]/u.test(cell) && !/^0+$/.test(cell) && !isOneOf(words.NO, cell) ? unused : null);
}

const NOT_TO_PAY: readonly HeaderKeys[] = [words.NO, words.WITHHELD, words.NOT_YET];

/** Numbers of banks and of chains are longer than those of taxpayers in the UK, which are called UTR too. */
const PROOF = /^(?=.*\d)[\p{L}\p{N}/-]{12,128}$/u;

/** Ticks, a word for yes, or the day on which it was paid. */
function isYes(cell: string): boolean {
  return /^[✓✔✅☑🗸]/u.test(cell) || words.YES.has(headerKey(cell)) || (DATE.test(cell) && /[1-9]/.test(cell));
}

const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?!\d)/;

/** Any day, however it is written: no zeros, and no word that it is still to come. */
function isDay(cell: string): boolean {
  return /[1-9]/.test(cell) && !isOneOf(words.NO, cell) && !isOneOf(words.NOT_YET, cell);
}

/** `Paid`, `PAID 30.10.2026`, `✓ bezahlt am 30. 10.`; no cell that has other words too (`not paid`). */
function isPaid(cell: string, isOfPayment: boolean): boolean {
  return isOneOf(words.PAID, cell) || (isOfPayment && isOneOf(words.DONE, cell));
}

/** Whether a cell is one of these words, with a date behind it or none. */
function isOneOf(keys: HeaderKeys, cell: string): boolean {
  const parts = cell.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  const last = parts.findLastIndex((word) => !words.BEFORE_DATE.has(word.toLowerCase()));
  return keys.has(headerKey(parts.slice(0, last + 1).join(' ')));
}
