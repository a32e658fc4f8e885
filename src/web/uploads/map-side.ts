import type { CheckResult, ShownCheck } from '../../app/check/check-result.ts';
import type { ColumnName } from '../../app/check/headers.ts';
import { counted, grouped, listed } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { count, table } from '../shell/parts.ts';
import { isProposed, type MapRow } from './map-table.ts';
import type { ReadingField } from './reading-form.ts';

/** Beside the columns: required fields, defaults, and the totals of the current mapping. */
export function mapSide(result: ShownCheck, rows: readonly MapRow[], others: readonly ReadingField[]): Html {
  const rails = others.filter(({ currency }) => currency !== undefined);
  const settings = others.filter(({ currency }) => currency === undefined);
  return html`<aside class="side" aria-label="Required fields, defaults and totals">
${rows.length > 0 && requiredPart(result, rows)}
${rails.length > 0 && html`<fieldset class="stack rails"><legend>Default rail</legend><p class="soft small">For rows without a rail.</p>${rails.map(({ field }) => field)}</fieldset>`}
${settings.length > 0 && html`<fieldset class="stack"><legend>File settings</legend>${settings.map(({ field }) => field)}</fieldset>`}
${totalsPart(result)}
</aside>`;
}

/**
 * The fields a payment needs, and the columns that can supply each. `from`: where the value comes from without a
 * column.
 */
const required = (): readonly {
  label: string;
  columns: readonly ColumnName[];
  from: (result: ShownCheck) => string;
}[] => [
  { label: t`Name`, columns: ['name', 'recipient_id'], from: () => t`not needed` },
  { label: t`Amount`, columns: ['amount'], from: () => t`not needed` },
  {
    label: t`Currency`,
    columns: ['currency'],
    from: ({ given_currency: given }) => given?.currency ?? t`from the rail`,
  },
  {
    label: t`Account`,
    columns: ['account_number', 'national_clearing_code', 'bic', 'wallet_address', 'external_account_id'],
    from: () => t`not needed`,
  },
  { label: t`Rail`, columns: ['rail'], from: () => t`from the account, or default` },
];

function requiredPart(result: ShownCheck, rows: readonly MapRow[]): Html {
  const missing = missingIn(result);
  const items = required().map(({ label, columns, from }) => {
    const names: ReadonlySet<string> = new Set(columns);
    const mapped = rows.filter(({ means }) => means !== null && names.has(means));
    const offered = rows.filter((row) => isProposed(row) && names.has(row.suggested ?? ''));
    const isOpen = mapped.length === 0 && columns.some((column) => missing.has(column));
    const shown = mapped.length > 0 ? mapped : offered;
    const where = shown.length > 0 ? columnsText(shown) : isOpen ? t`not mapped` : from(result);
    return { label, where, state: mapped.length > 0 || !(isOpen || offered.length > 0) ? 'known' : 'open' };
  });
  const open = items.filter(({ state }) => state === 'open').length;
  const lines = items.map(
    ({ label, where, state }): Shown =>
      html`<li class="${state}">${icon(state === 'known' ? 'check' : 'warning')}${label}<span class="soft small">${where}</span></li>`,
  );
  const all =
    open === 0
      ? html`<span class="ok small">All mapped</span>`
      : html`<span class="care small">${plural(open, '# to check', '# to check')}</span>`;
  return html`<section class="stack" aria-labelledby="required"><div class="head"><h2 id="required">Required</h2>${all}</div>
<ul class="required">${lines}</ul></section>`;
}

/** A missing rail can follow from the account. */
function missingIn({ problems }: ShownCheck): ReadonlySet<string> {
  const columns = problems.flatMap(({ severity, code, column }) =>
    severity === 'error' && code === 'column_missing' && column !== null ? [column] : [],
  );
  return new Set(columns.flatMap((column) => (column === 'rail' ? ['rail', 'account_number'] : [column])));
}

/** `column B`, `columns F and G`. */
function columnsText(rows: readonly MapRow[]): string {
  const letters = rows.map(({ column }) => column);
  return t`${plural(letters.length, 'column', 'columns')} ${listed(letters)}`;
}

/** Null if nothing can be paid yet. */
function totalsPart({ rows, payouts, totals }: ShownCheck): Html | null {
  if (totals.length === 0) return null;
  const left = rows - payouts;
  const lines = table<CheckResult['totals'][number]>(
    t`Totals with this mapping`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Rows`, (total) => count(total.count), 'number'],
      [t`Total`, ({ amount }) => grouped(amount), 'number'],
    ],
    totals.slice(0, TOTALS_SHOWN),
  );
  return html`<section class="stack" aria-labelledby="in-file"><h2 id="in-file">Totals so far</h2>
${lines}${totals.length > TOTALS_SHOWN && html`<p class="soft small">And ${plural(totals.length - TOTALS_SHOWN, '# other currency', '# other currencies')}</p>`}
${left > 0 && html`<p class="soft small">${counted(left, 'row')} not counted. See the review.</p>`}</section>`;
}

/** The review shows the other currencies. */
const TOTALS_SHOWN = 12;
