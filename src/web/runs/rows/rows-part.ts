import { either, t, textTable } from '../../../messages/translate.ts';
import { type Chip, type FilterLine, filterLine, narrowing } from '../../shell/filter-line.ts';
import { type Html, html } from '../../shell/html.ts';
import { type Column, choice, count, moment, pager, pathWith, table } from '../../shell/parts.ts';
import { capitalized } from '../../shell/words.ts';
import { stateLabel } from './row-index.ts';
import { COLUMNS, type ColumnName, GROUPS, ROWS_OF_A_PAGE, type RowsPage, type ShownRow } from './rows.ts';

/** How rows are shown: asked for again as the run goes on; and with what is known of payouts, which a plan has nothing of. */
type RowsShown = { isLive: boolean; isStarted: boolean };

/** The rows of a run, with a line that narrows them. */
export function rowsPart(runId: string, page: RowsPage, shown: RowsShown): Html {
  return html`<section aria-labelledby="rows-head" class="stack payouts">
<h2 id="rows-head">Payouts</h2>
${filterLine(lineOf(runId, page, shown))}
${tablePart(runId, page, shown)}
</section>`;
}

/** The part that is exchanged, and what of the line above it depends on it. */
export function rowsTable(runId: string, page: RowsPage, shown: RowsShown): Html {
  return html`${tablePart(runId, page, shown)}${narrowing(lineOf(runId, page, shown), true)}`;
}

const GROUP_WORDS = textTable({
  attention: 'Needs attention',
  under_way: 'Sending',
  completed: 'Completed',
  not_sent: 'Not sent',
});

function lineOf(runId: string, page: RowsPage, shown: RowsShown): FilterLine {
  const { query, groups, all } = page;
  const { state, text } = query;
  const path = (changes: Record<string, string | null>) => pathTo(runId, page, changes);
  const chips = GROUPS.flatMap((group): Chip[] => {
    const rows = groups[group];
    const isOn = state === group;
    const isNamed = (rows > 0 && rows < all) || isOn;
    return isNamed ? [{ label: GROUP_WORDS[group], path: path({ state: group }), isOn, rows }] : [];
  });
  const isExact = state !== null && !Object.hasOwn(GROUP_WORDS, state);
  const ticked = columnsShown(page);
  const offered = shown.isStarted ? COLUMNS : COLUMNS.filter((name) => !OF_STARTED.has(name));
  return {
    path: `/runs/${runId}/rows`,
    find: { typed: text, hint: t`Recipient, reference, transaction` },
    about: t`Status`,
    pills: [{ label: t`All`, path: path({ state: null }), isOn: state === null, rows: all }, ...chips],
    columns: offered.map((name) => choice('column', name, CHOSEN[name][0], { isTicked: ticked.includes(name) })),
    kept: { state },
    chosen: isExact ? [{ label: `${capitalized(stateLabel(state))} ×`, path: path({ state: null }), isOn: false }] : [],
    exchanges: 'rows',
  };
}

/** The same rows in another state, or on another page. */
function pathTo(runId: string, { query }: RowsPage, changes: Record<string, string | number | null>): string {
  const { state, text, columns } = query;
  const asked = { state, q: text, columns: columns.join(' ') };
  return pathWith(`/runs/${runId}/rows`, { ...asked, ...changes });
}

function tablePart(runId: string, page: RowsPage, { isLive, isStarted }: RowsShown): Html {
  const { query, rows, matching } = page;
  const { state, text } = query;
  const path = (to: number) => pathTo(runId, page, { page: to });
  // With each count above them, so that both say the same; to search all rows takes longer.
  const trigger = `rows from:#live${text === '' ? '' : ' throttle:2s'}`;
  const live =
    isLive &&
    html` hx-get="${path(query.page)}" hx-trigger="${trigger}" hx-swap="outerMorph" hx-headers='{"x-refresh":"1"}'`;
  const isNarrowed = state !== null || text !== '';
  if (matching === 0)
    return html`<div id="rows"${live}><p class="empty" role="status">${either(isNarrowed, 'No row matches.', 'There are no rows.')}</p></div>`;
  const first = (query.page - 1) * ROWS_OF_A_PAGE + 1;
  const last = Math.min(query.page * ROWS_OF_A_PAGE, matching);
  const columns = [
    recipient(runId, isStarted),
    ...columnsShown(page)
      .filter((name) => BEFORE_AMOUNT.has(name))
      .map((name) => CHOSEN[name]),
    ...AMOUNT_AND_STATUS,
    ...columnsShown(page)
      .filter((name) => !BEFORE_AMOUNT.has(name) && (isStarted || !OF_STARTED.has(name)))
      .map((name) => CHOSEN[name]),
  ];
  return html`<div id="rows" class="stack"${live}>
${table(t`Table of the rows`, columns, rows)}
<p class="soft small">${count(first)} to ${count(last)} of ${count(matching)}${isNarrowed && t` that were found`}</p>
${pager(t`Pages of rows`, { page: query.page, pages: page.pages }, path, 'rows')}
</div>`;
}

/** Those that were chosen; else what people look for first: why, and what to do, where there is something to say. */
function columnsShown({ query, rows }: RowsPage): readonly ColumnName[] {
  if (query.columns.length > 0) return query.columns;
  return rows.some(({ next }) => next !== null) ? ['account', 'next'] : ['account', 'reference', 'finished'];
}

/** In a payment that was started, the recipient leads to what is known of the payout, and what can be done about it. */
const recipient = (runId: string, isStarted: boolean): Column<ShownRow> => [
  t`Recipient`,
  ({ row, name, payeeId }) => {
    const shown = name === '' ? t`No name` : name;
    const at = t`Row ${row}`;
    const who = isStarted
      ? html`<a href="/runs/${runId}/payouts/${row}" title="${at}">${shown}</a>`
      : html`<span title="${at}">${shown}</span>`;
    return html`${who}${payeeId && html` <span class="soft small">${payeeId}</span>`}`;
  },
  'head',
];

const AMOUNT_AND_STATUS = textTable(
  [
    ['Amount', ({ amount }) => amount, 'number'],
    ['Status', ({ state }) => html`<span class="status ${state}">${capitalized(stateLabel(state))}</span>`],
  ],
  ['2'],
) satisfies Column<ShownRow>[];

const BEFORE_AMOUNT: ReadonlySet<ColumnName> = new Set(['account', 'reference']);
const OF_STARTED: ReadonlySet<ColumnName> = new Set(['finished', 'sent', 'transaction']);

const CHOSEN = textTable(
  {
    account: ['Account', ({ account }) => account, 'small'],
    reference: ['Reference', ({ reference }) => reference, 'small'],
    next: ['What happens next', ({ next }) => next && html`<span class="next" title="${next}">${next}</span>`, 'small'],
    finished: ['Finished', ({ finishedAt }) => finishedAt !== null && moment(finishedAt), 'small'],
    sent: ['Sent', ({ sentAt }) => sentAt !== null && moment(sentAt, 'exact'), 'small'],
    row: ['Row', ({ row }) => row, 'number soft'],
    transaction: [
      'Transaction',
      ({ transaction }) => transaction && html`<span class="id">${transaction}</span>`,
      'small',
    ],
  },
  ['2'],
) satisfies Record<ColumnName, Column<ShownRow>>;
