import { createHash } from 'node:crypto';
import type { Counts } from '../domain/entry.ts';
import { groupThousands } from '../domain/money.ts';
import type { NotifyEvent } from '../domain/notices/notify.ts';
import { assert } from '../domain/refusal.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { counted, countsText, withoutStop } from '../messages/text.ts';
import { doubtsOf } from '../report/model/doubts.ts';
import { countsOf, hasRetryable, phaseOf, rowsWithCopies, standingOf, statusOf } from '../report/model/outcome.ts';
import { totalsOf } from '../report/model/totals.ts';
import { type Notice, noticeOf, whoseOf } from './notice.ts';
import { type RemittanceOutcome, remittanceLines, remittanceOutcome } from './remittance-trouble.ts';
import { columns, oneLine, ROWS_LISTED_MAX, rowsText, withoutNumbers } from './words.ts';

/** How a run ended, for now or at all. */
export type RunEnded = {
  run: RunState;
  event: Exclude<NotifyEvent, 'planned'>;
  /** Why it stopped, where it did. */
  message: string | null;
  exit: number;
  /** What kept advice from payees, where something did. */
  unsentAdvice: string | null;
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
export function endNotice(ended: RunEnded, { at, command }: { at: number; command: CommandLine }): Notice {
  const { run, event, exit } = ended;
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { run_id, job, period, rehearsal, payouts } = header;
  const counts = countsOf(run);
  const totals = totalsOf(run);
  const doubtful = [...new Set(Array.from(doubtsOf(run), ({ row }) => row))];
  const unpaid = rowsIn(run, ['failed', 'rejected', 'not_submitted']);
  const whose = whoseOf(header);
  const remittance = remittanceOutcome(run, ended.unsentAdvice, command);
  const message = ended.message === null ? null : withoutStop(withoutNumbers(oneLine(ended.message)));
  const table = totals.map(({ currency, planned, sent }) => [currency, groupThousands(planned), groupThousands(sent)]);
  return noticeOf({
    event,
    id: `${run_id}-${event}-${endDigest(ended).slice(0, 16)}`,
    at,
    subject: `${whose} ${howText(ended, counts, null)}`,
    lines: [
      `Run ${run_id} of ${whose} ${howText(ended, counts, message)}.`,
      `${counted(payouts, 'payout')} from ${oneLine(header.input.name)}.`,
      '',
      ...columns(table, ['currency', 'planned', 'sent']),
      '',
      ...needLines(ended, { doubtful, unpaid }, command),
      ...remittanceLines(remittance),
      `All about it: ${command('show', run_id)}`,
    ],
    data: {
      run_id,
      job,
      period,
      rehearsal,
      state: standingOf(run),
      stopped: run.stopped,
      message,
      input: header.input.name,
      counts,
      totals,
      rows_in_doubt: doubtful.slice(0, ROWS_LISTED_MAX),
      rows_not_paid: unpaid.slice(0, ROWS_LISTED_MAX),
      ...(remittance !== null && remittanceData(remittance, rehearsal)),
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
    remittance_to_do: to_do.map(withoutNumbers),
  };
}

function rowsIn(run: RunState, states: readonly string[]): number[] {
  const copies = rowsWithCopies(run);
  const isOne = (row: number): boolean => {
    const state = run.payouts.get(row)?.state ?? '';
    return states.includes(state) && !(state === 'rejected' && copies.has(row));
  };
  return run.rows.map(({ row }) => row).filter(isOne);
}

function howText({ run, event }: RunEnded, counts: Counts, message: string | null): string {
  const why = message === null ? '' : `: ${message}`;
  if (run.finished === null) return event === 'doubts' ? `stopped and needs a person${why}` : `stopped${why}`;
  const how = run.cancelled ? 'was cancelled' : 'finished';
  return event === 'doubts' ? `${how} and needs a person: ${countsText(counts)}` : `${how}: ${countsText(counts)}`;
}

type Rows = { doubtful: readonly number[]; unpaid: readonly number[] };

function needLines({ run, event }: RunEnded, { doubtful, unpaid }: Rows, command: CommandLine): string[] {
  const runId = run.header?.run_id ?? '';
  const lines: string[] = [];
  if (doubtful.length > 0)
    lines.push(
      `In doubt: ${rowsText(doubtful)}. They may have been paid: pay none of them in another way before you have looked.`,
    );
  if (unpaid.length > 0) lines.push(`Not paid: ${rowsText(unpaid)}.`);
  if (run.finished === null || event === 'doubts') lines.push(`Look again, and go on: ${command('resume', runId)}`);
  else if (hasRetryable(run)) lines.push(`Plan again what was not paid: ${command('retry', runId)}`);
  return lines;
}
