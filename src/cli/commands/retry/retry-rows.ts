import { type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import type { RunRow } from '../../../domain/entry.ts';
import { currencyKey, formatForPeople } from '../../../domain/money.ts';
import { type PayoutOrder, payeeKey } from '../../../domain/payee.ts';
import type { Problem } from '../../../domain/problem.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { Journal } from '../../../journal/journal.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { type LeftOut, retryHash } from '../../../runner/submit/retries.ts';
import { runNamed, runsOfFile } from '../../paid/repeats.ts';
import { damaged, notStarted, unknownRun } from '../../runs/known-run.ts';
import { heldBy } from '../../runs/open-run.ts';
import type { Settings } from '../../settings.ts';

/**
 * The rows of a run that can be retried. Throws a `Refusal`: `usage` for a run that does not exist, `held` where a process
 * works on it, `refused` where it is not finished or has no such row.
 */
export async function readRetried(
  journal: Journal,
  runId: string,
  { command }: { command: CommandLine },
): Promise<Retriable> {
  const read = await readRetriable(runId, { journal, clock: machineClock });
  switch (read.outcome) {
    case 'retriable':
      return read;
    case 'unknown_run':
      throw unknownRun(journal, runId, command);
    case 'damaged':
      throw damaged(runId, read.error, command);
    case 'not_started':
      throw notStarted(read.run, command);
    case 'held':
      throw heldBy(runId, read.holder);
    case 'not_finished': {
      const remedy = `Go on with it first: ${command('resume', runId)}`;
      throw new Refusal('refused', `${runId} is not finished. Nothing was sent.`, remedy, { run_id: runId });
    }
    case 'nothing': {
      const why = read.leftOut.slice(0, NAMED_MAX).map((one) => `\n${leftOutText(one)}`);
      const message = `Nothing to retry: ${runId} has no failed, rejected or unsent row that is to be paid still. Nothing was sent.`;
      const remedy = `See \`${command('show', runId)}\`.`;
      throw new Refusal('refused', `${message}${why.join('')}`, remedy, { run_id: runId });
    }
  }
}

/** Rows that a refusal names. */
const NAMED_MAX = 20;

export function leftOutText({ row, why }: LeftOut): string {
  return `Row ${row} ${why}.`;
}

/** What is to be said of a row that is not retried. */
export function leftOutProblem(left: LeftOut, command: CommandLine, runId: string): Problem {
  return {
    severity: 'warning',
    code: left.isUnresolved ? 'unresolved_not_retried' : 'retried_before',
    sheet: null,
    row: left.row,
    column: null,
    cell: null,
    value: null,
    message: `${leftOutText(left)} It is left out.`,
    remedy: left.isUnresolved
      ? `Do not pay it in another way; see what to do with ${command('show', runId)}`
      : 'There is nothing to do.',
  };
}

/**
 * The rows of a run that can be corrected, of which a sheet takes each once: the same payee, the same amount. A corrected
 * row stands under the number of the row that it corrects.
 */
export class Corrections {
  readonly #retried: Retriable;
  readonly #open = new Map<string, RunRow[]>();
  /** By the number of a row that is corrected, that of the sheet's row which corrects it. */
  readonly #taken = new Map<number, number>();

  constructor(retried: Retriable) {
    this.#retried = retried;
    for (const row of retried.retryable.rows) {
      const same = this.#open.get(keyOf(orderOf(row)));
      if (same) same.push(row);
      else this.#open.set(keyOf(orderOf(row)), [row]);
    }
  }

  /** The row as it is paid, or why it corrects none, as a sentence. */
  take(row: number, cells: string[], order: PayoutOrder): { ok: true; row: RunRow } | Mismatch {
    const old = this.#open.get(keyOf(order))?.shift();
    if (old === undefined) return this.#mismatch(order);
    this.#taken.set(old.row, row);
    return { ok: true, row: { row: old.row, cells, order: { ...order, row: old.row }, problem: null } };
  }

  #mismatch(order: PayoutOrder): Mismatch {
    const { run, retryable } = this.#retried;
    const runId = run.header?.run_id ?? '';
    const none = (column: Mismatch['column'], why: string): Mismatch => ({ ok: false, column, why });
    const ofPayee = run.rows.filter((row) => row.order && payeeKey(row.order.payee) === payeeKey(order.payee));
    if (ofPayee.length === 0) return none('payee_id', `${runId} pays no such payee.`);
    const same = ofPayee.filter((row) => keyOf(orderOf(row)) === keyOf(order));
    const left = retryable.leftOut.find((one) => same.some(({ row }) => row === one.row));
    if (left) return none(null, `row ${left.row} of ${runId}, which it would correct, ${left.why}.`);
    const taken = same.find(({ row }) => this.#taken.has(row));
    if (taken !== undefined)
      return none(
        null,
        `row ${this.#taken.get(taken.row)} of your sheet corrects row ${taken.row} of ${runId} already.`,
      );
    const open = ofPayee.find((row) => retryable.rows.includes(row));
    if (open === undefined) return none(null, `the payee has no failed or rejected row in ${runId}.`);
    const { amount_minor, currency } = orderOf(open);
    const amount = formatForPeople({ minor: BigInt(amount_minor), currency });
    return none(
      'amount',
      `the payee's failed or rejected row of ${runId} is of another amount or currency: ${amount}.`,
    );
  }
}

/** Why a row corrects none, and the column that it is about; null where it is the row as a whole. */
export type Mismatch = { ok: false; column: 'payee_id' | 'amount' | null; why: string };

export function mismatchRemedy({ run }: Retriable): string {
  return `Leave those rows out, or mend them: the same payee_id, amount and currency as in ${run.header?.run_id ?? ''}.`;
}

/**
 * The corrected rows, each under the number of the row that it corrects: same payee, same amount, each row once. Throws a
 * `Refusal` (`input`) that names every row which corrects none.
 */
export function matchRows(corrected: Iterable<RunRow>, retried: Retriable): RunRow[] {
  const corrections = new Corrections(retried);
  const taken: RunRow[] = [];
  const wrong: string[] = [];
  for (const { row, cells, order } of corrected) {
    if (order === null) continue;
    const match = corrections.take(row, cells, order);
    if (match.ok) taken.push(match.row);
    else wrong.push(`Row ${row} (${order.payee.name}): ${match.why}`);
  }
  if (wrong.length === 0) return taken.sort((one, other) => one.row - other.row);
  const rest = wrong.length > NAMED_MAX ? [`… and ${wrong.length - NAMED_MAX} more`] : [];
  const runId = retried.run.header?.run_id ?? null;
  throw new Refusal(
    'input',
    ['Nothing was sent: the file has rows that correct none.', ...wrong.slice(0, NAMED_MAX), ...rest].join('\n'),
    mismatchRemedy(retried),
    { run_id: runId },
  );
}

function keyOf({ payee, amount_minor, currency }: PayoutOrder): string {
  return `${payeeKey(payee)}\n${amount_minor} ${currencyKey(currency)}`;
}

function orderOf({ order, row }: RunRow): PayoutOrder {
  assert(order !== null, `row ${row} has no order`);
  return order;
}

/**
 * Throws a `Refusal` (`refused`) where a retry that was planned may not be started any more: another retry of its family
 * was started since, or a row of it was paid, or may have been. What was seen here is seen again by the transaction that
 * starts it.
 */
export async function requireRetry(
  journal: Journal,
  planned: RunState,
  settings: Settings,
  command: CommandLine,
): Promise<void> {
  const { header } = planned;
  assert(header !== null && header.retries !== null, 'a retry of no run');
  if (settings.allowRepeat !== undefined) {
    const what = `${header.run_id} is a retry, and a retry is never repeated. Nothing was sent.`;
    throw new Refusal('usage', what, 'Leave --allow-repeat out.', { run_id: header.run_id });
  }
  const { run, family, retryable } = await readRetried(journal, header.retries, { command });
  if (header.corrections_sha256 !== null)
    requireNewFile(journal, run, { name: header.input.name, sha256: header.corrections_sha256 }, command);
  const open = new Set(retryable.rows.map(({ row }) => row));
  const shut = planned.rows.find(({ row }) => !open.has(row));
  if (shut === undefined && retryHash(family) === header.input.sha256) return;
  const left = retryable.leftOut.find(({ row }) => row === shut?.row);
  const last = family.retries.findLast(({ isPlanned, run_id }) => !isPlanned && run_id !== header.run_id);
  const why = left ? leftOutText(left) : `${last?.run_id ?? 'Another retry'} was started since.`;
  throw new Refusal(
    'refused',
    `${header.run_id} is a retry whose rows are not as they were. ${why} Nothing was sent.`,
    `See what is left to retry: ${command('retry', header.retries)}`,
    { run_id: header.run_id },
  );
}

/**
 * Throws a `Refusal` (`refused`) where a file of corrected rows was run itself, or another retry took rows from it. The file
 * of the run that is retried is none of its corrections, but may be named.
 */
export function requireNewFile(
  journal: Journal,
  { header }: RunState,
  { name, sha256 }: { name: string; sha256: string },
  command: CommandLine,
): void {
  const kind = header ?? { rehearsal: null, scope: null };
  const earlier = runsOfFile(journal, { sha256, kind }).findLast(({ isPlanned }) => !isPlanned);
  if (earlier === undefined || earlier.run_id === header?.run_id) return;
  throw new Refusal(
    'refused',
    `${name} was run before, as ${runNamed(journal, earlier.run_id)}. Nothing was sent.`,
    `See \`${command('show', earlier.run_id)}\`, and correct a copy of the file.`,
    { run_id: earlier.run_id },
  );
}
