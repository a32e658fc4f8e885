import { html } from 'hono/html';
import type { CheckColumn, CheckResult } from '../../app/check/check-result.ts';
import type { Html } from '../web.ts';
import { COLUMN_WORDS } from './column-words.ts';
import { choicesIn, sheetsIn } from './page-remedy.ts';
import type { Upload } from './uploads.ts';

/** The codes of problems that ask for a sheet. */
const OF_SHEETS: ReadonlySet<string> = new Set(['sheet_ambiguous', 'sheet_hidden', 'other_sheets']);

/** Where a problem asks how the file is to be read, or somebody said it: sheet, sign of the decimals, rails. */
export function readingForm(upload: Upload, result: CheckResult): Html | '' {
  const { reading } = upload;
  const remedies = [...result.problems, ...result.groups].map(({ remedy }) => remedy);
  const asked = choicesIn(remedies);
  for (const [currency, rail] of Object.entries(reading.rails))
    asked.rails.set(currency, (asked.rails.get(currency) ?? new Set()).add(rail));
  const sheets = sheetsOf(upload, result);
  const fields = [
    ...(sheets.length > 1 ? [sheetField(sheets, result.sheet)] : []),
    ...(asked.decimal || reading.decimal !== null ? [decimalField(reading.decimal)] : []),
    ...[...asked.rails].map(([currency, rails]) => railField(currency, [...rails], reading.rails[currency] ?? '')),
  ];
  if (fields.length === 0) return '';
  return html`<section class="card" aria-labelledby="reading"><h2 id="reading">How it is read</h2>
<form method="post" action="/uploads/${upload.id}/reading">${fields}<button>Check again</button></form></section>`;
}

function sheetsOf({ reading }: Upload, { sheet, groups, problems }: CheckResult): string[] {
  const named = [...groups, ...problems].filter(({ code }) => OF_SHEETS.has(code));
  const names = named.flatMap(({ message }) => sheetsIn(message));
  return [
    ...new Set([...(sheet === null ? [] : [sheet]), ...(reading.sheet === null ? [] : [reading.sheet]), ...names]),
  ];
}

function sheetField(sheets: readonly string[], chosen: string | null): Html {
  return html`<label>Sheet <select name="sheet">${chosen === null ? html`<option value="">Choose a sheet</option>` : ''}${sheets.map((name) => option(name, name, name === chosen))}</select></label>`;
}

function decimalField(chosen: string | null): Html {
  return html`<label>Decimals are divided by <select name="decimal">
${option('', 'what the column proves', chosen === null)}${option('.', 'a point: 1,234.50', chosen === '.')}${option(',', 'a comma: 1.234,50', chosen === ',')}
</select></label>`;
}

function railField(currency: string, rails: readonly string[], chosen: string): Html {
  return html`<label>Rows in ${currency} that name no rail are paid by <select name="rail.${currency}">
${option('', 'nothing: each row says it', chosen === '')}${rails.map((rail) => option(rail, rail, rail === chosen))}
</select></label>`;
}

/** A header of more letters is a text, and is cut. */
const HEADER_LETTERS = 80;

/** What each header was taken for. Whoever may prepare chooses something else for one; that is remembered for such headers. */
export function columnsForm(
  upload: Upload,
  { columns, header_row, groups }: CheckResult,
  mayPrepare: boolean,
): Html | '' {
  if (columns.length === 0 || header_row === null) return '';
  const isAsked = groups.some(({ code }) => code.startsWith('column_') || code.startsWith('header_'));
  const used = columns.filter(({ means }) => means !== null).length;
  const rows = columns.map(
    (column) =>
      html`<tr><td data-label="Column">${column.column}</td><th scope="row">${shortened(column.header)}</th><td>${meansText(column)}</td></tr>`,
  );
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Columns of the file"><table class="rows columns-table"><caption>The header is row ${header_row}. What it says of itself is remembered for the next file with such headers.</caption>
<thead><tr><th scope="col">Column</th><th scope="col">Header</th><th scope="col">Taken for</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns</h2>
<details${isAsked ? html` open` : ''}><summary>${used} of ${columns.length} columns are used</summary>
${table}
${mayPrepare ? columnPicker(upload, columns) : ''}</details></section>`;
}

/** One choice for whatever many columns, so that the page does not grow with their number times that of the meanings. */
function columnPicker(upload: Upload, columns: readonly CheckColumn[]): Html {
  const open = columns.find(({ means, ignored }) => means === null && !ignored) ?? columns[0];
  const offered = columns.map((column) => {
    const words = `${column.column}: ${shortened(column.header)} (${meansText(column)})`;
    return option(column.column, words, column === open);
  });
  return html`<form class="row" method="post" action="/uploads/${upload.id}/columns">
<label>Column <select name="column">${offered}</select></label>
<label>Maps to <select name="means">
${option('', 'What payrun takes it for', true)}
${Object.entries(COLUMN_WORDS).map(([name, words]) => option(name, words, false))}
${option('ignore', 'Nothing: ignore it', false)}
</select></label>
<button>Apply mapping</button>
<button class="quiet" name="forget" value="yes">Forget what was said of these headers</button>
</form>`;
}

function shortened(header: string): string {
  return header.length > HEADER_LETTERS ? `${header.slice(0, HEADER_LETTERS)}…` : header;
}

function meansText({ means, ignored }: CheckColumn): string {
  if (ignored) return 'Ignored';
  return means === null ? 'Not used, only in the report' : (COLUMN_WORDS[means as keyof typeof COLUMN_WORDS] ?? means);
}

function option(value: string, words: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen ? html` selected` : ''}>${words}</option>`;
}
