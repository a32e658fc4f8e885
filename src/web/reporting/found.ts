import type { HistoricPayout } from '../../app/history/payouts.ts';
import { type PayeeBook, totalsOf } from '../../app/payees/payee-book.ts';
import type { TagsByPayee } from '../../app/people/payee-tags.ts';
import type { Money } from '../../domain/money.ts';
import { viewer } from '../../messages/viewer.ts';
import { Answers } from '../once.ts';
import type { Sort } from '../shell/listing.ts';
import { type Asked, payoutsFor, stateOf } from './filters.ts';

/** `all`: payouts in any state; `states`: payouts by state. */
export type States = { all: number; states: ReadonlyMap<string, number> };

type Found = States & { rows: readonly HistoricPayout[]; sums: readonly Money[] };

/** Lists computed from one book. Tags are not part of it. */
const FOUND = new Answers<PayeeBook, Found>(8);

/** The matching payouts, sorted, and their totals. */
export function found(
  book: PayeeBook,
  { asked, sort, tags }: { asked: Asked; sort: Sort<string>; tags: TagsByPayee },
  sorted: (rows: readonly HistoricPayout[]) => readonly HistoricPayout[],
): Found {
  const find = (): Found => {
    const { all, rows } = payoutsFor(book, asked, tags);
    const states = new Map(Array.from(Map.groupBy(all, stateOf), ([state, of]) => [state, of.length]));
    return { rows: sorted(rows), sums: totalsOf(rows), all: all.length, states };
  };
  // Dates are in the reader's time zone.
  const question = JSON.stringify([asked, sort, viewer().timeZone]);
  return asked.tag === null ? FOUND.of(book, question, find) : find();
}
