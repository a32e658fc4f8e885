import type { HistoricPayout } from '../../app/history/payouts.ts';
import { type PayeeBook, totalsOf } from '../../app/payees/payee-book.ts';
import type { TagsByPayee } from '../../app/people/payee-tags.ts';
import type { Money } from '../../domain/money.ts';
import { viewer } from '../../messages/viewer.ts';
import { Answers } from '../once.ts';
import type { Sort } from '../shell/listing.ts';
import { type Asked, payoutsFor, stateOf } from './filters.ts';

/** `all`: how many payouts there are of any state; `states`: of each. */
export type States = { all: number; states: ReadonlyMap<string, number> };

type Found = States & { rows: readonly HistoricPayout[]; sums: readonly Money[] };

/** Lists that were worked out of one book. Tags are no part of it. */
const FOUND = new Answers<PayeeBook, Found>(8);

/** The payouts that are asked for, in the order that is, and what they come to. */
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
  // Days are those of the reader.
  const question = JSON.stringify([asked, sort, viewer().timeZone]);
  return asked.tag === null ? FOUND.of(book, question, find) : find();
}
