import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { localSecond } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { grouped } from '../../messages/text.ts';
import { accountText } from '../model/identifiers.ts';
import { countsOf } from '../model/outcome.ts';
import { headerOf, type Report } from '../model/report.ts';
import type { ReportRow, RowResult } from '../model/rows.ts';
import type { Column } from '../model/summary.ts';
import { amountHtml, htmlText, idHtml, timeHtml } from './html-parts.ts';
import { statusBadge } from './look.ts';

/** A browser shows so many rows at once and stays quick; a phone too. */
export const ROWS_SHOWN_MAX = 5_000;

/** The table of a run's rows, piece by piece as the rows come. */
export type RowsHtml = { start: string; row(row: ReportRow): string; end: string };

/**
 * The rows of a run in input order. Of more than `ROWS_SHOWN_MAX` those that are not completed come first into the table,
 * then as many completed ones as there is room for; what is left out is named, and where it is.
 */
export function rowsHtml(report: Report): RowsHtml {
  const { run } = report;
  const { PAGE_TEXTS, shownRowsText } = messages.summary;
  const counts = countsOf(run);
  const open = run.payouts.size - counts.completed;
  const room = { open: Math.min(open, ROWS_SHOWN_MAX), completed: 0 };
  room.completed = Math.min(counts.completed, ROWS_SHOWN_MAX - room.open);
  const shown = htmlText(shownRowsText(run.payouts.size, open, { ...room }));
  const title = htmlText(PAGE_TEXTS.rows);
  const cells = rowCells(report);
  return {
    start: [
      `<section aria-labelledby="rows"><h2 id="rows">${title}</h2><p class="soft">${shown}</p>`,
      `<div class="card table scroll" role="region" tabindex="0" aria-label="${title}"><table class="rows" role="table">`,
      `<caption class="hidden">${htmlText(PAGE_TEXTS.rows_caption)}</caption>${headHtml()}<tbody role="rowgroup">\n`,
    ].join(''),
    row(row) {
      const kind = row.result.status === 'completed' ? 'completed' : 'open';
      if (room[kind] === 0) return '';
      room[kind]--;
      return cells(row);
    },
    end: '</tbody></table></div></section>',
  };
}

const COLUMNS: readonly Column[] = ['row', 'payee', 'to', 'amount', 'fee', 'outcome', 'finished', 'details'];

/** Roles are explicit where the narrow layout makes a grid of the table: some browsers take it for none then. */
function headHtml(): string {
  const titles = COLUMNS.map((column) => {
    const figures = column === 'amount' || column === 'fee' ? ' class="number"' : '';
    return `<th scope="col" role="columnheader"${figures}>${htmlText(messages.summary.COLUMN_TITLES[column])}</th>`;
  });
  return `<thead role="rowgroup"><tr role="row">${titles.join('')}</tr></thead>`;
}

function rowCells(report: Report): (row: ReportRow) => string {
  const { run } = report;
  const { input: file } = headerOf(run);
  // Narrow screens show no column titles.
  const { COLUMN_TITLES } = messages.summary;
  const label = { row: htmlText(COLUMN_TITLES.row), fee: htmlText(COLUMN_TITLES.fee) };
  const surfaced = new Set(run.surfaced.map(({ row }) => row));
  const [nameAt, amountAt, currencyAt] = ['name', 'amount', 'currency'].map((column) => file.columns.indexOf(column));
  return (row) => {
    const { cells, result, source, hide } = row;
    const cell = (at = -1) => cells[at] ?? '';
    const { order } = source;
    const payee = order === null ? cell(nameAt) : hide(order.payee.name);
    const amount = order === null ? htmlText(`${cell(amountAt)} ${cell(currencyAt)}`.trim()) : orderAmount(order);
    const to = order === null ? '' : accountText(order.destination);
    return [
      `<tr role="row"><td role="cell" data-label="${label.row}" class="at">${row.row}</td><th scope="row" role="rowheader" class="payee">${htmlText(payee)}</th>`,
      `<td role="cell" class="to">${htmlText(to)}</td>`,
      `<td role="cell" class="number amount">${amount}${sentHtml(result)}</td>`,
      `<td role="cell" class="number fee" data-label="${label.fee}">${feeHtml(result)}</td>`,
      `<td role="cell" class="outcome">${statusBadge(result.status)}</td>`,
      `<td role="cell" class="when">${finishedHtml(result)}</td>`,
      `<td role="cell" class="why">${detailsHtml(row, surfaced.has(row.row))}</td></tr>\n`,
    ].join('');
  };
}

function orderAmount({ amount_minor, currency }: NonNullable<RunRow['order']>): string {
  return amountHtml(formatMajor(BigInt(amount_minor), currency.decimals), currencyLabel(currency));
}

function finishedHtml({ finished_at: at }: RowResult): string {
  return at === null ? '' : timeHtml(at, localSecond(Date.parse(at)));
}

/** Where something else was sent than the payee receives. */
function sentHtml({ sent_amount, sent_currency, received_currency }: RowResult): string {
  if (sent_amount === null || received_currency === null || sent_currency === received_currency) return '';
  const sent = messages.summary.CELL_TEXTS.from(`${grouped(sent_amount)} ${sent_currency}`);
  return `<span class="soft">${htmlText(sent)}</span>`;
}

function feeHtml({ fees, sent_currency }: RowResult): string {
  return fees === null ? '' : amountHtml(fees, sent_currency ?? '');
}

/** Without the band of a rehearsal: the page says it once, and loudly. */
function detailsHtml({ result, message }: ReportRow, isSurfaced: boolean): string {
  const { transaction_id, problem_code } = result;
  const id = transaction_id === null ? '' : `${idHtml(transaction_id)} `;
  if (isSurfaced || problem_code === 'unresolved' || problem_code === 'outcome_unknown')
    return `${id}<a href="#doubts">${htmlText(messages.summary.CELL_TEXTS.see_doubts)}</a>`;
  return id + htmlText(message ?? '');
}
