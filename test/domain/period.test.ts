import { describe, expect, it } from 'vitest';
import { periodKey, periodOf } from '../../src/domain/period.ts';
import { parseDate } from '../../src/domain/time.ts';

const at = (date: string, hour = 9, minute = 5) => ({ day: parseDate(date) ?? Number.NaN, hour, minute });

describe('a period', () => {
  it.each([
    ['month', '2026-11-25', '2026-11'],
    ['two_weeks', '2026-11-27', '2026-W48-W49'],
    ['two_weeks', '2026-12-29', '2026-W53-W01'],
    ['week', '2026-11-22', '2026-W47'],
    ['week', '2026-11-23', '2026-W48'],
    ['week', '2027-01-03', '2026-W53'],
    ['week', '2027-01-04', '2027-W01'],
    ['week', '2024-12-30', '2025-W01'],
    ['week', '2022-01-01', '2021-W52'],
    ['day', '2028-02-29', '2028-02-29'],
    ['time', '2026-11-25', '2026-11-25T09:05'],
  ] as const)('%s of %s is %s', (period, date, key) => {
    expect(periodKey(period, at(date))).toBe(key);
    expect(periodOf(key)).toBe(period);
  });

  it.each([
    '',
    '2026',
    '2026-13',
    '2026-00',
    '2026-W54',
    '2025-W53',
    '2026-W48-W50',
    '2025-W53-W01',
    '2026-W48-49',
    '2026-W00',
    '2026-w47',
    '2026-02-29',
    '2026-11-31T09:00',
    '2026-11-25T24:00',
    '2026-11-25T09:60',
    ' 2026-11',
    'November',
    '2026-11/x',
  ])('is not %j', (key) => {
    expect(periodOf(key)).toBeNull();
  });
});
