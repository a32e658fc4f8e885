import type { RunRow } from '../../domain/entry.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { searchable } from '../shell/words.ts';
import type { TimeSlice } from '../time-slice.ts';

/** Searches whose findings are kept: people page through what they have found. */
const KEPT_MAX = 4;

/**
 * Finds rows by text: in names, payee ids, references and transaction ids, without regard to case and accents; a number is
 * also that of a row.
 */
export class RowSearch {
  readonly #run: RunState;
  /** What never changes of each row, as it is searched. */
  readonly #texts: string[] = [];
  readonly #found = new Map<string, { n: number; places: Promise<number[]> }>();

  constructor(run: RunState) {
    this.#run = run;
  }

  /** The places of the rows in the run, from 0, in the order of the input. `n` is the number of the run's newest entry. */
  find(text: string, n: number, turns: TimeSlice): Promise<number[]> {
    const wanted = searchable(text);
    const known = this.#found.get(wanted);
    if (known?.n === n) return known.places;
    const places = this.#look(wanted, turns);
    this.#found.delete(wanted);
    const [oldest] = this.#found.keys();
    if (this.#found.size >= KEPT_MAX && oldest !== undefined) this.#found.delete(oldest);
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
