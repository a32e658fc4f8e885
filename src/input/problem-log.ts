import type { Problem } from '../domain/problem.ts';

/** So many problems of each severity are kept to be shown; all are counted. */
export const PROBLEMS_KEPT = 1_000;

/** A cell's text in a problem is cut at so many characters: a million bad cells must not hold a million long texts. */
const VALUE_SHOWN = 120;

/** Gathers the problems of one file: the first thousand whole, the rest as counts. Errors are never crowded out. */
export class ProblemLog {
  readonly #errors: Problem[] = [];
  readonly #warnings: Problem[] = [];
  readonly #byCode = new Map<string, { severity: Problem['severity']; count: number }>();
  #errorCount = 0;
  #warningCount = 0;

  add(problem: Problem): void {
    const isError = problem.severity === 'error';
    if (isError) this.#errorCount++;
    else this.#warningCount++;
    const kept = isError ? this.#errors : this.#warnings;
    if (kept.length < PROBLEMS_KEPT) kept.push({ ...problem, value: shorten(problem.value) });
    const key = `${problem.severity}|${problem.code}`;
    const group = this.#byCode.get(key);
    if (group) group.count++;
    else this.#byCode.set(key, { severity: problem.severity, count: 1 });
  }

  get counts(): { errors: number; warnings: number } {
    return { errors: this.#errorCount, warnings: this.#warningCount };
  }

  /** How many problems there are of each code, kept or not, in order of first appearance. */
  get groups(): { code: string; severity: Problem['severity']; count: number }[] {
    return [...this.#byCode].map(([key, group]) => ({ code: key.slice(key.indexOf('|') + 1), ...group }));
  }

  /** At most `PROBLEMS_KEPT` problems by row, errors before warnings where not all fit. */
  get kept(): Problem[] {
    const room = PROBLEMS_KEPT - this.#errors.length;
    return [...this.#errors, ...this.#warnings.slice(0, room)].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }
}

function shorten(value: string | null): string | null {
  return value !== null && value.length > VALUE_SHOWN ? `${value.slice(0, VALUE_SHOWN)}…` : value;
}
