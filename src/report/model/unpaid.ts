import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { assert } from '../../domain/refusal.ts';
import { CANCELLED, COOLING_OFF, PAID_BEFORE } from '../../domain/run/left-out.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type Since } from '../../domain/run/since.ts';
import type { CommandLine } from '../command-line.ts';
import { rowMasker } from './identifiers.ts';
import { type Outcome, outcomeOf, phaseOf, type ReportStatus, rowsWithCopies } from './outcome.ts';

/** Payouts that are not completed for one reason, and what to do about them. */
export type UnpaidGroup = {
  status: ReportStatus;
  code: string;
  /** Why, with account numbers masked. */
  message: string;
  /** Nothing where it is paid, under way or waiting in another run. */
  remedy: Remedy;
  since: Since['standing'] | null;
  payouts: number;
  /** The first of them. */
  first: UnpaidRow[];
};

/** What is to be corrected, empty where the message says it, and the commands that help then. */
export type Remedy = { advice: string; commands: RemedyCommand[] };

/** A whole command, and what it does. */
export type RemedyCommand = { command: string; does: string };

/** `amount` is null where the row has none that could be read. */
export type UnpaidRow = { row: number; payee: string; amount: string | null; currency: string; since: Since | null };

/** Rows of a group that are named. */
const NAMED_MAX = 20;

/** Reasons that are listed: the others are in the rows of the report. */
const GROUPS_MAX = 50;

/**
 * The payouts of a run that are not completed and not in doubt, by what became of them: failed, rejected, not final yet,
 * not submitted; and apart from these, those that another run has paid since, or may pay. `others` counts the payouts of
 * further groups.
 */
export function unpaidGroups(
  run: RunState,
  command: CommandLine,
  since = NOTHING_SINCE,
): { groups: UnpaidGroup[]; others: number } {
  assert(run.header !== null, 'a report of a run that was never created');
  const resume = command('resume', run.header.run_id);
  const maskRow = rowMasker(run.header.input);
  const nameAt = run.header.input.columns.indexOf('name');
  const groups = new Map<string, UnpaidGroup>();
  const copies = rowsWithCopies(run);
  let others = 0;
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    if (payout === undefined || LEFT_OUT.has(payout.state)) continue;
    const { cells, hide } = maskRow(row);
    const outcome = outcomeOf(payout, {
      resume,
      isCancelled: run.cancelled,
      doubt: null,
      mayHaveCopy: copies.has(row.row),
    });
    const message = hide(outcome.message ?? '');
    const became = since.rows.get(row.row) ?? null;
    const standing = became?.standing ?? null;
    const key = JSON.stringify([outcome.status, outcome.code, message, standing]);
    const group = groups.get(key) ?? newGroup(run, row, { ...outcome, message, standing }, command);
    if (groups.size < GROUPS_MAX) groups.set(key, group);
    else if (!groups.has(key)) {
      others++;
      continue;
    }
    group.payouts++;
    if (group.first.length < NAMED_MAX) group.first.push(namedRow(row, hide, cells[nameAt] ?? '', became));
  }
  const place = ({ status, since }: UnpaidGroup) => ORDER.indexOf(status) + (since === null ? 0 : ORDER.length);
  const sorted = [...groups.values()].sort((one, other) => place(one) - place(other));
  return { groups: sorted, others };
}

/** What is completed, and what is in doubt: both are listed elsewhere. */
const LEFT_OUT: ReadonlySet<PayoutState['state']> = new Set([
  'completed',
  'sending',
  'in_doubt',
  'unresolved',
  'suspected',
]);

const ORDER: readonly ReportStatus[] = ['unresolved', 'failed', 'rejected', 'not_submitted', 'completed'];

function newGroup(
  run: RunState,
  row: RunRow,
  { status, code, message, standing }: Outcome & { standing: Since['standing'] | null },
  command: CommandLine,
): UnpaidGroup {
  return {
    status,
    code: code ?? status,
    message: message ?? '',
    remedy: standing === null ? remedyOf(run, row, { status, code: code ?? status }, command) : NO_REMEDY,
    since: standing,
    payouts: 0,
    first: [],
  };
}

/** Where the row has a problem the name is what stands in its cell. */
function namedRow(
  { row, order }: RunRow,
  hide: (text: string) => string,
  nameCell: string,
  since: Since | null,
): UnpaidRow {
  if (order === null) return { row, payee: nameCell, amount: null, currency: '', since };
  const { currency, amount_minor, payee } = order;
  const amount = formatMajor(BigInt(amount_minor), currency.decimals);
  return { row, payee: hide(payee.name), amount, currency: currencyLabel(currency), since };
}

function remedyOf(
  run: RunState,
  { problem }: RunRow,
  { status, code }: { status: ReportStatus; code: string },
  command: CommandLine,
): Remedy {
  const runId = run.header?.run_id ?? '';
  const resume = { command: command('resume', runId), does: 'Goes on with this run.' };
  if (problem?.code === PAID_BEFORE) return { advice: PAID_ADVICE, commands: [] };
  if (problem !== null) return { advice: PROBLEM_ADVICE, commands: [] };
  if (OPEN_CODES.has(code)) return { advice: '', commands: [resume] };
  if (code === CANCELLED && isPlannedOnly(run)) return planRemedy(run, command);
  const isFinished = phaseOf(run) === 'finished';
  if (code === CANCELLED) {
    const again = { command: command('retry', runId), does: 'Plans what is still to be paid.' };
    return { advice: NOTHING_SENT, commands: [isFinished ? again : resume] };
  }
  if (code !== COOLING_OFF && status === 'not_submitted') return { advice: '', commands: [] };
  const advice = (status === 'failed' ? FAILURE_ADVICE[code] : undefined) ?? ADVICE[status] ?? '';
  if (!isFinished)
    return { advice: `${advice} The run has to be finished before they are retried.`.trim(), commands: [resume] };
  const retry = { command: command('retry', runId), does: 'Plans the failed and rejected rows again, as they are.' };
  if (code === COOLING_OFF) return { advice, commands: [retry] };
  const corrected = { command: command('retry', runId, '--from', 'corrected.csv'), does: CORRECTED };
  return { advice, commands: [retry, corrected] };
}

/** Of a plan that nobody started. What a retry was to pay stands in the run that it retries, and in no new file. */
function planRemedy({ header }: RunState, command: CommandLine): Remedy {
  const retried = header?.retries ?? null;
  if (retried === null) return { advice: `${NOTHING_SENT} To pay it after all, put it into a new file.`, commands: [] };
  const again = { command: command('retry', retried), does: 'Plans what of it is still to be paid.' };
  return {
    advice: `${NOTHING_SENT} What is still to be paid stands in ${retried}: plan it again from there.`,
    commands: [again],
  };
}

const NO_REMEDY: Remedy = { advice: '', commands: [] };

/** What `resume` goes on with. */
const OPEN_CODES: ReadonlySet<string> = new Set(['not_sent_yet', 'not_final_yet', 'not_looked_up', 'outcome_unknown']);

const PROBLEM_ADVICE =
  'Correct these rows, and pay them as a file of their own: a row that was paid here must not stand in it again.';

const PAID_ADVICE = 'Nothing is to be done, unless the payee is to be paid again.';

const CORRECTED = 'Plans those of them that stand in a spreadsheet of yours, with what you corrected there.';

const NOTHING_SENT = 'Nothing of it was sent by this run.';

const ADVICE: Readonly<Partial<Record<ReportStatus, string>>> = {
  failed: 'Find out what was wrong, from the payee or from the service, and correct the row where it was.',
  rejected: 'Correct what the message names.',
};

/** By the reason that the service gives. */
const FAILURE_ADVICE: Readonly<Record<string, string>> = Object.freeze({
  ACCOUNT_CLOSED: 'Ask the payee for another account, by a way that you know, and put it into the row.',
  REJECTED_BY_BANK: 'Compare the account with what the payee says, and correct the row.',
  INSUFFICIENT_BALANCE: 'Add to the balance at the service, and retry the row as it is.',
  RECIPIENT_VERIFICATION: 'Ask the service what it needs to verify the payee, then retry the row as it is.',
  SANCTIONS_SCREENING: 'Ask the service, and who is responsible for sanctions with you, before you pay it in any way.',
  TRANSACTION_MONITORING: 'Ask the service what it needs to let the payout pass, then retry the row as it is.',
  RATE_DRIFT: 'Nothing is to be corrected: a retry takes the rate of its own moment.',
});
