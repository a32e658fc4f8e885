import { Hono } from 'hono';
import { z } from 'zod';
import { keptMark, type ShownMark } from '../../app/check/cells-file.ts';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { columnLetters } from '../../app/check/headers.ts';
import { messages } from '../../messages/messages.ts';
import { counted, number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { openDatabase } from '../../platform/sqlite.ts';
import { within } from '../once.ts';
import { requireRole } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { waitingPart } from '../shell/parts.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { columnWords } from './column-words.ts';
import { severityMark } from './upload-parts.ts';
import type { Upload } from './uploads.ts';
import { onUpload } from './uploads-route.ts';

const PATIENCE_MS = 1_500;

const ROWS_SHOWN = 100;

/** Wider sheets are cut: no payout has so many columns. */
const COLUMNS_MAX = 60;

/** The sheet itself. Account numbers are in it as in the file, so it is for those who prepare or approve, and nobody else. */
export function sheetRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/uploads/:id/sheet', requireRole('preparer', 'approver'), onUpload(show));
  return app;
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { checks, deps } = context.var.web;
  const row = firstRow(context);
  const waitMs = patienceMs(context, PATIENCE_MS);
  const page = { title: upload.name, here: 'payments' } as const;
  const checked = await checks.look(upload, waitMs);
  const isRead = checked?.state === 'checked';
  const copied = isRead ? await within(deps.clock, checks.copy(upload, 'cells'), waitMs) : { path: null };
  if (checked === null || copied === null) {
    const path = `/uploads/${upload.id}/sheet?row=${row}`;
    const body = html`<h1>${upload.name}</h1>${waitingPart(path, t`Reading the sheet …`, t`Large files take a few seconds.`)}`;
    return answer(context, { ...page, body, asksAgain: true });
  }
  const part = copied.path === null ? null : sheetPart(copied.path, row);
  if (checked.state === 'checked' && part !== null && part.last > 0)
    return answer(context, { ...page, body: sheetPage(upload, checked.result, part) });
  return errorPage(context, {
    status: 409,
    message: t`The cells of this file cannot be shown.`,
    remedy: t`Its check shows what is wrong.`,
  });
}

/** Where the marks of a whole row are, among those by column. */
const WHOLE_ROW = -1;

/** One row as the file has it, with its marks by column. */
type SheetRow = { n: number; cells: readonly string[]; marks: ReadonlyMap<number, readonly ShownMark[]> };

type SheetPart = ReturnType<typeof sheetPart>;

const texts = z.array(z.string());

/** The rows from `first` on, of the cells that were written to an SQLite file: any hundred of a hundred thousand at once. */
function sheetPart(path: string, first: number) {
  const database = openDatabase(path, { readOnly: true });
  try {
    const until = first + ROWS_SHOWN;
    const number = (sql: string, ...values: number[]): number | null => {
      const found = database.prepare(sql).get(...values)?.n ?? null;
      return found === null ? null : Number(found);
    };
    const marks = database.prepare('SELECT * FROM mark WHERE n >= ? AND n < ? ORDER BY id').all(first, until);
    const byRow = Map.groupBy(marks, ({ n }) => Number(n));
    const rows = database.prepare('SELECT * FROM sheet_row WHERE n >= ? AND n < ? ORDER BY n').all(first, until);
    return {
      rows: rows.map((row): SheetRow => {
        const n = Number(row.n);
        const own = (byRow.get(n) ?? []).map((mark) => keptMark.parse(mark));
        const cells = texts.parse(JSON.parse(String(row.cells)));
        return { n, cells, marks: Map.groupBy(own, ({ at }) => at ?? WHOLE_ROW) };
      }),
      /** The number of the last row of the sheet. */
      last: number('SELECT max(n) AS n FROM sheet_row') ?? 0,
      /** The nearest rows with a problem before and behind these. */
      before: number('SELECT max(n) AS n FROM mark WHERE n < ?', first),
      behind: number('SELECT min(n) AS n FROM mark WHERE n >= ?', until),
    };
  } finally {
    database.close();
  }
}

/** Pages begin at 1, 101, 201 and so on, wherever in one the row is that is asked for. */
function firstRow(context: WebContext): number {
  const asked = context.req.query('row') ?? '';
  const row = /^[1-9]\d{0,7}$/.test(asked) ? Number(asked) : 1;
  return row - ((row - 1) % ROWS_SHOWN);
}

/**
 * The sheet as it is in the file, each problem at its cell: with a word and not by colour alone. Only cells with problems take
 * the focus, so that the Tab key goes from one to the next.
 */
function sheetPage(upload: Upload, result: ShownCheck, part: SheetPart): Html {
  const { rows, last } = part;
  const first = rows[0]?.n ?? 1;
  const end = rows.at(-1)?.n ?? first;
  const widest = Math.max(1, result.columns.length, ...rows.map(({ cells }) => cells.length));
  const letters = Array.from({ length: Math.min(COLUMNS_MAX, widest) }, (_, at) => columnLetters(at));
  const heads = letters.map((column) => html`<th scope="col">${column}${meansOf(result, column)}</th>`);
  const marked = rows.filter(({ marks }) => marks.size > 0).length;
  const where = t`Rows ${number(first)} to ${number(end)} of ${number(last)}`;
  const wrong = html`${counted(marked, 'row')} with problems on this page: <a href="#${firstMarked(rows)}">go to the first</a>, then press Tab for the next.`;
  return html`<div class="stack tight"><p class="soft small crumbs"><a href="/uploads/${upload.id}">Check</a> / Sheet</p><h1>${upload.name}</h1>
<p class="soft">${where}${result.sheet !== null && t`, sheet ${result.sheet}`}. ${marked === 0 ? t`No problems in these.` : wrong}</p></div>
${sheetPager(upload.id, first, part)}
<div class="scroll grid" role="region" aria-label="The sheet" tabindex="0"><table>
<thead><tr><th scope="col"><span class="hidden">Row</span></th>${heads}</tr></thead>
<tbody>${rows.map((row) => sheetRow(row, letters, row.n === result.header_row))}</tbody>
</table></div>
${sheetPager(upload.id, first, part)}`;
}

function firstMarked(rows: readonly SheetRow[]): string {
  const row = rows.find(({ marks }) => marks.size > 0);
  if (row === undefined || row.marks.has(WHOLE_ROW)) return `row-${row?.n ?? 1}`;
  return `${columnLetters(Math.min(...row.marks.keys()))}${row.n}`;
}

/** A bank file has no header in its rows. */
function meansOf({ columns, format }: ShownCheck, letters: string): Html | null {
  const column = columns.find((each) => each.column === letters);
  const header = format === undefined ? null : (column?.header ?? null);
  const field = header === null ? null : messages.problems.fieldName(header);
  const words = column?.means == null ? field : columnWords(column.means);
  return words === null ? null : html`<br><span class="means">${words}</span>`;
}

function sheetRow({ n, cells, marks }: SheetRow, letters: readonly string[], isHeader: boolean): Html {
  const ofRow = marks.get(WHOLE_ROW) ?? [];
  const columns = letters.map((column, at) => cell(`${column}${n}`, cells[at] ?? '', marks.get(at)));
  const marked = ofRow.length > 0 && html` class="marked ${worst(ofRow)}" tabindex="0"`;
  return html`<tr${isHeader && html` class="header-row"`}><th scope="row" id="row-${n}"${marked}>${n}${ofRow.map(why)}</th>${columns}</tr>`;
}

function cell(name: string, text: string, marks: readonly ShownMark[] | undefined): Html {
  if (marks === undefined) return html`<td>${text}</td>`;
  return html`<td id="${name}" class="marked ${worst(marks)}" tabindex="0"><span class="held">${text === '' ? html`<span class="soft">empty</span>` : text}</span>${marks.map(why)}</td>`;
}

function why({ severity, message, remedy, place }: ShownMark): Html {
  return html`<span class="why">${severityMark(severity)} ${place && t`At ${messages.problems.placeText(place)}: `}${message} ${remedy}</span>`;
}

function worst(marks: readonly ShownMark[]): string {
  return marks.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}

function sheetPager(id: string, first: number, { last, before, behind }: SheetPart): Html | null {
  if (last <= ROWS_SHOWN) return null;
  const to = (row: number, words: string) =>
    html`<a class="button" href="/uploads/${id}/sheet?row=${row}#row-${row}">${words}</a>`;
  return html`<nav class="row" aria-label="Rows">
${first > 1 && to(Math.max(1, first - ROWS_SHOWN), t`Rows before`)}
${first + ROWS_SHOWN <= last && to(first + ROWS_SHOWN, t`Next rows`)}
${before !== null && to(before, t`Problem before these`)}
${behind !== null && to(behind, t`Next problem after these`)}
<form class="go" method="get" action="/uploads/${id}/sheet"><label>Row <input name="row" inputmode="numeric" pattern="[0-9]*" size="7" autocomplete="off"></label> <button>Go</button></form>
</nav>`;
}
