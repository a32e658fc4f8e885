import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { combined } from './hash53.ts';
import { mentionOf } from './past-run.ts';
import type { RowMarks } from './row-marks.ts';

/** Rows that are named in one sentence. */
const NAMED_MAX = 5;

/** A run of the past: how many of its payouts were not paid, where it has ended. */
type Earlier = { id: string; at: number; isRehearsal: boolean; unpaid: number };

type Found = { run: Earlier; count: number; rows: number[] };

/** Which rows of a file pay the same amount to the same account as a recent run did. */
export class PaidAgain {
  readonly #since: number;
  readonly #runs: Found[] = [];
  /** From account and amount to the newest run that paid it. */
  readonly #runOf = new Map<number, Found>();
  #isInWindow = false;
  #others = 0;
  readonly #otherRows: number[] = [];

  /** What was paid before `since`, Unix ms, is not the same payment any more. */
  constructor(since: number) {
    this.#since = since;
  }

  /** The newest run first. */
  beginRun(run: Earlier): void {
    this.#isInWindow = run.at > this.#since;
    if (this.#isInWindow) this.#runs.push({ run, count: 0, rows: [] });
  }

  /** What the run that was begun last has paid. */
  add(marks: RowMarks): void {
    const run = this.#runs.at(-1);
    const key = keyOf(marks);
    if (this.#isInWindow && run !== undefined && !this.#runOf.has(key)) this.#runOf.set(key, run);
  }

  /** A payable row of the file. */
  take(marks: RowMarks, row: number): void {
    const found = this.#runOf.get(keyOf(marks));
    const rows = found?.rows ?? this.#otherRows;
    if (found === undefined) this.#others++;
    else found.count++;
    if (rows.length < NAMED_MAX) rows.push(row);
  }

  /** One for each run, the newest first. */
  get problems(): Problem[] {
    const found = this.#runs.filter(({ count }) => count > 0);
    const all = found.reduce((sum, { count }) => sum + count, this.#others);
    const others = found.length > 1 || this.#others === 0 ? null : { count: this.#others, rows: this.#otherRows };
    return found.map(({ run, count, rows }) => {
      const isRetriable = this.#others > 0 && run.unpaid > 0;
      const paid = { run: mentionOf(run), all, count, rows, others, isRetriable };
      return problemAt('warning', fault('paid_before', paid));
    });
  }
}

function keyOf({ account, amount }: RowMarks): number {
  return combined(account, amount);
}
