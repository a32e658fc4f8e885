import { html } from 'hono/html';
import type { CheckColumn, CheckResult } from '../uploads/check-result.ts';
import { COLUMN_WORDS } from '../uploads/column-words.ts';
import { choicesIn, sheetsIn } from '../uploads/page-remedy.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { Html } from '../web.ts';

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

/** What each header was taken for. Whoever may prepare chooses something else; that is remembered for such headers. */
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
      html`<tr><td data-label="Column">${column.column}</td><th scope="row">${column.header}</th><td>${mayPrepare ? meansField(column) : meansText(column)}</td></tr>`,
  );
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Columns of the file"><table class="rows columns-table"><caption>The header is row ${header_row}. What it says of itself is remembered for the next file with such headers.</caption>
<thead><tr><th scope="col">Column</th><th scope="col">Header</th><th scope="col">Taken for</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns</h2>
<details${isAsked ? html` open` : ''}><summary>${used} of ${columns.length} columns are used</summary>
${
  mayPrepare
    ? html`<form method="post" action="/uploads/${upload.id}/columns">${table}<div class="row"><button>Check again with these</button>
<button class="quiet" name="forget" value="yes">Forget what was said of these headers</button></div></form>`
    : table
}</details></section>`;
}

function meansField({ column, header, means, ignored }: CheckColumn): Html {
  const now = ignored ? 'ignore' : (means ?? '');
  return html`<select name="means.${column}" aria-label="What ${header} is">
${option('', means === null ? 'Not used, only in the report' : 'As payrun takes it', now === '')}
${Object.entries(COLUMN_WORDS).map(([name, words]) => option(name, words, now === name))}
${option('ignore', 'Ignore it', now === 'ignore')}
</select>`;
}

function meansText({ means, ignored }: CheckColumn): string {
  if (ignored) return 'Ignored';
  return means === null ? 'Not used, only in the report' : (COLUMN_WORDS[means as keyof typeof COLUMN_WORDS] ?? means);
}

function option(value: string, words: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen ? html` selected` : ''}>${words}</option>`;
}
