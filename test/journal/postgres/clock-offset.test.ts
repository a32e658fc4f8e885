import { describe, expect, test } from 'vitest';
import { ClockOffset } from '../../../src/journal/postgres/clock-offset.ts';

describe('the other clock', () => {
  test('is known as well as the quickest answer has shown, and a little less with time', () => {
    const offset = new ClockOffset();
    offset.note(0, 50_002, 4);
    expect(offset.uncertainMs).toBe(0);
    for (let n = 0; n < 8; n++) offset.note(1_000, 51_080, 1_100);
    expect(offset.uncertainMs).toBeCloseTo(4.4, 1);
    const { earliestMs, latestMs } = offset.around(52_000);
    expect([earliestMs, latestMs]).toEqual([expect.closeTo(1_997.8, 0), expect.closeTo(2_002.2, 0)]);
  });

  test('that was set is learned anew', () => {
    const offset = new ClockOffset();
    offset.note(0, 50_002, 4);
    offset.note(1_000, 91_000, 1_010);
    expect(offset.around(91_000)).toEqual({ earliestMs: 1_000, latestMs: 1_010 });
  });
});
