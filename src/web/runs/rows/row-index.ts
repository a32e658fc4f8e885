import type { TimeSlice } from '../../../app/background/time-slice.ts';
import type { Currency } from '../../../domain/currencies.ts';
import { PAYOUT_ENTRIES } from '../../../domain/entries/payout.ts';
import type { Entry, RunRow } from '../../../domain/entry.ts';
import { currencyKey } from '../../../domain/money.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { ListedRun } from '../../../domain/run/run-state.ts';
import { searchable } from '../../../messages/text.ts';
import { textTable } from '../../../messages/translate.ts';
import type { ProgressCounts } from '../../../report/model/pace.ts';
import { Recent } from '../../once.ts';

export type RowState = keyof ProgressCounts;

/** In the order in which they are offered: what needs somebody first. */
export const ROW_STATES: readonly RowState[] = [
  'unresolved',
  'in_doubt',
  'failed',
  'rejected',
  'waiting',
  'sending',
  'accepted',
  'completed',
  'not_submitted',
];

/** `in doubt`. */
export function stateLabel(state: string): string {
  return STATE_WORDS[state] ?? state;
}

const STATE_WORDS: Readonly<Record<string, string>> = textTable({
  unresolved: 'needs a decision',
  in_doubt: 'unconfirmed',
  failed: 'failed',
  rejected: 'rejected',
  waiting: 'not sent yet',
  sending: 'sending',
  accepted: 'sending',
  completed: 'completed',
  not_submitted: 'not sent',
});

export function rowStateOf({ state }: PayoutState): RowState {
  return state === 'suspected' ? 'unresolved' : state;
}

/** For one currency that payees receive: the payouts in each state, and their total in minor units. */
export type CurrencySums = { currency: Currency } & Record<RowState, { payouts: number; minor: bigint }>;

function noSums(currency: Currency): CurrencySums {
  const states = Object.fromEntries(ROW_STATES.map((state) => [state, { payouts: 0, minor: 0n }]));
  return { ...(states as Omit<CurrencySums, 'currency'>), currency };
}

/** A row, and its payout as an entry left it. */
export type MovedRow = { row: RunRow; payout: PayoutState };

/** How the rows of a run stand, kept up to date entry by entry, so that nobody goes through all of them for one page. */
export class RowIndex {
  readonly counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as ProgressCounts;
  /** In order of first appearance. Rows that could not be paid because of errors have no currency. */
  readonly currencies = new Map<string, CurrencySums>();
  /** Recipients and accounts that the service has for the run. */
  prepared = 0;
  /** By the row's place in the run, from 0. */
  readonly #states: RowState[] = [];
  readonly #places = new Map<number, number>();

  /** Follows an entry that was just folded into the run. Returns the row that it put into another state; null where it put none. */
  add(run: ListedRun, entry: Entry): MovedRow | null {
    if (entry.kind === 'rows') for (const { row } of entry.rows) this.#put(run, row);
    // A plan that is discarded is discarded with all its rows.
    else if (entry.kind === 'cancelled') for (const { row } of run.rows) this.#look(run, row);
    else if (entry.kind === 'ensured') this.prepared++;
    else if ('row' in entry) return this.#look(run, entry.row);
    return null;
  }

  /** The place of a row in the run; undefined where it has no such row. */
  placeOf(row: number): number | undefined {
    return this.#places.get(row);
  }

  stateAt(place: number): RowState | undefined {
    return this.#states[place];
  }

  /** The places of the rows in one of these states, in the order of the input. */
  *placesIn(states: ReadonlySet<RowState>): Generator<number> {
    let left = 0;
    for (const state of states) left += this.counts[state];
    for (let place = 0; left > 0 && place < this.#states.length; place++) {
      const state = this.#states[place];
      if (state === undefined || !states.has(state)) continue;
      left--;
      yield place;
    }
  }

  #put(run: ListedRun, row: number): void {
    const payout = run.payouts.get(row);
    if (payout === undefined) return;
    const state = rowStateOf(payout);
    this.#places.set(row, this.#states.length);
    this.#states.push(state);
    this.#move(run.rows[this.#states.length - 1], { from: undefined, to: state });
  }

  #look(run: ListedRun, number: number): MovedRow | null {
    const place = this.#places.get(number);
    const payout = run.payouts.get(number);
    if (place === undefined || payout === undefined) return null;
    const from = this.#states[place];
    const to = rowStateOf(payout);
    if (to === from) return null;
    const row = run.rows[place];
    this.#move(row, { from, to });
    this.#states[place] = to;
    return row === undefined ? null : { row, payout };
  }

  /** Counts a row, and what it pays, in another state. `from` is undefined for a new row. */
  #move(row: RunRow | undefined, { from, to }: { from: RowState | undefined; to: RowState }): void {
    if (from !== undefined) this.counts[from]--;
    this.counts[to]++;
    if (!row?.order) return;
    const { currency, amount_minor } = row.order;
    const key = currencyKey(currency);
    const sums = this.currencies.get(key) ?? noSums(currency);
    this.currencies.set(key, sums);
    const minor = BigInt(amount_minor);
    if (from !== undefined) {
      sums[from].payouts--;
      sums[from].minor -= minor;
    }
    sums[to].payouts++;
    sums[to].minor += minor;
  }
}

/** Which entries of a run are about a row: for each entry the one before it that is about the same row, so that many cost little. */
export class RowEntries {
  readonly #before: number[] = [];
  readonly #last = new Map<number, number>();

  add(n: number, entry: Entry): void {
    while (this.#before.length <= n) this.#before.push(0);
    if (!('row' in entry) || !Object.hasOwn(PAYOUT_ENTRIES, entry.kind)) return;
    this.#before[n] = this.#last.get(entry.row) ?? 0;
    this.#last.set(entry.row, n);
  }

  /** Their numbers, oldest first. */
  of(row: number): number[] {
    const numbers: number[] = [];
    for (let n = this.#last.get(row) ?? 0; n > 0; n = this.#before[n] ?? 0) numbers.push(n);
    return numbers.reverse();
  }
}

/** Searches whose findings are kept: people page through what they have found. */
const SEARCHES_MAX = 4;

/**
 * Finds rows by text: in names, payee ids, references and transaction ids, without regard to case and accents; a number is
 * also that of a row.
 */
export class RowSearch {
  readonly #run: ListedRun;
  /** What never changes of each row, as it is searched. */
  readonly #texts: string[] = [];
  readonly #found = new Recent<{ n: number; places: Promise<number[]> }>(SEARCHES_MAX);

  constructor(run: ListedRun) {
    this.#run = run;
  }

  /** The places of the rows in the run, from 0, in the order of the input. `n` is the number of the run's newest entry. */
  find(text: string, n: number, turns: TimeSlice): Promise<number[]> {
    const wanted = searchable(text);
    const known = this.#found.get(wanted);
    if (known?.n === n) return known.places;
    const places = this.#look(wanted, turns);
    this.#found.set(wanted, { n, places });
    return places;
  }

  async #look(wanted: string, turns: TimeSlice): Promise<number[]> {
    const { rows, payouts } = this.#run;
    const places: number[] = [];
    for (const [place, row] of rows.entries()) {
      if (turns.isOver) await turns.next();
      const text = this.#texts[place] ?? this.#read(place, row);
      if (text.includes(wanted) || String(row.row) === wanted || isOfTransaction(payouts.get(row.row), wanted))
        places.push(place);
    }
    return places;
  }

  #read(place: number, { order, cells }: RunRow): string {
    const nameAt = this.#run.header?.input.columns.indexOf('name') ?? -1;
    const { name, payee_id } = order?.payee ?? { name: cells[nameAt] ?? '', payee_id: null };
    const text = searchable([name, payee_id ?? '', order?.reference ?? ''].join('\n'));
    this.#texts[place] = text;
    return text;
  }
}

function isOfTransaction(payout: PayoutState | undefined, wanted: string): boolean {
  return payout !== undefined && 'sent' in payout && searchable(payout.sent.transaction_id).includes(wanted);
}
