import { type BankPlace, type Fault, fault, type Problem, problemAt, type Severity } from '../../../domain/problem.ts';
import type { RowFacts, RowNote } from '../../cells/cell-facts.ts';
import type { BankPart, FileFigures } from '../table.ts';

/** So many dates are named. */
const DATES_NAMED = 3;

/** More different dates are not counted. */
const DATES_KEPT = 1_000;

/** Takes what a bank file's reader finds, in order, and gives it as parts of a table. */
export class BankOutput {
  #parts: BankPart[] = [];
  #records: string[][] = [];
  #facts: (RowFacts | null)[] = [];
  #firstRow = 0;
  readonly #dates = new Set<string>();
  #isStopped = false;

  /** Whether no more is to be read. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** A payment. Rows may leave numbers out. */
  row(row: number, cells: string[], line: number | null, notes: readonly RowNote[]): void {
    if (row !== this.#firstRow + this.#records.length) {
      this.#closeRecords();
      this.#firstRow = row;
    }
    this.#records.push(cells);
    const hasFacts = line !== null || notes.length > 0;
    this.#facts.push(
      hasFacts
        ? { cells: null, isHidden: false, ...(line !== null && { line }), ...(notes.length > 0 && { notes }) }
        : null,
    );
  }

  /** A problem of the file; an error of one makes that nothing is paid. */
  problem(severity: Severity, what: Fault, where: Partial<Pick<Problem, 'row' | 'value' | 'place'>> = {}): void {
    this.#closeRecords();
    this.#parts.push({ kind: 'problem', problem: problemAt(severity, what, where), isLast: false });
  }

  /** An error behind which no more can be read. */
  stop(what: Fault, where: Partial<Pick<Problem, 'row' | 'value' | 'place'>> = {}): void {
    if (this.#isStopped) return;
    this.#closeRecords();
    this.#parts.push({ kind: 'problem', problem: problemAt('error', what, where), isLast: true });
    this.#isStopped = true;
  }

  /** The day on which the file asks for payment. */
  date(date: string): void {
    if (date !== '' && this.#dates.size < DATES_KEPT) this.#dates.add(date);
  }

  /** The end of the file, with what its payments come to. */
  finish(figures: FileFigures): void {
    if (this.#isStopped) return;
    const dates = [...this.#dates].toSorted();
    const more = Math.max(0, dates.length - DATES_NAMED);
    if (dates.length > 0)
      this.problem('warning', fault('payment_date_not_held', { dates: dates.slice(0, DATES_NAMED), more }));
    this.#closeRecords();
    this.#parts.push({ kind: 'figures', figures });
  }

  /** What came since the last call. */
  take(): BankPart[] {
    this.#closeRecords();
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #closeRecords(): void {
    if (this.#records.length === 0) return;
    const [firstRow, records, facts] = [this.#firstRow, this.#records, this.#facts];
    this.#parts.push({ kind: 'records', firstRow, records, facts });
    this.#firstRow += records.length;
    this.#records = [];
    this.#facts = [];
  }
}

/** A problem at a place. */
export type Where = { place: BankPlace; row?: number; value?: string };
