import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByRow } from '../../src/domain/run/by-row.ts';

const row = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2 ** 40 }));

/** As in a file, with some rows left out; or in any order. */
const rows = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 3 })).map((steps) => {
    let last = 1;
    return steps.map((step) => (last += step));
  }),
  fc.array(row),
);

test('values by row are those of a map', () => {
  fc.assert(
    fc.property(rows, fc.array(row), (added, asked) => {
      const [map, byRow] = [new Map<number, string>(), new ByRow<string>()];
      // Each is set twice, the second time while others are there.
      for (const [at, one] of [...added, ...added].entries()) {
        expect(byRow.get(one)).toBe(map.get(one));
        map.set(one, `${at}`);
        byRow.set(one, `${at}`);
      }
      expect([...byRow]).toEqual([...map]);
      expect([byRow.size, [...byRow.keys()], [...byRow.values()]]).toEqual([
        map.size,
        [...map.keys()],
        [...map.values()],
      ]);
      for (const one of [...added, ...asked])
        expect([byRow.get(one), byRow.has(one)]).toEqual([map.get(one), map.has(one)]);
    }),
  );
});

test('what is set while they are gone through is seen, as in a map', () => {
  const byRow = new ByRow<string>().set(2, 'a').set(3, 'b');
  const seen: [number, string][] = [];
  for (const [row, value] of byRow) {
    if (row === 2) byRow.set(3, 'c').set(5, 'd');
    seen.push([row, value]);
  }
  expect(seen).toEqual([
    [2, 'a'],
    [3, 'c'],
    [5, 'd'],
  ]);
});
