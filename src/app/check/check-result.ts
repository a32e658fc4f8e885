import { z } from 'zod';
import { currencyLabel } from '../../domain/currencies.ts';
import { count, text } from '../../domain/entries/members.ts';
import { formatMajor } from '../../domain/money.ts';
import { type Problem, type ProblemGroup, problemPlace, type Worded } from '../../domain/problem.ts';
import { RAIL_NAMES } from '../../domain/rails/rail.ts';
import { amount, currencyName, rowNumber, runId } from '../../domain/result.ts';
import { layoutOf } from '../../input/header/layout-of.ts';
import type { ReadResult } from '../../input/read-result.ts';
import { BANK_FORMATS } from '../../input/source/bank/bank-kind.ts';
import { LEGACY_NAMES } from '../../input/source/encoding/encodings.ts';
import { messages } from '../../messages/messages.ts';
import { columnLetters } from '../../platform/xlsx/cell-names.ts';
import { columnMap } from './column-map.ts';
import { jobSettingsOf } from './job-settings.ts';
import { sheetSums } from './sheet-sums.ts';

/** What the words of a problem are filled with, in JSON. */
const params = z.record(z.string(), z.json());

const place = {
  severity: z.enum(['error', 'warning']),
  code: text,
  sheet: text.nullable(),
  row: rowNumber.nullable(),
  column: text.nullable().describe('The canonical column.'),
  cell: text.nullable().describe('As in F17.'),
  place: text.optional().describe('Of a bank file, which has no cells: as in `record 12, positions 31-43`.'),
  value: text.nullable().describe('Identifiers masked to the last four, unless the problem is about that very value.'),
};

const words = { message: text, remedy: text };

const more = {
  suggestion: text.optional().describe('What the cell could hold instead, where that is safe to write.'),
  paid_by: z
    .object({ run_id: runId, how: z.enum(['paid', 'perhaps', 'waiting']) })
    .optional()
    .describe('The last run that paid, perhaps paid, or is about to pay the same.'),
};

const group = {
  severity: z.enum(['error', 'warning']),
  code: text,
  column: text.nullable(),
  count: count,
  places: z.array(text).describe('Of the first few.'),
};

/** A problem of an input or a plan, and a group of them, as they are kept: with codes, which get words where they are shown. */
export const problemResult = z.object({ ...place, params, ...more });
export const groupResult = z.object({ ...group, params });

/** The same as `--json` prints them. */
export const problemOutput = z.object({ ...place, ...words, ...more }).meta({ id: 'problem' });
export const groupOutput = z.object({ ...group, ...words }).meta({ id: 'group' });

const column = z.object({
  column: text.describe('Its letters.'),
  header: text,
  means: text.nullable().describe('The canonical column that it feeds.'),
  ignored: z.boolean(),
});

const named = z.object({ rail: z.enum(RAIL_NAMES), count });

/** A file that was checked, as the page keeps it; `check --json` prints it in words. */
export const checkResult = z.object({
  rows: count.describe('Below the header, and not blank.'),
  payouts: count.describe('Rows that can be paid.'),
  totals: z.array(z.object({ currency: currencyName, count, amount })),
  inferred_rails: z.array(named).describe('The rails of rows that name none, as their fields tell.'),
  default_rails: z.array(named).describe('The same, by default.'),
  sheet: text.nullable(),
  format: z.enum(BANK_FORMATS).optional().describe('Of a bank file.'),
  header_row: count.nullable(),
  columns: z.array(column),
  problem_counts: z.object({ errors: count, warnings: count }),
  problems: z.array(problemResult).describe('At most 1,000, by row.'),
  groups: z.array(groupResult).describe('All problems by kind and column, the most important last.'),
  mapping: z
    .array(z.object({ header: text, column: text.nullable(), source: z.enum(['option', 'job', 'remembered']) }))
    .optional()
    .describe('What a person, a job or an earlier file named of the headers, where one did.'),
  given_currency: z
    .object({ currency: text, source: z.enum(['option', 'job', 'remembered', 'file']) })
    .optional()
    .describe('The currency of rows that name none, where one was given.'),
  given_encoding: z
    .object({ encoding: z.enum(LEGACY_NAMES), source: z.enum(['option', 'job', 'remembered']) })
    .optional()
    .describe('The encoding of a text that does not show it, where one was given.'),
  job_settings: z
    .object({
      columns: z.record(z.string(), z.union([text, z.literal(false)])),
      currency: text.optional(),
      encoding: text.optional(),
    })
    .optional()
    .describe('The same as a job has it, where it was given and is no job’s.'),
  layout: text.optional().describe('The product and list whose headers the file has, where that is known.'),
});

export type CheckResult = z.output<typeof checkResult>;
export type CheckProblem = z.output<typeof problemResult>;
export type CheckGroup = z.output<typeof groupResult>;
export type CheckColumn = z.output<typeof column>;

/** The same with what its columns show, for a person who maps them. */
export const mappedResult = checkResult.extend({ map: columnMap.optional(), of_all_rows: sheetSums.optional() });

export type MappedResult = z.output<typeof mappedResult>;

/** A file that was checked, in the words of the page. */
export type ShownCheck = Omit<MappedResult, 'problems' | 'groups'> & { problems: ShownProblem[]; groups: ShownGroup[] };
export type ShownProblem = CheckProblem & Worded;
export type ShownGroup = CheckGroup & Worded;

export function shownCheck(result: MappedResult): ShownCheck {
  const problems = result.problems.map((problem) => messages.problems.worded(problem, 'page'));
  return { ...result, problems, groups: result.groups.map((group) => messages.problems.worded(group, 'page')) };
}

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
    ...(read.format !== null && { format: read.format }),
    header_row: read.headerRow,
    columns: columnsOf(read),
    problem_counts: read.problemCounts,
    problems: read.problems.map(problemResultOf),
    groups: groupsOf(read),
    ...givenWithHeaders(read),
    ...jobSettings(read),
  };
}

function jobSettings(read: ReadResult): Pick<CheckResult, 'job_settings'> {
  const settings = jobSettingsOf(read);
  return settings === null ? {} : { job_settings: settings };
}

/** A cell may hold a mebibyte, and a thousand problems are printed. */
const VALUE_KEPT = 2_000;

/** The members that are kept. */
export function problemResultOf(problem: Problem): CheckProblem {
  const { severity, code, sheet, row, column, cell, value, params, suggestion, paid_by } = problem;
  const place = typeof problem.place === 'object' ? { place: problemPlace(problem) } : {};
  const shown = value !== null && value.length > VALUE_KEPT ? `${value.slice(0, VALUE_KEPT)}…` : value;
  const more = { ...(suggestion !== undefined && { suggestion }), ...(paid_by !== undefined && { paid_by }) };
  return { severity, code, sheet, row, column, cell, ...place, value: shown, params: jsonOf(params), ...more };
}

/** A problem of an input or a plan, as `--json` prints it, in its order of members. */
export function problemJson(problem: Problem | CheckProblem): z.output<typeof problemOutput> {
  const { params, suggestion, paid_by, ...rest } = problemResultOf(problem as Problem);
  const words = messages.problems.problemWords({ code: rest.code, params }, 'command_line');
  const more = { ...(suggestion !== undefined && { suggestion }), ...(paid_by !== undefined && { paid_by }) };
  return { ...rest, ...words, ...more };
}

/** What `check --json` prints. */
export function checkJson(read: ReadResult) {
  return { ...checkResultOf(read), problems: read.problems.map(problemJson), groups: groupsJson(read) };
}

export function groupsJson(read: ReadResult): z.output<typeof groupOutput>[] {
  return groupsOf(read).map(({ params, ...group }) => ({
    ...group,
    ...messages.problems.problemWords({ code: group.code, params }, 'command_line'),
  }));
}

function jsonOf(params: object): CheckProblem['params'] {
  return params as CheckProblem['params'];
}

/** In the order in which people read them. */
function groupsOf(read: ReadResult): CheckGroup[] {
  return inOrderOfImportance(read).map(({ severity, code, column, count, first }) => ({
    severity,
    code,
    column,
    count,
    places: first.map(problemPlace).filter((place) => place !== ''),
    params: jsonOf(first[0]?.params ?? {}),
  }));
}

/** What was given beside the headers, and the layout that they have: each where there is one. */
export function givenWithHeaders({
  input,
  mapping,
  givenCurrency,
  givenEncoding,
}: ReadResult): Pick<CheckResult, 'mapping' | 'given_currency' | 'given_encoding' | 'layout'> {
  const layout = layoutOf(input.header);
  return {
    ...(mapping.length > 0 && { mapping }),
    ...(givenCurrency !== null && { given_currency: { currency: givenCurrency.code, source: givenCurrency.source } }),
    ...(givenEncoding !== null && { given_encoding: givenEncoding }),
    ...(layout !== null && { layout: layout.name }),
  };
}

/** Each column that has a header: what payrun takes it for, which may be nothing, or that somebody ignores it. */
function columnsOf({ input, columns, mapping }: ReadResult): CheckColumn[] {
  const ignored = new Set(mapping.filter(({ column }) => column === null).map(({ header }) => header.trim()));
  return input.header
    .map((header, at) => ({ column: columnLetters(at), header, means: columns[at] ?? null }))
    .filter(({ header }) => header.trim() !== '')
    .map((one) => ({
      ...one,
      ignored: one.means === null && (ignored.has(one.header.trim()) || ignored.has(one.column)),
    }));
}

/** The groups as they are shown: warnings first, errors after them, and last what stops most rows or the whole file. */
export function inOrderOfImportance(result: ReadResult): ProblemGroup[] {
  const weight = (group: ProblemGroup) => (isOfWholeFile(group, result.headerRow) ? Number.MAX_VALUE : group.count);
  return [...result.problemGroups].sort((a, b) =>
    a.severity === b.severity ? weight(a) - weight(b) : a.severity === 'error' ? 1 : -1,
  );
}

/** A problem that causes many of the others: correct it first. */
function isOfWholeFile({ code, first: [first] }: ProblemGroup, headerRow: number | null): boolean {
  if (first === undefined) return false;
  if (first.row === null || (headerRow !== null && first.row <= headerRow)) return true;
  return first.cell === null && first.column === null && !code.startsWith('row_');
}
