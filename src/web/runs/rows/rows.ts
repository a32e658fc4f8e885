import type { TimeSlice } from '../../../app/background/time-slice.ts';
import type { RunRow } from '../../../domain/entry.ts';
import type { RunPhase, RunState } from '../../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../../domain/run/since.ts';
import { messages } from '../../../messages/messages.ts';
import { t } from '../../../messages/translate.ts';
import { rowMasker } from '../../../report/model/identifiers.ts';
import { outcomeOf, phaseOf, rowsWithCopies } from '../../../report/model/outcome.ts';
import { orderAccount } from '../../shell/account.ts';
import { money } from '../../shell/money.ts';
import { capitalized, pageCommand } from '../../shell/words.ts';
import type { FollowedRun } from '../followed-run.ts';
import { partIn } from '../totals.ts';
import { ROW_STATES, type RowState, rowStateOf } from './row-index.ts';

/** What people choose by a click, in this order: states that mean the same to them. */
export const GROUPS = ['attention', 'under_way', 'completed', 'not_sent'] as const;

export type Group = (typeof GROUPS)[number];

/** Columns that people choose, by their names in an address. */
export const COLUMNS = ['account', 'reference', 'next', 'finished', 'sent', 'row', 'transaction'] as const;

export type ColumnName = (typeof COLUMNS)[number];

/** `state`: one or a group of them; `text`: in names, payee ids, references and transactions; `columns`: empty for the usual ones. */
export type RowQuery = { state: RowState | Group | null; text: string; page: number; columns: readonly ColumnName[] };

export const ROWS_OF_A_PAGE = 50;
const TEXT_MAX = 100;

/** One row as the page shows it. */
export type ShownRow = ReturnType<typeof shownRow>;

/** `groups`: the rows of the run in each of them. */
export type RowsPage = {
  query: RowQuery;
  rows: ShownRow[];
  matching: number;
  pages: number;
  all: number;
  groups: Readonly<Record<Group, number>>;
};

/** The part of a run that rows are found in. */
type Searched = Pick<FollowedRun, 'run' | 'rows' | 'search' | 'n'>;

/** The first rows of all. */
export const FIRST_ROWS: RowQuery = { state: null, text: '', page: 1, columns: [] };

/** What a browser asks for; null where it asks for a page that no run has. `named`: each column that was ticked. */
export function rowQueryOf(asked: Record<string, string | undefined>, named: readonly string[]): RowQuery | null {
  const state = [...ROW_STATES, ...GROUPS].find((one) => one === asked.state) ?? null;
  const page = asked.page ?? '1';
  if (!/^[1-9]\d{0,6}$/.test(page)) return null;
  const chosen = new Set([...named, ...(asked.columns ?? '').split(' ')]);
  const columns = COLUMNS.filter((name) => chosen.has(name));
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page: Number(page), columns };
}

/** Which group a state is in. Rows with errors need attention before anything is sent too. */
function groupOf(state: RowState, run: RunState, phase: RunPhase): Group {
  if (phase === 'planned') return state === 'rejected' ? 'attention' : 'not_sent';
  const part = partIn(state, { run, phase, mayHaveCopy: false });
  if (part === 'failed' || part === 'unconfirmed') return 'attention';
  return part === 'sending' ? 'under_way' : part;
}

/** The rows that need somebody first, where there are any. */
export function rowsToAttend({ run, rows }: Pick<FollowedRun, 'run' | 'rows'>, phase: RunPhase): RowQuery {
  const isAny = ROW_STATES.some((state) => rows.counts[state] > 0 && groupOf(state, run, phase) === 'attention');
  return { ...FIRST_ROWS, state: isAny ? 'attention' : null };
}

/**
 * One page of the rows that are asked for, in the order of the input. A page after the last is the last. `phase`: the run's, by
 * its lease too.
 */
export async function rowsPage(
  followed: Searched,
  query: RowQuery,
  turns: TimeSlice,
  phase: RunPhase = phaseOf(followed.run),
): Promise<RowsPage> {
  const { run, rows: index, search, n } = followed;
  const { state, text } = query;
  const groups: Record<Group, number> = { attention: 0, under_way: 0, completed: 0, not_sent: 0 };
  for (const one of ROW_STATES) groups[groupOf(one, run, phase)] += index.counts[one];
  const wanted = new Set(ROW_STATES.filter((one) => state === one || state === groupOf(one, run, phase)));
  const found = text === '' ? null : await search.find(text, n, turns);
  const matches = found?.filter((place) => state === null || wanted.has(index.stateAt(place) ?? 'waiting')) ?? null;
  const inStates = () => Array.from(wanted, (one) => index.counts[one]).reduce((sum, rows) => sum + rows, 0);
  const matching = matches?.length ?? (state === null ? run.rows.length : inStates());
  const pages = Math.max(1, Math.ceil(matching / ROWS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const from = (page - 1) * ROWS_OF_A_PAGE;
  const size = Math.min(ROWS_OF_A_PAGE, matching - from);
  const placesIn = () => index.placesIn(wanted).drop(from).take(size).toArray();
  const every = () => Array.from({ length: size }, (_, at) => from + at);
  const places = matches?.slice(from, from + size) ?? (state === null ? every() : placesIn());
  const copies = rowsWithCopies(run);
  const rows = places.flatMap((place) => {
    const row = run.rows[place];
    return row === undefined ? [] : [shownRow(run, row, { phase, mayHaveCopy: copies.has(row.row) })];
  });
  return { query: { ...query, page }, rows, matching, pages, all: run.rows.length, groups };
}

type Within = { phase: RunPhase; mayHaveCopy: boolean };

/** Account numbers are masked. `payout`: where the row is shown as it stood earlier. */
export function shownRow(
  run: RunState,
  row: RunRow,
  { phase, mayHaveCopy }: Within,
  payout = run.payouts.get(row.row),
) {
  if (run.header === null || payout === undefined) throw new Error(`row ${row.row} has no payout`);
  const { hide, cells } = rowMasker(run.header.input)(row);
  const { order } = row;
  const resume = pageCommand('resume', run.header.run_id);
  const standing = { isCancelled: run.cancelled, mayHaveCopy, returned: run.returned.get(row.row) };
  const { why, code } = outcomeOf(payout, standing);
  const state = stateShown(rowStateOf(payout), run, { phase, mayHaveCopy });
  const text = () => (why === null ? null : hide(messages.outcomes.outcomeText(why, resume)));
  return {
    row: row.row,
    name: order ? hide(order.payee.name) : (cells[run.header.input.columns.indexOf('name')] ?? ''),
    payeeId: order?.payee.payee_id == null ? null : hide(order.payee.payee_id),
    amount: order && money(order.amount_minor, order.currency),
    account: orderAccount(order),
    reference: order?.reference == null ? null : hide(order.reference),
    state,
    transaction: 'sent' in payout ? payout.sent.transaction_id : null,
    /** Unix ms. */
    sentAt: 'sent' in payout ? payout.sent.submittedAt : 'intentAt' in payout ? payout.intentAt : null,
    finishedAt: 'finishedAt' in payout ? payout.finishedAt : null,
    message: HAS_MESSAGE.has(state) ? text() : null,
    /** Why, what happens next, or what to do about it. */
    next: nextOf(state, { phase, code, text }),
  };
}

/** Payouts that are under way have none. */
const HAS_MESSAGE: ReadonlySet<RowState> = new Set(['failed', 'rejected', 'not_submitted', 'completed']);

/** What nobody can answer any more needs a decision once a run is over; until then it is unconfirmed. */
function stateShown(state: RowState, run: RunState, within: Within): RowState {
  if (partIn(state, { run, ...within }) !== 'unconfirmed') return state;
  return within.phase === 'finished' || state === 'unresolved' ? 'unresolved' : 'in_doubt';
}

type Next = { phase: RunPhase; code: string | null; text(): string | null };

function nextOf(state: RowState, { phase, code, text }: Next): string | null {
  if (state === 'in_doubt' && phase === 'running') return t`Sent, no answer yet. payrun checks what became of it.`;
  if (state === 'in_doubt' || state === 'unresolved') return sentence(text());
  if (!HAS_MESSAGE.has(state)) return null;
  if (state !== 'failed' || code === null) return sentence(text());
  const advice = { advice: 'failed', reason: code } as const;
  const todo = messages.outcomes.adviceText({ advice, mustFinish: false, acts: [] });
  return `${sentence(text()) ?? ''} ${todo}`.trim();
}

function sentence(text: string | null): string | null {
  if (text === null) return null;
  return capitalized(/[.!?…]$/.test(text) ? text : `${text}.`);
}

/** The rows with what became of them since, beside why they were not paid. */
export function withSince(page: RowsPage, run: RunState, { rows: since }: SinceOfRun): RowsPage {
  const rows = page.rows.map((row) => {
    const became = since.get(row.row);
    if (became === undefined) return row;
    const now = sentence(messages.outcomes.sinceText(became, run.header?.rehearsal ?? false));
    return { ...row, next: row.message === null ? now : `${sentence(row.message)} ${now}` };
  });
  return { ...page, rows };
}
