import type { Problem, ProblemCode, ProblemParams } from '../../domain/problem.ts';
import type { RailName } from '../../domain/rails/rail-names.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';
import { readInput } from '../../input/input.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { InputSource } from '../../input/source/file.ts';

/** All that a file leaves open, as a person may answer it in one command. */
export type WholeAnswer = {
  columns: readonly ExplicitColumn[];
  currency: string | null;
  /** By currency: the first rail that fits, and the others. */
  rails: ReadonlyMap<string, readonly [RailName, ...RailName[]]>;
};

/** `taken`: the header that is meant where another is ignored. Given in the first reading, it would hide the next question. */
type Answering = WholeAnswer & { taken: readonly ExplicitColumn[]; questions: number };

/** How one question can be answered; null where a person must write something. */
type Choices = readonly Partial<Answering>[] | null;

/** A file is read again so often, so many rows of it, and up to such a size. */
const READINGS_MAX = 12;
const ROWS_READ = 200;
const BYTES_MAX = 8 * 1024 * 1024;

/** More alternatives are a list that nobody reads. */
const ALTERNATIVES_MAX = 3;

const NOTHING: Answering = { columns: [], taken: [], questions: 0, currency: null, rails: new Map() };

/**
 * What a person may give to a file that asks for several things, so that it can be paid with one more command: one answer, or
 * one for each of a few alternatives. A question may come up only when another is answered (which rail, when the currency is
 * known), so the first rows are read with each answer. None where one thing is asked, and where one of the alternatives is not
 * enough: what is shown alone would look like what is right.
 */
export async function wholeAnswers(
  source: InputSource,
  options: ReadOptions,
  read: Pick<ReadResult, 'problems' | 'headerRow' | 'input'>,
): Promise<WholeAnswer[]> {
  if (read.headerRow === null || read.input.bytes > BYTES_MAX) return [];
  const open: { answer: Answering; problems: readonly Problem[] }[] = [{ answer: NOTHING, problems: read.problems }];
  const whole: Answering[] = [];
  for (let readings = 0; readings < READINGS_MAX; ) {
    const next = open.shift();
    if (next === undefined) break;
    const choices = choicesIn(next.problems, read.headerRow);
    if (choices === null) return [];
    if (choices.length === 0) whole.push(next.answer);
    else
      for (const answer of answersOf(next.answer, choices)) {
        readings++;
        const { problems, payouts } = await readFirst(source, optionsWith(options, answer));
        if (payouts === 0 && problems.every(({ code }) => CHOICES[code] === undefined)) return [];
        open.push({ answer, problems });
      }
  }
  const isOfSeveral = whole.some(({ questions }) => questions > 1);
  return isOfSeveral && open.length === 0 && whole.length <= ALTERNATIVES_MAX ? whole.map(withTaken) : [];
}

/** The choices of each question; null where one of them cannot be answered with an option. */
function choicesIn(problems: readonly Problem[], headerRow: number): Exclude<Choices, null>[] | null {
  const asked = new Map<string, Choices>();
  for (const { severity, code, params, row, column } of problems) {
    if (severity !== 'error') continue;
    const choicesOf = CHOICES[code] as ((params: object) => Choices) | undefined;
    if (choicesOf !== undefined) {
      const currency = 'currency' in params ? String(params.currency) : '';
      asked.set([code, column, currency].join(), choicesOf(params));
    } else if (row === null || row === headerRow) return null;
  }
  const choices = [...asked.values()];
  return choices.includes(null) ? null : choices.filter((each) => each !== null);
}

const CHOICES: { readonly [Code in ProblemCode]?: (params: ProblemParams[Code]) => Choices } = {
  column_missing: ({ column, like, proposed }) => {
    if (proposed?.isPaid === true) return [{ currency: proposed.code }];
    if (like === undefined || like.other !== null) return null;
    return [{ columns: [{ header: like.header, column: column as ColumnName }] }];
  },
  column_twice: ({ column, cells, first, header, isSameHeader }) => {
    const [one, other] = isSameHeader ? cells.map((cell) => cell.replace(/\d+$/, '')) : [first, header];
    const choice = (taken = '', ignored = '') => ({
      columns: [{ header: ignored, column: null }],
      taken: [{ header: taken, column: column as ColumnName }],
    });
    return [choice(one, other), choice(other, one)];
  },
  amount_or_other: (params) => eitherOf('amount', params),
  amount_net_or_gross: (params) => eitherOf('amount', params),
  account_or_other: (params) => eitherOf('account_number', params),
  rail_several_fit: ({ currency, fitting }) => {
    const [rail, ...others] = fitting.map((fit) => fit.rail);
    return rail === undefined ? null : [{ rails: new Map([[currency, [rail, ...others]]]) }];
  },
};

function eitherOf(column: ColumnName, { header, beside }: { header: string; beside: { header: string } }): Choices {
  return [
    { columns: [{ header, column }] },
    {
      columns: [
        { header: beside.header, column },
        { header, column: null },
      ],
    },
  ];
}

/** The answer with one choice of each question, in every way. */
function answersOf(answer: Answering, choices: readonly Exclude<Choices, null>[]): Answering[] {
  return choices.reduce<Answering[]>(
    (answers, ways) => answers.flatMap((one) => ways.map((way) => joined(one, way))),
    [answer],
  );
}

function joined(answer: Answering, more: Partial<Answering>): Answering {
  return {
    columns: [...answer.columns, ...(more.columns ?? [])],
    taken: [...answer.taken, ...(more.taken ?? [])],
    questions: answer.questions + 1,
    currency: more.currency ?? answer.currency,
    rails: new Map([...answer.rails, ...(more.rails ?? [])]),
  };
}

/** What an earlier command ignored may be what is taken now. */
function withTaken({ columns, taken, currency, rails }: Answering): WholeAnswer {
  const others = taken.filter(({ header }) => columns.every((given) => given.header !== header));
  return { columns: [...others, ...columns], currency, rails };
}

function optionsWith(options: ReadOptions, { columns, currency, rails }: WholeAnswer): ReadOptions {
  const added = new Map([...rails].map(([code, [rail]]) => [code, rail] as const));
  return {
    ...options,
    columns: [...(options.columns ?? []), ...columns],
    ...(currency !== null && { currency }),
    ...(added.size > 0 && { defaultRails: new Map([...(options.defaultRails ?? []), ...added]) }),
  };
}

const ENOUGH = new Error('enough rows were read');

/** The problems of the first rows, and how many of them can be paid. */
async function readFirst(
  source: InputSource,
  options: ReadOptions,
): Promise<{ problems: readonly Problem[]; payouts: number }> {
  const problems: Problem[] = [];
  let rows = 0;
  let payouts = 0;
  const onProblem = (problem: Problem) => void problems.push(problem);
  try {
    await readInput(source, {
      ...options,
      onProblem,
      onRow({ order }) {
        if (order !== null) payouts++;
        if (++rows >= ROWS_READ) throw ENOUGH;
      },
    });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return { problems, payouts };
}
