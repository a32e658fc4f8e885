import { z } from 'zod';
import { type Currency, currencyLabel, sameCurrency } from '../../domain/currencies.ts';
import { count, text } from '../../domain/entries/members.ts';
import type { InputFile, RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { type Outcome, reportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import { amount, currencyName, time } from '../../domain/result.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { type CommandLine, plainCommand } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { doubtAt, surfacedDoubts } from './doubts.ts';
import { rowMasker } from './identifiers.ts';
import { outcomeOf, rowsWithCopies } from './outcome.ts';
import { headerOf } from './report.ts';

export const rowResult = z
  .strictObject({
    status: reportStatus,
    transaction_id: text.nullable(),
    recipient_id: text.nullable(),
    external_account_id: text.nullable(),
    sent_amount: amount.nullable(),
    sent_currency: currencyName.nullable(),
    received_amount: amount.nullable(),
    received_currency: currencyName.nullable(),
    fees: amount.nullable().describe('In the sent currency.'),
    submitted_at: time.nullable(),
    finished_at: time.nullable(),
    attempts: count,
    token: text.nullable().describe('Of the last attempt: finds the payout at the service, in its description.'),
    problem_code: text.nullable(),
    message: text
      .nullable()
      .describe('Why, and what to do about it. In a rehearsal it begins with the rehearsal band.'),
  })
  .describe('What became of one row. A failed payout has no amounts: the sum of a column is what was paid.');

/** What became of one row. In a rehearsal the message begins with the band, also where there is nothing to say. */
export type RowResult = z.output<typeof rowResult>;

/** The columns that every report has after the input's own, in this order. */
export const REPORT_COLUMNS = rowResult.keyof().options;

/**
 * `cells` are the input's own, as many as `ownColumns` names, with account identifiers masked. `message` is that of the
 * result without the band of a rehearsal. `hide` masks them in other texts of the row that it is made of.
 */
export type ReportRow = {
  row: number;
  cells: string[];
  result: RowResult;
  message: string | null;
  source: RunRow;
  payout: PayoutState;
  hide(text: string): string;
};

/** Every row of the input, in input order. The run need not be finished. `command` writes what its messages advise. */
export function* reportRows(run: RunState, command: CommandLine = plainCommand): Generator<ReportRow> {
  const { doubts, outcomes } = messages;
  const { run_id: runId, input, rehearsal } = headerOf(run);
  const maskRow = rowMasker(input);
  const width = input.header.length;
  // A plan that nobody has started is started, not resumed.
  const resume = command(isPlannedOnly(run) ? 'run' : 'resume', runId);
  const copies = rowsWithCopies(run);
  const surfaced = new Map(Array.from(surfacedDoubts(run), (doubt) => [doubt.row, doubt]));
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    assert(payout, `row ${row.row} has no payout`);
    const { cells, hide } = maskRow(row);
    cells.length = Math.min(cells.length, width);
    while (cells.length < width) cells.push('');
    const outcome = outcomeOf(payout, {
      isCancelled: run.cancelled,
      mayHaveCopy: copies.has(row.row),
      returned: run.returned.get(row.row),
    });
    // A row that was paid may have been paid twice: no other row of the report says so.
    const doubt = surfaced.get(row.row) ?? (outcome.code === 'unresolved' ? doubtAt(run, row, payout) : null);
    const words = doubt
      ? doubts.doubtMessage(doubt, command)
      : outcome.why && outcomes.outcomeText(outcome.why, resume);
    const message = words === null ? null : hide(words);
    const result = resultOf(payout, row, outcome);
    result.message = rehearsal ? banded(message, outcomes.rehearsalBand()) : message;
    yield { row: row.row, cells, result, message, source: row, payout, hide };
  }
}

function banded(message: string | null, band: string): string {
  return message === null ? band : `${band}. ${message}`;
}

/**
 * The names under which the input's own columns stand in a report. They keep their header, but a name of ours (in any
 * case) becomes `input_status`, a header without text `column 3`, and a name that was there before `note (2)`: each
 * column of a report has a name of its own.
 */
export function ownColumns(input: Pick<InputFile, 'header'>): string[] {
  const ours = new Set<string>(REPORT_COLUMNS);
  const taken = new Set<string>(REPORT_COLUMNS);
  return input.header.map((header, at) => {
    const given = header.trim() === '' ? `column ${at + 1}` : header;
    const wanted = ours.has(given.trim().toLowerCase()) ? `input_${given.trim()}` : given;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted} (${count})`;
    taken.add(name);
    return name;
  });
}

function resultOf(payout: PayoutState, row: RunRow, { status, code }: Outcome): RowResult {
  const result: RowResult = {
    status,
    transaction_id: null,
    recipient_id: row.order?.recipient_id ?? null,
    external_account_id: row.order?.destination.kind === 'existing' ? row.order.destination.external_account_id : null,
    sent_amount: null,
    sent_currency: null,
    received_amount: null,
    received_currency: null,
    fees: null,
    submitted_at: null,
    finished_at: null,
    attempts: payout.attempts,
    token: null,
    problem_code: code,
    message: null,
  };
  addWhatIsKnown(result, payout);
  return result;
}

function addWhatIsKnown(result: RowResult, payout: PayoutState): void {
  switch (payout.state) {
    case 'waiting':
    case 'suspected':
    case 'not_submitted':
      return;
    case 'rejected':
      result.finished_at = isoUtc(payout.finishedAt);
      result.token = payout.token;
      return;
    case 'sending':
    case 'in_doubt':
    case 'unresolved':
      result.recipient_id = payout.intent.recipient_id;
      result.external_account_id = payout.intent.external_account_id;
      result.submitted_at = isoUtc(payout.intentAt);
      result.token = payout.intent.token;
      return;
    case 'accepted':
    case 'completed':
    case 'failed':
      addSent(result, payout);
  }
}

function addSent(
  result: RowResult,
  payout: Extract<PayoutState, { state: 'accepted' | 'completed' | 'failed' }>,
): void {
  const { sent } = payout;
  result.transaction_id = sent.transaction_id;
  result.recipient_id = sent.recipient_id;
  result.external_account_id = sent.external_account_id;
  result.submitted_at = isoUtc(sent.submittedAt);
  result.token = sent.token;
  if (payout.state === 'accepted') {
    result.sent_amount = decimal(sent.amount_minor, sent.currency);
    result.sent_currency = currencyLabel(sent.currency);
    return;
  }
  result.finished_at = isoUtc(payout.finishedAt);
  if (payout.state === 'failed') return;
  const { final } = payout;
  result.sent_amount = decimal(final.sent_minor, final.sent_currency);
  result.sent_currency = currencyLabel(final.sent_currency);
  result.received_amount =
    final.received_minor === final.sent_minor && sameCurrency(final.received_currency, final.sent_currency)
      ? result.sent_amount
      : decimal(final.received_minor, final.received_currency);
  result.received_currency = currencyLabel(final.received_currency);
  result.fees = decimal(final.fees_minor, final.sent_currency);
}

function decimal(minor: string, currency: Currency): string {
  return formatMajor(BigInt(minor), currency.decimals);
}
