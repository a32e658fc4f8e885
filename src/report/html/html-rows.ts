import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor, groupThousands } from '../../domain/money.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { accountText } from '../model/account-text.ts';
import { rowMasker } from '../model/identifiers.ts';
import { countsOf, REHEARSAL_BAND } from '../model/outcome.ts';
import type { ReportRow, RowResult } from '../model/rows.ts';
import { amountHtml } from './html-parts.ts';
import { htmlText } from './html-text.ts';
import { statusBadge } from './look.ts';

/** A browser shows so many rows at once and stays quick; a phone too. */
export const ROWS_SHOWN_MAX = 5_000;

/** The table of a run's rows, piece by piece as the rows come. */
export type RowsHtml = { start: string; row(row: ReportRow): string; end: string };

/**
 * The rows of a run in input order. Of more than `ROWS_SHOWN_MAX` those that are not completed come first into the table,
 * then as many completed ones as there is room for; what is left out is named, and where it is.
 */
export function rowsHtml(run: RunState): RowsHtml {
  assert(run.header !== null, 'a report of a run that was never created');
  const counts = countsOf(run);
  const open = run.payouts.size - counts.completed;
  const room = { open: Math.min(open, ROWS_SHOWN_MAX), completed: 0 };
  room.completed = Math.min(counts.completed, ROWS_SHOWN_MAX - room.open);
  const said = shownWords(run.payouts.size, open, { ...room });
  const cells = rowCells(run);
  let at = 0;
  return {
    start: `<section aria-labelledby="rows"><h2 id="rows">All rows</h2><p class="soft">${said}</p><div class="card table scroll" role="region" tabindex="0" aria-label="All rows"><table class="rows" role="table"><caption class="hidden">The payouts of this run in the order of the file</caption>${HEAD}<tbody role="rowgroup">\n`,
    row(row) {
      const input = run.rows[at++];
      assert(input?.row === row.row, 'the rows of a report are those of its run');
      const kind = row.result.status === 'completed' ? 'completed' : 'open';
      if (room[kind] === 0) return '';
      room[kind]--;
      return cells(input, row);
    },
    end: '</tbody></table></div></section>',
  };
}

function shownWords(total: number, open: number, shown: { open: number; completed: number }): string {
  const files = 'every column of the file stands in report.csv and report.xlsx';
  if (shown.open + shown.completed === total) return `${counted(total, 'row')}, account numbers masked; ${files}.`;
  const opens =
    shown.open === open
      ? `all ${counted(open, 'row')} not completed`
      : `the first ${counted(shown.open, 'row')} not completed`;
  const rest = shown.completed === 0 ? '' : ` and the first ${counted(shown.completed, 'completed one')}`;
  return `Of ${counted(total, 'row')} this page shows ${opens}${rest}, so that it stays quick. All of them stand in report.csv and report.xlsx, with every column of the file.`;
}

const TITLES = ['Row', 'Payee', 'To', 'Amount', 'Fee', 'Outcome', 'Finished (UTC)', 'Details'] as const;

/** Roles are explicit where the narrow layout makes a grid of the table: some browsers take it for none then. */
const HEAD = `<thead role="rowgroup"><tr role="row">${TITLES.map((title) => `<th scope="col" role="columnheader"${title === 'Amount' || title === 'Fee' ? ' class="number"' : ''}>${title}</th>`).join('')}</tr></thead>`;

function rowCells(run: RunState): (input: RunRow, row: ReportRow) => string {
  const { header } = run;
  assert(header !== null, 'a report of a run that was never created');
  const { columns } = header.input;
  const maskRow = rowMasker(header.input);
  const surfaced = new Set(run.surfaced.map(({ row }) => row));
  const [nameAt, amountAt, currencyAt] = ['name', 'amount', 'currency'].map((column) => columns.indexOf(column));
  return (input, { row, cells, result }) => {
    const cell = (at = -1) => cells[at] ?? '';
    const { order } = input;
    const payee = order === null ? cell(nameAt) : maskRow(input).hide(order.payee.name);
    const amount = order === null ? htmlText(`${cell(amountAt)} ${cell(currencyAt)}`.trim()) : orderAmount(order);
    const to = order === null ? '' : accountText(order.destination);
    return [
      `<tr role="row"><td role="cell" class="at">${row}</td><th scope="row" role="rowheader" class="payee">${htmlText(payee)}</th>`,
      `<td role="cell" class="to">${htmlText(to)}</td>`,
      `<td role="cell" class="number amount">${amount}${sentHtml(result)}</td>`,
      `<td role="cell" class="number fee">${feeHtml(result)}</td>`,
      `<td role="cell" class="outcome">${statusBadge(result.status)}</td>`,
      `<td role="cell" class="when">${finishedHtml(result)}</td>`,
      `<td role="cell" class="why">${detailsHtml(result, surfaced.has(row))}</td></tr>\n`,
    ].join('');
  };
}

function orderAmount({ amount_minor, currency }: NonNullable<RunRow['order']>): string {
  return amountHtml(formatMajor(BigInt(amount_minor), currency.decimals), currencyLabel(currency));
}

function finishedHtml({ finished_at: at }: RowResult): string {
  return at === null ? '' : `<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)}</time>`;
}

/** Where something else was sent than the payee receives. */
function sentHtml({ sent_amount, sent_currency, received_currency }: RowResult): string {
  if (
    sent_amount === null ||
    sent_currency === null ||
    received_currency === null ||
    sent_currency === received_currency
  )
    return '';
  return `<span class="soft">from ${htmlText(`${groupThousands(sent_amount)} ${sent_currency}`)}</span>`;
}

function feeHtml({ fees, sent_currency }: RowResult): string {
  return fees === null ? '' : amountHtml(fees, sent_currency ?? '');
}

function detailsHtml({ transaction_id, problem_code, message }: RowResult, isSurfaced: boolean): string {
  const id = transaction_id === null ? '' : `<span class="id">${htmlText(transaction_id)}</span> `;
  if (isSurfaced || problem_code === 'unresolved' || problem_code === 'outcome_unknown')
    return `${id}<a href="#doubts">In doubt: see above</a>`;
  return id + htmlText(withoutBand(message ?? ''));
}

/** The page says it once, and loudly. */
function withoutBand(message: string): string {
  return message.startsWith(REHEARSAL_BAND) ? message.slice(REHEARSAL_BAND.length).replace(/^\. /, '') : message;
}
