import { createHash } from 'node:crypto';
import { currencyLabel } from '../domain/currencies.ts';
import type { RunCreated } from '../domain/entry.ts';
import { formatMajor } from '../domain/money.ts';
import type { NotifyEvent } from '../domain/notices/notify.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import type { PlanFacts } from '../domain/plan.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { messages } from '../messages/messages.ts';
import { withoutStop } from '../messages/text.ts';
import { doubtsOf } from '../report/model/doubts.ts';
import { countsOf, hasRetryable, phaseOf, rowsWithCopies, standingOf, statusOf } from '../report/model/outcome.ts';
import { headerOf } from '../report/model/report.ts';
import { totalsOf } from '../report/model/totals.ts';
import { type Notice, noticeOf, whoseOf } from './notice.ts';
import { oneLine, withoutNumbers } from './redact.ts';
import { type RemittanceOutcome, remittanceOutcome } from './remittance-trouble.ts';

/** Rows that are listed in the data of a notice. */
const ROWS_LISTED_MAX = 100;

/** When a notice is made, and how its commands are written. */
type Stamp = { at: number; command: CommandLine };

/** How a run ended, for now or at all. */
export type RunEnded = {
  run: RunState;
  event: Exclude<NotifyEvent, 'planned'>;
  /** Why it stopped, where it did. */
  message: string | null;
  exit: number;
  /** What kept advice from payees, where something did. */
  unsentAdvice: DeliveryFault | null;
};

/** SHA-256 (hex) of what the notice reports, whenever it is sent: how the run ended, and which rows are how. */
export function endDigest({ run, event, exit }: Pick<RunEnded, 'run' | 'event' | 'exit'>): string {
  const { surfaced, cancelled } = run;
  const copies = rowsWithCopies(run);
  const states = Array.from(run.payouts, ([row, { state }]) => `${row} ${statusOf(state, cancelled, copies.has(row))}`);
  const text = JSON.stringify([event, exit, phaseOf(run), run.stopped, surfaced.length, states]);
  return createHash('sha256').update(text).digest('hex');
}

/** How a run ended: counts and totals, the numbers of the rows that somebody has to look at, and what to do. */
export function endNotice(ended: RunEnded, { at, command }: Stamp): Notice {
  const { run, event, exit } = ended;
  const header = headerOf(run);
  const { run_id, job, period, rehearsal, payouts, input } = header;
  const counts = countsOf(run);
  const totals = totalsOf(run);
  const doubtful = [...new Set(Array.from(doubtsOf(run), ({ row }) => row))];
  const unpaid = unpaidRows(run);
  const remittance = remittanceOutcome(run, ended.unsentAdvice, command);
  // A mail server's answer may have any text.
  const toDo = remittance?.to_do.map(withoutNumbers) ?? [];
  const message = ended.message === null ? null : withoutStop(withoutNumbers(oneLine(ended.message)));
  const facts = {
    ...{ runId: run_id, whose: whoseOf(header), input: oneLine(input.name), payouts, counts, totals, doubtful, unpaid },
    isFinished: run.finished !== null,
    isCancelled: run.cancelled,
    needsPerson: event === 'doubts',
    why: message,
    hasRetryable: hasRetryable(run),
    advice: remittance && { sent: remittance.sent, toDo },
  };
  return noticeOf({
    event,
    id: `${run_id}-${event}-${endDigest(ended).slice(0, 16)}`,
    at,
    letter: messages.notices.endLetter(facts, command),
    data: {
      run_id,
      job,
      period,
      rehearsal,
      state: standingOf(run),
      stopped: run.stopped,
      message,
      input: input.name,
      counts,
      totals,
      rows_in_doubt: doubtful.slice(0, ROWS_LISTED_MAX),
      rows_not_paid: unpaid.slice(0, ROWS_LISTED_MAX),
      ...(remittance !== null && remittanceData({ ...remittance, to_do: toDo }, rehearsal)),
      exit,
      show: command('show', run_id),
    },
  });
}

/** Counts, and what to do: a mail server's own words stay here. In a rehearsal nobody waits for what is never sent. */
function remittanceData({ sent, waiting, refused, not_confirmed, to_do }: RemittanceOutcome, isRehearsal: boolean) {
  return {
    remittance_sent: sent,
    remittance_waiting: isRehearsal ? 0 : waiting,
    remittance_refused: refused.length,
    remittance_not_confirmed: not_confirmed.length,
    remittance_to_do: to_do,
  };
}

/** What failed, was rejected for good, or was not sent. */
function unpaidRows(run: RunState): number[] {
  const copies = rowsWithCopies(run);
  const isUnpaid = (row: number): boolean => {
    const state = run.payouts.get(row)?.state;
    return state === 'failed' || state === 'not_submitted' || (state === 'rejected' && !copies.has(row));
  };
  return Array.from(run.rows, ({ row }) => row).filter(isUnpaid);
}

/** A plan that awaits approval by `needed` of `approvers`. */
export type PlanWaits = {
  header: RunCreated;
  facts: PlanFacts;
  approvers: readonly string[];
  needed: number;
  /** How many payouts go elsewhere than where their payee was last paid (so payments are diverted), and the first of their rows. */
  changed: { count: number; rows: readonly number[] };
};

/** That a plan waits for approvals: whose account details changed, how much, who approves it, and the literal command. */
export function planNotice(
  { header, facts, approvers: names, needed, changed }: PlanWaits,
  { at, command }: Stamp,
): Notice {
  const { run_id, job, period, digest, rehearsal, payouts, input, retries, corrections_sha256 } = header;
  const approvers = oneLine(messages.approvals.someOf(needed, names));
  const preparer = oneLine(facts.approval?.preparer ?? '');
  const totals = facts.totals.map(totalOf);
  const shown = {
    ...{
      runId: run_id,
      whose: whoseOf(header),
      input: oneLine(input.name),
      payouts,
      totals,
      needed,
      approvers,
      preparer,
    },
    ...{ digest, changed, corrects: corrections_sha256 === null ? null : retries },
  };
  return noticeOf({
    event: 'planned',
    id: `${run_id}-planned`,
    at,
    letter: messages.notices.planLetter(shown, command),
    data: {
      run_id,
      job,
      period,
      rehearsal,
      state: 'planned',
      input: input.name,
      payouts,
      totals,
      warnings: facts.warnings,
      bank_details_changed: { count: changed.count, rows: changed.rows.slice(0, ROWS_LISTED_MAX) },
      approvals_needed: needed,
      approvers,
      preparer,
      digest,
      approve: command('approve', run_id, '--key', 'FILE'),
    },
  });
}

function totalOf({ currency, payouts, planned_minor, fees_minor }: PlanFacts['totals'][number]) {
  const shown = (minor: string) => formatMajor(BigInt(minor), currency.decimals);
  const fees = fees_minor === null ? null : shown(fees_minor);
  return { currency: currencyLabel(currency), payouts, planned: shown(planned_minor), fees };
}
