import { columnLetters } from '../../app/check/headers.ts';
import type { InputEdit } from '../../domain/entries/edits.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted, listed } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, moment, pageOf, pager, table } from '../shell/parts.ts';
import { listPath } from './warnings-part.ts';

/** Up to this many further changes are in a collapsed list; longer lists have pages of their own. */
const SHOWN_AT_ONCE = 20;
const FOLDED_MAX = 30;
const OF_A_PAGE = 100;

const CHANGES = 'changes';

const ACCOUNT_COLUMNS: ReadonlySet<string | null> = new Set(['account_number', 'wallet_address']);

type Run = Pick<RunState, 'header' | 'plan'>;

/** What people changed in the rows of the file before it was planned: the signature of an approver is over it too. */
export function editsPart(run: Run): Html | null {
  const edits = run.plan?.edits ?? [];
  if (edits.length === 0) return null;
  const shown = withoutCellsOfAdded(edits);
  const [first, rest] = [shown.slice(0, SHOWN_AT_ONCE), shown.slice(SHOWN_AT_ONCE)];
  const more = counted(rest.length, 'more change');
  const pages = listPath(run.header?.run_id ?? '', { list: CHANGES, page: 1 });
  return html`<section class="titled" aria-labelledby="edits"><div class="part-head"><h2 id="edits">${editsText(edits)}</h2></div>
<p class="soft small">They were made on this page. The file that was uploaded has the old values.</p>
${listOf(run, first)}
${rest.length > 0 && (rest.length > FOLDED_MAX ? html`<p><a href="${pages}">${more}</a></p>` : html`<details><summary>${more}</summary>${listOf(run, rest)}</details>`)}</section>`;
}

/** A page of all changes; null if another list was asked for or nothing changed. */
export function changesList(run: Run, asked: { list: string; page: number }): Html | null {
  const edits = run.plan?.edits ?? [];
  if (asked.list !== CHANGES || edits.length === 0) return null;
  const { shown, ...pages } = pageOf(withoutCellsOfAdded(edits), asked.page, OF_A_PAGE);
  return html`<section class="card" aria-labelledby="edits"><h2 id="edits">${editsText(edits)}</h2>
${listOf(run, shown)}</section>
${pager(t`Pages of changes`, pages, (page) => listPath(run.header?.run_id ?? '', { ...asked, page }))}`;
}

function listOf(run: Run, some: readonly InputEdit[]): Html {
  return table(t`Changes to the file`, columnsOf(run, run.plan?.edits ?? []), some);
}

/** `5 cells changed by Ben Ode; 1 row deleted by Cleo Park`. */
export function editsText(edits: readonly InputEdit[]): string {
  const byPerson = Map.groupBy(withoutCellsOfAdded(edits), ({ by }) => by);
  const each = [...byPerson].map(([name, own]) => {
    const number = (kind: InputEdit['kind']) => own.filter((edit) => edit.kind === kind).length;
    const [cells, added, deleted] = [number('cell'), number('row_added'), number('row_deleted')];
    const done = [
      ...(cells > 0 ? [t`${counted(cells, 'cell')} changed`] : []),
      ...(added > 0 ? [t`${counted(added, 'row')} added`] : []),
      ...(deleted > 0 ? [t`${counted(deleted, 'row')} deleted`] : []),
    ];
    return t`${listed(done)} by ${name}`;
  });
  return each.join('; ');
}

/** The cells of a row that was added are shown with it. */
function withoutCellsOfAdded(edits: readonly InputEdit[]): InputEdit[] {
  const added = new Set(edits.flatMap(({ kind, row }) => (kind === 'row_added' ? [row] : [])));
  return edits.filter(({ kind, row }) => kind !== 'cell' || !added.has(row));
}

function columnsOf({ header }: Run, edits: readonly InputEdit[]): Column<InputEdit>[] {
  const cells = Map.groupBy(edits, ({ row }) => row);
  const shownText = (column: number, text: string): string =>
    ACCOUNT_COLUMNS.has(header?.input.columns[column] ?? null) ? maskIdentifier(text) : text;
  const texts = (row: readonly (readonly [number, string])[]) =>
    row.flatMap(([column, text]) => (text === '' ? [] : [shownText(column, text)])).join(' · ');
  const was = (edit: InputEdit): string => {
    if (edit.kind === 'row_deleted') return texts([...edit.old.entries()]);
    return edit.kind === 'cell' ? shownText(edit.column, edit.old) : '';
  };
  const is = (edit: InputEdit): string => {
    if (edit.kind === 'row_deleted') return 'deleted';
    if (edit.kind === 'cell') return `${shownText(edit.column, edit.new)}${sameMask(edit, shownText)}`;
    const own = cells.get(edit.row) ?? [];
    return texts(own.flatMap((each) => (each.kind === 'cell' ? [[each.column, each.new] as const] : [])));
  };
  const place = (edit: InputEdit) =>
    edit.kind === 'cell'
      ? html`${columnLetters(edit.column)}${edit.row} <span class="soft">${header?.input.header[edit.column]}</span>`
      : t`Row ${edit.row}`;
  return [
    [t`Cell`, place, 'head'],
    [t`In the file`, was],
    [t`Now`, is],
    [t`By`, ({ by, at }) => html`${by}, ${moment(at, 'sentence')}`, 'small'],
  ];
}

/** Two accounts that differ where they are hidden look the same. */
function sameMask(
  { column, old, new: now }: Extract<InputEdit, { kind: 'cell' }>,
  shownText: (column: number, text: string) => string,
): string {
  const isHidden = shownText(column, now) !== now;
  return isHidden && shownText(column, old) === shownText(column, now) ? t` (differs in the hidden digits)` : '';
}
