import { currencyLabel } from '../../domain/currencies.ts';
import { formatForPeople, formatMajor } from '../../domain/money.ts';
import { openFile } from '../../input/file.ts';
import { type ReadResult, readInput } from '../../input/input.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import { counted, groupsJson, groupText, inOrderOfImportance, paint, printable, problemJson } from '../problem-text.ts';

export type CheckIo = { stdout(text: string): void; stderr(text: string): void };

export type CheckOptions = {
  json: boolean;
  quiet: boolean;
  colour: boolean;
  /** How the input is to be read. */
  read?: ReadOptions;
  /** Called when it is read, before anything is printed. */
  onRead?: (result: ReadResult) => void;
};

const NOTHING_WRONG = 0;
const INPUT_HAS_PROBLEMS = 3;

/**
 * `payrun check FILE`: parses and validates without any network. Returns the exit code: 0 where nothing is wrong but for
 * warnings, 3 where there are errors. Throws a Refusal (kind `usage`) for a file that cannot be opened.
 */
export async function checkInput(path: string, io: CheckIo, options: CheckOptions): Promise<number> {
  const result = await readInput(await openFile(path), options.read);
  options.onRead?.(result);
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
    inferred_rails: result.inferredRails,
    problems: result.problems.map(problemJson),
    groups: groupsJson(result),
    ...mappingJson(result),
    exit,
  };
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
  return [title, ...lines, ...inferredText(result)].map(printable).join('\n');
}

/** A line that says which rails were taken for rows that name none, or nothing. */
export function inferredText({ inferredRails }: ReadResult): string[] {
  if (inferredRails.length === 0) return [];
  const rows = inferredRails.reduce((sum, { count }) => sum + count, 0);
  const [first, ...others] = inferredRails;
  const rails =
    others.length === 0
      ? first?.rail
      : inferredRails.map(({ rail, count }) => `${rail} ${count.toLocaleString('en')}`).join(', ');
  return [`rail inferred for ${counted(rows, 'row')}: ${rails}`];
}

function verdict(result: ReadResult, colour: boolean): string {
  const { errors, warnings } = result.problemCounts;
  const text = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  if (errors > 0) return paint(`${text}: nothing would be sent.`, 'red', colour);
  return warnings > 0 ? paint(text, 'yellow', colour) : paint('Nothing wrong found.', 'green', colour);
}
