import { describe, expect, test } from 'vitest';
import { Slots } from '../../src/client/slots.ts';

const WINDOW_MS = 1_000;

function slotsAt(...fromMs: number[]): Slots {
  const slots = new Slots();
  for (const ms of fromMs) slots.add({ fromMs: ms, untilMs: ms + 30 });
  return slots;
}

describe('a slot', () => {
  test('is taken once, while it lasts', () => {
    const slots = slotsAt(100, 200);
    expect(slots.take(99, WINDOW_MS)).toBeNull();
    expect(slots.take(130, WINDOW_MS)?.fromMs).toBe(100);
    expect(slots.take(130, WINDOW_MS)).toBeNull();
  });

  test('that passed unused lets one request take the next one early, and no second one', () => {
    const slots = slotsAt(100, 400, 500);
    expect(slots.take(200, WINDOW_MS)?.fromMs).toBe(400);
    expect(slots.take(201, WINDOW_MS)).toBeNull();
  });

  test('that passed unused a window before the next one ends counts no more', () => {
    expect(slotsAt(100, 1_129).take(200, WINDOW_MS)?.fromMs).toBe(1_129);
    expect(slotsAt(100, 1_130).take(200, WINDOW_MS)).toBeNull();
  });
});
