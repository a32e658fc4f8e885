import { styleText } from 'node:util';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatForPeople, formatMajor } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';
import { openFile } from '../../input/file.ts';
import { type ReadResult, readInput } from '../../input/input.ts';

export type CheckIo = { stdout(text: string): void; stderr(text: string): void };

export type CheckOptions = { json: boolean; quiet: boolean; colour: boolean; decimal?: '.' | ',' | undefined };

/** So many cells of one kind of problem are named; the rest are counted. */
const CELLS_SHOWN = 5;

/** A cell's text is cut at so many characters on the screen. */
const VALUE_SHOWN = 48;

/** Control characters of a cell must not reach the terminal, where they could move the cursor or colour the text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const NOTHING_WRONG = 0;
const INPUT_HAS_PROBLEMS = 3;

/**
 * `payrun check FILE`: parses and validates without any network. Returns the exit code: 0 where nothing is wrong but for
 * warnings, 3 where there are errors. Throws a Refusal (kind `usage`) for a file that cannot be opened.
 */
export async function checkInput(path: string, io: CheckIo, options: CheckOptions): Promise<number> {
  const { decimal } = options;
  const result = await readInput(await openFile(path), decimal === undefined ? {} : { decimal });
  const exit = result.problemCounts.errors > 0 ? INPUT_HAS_PROBLEMS : NOTHING_WRONG;
  if (options.json) io.stdout(`${JSON.stringify(checkJson(result, exit))}\n`);
  else io.stdout(checkText(result, options));
  return exit;
}

/** What `check --json` prints. */
export function checkJson(result: ReadResult, exit: number): Record<string, unknown> {
  return {
    rows: result.rows,
    payouts: result.payouts,
    totals: result.totals.map((total) => ({
      currency: currencyLabel(total.currency),
      count: total.count,
      amount: formatMajor(total.minor, total.currency.decimals),
    })),
    problems: result.problems.map(problemJson),
    exit,
  };
}

/** What `check` prints for people: warnings first and errors last, where the eye is when it stops scrolling. */
export function checkText(result: ReadResult, options: Pick<CheckOptions, 'quiet' | 'colour'>): string {
  const groups = groupProblems(result).map((group) => groupText(group, options.colour));
  const parts = options.quiet ? groups : [...groups, totalsText(result)];
  return [...parts, verdict(result, options.colour)].map((part) => `${part}\n`).join('\n');
}

type Group = { code: string; severity: Problem['severity']; count: number; problems: Problem[] };

function groupProblems(result: ReadResult): Group[] {
  const groups = result.problemGroups.map((group) => ({
    ...group,
    problems: result.problems.filter(({ code, severity }) => code === group.code && severity === group.severity),
  }));
  const importance = (group: Group) =>
    (group.severity === 'error' ? 1_000_000_000 : 0) + (isOfFile(group) ? 500_000_000 : 0);
  return groups.sort((a, b) => importance(a) - importance(b) || a.count - b.count);
}

/** A problem of the whole file is behind many of the others, so it is the one to mend first. */
function isOfFile(group: Group): boolean {
  return group.problems.some((problem) => problem.cell === null && problem.column === null);
}

function groupText(group: Group, colour: boolean): string {
  const isError = group.severity === 'error';
  const title = paint(`${group.severity} ${group.code}`, isError ? 'red' : 'yellow', colour);
  const first = group.problems[0];
  if (first === undefined) return `${title}  ${counted(group.count, 'time')}`;
  const isOneMessage = group.problems.every((problem) => problem.message === first.message);
  const message = isOneMessage ? first.message : `${counted(group.count, 'time')}; the first: ${first.message}`;
  const lines = [`${title}  ${printable(message)}`];
  const places = group.problems
    .slice(0, CELLS_SHOWN)
    .map(place)
    .filter((text) => text !== '');
  const more = group.count - Math.min(group.problems.length, CELLS_SHOWN);
  if (places.length > 0)
    lines.push(`  at ${printable(places.join(', '))}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`);
  lines.push(`  ${printable(first.remedy)}`);
  return lines.join('\n');
}

function place(problem: Problem): string {
  const where = problem.cell ?? (problem.row === null ? '' : `row ${problem.row}`);
  const value = problem.value === null || problem.value === '' ? '' : ` (${cut(problem.value)})`;
  return where === '' && problem.column !== null ? `column ${problem.column}` : where + value;
}

function totalsText(result: ReadResult): string {
  const lines = result.totals.map(({ currency, count, minor }) => {
    const amount = formatForPeople({ minor, currency });
    return `  ${String(count).padStart(9)}  ${amount.padStart(28)}`;
  });
  return [`${result.input.name}: ${counted(result.rows, 'row')}, ${counted(result.payouts, 'payout')}`, ...lines]
    .map(printable)
    .join('\n');
}

function verdict(result: ReadResult, colour: boolean): string {
  const { errors, warnings } = result.problemCounts;
  const text = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  if (errors > 0) return paint(`${text}: nothing would be sent.`, 'red', colour);
  return warnings > 0 ? paint(text, 'yellow', colour) : paint('Nothing wrong found.', 'green', colour);
}

function problemJson(problem: Problem): Problem {
  const { severity, code, sheet, row, column, cell, value, message, remedy } = problem;
  return { severity, code, sheet, row, column, cell, value, message, remedy };
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

function cut(value: string): string {
  return value.length > VALUE_SHOWN ? `${value.slice(0, VALUE_SHOWN)}…` : value;
}

function paint(text: string, style: 'red' | 'yellow' | 'green', colour: boolean): string {
  return colour ? styleText(style, text, { validateStream: false }) : text;
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}
