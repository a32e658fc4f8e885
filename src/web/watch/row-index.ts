import type { Entry } from '../../domain/entry.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { ProgressCounts } from '../../report/model/pace.ts';
import { type RowState, rowStateOf } from './row-states.ts';

/** How the rows of a run stand, kept up to date entry by entry, so that nobody goes through all of them for one page. */
export class RowIndex {
  readonly counts: ProgressCounts = {
    waiting: 0,
    sending: 0,
    in_doubt: 0,
    accepted: 0,
    completed: 0,
    failed: 0,
    rejected: 0,
    unresolved: 0,
    not_submitted: 0,
  };
  /** Recipients and accounts that the service has for the run. */
  prepared = 0;
  /** By the row's place in the run, from 0. */
  readonly #states: RowState[] = [];
  readonly #places = new Map<number, number>();

  /** Follows an entry that was just folded into the run. */
  add(run: RunState, entry: Entry): void {
    if (entry.kind === 'rows') for (const { row } of entry.rows) this.#put(run, row);
    // A plan that is given up is given up with all its rows.
    else if (entry.kind === 'cancelled') for (const { row } of run.rows) this.#look(run, row);
    else if (entry.kind === 'ensured') this.prepared++;
    else if ('row' in entry) this.#look(run, entry.row);
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

  #put(run: RunState, row: number): void {
    const payout = run.payouts.get(row);
    if (payout === undefined) return;
    const state = rowStateOf(payout);
    this.#places.set(row, this.#states.length);
    this.#states.push(state);
    this.counts[state]++;
  }

  #look(run: RunState, row: number): void {
    const place = this.#places.get(row);
    const payout = run.payouts.get(row);
    if (place === undefined || payout === undefined) return;
    const before = this.#states[place];
    const state = rowStateOf(payout);
    if (before !== undefined) this.counts[before]--;
    this.counts[state]++;
    this.#states[place] = state;
  }
}
