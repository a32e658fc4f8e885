import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BusinessDays, businessDayFrom, isBusinessDay } from '../../src/domain/business-days.ts';
import { dateText, parseDate, weekdayOf } from '../../src/domain/time.ts';

const dayOf = (date: string): number => parseDate(date) ?? Number.NaN;
const rule = (calendar: BusinessDays['calendar'], ...own: string[]): BusinessDays => ({
  calendar,
  ownHolidays: new Set(own.map(dayOf)),
});

/** The weekdays of a year on which nothing is settled, as `MM-DD`. */
function closedIn(year: number, calendar: BusinessDays['calendar']): string {
  const closed: string[] = [];
  for (let day = dayOf(`${year}-01-01`); day <= dayOf(`${year}-12-31`); day++)
    if (weekdayOf(day) % 6 !== 0 && !isBusinessDay(day, rule(calendar))) closed.push(dateText(day).slice(5));
  return closed.join(' ');
}

describe('business days', () => {
  // The lists that the European Central Bank publishes, less what falls on a weekend.
  it.each([
    [2024, '01-01 03-29 04-01 05-01 12-25 12-26'],
    [2025, '01-01 04-18 04-21 05-01 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-01 12-25'],
    [2027, '01-01 03-26 03-29'],
    [2028, '04-14 04-17 05-01 12-25 12-26'],
    [2038, '01-01 04-23 04-26'],
  ])('of TARGET in %i', (year, closed) => {
    expect(closedIn(year, 'TARGET')).toBe(closed);
  });

  // The lists that the Federal Reserve Banks publish, less what falls on a Saturday.
  it.each([
    [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
    [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
    [2024, '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
  ])('of the Federal Reserve in %i', (year, closed) => {
    expect(closedIn(year, 'US')).toBe(closed);
  });

  it('Easter is that of the published tables', () => {
    const sundays = ['1999-04-04', '2000-04-23', '2011-04-24', '2019-04-21', '2049-04-18', '2076-04-19', '2100-03-28'];
    for (const sunday of sundays) {
      expect(isBusinessDay(dayOf(sunday) - 2, rule('TARGET')), sunday).toBe(false);
      expect(isBusinessDay(dayOf(sunday) + 1, rule('TARGET')), sunday).toBe(false);
      expect(isBusinessDay(dayOf(sunday) + 2, rule('TARGET')), sunday).toBe(true);
    }
  });

  it.each<[BusinessDays, string, string, string]>([
    [rule('weekends'), '2026-11-25', '2026-11-25', '2026-11-25'],
    [rule('weekends'), '2026-10-25', '2026-10-23', '2026-10-26'],
    [rule('TARGET'), '2026-12-26', '2026-12-24', '2026-12-28'],
    [rule('TARGET', '2026-12-24', '2026-12-28'), '2026-12-26', '2026-12-23', '2026-12-29'],
    [rule('TARGET'), '2027-03-27', '2027-03-25', '2027-03-30'],
    [rule('US'), '2026-07-04', '2026-07-03', '2026-07-06'],
    [rule('US'), '2027-07-04', '2027-07-02', '2027-07-06'],
  ])('%o: %s is moved to %s or %s', (days, date, previous, next) => {
    expect(dateText(businessDayFrom(dayOf(date), 'previous', days) ?? 0)).toBe(previous);
    expect(dateText(businessDayFrom(dayOf(date), 'next', days) ?? 0)).toBe(next);
  });

  it('are not looked for without end', () => {
    const month = Array.from({ length: 70 }, (_, at) => dateText(dayOf('2026-07-01') + at));
    expect(businessDayFrom(dayOf('2026-08-01'), 'next', rule('weekends', ...month))).toBeNull();
  });

  it('no later day is moved before an earlier one', () => {
    const days = fc.record({
      calendar: fc.constantFrom('weekends' as const, 'TARGET' as const, 'US' as const),
      ownHolidays: fc.array(fc.integer({ min: 20_000, max: 20_100 }), { maxLength: 20 }).map((own) => new Set(own)),
    });
    fc.assert(
      fc.property(days, fc.integer({ min: 20_000, max: 20_100 }), (given, day) => {
        for (const direction of ['previous', 'next'] as const) {
          const [first, second] = [day, day + 1].map((from) => businessDayFrom(from, direction, given));
          if (first == null || second == null) continue;
          expect(first).toBeLessThanOrEqual(second);
          expect(isBusinessDay(first, given)).toBe(true);
        }
      }),
    );
  });
});
