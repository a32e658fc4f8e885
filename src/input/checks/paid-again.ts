import type { Problem } from '../../domain/problem.ts';
import { combined } from './hash53.ts';
import { runText } from './past-run.ts';
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
    return found.map(({ run, count, rows }) => {
      const of = count === all ? `All ${number(all)}` : `${number(count)} of the ${number(all)}`;
      const what = `${all === 1 ? 'The one payout' : `${of} payouts`} ${count === 1 ? 'was' : 'were'} paid by ${runText(run)}, the same amount to the same account: ${rowsText(rows, count)}.`;
      const rest =
        found.length > 1 || this.#others === 0
          ? ''
          : ` Only ${rowsText(this.#otherRows, this.#others)} ${this.#others === 1 ? 'was' : 'were'} not.`;
      const isRestUnpaid = this.#others > 0 && run.unpaid > 0;
      return {
        ...OF_THE_FILE,
        message: `${what}${rest}`,
        remedy: { code: 'remove_paid_rows', runId: isRestUnpaid ? run.id : null },
      };
    });
  }
}

const OF_THE_FILE = {
  severity: 'warning',
  code: 'paid_before',
  sheet: null,
  row: null,
  column: null,
  cell: null,
  value: null,
} as const;

function keyOf({ account, amount }: RowMarks): number {
  return combined(account, amount);
}

function number(count: number): string {
  return count.toLocaleString('en');
}

/** `rows 2, 3, 4, 6, 7 and 5 more`. */
function rowsText(rows: readonly number[], count: number): string {
  if (count === 1) return `row ${rows[0]}`;
  if (count > rows.length) return `rows ${rows.join(', ')} and ${number(count - rows.length)} more`;
  return `rows ${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`;
}
