import type { CheckColumn, ShownCheck } from '../../app/check/check-result.ts';
import type { ColumnMap } from '../../app/check/column-map.ts';
import { shownHeader } from '../../app/check/headers.ts';
import { t, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, table } from '../shell/parts.ts';
import { columnWords, offeredWords } from './column-words.ts';

/** A column with what its cells show. */
export type MapRow = CheckColumn & Omit<ColumnMap[number], 'column'>;

/** The columns in the order of the file. `find`: those alone whose header, letters or meaning has it. */
export function mapRows({ columns, map = [] }: ShownCheck, find: string): MapRow[] {
  const shown = new Map(map.map((one) => [one.column, one]));
  const unknown = { values: [], by: null, suggested: null, isAlone: false };
  const rows = columns.map((column): MapRow => ({ ...unknown, ...shown.get(column.column), ...column }));
  const wanted = find.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(
    (row) =>
      row.column.toLowerCase() === wanted ||
      `${row.header} ${columnWords(meaningShown(row))}`.toLowerCase().includes(wanted),
  );
}

/** Whether it maps to nothing yet, and what it may be is filled in for a person to confirm. */
export function isProposed({ means, ignored, suggested, isAlone }: MapRow): boolean {
  return means === null && !ignored && suggested !== null && isAlone;
}

/** What its picker shows. */
function meaningShown(row: MapRow): string | null {
  return isProposed(row) ? row.suggested : row.means;
}

/** Each column: what it is called, what stands under it, what it maps to, and why. */
export function mapTable(rows: readonly MapRow[], result: ShownCheck, mayPrepare: boolean): Html {
  const columns: Column<MapRow>[] = [
    [t`Column`, ({ column }) => html`<span id="map-${column}">${column}</span>`],
    [t`Header`, ({ header }) => shownHeader(header), 'head'],
    [
      t`First values`,
      ({ values }) => (values.length === 0 ? html`<span class="soft">No values</span>` : valuesOf(values)),
    ],
    [t`Maps to`, (row) => (mayPrepare ? picker(row) : columnWords(row.means))],
    [t`Match`, (row) => matchOf(row, result, mayPrepare)],
  ];
  return html`${table(t`Columns of the file`, columns, rows, { frame: 'scroll map-frame', className: 'rows map-table', caption: captionOf(result) })}
${mayPrepare && html`<datalist id="fields">${offeredWords().map((words) => html`<option value="${words}"></option>`)}</datalist>`}`;
}

/** So much fits into the line of any column. */
const VALUES_LETTERS = 24;

/** In one line. What may be cut of it is in its title. */
function valuesOf(values: readonly string[]): Html {
  const line = html`${values.map((value) => html`<span class="value">${value}</span> `)}`;
  const whole = values.join(' · ');
  return whole.length > VALUES_LETTERS ? html`<div class="values" title="${whole}">${line}</div>` : line;
}

function captionOf({ format, header_row }: ShownCheck): string {
  if (format !== undefined) return t`The fields of the bank file, by the names that payrun has for them.`;
  if (header_row === null) return t`The file has no header: its columns are named by their letters.`;
  return t`The header is row ${header_row}. Your choices are remembered for every upload with the same headers.`;
}

/** A field with the list of all columns of ours, which stands on the page once. Empty is what payrun takes it for. */
function picker(row: MapRow): Html {
  const { column, header, means, ignored, suggested, isAlone } = row;
  const isOffered = means === null && !ignored && suggested !== null && !isAlone;
  return html`<span class="picker"><input class="pick" name="means.${column}" value="${columnWords(meaningShown(row))}" list="fields" data-pick autocomplete="off" spellcheck="false" aria-label="Column ${column}, ${shownHeader(header)}: maps to">
${isOffered && html`<button class="quiet" name="means.${column}" value="${columnWords(suggested)}" data-picks>${columnWords(suggested)}?</button>`}</span>`;
}

/** How sure it is: 3 certain, 2 likely, 1 to be checked; nothing for what is not used. */
function matchOf(row: MapRow, result: ShownCheck, mayPrepare: boolean): Html {
  const [sure, words] = reasonOf(row, result, mayPrepare ? t`by you` : t`by the preparer`);
  const bars = sure > 0 && html`<span class="sure l${sure}" aria-hidden="true"></span> `;
  return html`${bars}<span${sure === 0 && html` class="soft"`}>${words}</span>`;
}

function reasonOf(row: MapRow, { layout }: ShownCheck, chooser: string): [sure: 0 | 1 | 2 | 3, words: string] {
  const { by, means, ignored, suggested } = row;
  const isUsed = means !== null;
  switch (by) {
    case 'option':
      return isUsed ? [3, t`Chosen ${chooser}`] : [0, t`Not used, chosen ${chooser}`];
    case 'job':
      return isUsed ? [3, t`As the job says`] : [0, t`Not used, as the job says`];
    case 'remembered':
      return isUsed ? [3, t`Remembered for this header`] : [0, t`Not used, remembered for this header`];
    case 'layout':
      return isUsed ? [3, t`Of the layout ${layout}`] : [0, t`Not used in the layout ${layout}`];
    case 'header':
      return [3, t`Known header`];
    case 'values':
      return [2, likeness(means)];
    case null:
      if (isUsed) return [3, t`Known header`];
      if (isProposed(row)) return [1, t`${likeness(suggested)}: please check`];
      return suggested === null || ignored
        ? [0, t`Not used, kept in the report`]
        : [0, t`Not used: several look alike`];
    default:
      return by satisfies never;
  }
}

/** What the values of a column look like, by what it maps to. */
const LIKENESS: Readonly<Record<string, string>> = textTable({
  account_number: 'Values look like accounts',
  amount: 'Values look like amounts',
  bic: 'Values look like BICs',
  currency: 'Values look like currencies',
  country: 'Values look like countries',
  email: 'Values look like e-mail addresses',
  name: 'Values look like names',
  national_clearing_code: 'Values look like bank codes',
  rail: 'Values look like rails',
  wallet_address: 'Values look like wallets',
});

function likeness(means: string | null): string {
  return LIKENESS[means ?? ''] ?? t`By its values`;
}
