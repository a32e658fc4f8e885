import { z } from 'zod';
import type { CheckColumn, ShownCheck, ShownProblem } from '../../app/check/check-result.ts';
import { shownHeader } from '../../app/check/headers.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { option } from '../shell/parts.ts';
import { columnWords } from './column-words.ts';
import { type ReadingField, readingFields } from './reading-form.ts';
import type { Upload } from './uploads.ts';

/** What has to be known before rows can be read: a sentence, and the field that answers it, where there is one. */
export type Question = { sentence: string; remedy: Shown; field: Html | null };

/** So many columns are shown at once, and offered in one list; a filter leads to the others. */
export const COLUMNS_SHOWN = 100;

/** What of the header only a person can tell. What of it has to be changed in the file is an error under Review. */
const OF_THE_HEADER: ReadonlySet<string> = new Set<ProblemCode>([
  'column_missing',
  'column_twice',
  'amount_net_or_gross',
  'amount_or_other',
  'account_or_other',
  'header_not_found',
  'header_undecided',
  'mapped_header_absent',
]);

/** What a file leaves open that is answered on the Map step, and what else can be chosen of how it is read. */
export function mapQuestions(upload: Upload, result: ShownCheck): { questions: Question[]; others: ReadingField[] } {
  const fields = readingFields(upload, result, { isWhole: true });
  const ofReading = fields.flatMap((one) => {
    const { field } = one;
    const found = errorOf(result, one);
    return found === undefined ? [] : [{ sentence: found.message, remedy: found.remedy, field }];
  });
  const answered = new Set<string | null>(fields.map(({ asks }) => asks));
  const ofHeader = headerErrors(result)
    .filter(({ code, column }) => (code === 'column_missing' ? column !== 'currency' : !answered.has(code)))
    .map((problem) => ofColumns(problem, result));
  const others = fields.filter((one) => errorOf(result, one) === undefined);
  return { questions: [...ofHeader, ...ofReading], others };
}

/** Whether a file has to be mapped before its rows are worth a look. */
export function needsMap(upload: Upload, result: ShownCheck): boolean {
  return mapQuestions(upload, result).questions.length > 0;
}

function errorOf({ problems }: ShownCheck, { asks, currency }: ReadingField): ShownProblem | undefined {
  return problems.find(({ severity, code, column, params }) => {
    if (severity !== 'error' || code !== asks) return false;
    return code === 'column_missing' ? column === 'currency' : currency === undefined || params.currency === currency;
  });
}

/** One of each code and column. */
function headerErrors({ problems }: ShownCheck): ShownProblem[] {
  const errors = problems.filter(({ severity, code }) => severity === 'error' && OF_THE_HEADER.has(code));
  return [...new Map(errors.map((problem) => [`${problem.code} ${problem.column}`, problem])).values()];
}

const besideOne = z.object({ beside: z.object({ cell: z.string() }) });
const twice = z.object({ cells: z.tuple([z.string(), z.string()]) });

function ofColumns(problem: ShownProblem, { columns, map = [] }: ShownCheck): Question {
  const { code, message: sentence, remedy } = problem;
  // Without a rail, one follows from the account.
  const column = problem.column === 'rail' ? 'account_number' : problem.column;
  if (column === null) return { sentence, remedy, field: null };
  if (code === 'column_missing') {
    const suggested = map.find((one) => one.suggested === column && one.isAlone);
    if (suggested !== undefined) {
      const { column: letters } = suggested;
      const isOnPage = columns.findIndex((one) => one.column === letters) < COLUMNS_SHOWN;
      const link = html`<a href="${isOnPage ? '' : `?find=${letters}`}#map-${letters}">Column ${letters}</a>`;
      return {
        sentence,
        remedy: html`${link} looks like it: check it in the table, or choose another there.`,
        field: null,
      };
    }
    return { sentence, remedy, field: columnField(column, offered(columns)) };
  }
  const either = code === 'column_twice' ? twice.safeParse(problem.params).data?.cells : undefined;
  const beside = besideOne.safeParse(problem.params).data?.beside.cell;
  const letters = new Set((either ?? [problem.cell, beside]).map((cell) => (cell ?? '').replace(/\d+$/, '')));
  const both = columns.filter(({ column }) => letters.has(column));
  return { sentence, remedy, field: both.length > 1 ? columnField(column, both) : null };
}

/** Those that map to nothing first. */
function offered(columns: readonly CheckColumn[]): CheckColumn[] {
  return columns.toSorted((a, b) => Number(a.means !== null) - Number(b.means !== null)).slice(0, COLUMNS_SHOWN);
}

function columnField(column: string, columns: readonly CheckColumn[]): Html {
  return html`<label>${columnWords(column)} <select name="is.${column}">${option('', t`Choose a column`, true)}
${columns.map(({ column: letters, header }) => option(letters, `${letters}: ${shownHeader(header)}`, false))}</select></label>`;
}
