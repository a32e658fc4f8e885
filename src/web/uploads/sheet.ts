import { Hono } from 'hono';
import { html } from 'hono/html';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { columnLetters } from '../../input/header/columns.ts';
import { counted } from '../../messages/text.ts';
import { requireRole } from '../require-role.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { type Html, safe } from '../shell/parts.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { type CellMark, ROWS_SHOWN, type SheetPart, type SheetRow } from './sheet-cells.ts';
import { readingSheetPage } from './upload-parts.ts';
import type { Upload } from './uploads.ts';
import { withUpload } from './uploads-route.ts';

const PATIENCE_MS = 1_500;

/** The sheet itself. Account numbers are in it as in the file, so it is for who prepares or approves, and nobody else. */
export function sheetRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  app.get('/uploads/:id/sheet', sees, (context) => withUpload(context, show));
  return app;
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { checks, sheets } = context.var.web;
  const row = firstRow(context);
  const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
  const page = (body: ReturnType<typeof sheetPage>, asksAgain = false) =>
    answer(context, { title: upload.name, here: 'home', body, asksAgain });
  const checked = await checks.look(upload, waitMs);
  const isReady = checked?.state === 'checked' && (await sheets.ready(upload, waitMs));
  if (checked === null || isReady === null)
    return page(readingSheetPage(upload, `/uploads/${upload.id}/sheet?row=${row}`), true);
  const part = isReady ? sheets.read(upload, row) : null;
  if (checked.state === 'checked' && part !== null && part.last > 0)
    return page(sheetPage(upload, checked.result, part));
  return errorPage(context, {
    status: 409,
    what: 'The cells of this file cannot be shown.',
    remedy: 'Its check says what is wrong with it.',
  });
}

/** Pages begin at 1, 101, 201 and so on, wherever in one the row is that is asked for. */
function firstRow(context: WebContext): number {
  const asked = context.req.query('row') ?? '';
  const row = /^[1-9]\d{0,7}$/.test(asked) ? Number(asked) : 1;
  return row - ((row - 1) % ROWS_SHOWN);
}

/** Wider sheets are cut: no payout has so many columns. */
const COLUMNS_MAX = 60;

/**
 * The sheet as it is in the file, each problem at its cell: with a word and not by colour alone. Only cells with problems take
 * the focus, so that the Tab key goes from one to the next.
 */
function sheetPage(upload: Upload, result: ShownCheck, part: SheetPart): Html {
  const { rows, last, before, behind } = part;
  const first = rows[0]?.n ?? 1;
  const end = rows.at(-1)?.n ?? first;
  const widest = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const width = Math.min(COLUMNS_MAX, Math.max(widest, result.columns.length));
  const marked = rows.filter(({ marks }) => marks.size > 0).length;
  return html`<div class="stack tight"><p class="soft small crumbs"><a href="/uploads/${upload.id}">Check</a> / Sheet</p><h1>${upload.name}</h1>
<p class="soft">Rows ${first.toLocaleString('en')} to ${end.toLocaleString('en')} of ${last.toLocaleString('en')}${result.sheet === null ? '' : html`, sheet ${safe(result.sheet)}`}. ${marked === 0 ? 'Nothing is wrong in these.' : html`${counted(marked, 'row')} with problems among these: <a href="#${firstMarked(rows)}">go to the first</a>, and on with the Tab key.`}</p></div>
${pager(upload.id, { first, last, before, behind })}
<div class="scroll grid" role="region" aria-label="The sheet" tabindex="0"><table>
<thead><tr><th scope="col"><span class="hidden">Row</span></th>${Array.from({ length: width }, (_, at) => html`<th scope="col">${columnLetters(at)}${meansOf(result, at)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => sheetRow(row, width, row.n === result.header_row))}</tbody>
</table></div>
${pager(upload.id, { first, last, before, behind })}`;
}

function firstMarked(rows: readonly SheetRow[]): string {
  const row = rows.find(({ marks }) => marks.size > 0);
  if (row === undefined || row.marks.has(-1)) return `row-${row?.n ?? 1}`;
  return `${columnLetters(Math.min(...row.marks.keys()))}${row.n}`;
}

function meansOf({ columns }: ShownCheck, at: number): Html | '' {
  const means = columns.find(({ column }) => column === columnLetters(at))?.means ?? null;
  return means === null ? '' : html`<br><span class="means">${means.replaceAll('_', ' ')}</span>`;
}

function sheetRow({ n, cells, marks }: SheetRow, width: number, isHeader: boolean): Html {
  const ofRow = marks.get(-1) ?? [];
  const columns = Array.from({ length: width }, (_, at) =>
    cell(`${columnLetters(at)}${n}`, cells[at] ?? '', marks.get(at)),
  );
  return html`<tr${isHeader ? html` class="header-row"` : ''}><th scope="row" id="row-${n}"${ofRow.length === 0 ? '' : html` class="marked ${worst(ofRow)}" tabindex="0"`}>${n}${ofRow.map(why)}</th>${columns}</tr>`;
}

function cell(name: string, text: string, marks: readonly CellMark[] | undefined): Html {
  if (marks === undefined) return html`<td>${safe(text)}</td>`;
  return html`<td id="${name}" class="marked ${worst(marks)}" tabindex="0"><span class="held">${text === '' ? html`<span class="soft">empty</span>` : safe(text)}</span>${marks.map(why)}</td>`;
}

function why({ severity, message, remedy }: CellMark): Html {
  return html`<span class="why"><span class="mark">${severity === 'error' ? 'Error' : 'Warning'}</span> ${safe(message)} ${safe(remedy)}</span>`;
}

function worst(marks: readonly CellMark[]): string {
  return marks.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}

type Place = { first: number; last: number; before: number | null; behind: number | null };

function pager(id: string, { first, last, before, behind }: Place): Html | '' {
  if (last <= ROWS_SHOWN) return '';
  const to = (row: number, words: string) =>
    html`<a class="button" href="/uploads/${id}/sheet?row=${row}#row-${row}">${words}</a>`;
  return html`<nav class="row" aria-label="Rows">
${first > 1 ? to(Math.max(1, first - ROWS_SHOWN), 'Rows before') : ''}
${first + ROWS_SHOWN <= last ? to(first + ROWS_SHOWN, 'Next rows') : ''}
${before === null ? '' : to(before, 'Problem before these')}
${behind === null ? '' : to(behind, 'Next problem behind these')}
<form class="go" method="get" action="/uploads/${id}/sheet"><label>Row <input name="row" inputmode="numeric" pattern="[0-9]*" size="7" autocomplete="off"></label> <button>Go</button></form>
</nav>`;
}
