import { z } from 'zod';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { type Problem, problemPlace, type WordedProblem } from '../../domain/problem.ts';
import { wording } from '../../domain/wording.ts';
import { columnLetters } from '../../input/header/columns.ts';
import type { ReadResult } from '../../input/input.ts';
import { worded } from '../../messages/wordings.ts';
import { inOrderOfImportance } from './problem-groups.ts';

/** A problem of an input or a plan, as it is kept. */
export const problemResult = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  sheet: z.string().nullable(),
  row: z.number().nullable(),
  column: z.string().nullable(),
  cell: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
  remedy: wording,
  suggestion: z.string().optional(),
  paid_by: z.object({ run_id: z.string(), how: z.enum(['paid', 'perhaps', 'waiting']) }).optional(),
});

const group = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  column: z.string().nullable(),
  count: z.number(),
  places: z.array(z.string()),
  message: z.string(),
  remedy: wording,
});

const column = z.object({
  column: z.string(),
  header: z.string(),
  means: z.string().nullable(),
  ignored: z.boolean(),
});

const named = z.object({ rail: z.string(), count: z.number() });

/** A file that was checked, as the page keeps it; `check --json` prints it in words. */
export const checkResult = z.object({
  rows: z.number(),
  payouts: z.number(),
  totals: z.array(z.object({ currency: z.string(), count: z.number(), amount: z.string() })),
  inferred_rails: z.array(named),
  default_rails: z.array(named),
  sheet: z.string().nullable(),
  header_row: z.number().nullable(),
  columns: z.array(column),
  problem_counts: z.object({ errors: z.number(), warnings: z.number() }),
  /** At most 1,000. */
  problems: z.array(problemResult),
  groups: z.array(group),
  /** What a person, a job or an earlier file named of the headers, where one did. */
  mapping: z
    .array(
      z.object({ header: z.string(), column: z.string().nullable(), source: z.enum(['option', 'job', 'remembered']) }),
    )
    .optional(),
});

export type CheckResult = z.output<typeof checkResult>;
export type CheckProblem = z.output<typeof problemResult>;
export type CheckGroup = z.output<typeof group>;
export type CheckColumn = z.output<typeof column>;

export function checkResultOf(read: ReadResult): CheckResult {
  return {
    rows: read.rows,
    payouts: read.payouts,
    totals: read.totals.map(({ currency, count, minor }) => ({
      currency: currencyLabel(currency),
      count,
      amount: formatMajor(minor, currency.decimals),
    })),
    inferred_rails: read.inferredRails,
    default_rails: read.defaultRails,
    sheet: read.sheet,
    header_row: read.headerRow,
    columns: columnsOf(read),
    problem_counts: read.problemCounts,
    problems: read.problems.map(problemResultOf),
    groups: groupsOf(read),
    ...mappingOf(read),
  };
}

/** A cell may hold a mebibyte, and a thousand problems are printed. */
const VALUE_KEPT = 2_000;

/** The members that are printed, in their order. */
export function problemResultOf(problem: Problem): CheckProblem {
  const { severity, code, sheet, row, column, cell, value, message, remedy, suggestion, paid_by } = problem;
  const shown = value !== null && value.length > VALUE_KEPT ? `${value.slice(0, VALUE_KEPT)}…` : value;
  const result = { severity, code, sheet, row, column, cell, value: shown, message, remedy };
  return { ...result, ...(suggestion !== undefined && { suggestion }), ...(paid_by !== undefined && { paid_by }) };
}

/** A problem of an input or a plan, as `--json` prints it. */
export function problemJson(problem: Problem): WordedProblem {
  return worded(problemResultOf(problem), 'command_line');
}

/** What `check --json` prints. */
export function checkJson(read: ReadResult) {
  return { ...checkResultOf(read), problems: read.problems.map(problemJson), groups: groupsJson(read) };
}

export function groupsJson(read: ReadResult) {
  return groupsOf(read).map((group) => worded(group, 'command_line'));
}

/** In the order in which people read them. */
function groupsOf(read: ReadResult): CheckGroup[] {
  return inOrderOfImportance(read).map(({ severity, code, column, count, first }) => ({
    severity,
    code,
    column,
    count,
    places: first.map(problemPlace).filter((place) => place !== ''),
    message: first[0]?.message ?? '',
    remedy: first[0]?.remedy ?? '',
  }));
}

/** Nothing where nobody named anything. */
export function mappingOf({ mapping }: ReadResult): { mapping?: ReadResult['mapping'] } {
  return mapping.length === 0 ? {} : { mapping };
}

/** Each column that has a header: what payrun takes it for, which may be nothing, or that somebody ignores it. */
function columnsOf({ input, columns, mapping }: ReadResult): CheckColumn[] {
  const ignored = new Set(mapping.filter(({ column }) => column === null).map(({ header }) => header.trim()));
  return input.header
    .map((header, at) => ({ column: columnLetters(at), header, means: columns[at] ?? null }))
    .filter(({ header }) => header.trim() !== '')
    .map((one) => ({ ...one, ignored: one.means === null && ignored.has(one.header.trim()) }));
}
