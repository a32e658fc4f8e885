import type { Problem, ProblemGroup } from '../domain/problem.ts';

/** So many problems of each severity are kept to be shown; all are counted. */
export const PROBLEMS_KEPT = 1_000;

/** So many problems of each group are kept beside them, so that a group that comes late has examples too. */
export const GROUP_EXAMPLES = 5;

/** A cell's text in a problem is cut at so many characters: a million bad cells must not hold a million long texts. */
const VALUE_SHOWN = 120;

/**
 * Gathers the problems of one file: the first thousand whole, the rest as counts. Errors are never crowded out. `onProblem` gets
 * every problem, with its value uncut.
 */
export class ProblemLog {
  readonly #onProblem: ((problem: Problem) => void) | undefined;
  readonly #errors: Problem[] = [];
  readonly #warnings: Problem[] = [];
  /** By code; the groups of one code differ in column or severity, and there are hardly ever two. */
  readonly #byCode = new Map<string, ProblemGroup[]>();
  readonly #groups: ProblemGroup[] = [];
  #errorCount = 0;
  #warningCount = 0;
  #suggestionCount = 0;

  constructor(onProblem?: (problem: Problem) => void) {
    this.#onProblem = onProblem;
  }

  add(problem: Problem): void {
    const isError = problem.severity === 'error';
    if (isError) this.#errorCount++;
    else this.#warningCount++;
    if (problem.suggestion !== undefined) this.#suggestionCount++;
    const kept = isError ? this.#errors : this.#warnings;
    const group = this.#groupOf(problem);
    group.count++;
    if (kept.length < PROBLEMS_KEPT || group.first.length < GROUP_EXAMPLES) {
      const shown = { ...problem, value: shorten(problem.value) };
      if (kept.length < PROBLEMS_KEPT) kept.push(shown);
      if (group.first.length < GROUP_EXAMPLES) group.first.push(shown);
    }
    this.#onProblem?.(problem);
  }

  get counts(): { errors: number; warnings: number } {
    return { errors: this.#errorCount, warnings: this.#warningCount };
  }

  /** How many of all problems their suggestion corrects. */
  get suggestionCount(): number {
    return this.#suggestionCount;
  }

  /** All problems by code and column, kept or not, in order of first appearance. */
  get groups(): readonly ProblemGroup[] {
    return this.#groups;
  }

  /** At most `PROBLEMS_KEPT` problems by row, errors before warnings where not all fit. */
  get kept(): Problem[] {
    const room = PROBLEMS_KEPT - this.#errors.length;
    return [...this.#errors, ...this.#warnings.slice(0, room)].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }

  #groupOf({ severity, code, column }: Problem): ProblemGroup {
    const ofCode = this.#byCode.get(code);
    const known = ofCode?.find((group) => group.column === column && group.severity === severity);
    if (known !== undefined) return known;
    const group: ProblemGroup = { severity, code, column, count: 0, first: [] };
    if (ofCode === undefined) this.#byCode.set(code, [group]);
    else ofCode.push(group);
    this.#groups.push(group);
    return group;
  }
}

function shorten(value: string | null): string | null {
  return value !== null && value.length > VALUE_SHOWN ? `${value.slice(0, VALUE_SHOWN)}…` : value;
}
