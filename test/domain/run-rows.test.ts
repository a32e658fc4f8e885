import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunRow } from '../../src/domain/entry.ts';
import { rowNumbered, rowsToAccounts } from '../../src/domain/run/run-rows.ts';
import { packedRows } from '../../src/journal/packed-rows.ts';
import { runRow } from '../journal/any-entry.ts';

/** Up to more than two pages, whose rows are numbered in any order. */
const rows: fc.Arbitrary<RunRow[]> = fc
  .tuple(fc.array(runRow, { minLength: 1, maxLength: 5 }), fc.nat({ max: 600 }), fc.boolean())
  .map(([some, count, isAscending]) =>
    Array.from({ length: count }, (_, at) => {
      return { ...(some[at % some.length] as RunRow), row: isAscending ? at + 2 : (at * 7) % 601 };
    }),
  );

test('packed rows are the rows that were packed, in their order, by place and by number', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const packed = packedRows();
      for (let at = 0; at < given.length; at += 256) packed.add(given.slice(at, at + 256));
      expect([...packed]).toEqual(given);
      expect(packed.values().toArray()).toEqual(given);
      expect(packed.length).toBe(given.length);
      const isToAccount = ({ order }: RunRow) => order !== null && order.destination.kind === 'account';
      expect([...rowsToAccounts(packed)].filter(isToAccount)).toEqual(given.filter(isToAccount));
      for (const place of [0, 255, 256, 511, 512, given.length - 1, given.length])
        expect(packed.at(place)).toEqual(given[place]);
      for (const number of [0, 1, 2, 256, 257, 258, 600, 700])
        expect(rowNumbered(packed, number)).toEqual(rowNumbered(given, number));
    }),
  );
});
