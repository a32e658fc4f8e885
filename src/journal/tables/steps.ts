import type { Row, Value } from '../../platform/sqlite.ts';

// What the journal does with its tables is written once, for every database: as steps, each a statement. SQLite makes them
// all in one turn; over a network each is awaited. Nothing that decides about a payout depends on which of both it is.

/** `?` stands for each value. */
type Query = { sql: string; values: readonly Value[] };

/** Rows for a table; `conflict` is what is done with those that are there, as SQL. They are read once. */
export type Insertion = {
  into: string;
  columns: readonly string[];
  rows: Iterable<readonly Value[]>;
  conflict?: string;
};

export type Statement = ({ kind: 'read' | 'change' } & Query) | ({ kind: 'insert' } & Insertion);

/** The rows of a `read`, and how many rows were changed or inserted. */
export type Answer = { rows: readonly Row[]; changed: number };

/** Work that yields statements one after another, is given the answer to each, and returns its result. */
export type Steps<Result> = Generator<Statement, Result, Answer>;

export function* all(sql: string, ...values: readonly Value[]): Steps<readonly Row[]> {
  return (yield { kind: 'read', sql, values }).rows;
}

/** The first row, where there is one. */
export function* get(sql: string, ...values: readonly Value[]): Steps<Row | undefined> {
  return (yield { kind: 'read', sql, values }).rows[0];
}

/** Returns how many rows were changed. */
export function* change(sql: string, ...values: readonly Value[]): Steps<number> {
  return (yield { kind: 'change', sql, values }).changed;
}

/** Returns how many rows were inserted. */
export function* insert(insertion: Insertion): Steps<number> {
  return (yield { kind: 'insert', ...insertion }).changed;
}

/** Makes every step in this turn. What `answer` throws is thrown where the statement was yielded. */
export function inOneTurn<Result>(steps: Steps<Result>, answer: (statement: Statement) => Answer): Result {
  let step = steps.next();
  while (!step.done) {
    let answered: Answer;
    try {
      answered = answer(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answered);
  }
  return step.value;
}

/** The same, awaiting each answer. */
export async function awaitingEach<Result>(
  steps: Steps<Result>,
  answer: (statement: Statement) => Promise<Answer>,
): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    let answered: Answer;
    try {
      answered = await answer(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answered);
  }
  return step.value;
}
