import { extname } from 'node:path';
import { currencyLabel } from '../../../domain/currencies.ts';
import { formatForPeople, formatMajor } from '../../../domain/money.ts';
import type { UnnamedRail } from '../../../input/cells/row-rails.ts';
import { columnLetters } from '../../../input/header/columns.ts';
import { type ReadResult, readInput } from '../../../input/input.ts';
import type { ReadOptions } from '../../../input/read-options.ts';
import type { InputSource } from '../../../input/source/file.ts';
import { plainCommand } from '../../../report/command-line.ts';
import { openNamed } from '../../jobs/named-input.ts';
import {
  counted,
  groupsJson,
  groupText,
  inOrderOfImportance,
  paint,
  printable,
  problemJson,
} from '../../problem-text.ts';
import type { CopyOutcome } from './copies.ts';

export type CheckIo = { stdout(text: string): void; stderr(text: string): void };

export type CheckOptions = {
  json: boolean;
  quiet: boolean;
  colour: boolean;
  /** How the input is to be read. */
  read?: ReadOptions;
  /** The job of which it is the input. */
  job?: string | null;
  /** What people call the input, where that is not the name of its file. */
  name?: string | undefined;
  /** Called when it is read, before anything is printed. */
  onRead?: (result: ReadResult) => void;
  /** Where a copy with its problems marked goes. */
  annotate?: string | undefined;
  /** Where a copy with the safe suggestions applied goes. */
  fix?: string | undefined;
  /** Where the cells and their problems go, for the page. */
  cells?: string | undefined;
  /** Whether the marked copy is for people of the page, who give no options. */
  for?: 'page' | undefined;
  /** Whether the copy may take the place of another file. */
  force?: boolean | undefined;
};

const NOTHING_WRONG = 0;
const INPUT_HAS_PROBLEMS = 3;

/**
 * `payrun check FILE|JOB`: parses and validates without any network. Returns the exit code: 0 where nothing is wrong but for
 * warnings, 3 where there are errors. Throws a Refusal (kind `usage`) for a file that cannot be opened.
 */
export async function checkInput(path: string, io: CheckIo, options: CheckOptions): Promise<number> {
  const source = await openNamed(path, options.name);
  const copy = await copyOf(source, options);
  const result = await readInput(source, { ...options.read, ...(copy && { onProblem: copy.onProblem }) });
  options.onRead?.(result);
  const written = copy === null ? null : await copy.write(result);
  const exit = result.problemCounts.errors > 0 ? INPUT_HAS_PROBLEMS : NOTHING_WRONG;
  const ofJob = options.job ? { job: options.job, input: { name: source.name, path } } : {};
  if (options.json) io.stdout(`${JSON.stringify({ ...ofJob, ...checkJson(result, exit), ...written?.json })}\n`);
  else io.stdout([checkText(result, options), ...hints(result, path, options), ...textOf(written)].join('\n'));
  return exit;
}

/** What the person who reads the problems may want to do next. */
function hints(result: ReadResult, path: string, { fix, quiet }: CheckOptions): string[] {
  const count = result.suggestionCount;
  if (count === 0 || quiet || fix !== undefined) return [];
  const command = plainCommand('check', path, '--fix', `mended${extname(path)}`);
  return [printable(`${counted(count, 'suggestion')} can be written for you: ${command}`).concat('\n')];
}

function textOf(written: CopyOutcome | null): string[] {
  return written === null ? [] : [`${written.text}\n`];
}

/** The copy that is asked for: what it has to hear while the input is read, and how it is written then. */
async function copyOf(source: InputSource, options: CheckOptions) {
  const { annotate, fix, cells, force = false, read = {} } = options;
  if (cells !== undefined) return (await import('./cells-file.ts')).cellsCopy(source, cells);
  if (annotate === undefined && fix === undefined) return null;
  const copies = await import('./copies.ts');
  return annotate === undefined
    ? copies.fixedCopy(source, fix ?? '', force, read)
    : copies.annotatedCopy(source, annotate, {
        force,
        audience: options.for === 'page' ? 'page_copy' : 'command_line',
      });
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
    inferred_rails: result.inferredRails,
    default_rails: result.defaultRails,
    sheet: result.sheet,
    header_row: result.headerRow,
    columns: columnsJson(result),
    problem_counts: result.problemCounts,
    problems: result.problems.map(problemJson),
    groups: groupsJson(result),
    ...mappingJson(result),
    exit,
  };
}

/** Each column that has a header: what payrun takes it for, which may be nothing, or that somebody said to ignore it. */
function columnsJson({ input, columns, mapping }: ReadResult): Record<string, unknown>[] {
  const ignored = new Set(mapping.filter(({ column }) => column === null).map(({ header }) => header.trim()));
  return input.header
    .map((header, at) => ({ column: columnLetters(at), header, means: columns[at] ?? null }))
    .filter(({ header }) => header.trim() !== '')
    .map((one) => ({ ...one, ignored: one.means === null && ignored.has(one.header.trim()) }));
}

/** What was said of the headers, where anything was. */
export function mappingJson({ mapping }: ReadResult): { mapping?: ReadResult['mapping'] } {
  return mapping.length === 0 ? {} : { mapping };
}

/** What `check` prints for people: warnings first and errors last, where the eye is when it stops scrolling. */
export function checkText(result: ReadResult, options: Pick<CheckOptions, 'quiet' | 'colour'>): string {
  const groups = inOrderOfImportance(result).map((group) => groupText(group, options.colour));
  const parts = options.quiet ? groups : [...groups, totalsText(result)];
  return [...parts, verdict(result, options.colour)].map((part) => `${part}\n`).join('\n');
}

function totalsText(result: ReadResult): string {
  const lines = result.totals.map(({ currency, count, minor }) => {
    const amount = formatForPeople({ minor, currency });
    return `  ${String(count).padStart(9)}  ${amount.padStart(28)}`;
  });
  const title = `${result.input.name}: ${counted(result.rows, 'row')}, ${counted(result.payouts, 'payout')}`;
  return [title, ...lines, ...unnamedRailsText(result)].map(printable).join('\n');
}

/** Lines that say which rails were taken for rows that name none, or nothing. */
export function unnamedRailsText({ inferredRails, defaultRails }: ReadResult): string[] {
  return [...railsText('rail inferred', inferredRails), ...railsText('rail by default', defaultRails)];
}

function railsText(title: string, unnamed: readonly UnnamedRail[]): string[] {
  const [first, ...others] = unnamed;
  if (first === undefined) return [];
  const rows = unnamed.reduce((sum, { count }) => sum + count, 0);
  const rails =
    others.length === 0
      ? first.rail
      : unnamed.map(({ rail, count }) => `${rail} ${count.toLocaleString('en')}`).join(', ');
  return [`${title} for ${counted(rows, 'row')}: ${rails}`];
}

function verdict(result: ReadResult, colour: boolean): string {
  const { errors, warnings } = result.problemCounts;
  const text = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  if (errors > 0) return paint(`${text}: nothing would be sent.`, 'red', colour);
  return warnings > 0 ? paint(text, 'yellow', colour) : paint('Nothing wrong found.', 'green', colour);
}
