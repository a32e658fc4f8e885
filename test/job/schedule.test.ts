import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessDayFrom, isBusinessDay } from '../../src/domain/business-days.ts';
import { PERIODS, type Period } from '../../src/domain/period.ts';
import { isoUtc, parseDate, parseIso } from '../../src/domain/time.ts';
import { instantOf, localTime } from '../../src/domain/zone.ts';
import {
  type DueTime,
  dueTimes,
  isOncePer,
  lastDueTimes,
  nearestDueTime,
  type Schedule,
} from '../../src/job/schedule.ts';

function schedule(said: Partial<Schedule>): Schedule {
  const monthly = { cron: '0 9 25 * *', timeZone: 'Europe/Berlin', period: 'month', missed: 'report' } as const;
  return { ...monthly, everyOtherWeekFrom: null, businessDays: null, ...said };
}

const at = (text: string): number => parseIso(text) ?? Number.NaN;
const target = (direction: 'previous' | 'next') => ({
  calendar: 'TARGET' as const,
  ownHolidays: new Set([]),
  direction,
});
const words = (dues: readonly DueTime[]) => dues.map((due) => `${due.period} ${isoUtc(due.at).slice(0, 16)}`);

function first(said: Schedule, from: number, count: number): DueTime[] {
  return dueTimes(said, from).take(count).toArray();
}

describe('the times of a schedule', () => {
  it('are those of the cron expression on the clocks of its zone', () => {
    expect(words(first(schedule({}), at('2026-09-26T00:00:00Z'), 3))).toEqual([
      '2026-10 2026-10-25T08:00',
      '2026-11 2026-11-25T08:00',
      '2026-12 2026-12-25T08:00',
    ]);
  });

  it('begin with the one that is now', () => {
    const now = at('2026-11-25T08:00:00Z');
    expect(first(schedule({}), now, 1)).toEqual([{ at: now, period: '2026-11' }]);
    expect(words(first(schedule({}), now + 1, 1))).toEqual(['2026-12 2026-12-25T08:00']);
    expect(lastDueTimes(schedule({}), now, 1)).toEqual([{ at: now, period: '2026-11' }]);
    expect(words(lastDueTimes(schedule({}), now - 1, 1))).toEqual(['2026-10 2026-10-25T08:00']);
  });

  it('are moved to a business day, and keep the period that they were named for', () => {
    const last = schedule({ cron: '0 9 1 * *', businessDays: target('previous') });
    expect(words(first(last, at('2026-07-02T00:00:00Z'), 3))).toEqual([
      '2026-08 2026-07-31T07:00',
      '2026-09 2026-09-01T07:00',
      '2026-10 2026-10-01T07:00',
    ]);
    const next = schedule({ businessDays: target('next') });
    expect(words(first(next, at('2026-12-26T00:00:00Z'), 2))).toEqual([
      '2026-12 2026-12-28T08:00',
      '2027-01 2027-01-25T08:00',
    ]);
  });

  it('that would be moved to a day with its own fall away', () => {
    const twice = schedule({ cron: '0 9,17 * * *', period: 'time', businessDays: target('next') });
    expect(words(first(twice, at('2026-11-20T12:00:00Z'), 3))).toEqual([
      '2026-11-20T17:00 2026-11-20T16:00',
      '2026-11-23T09:00 2026-11-23T08:00',
      '2026-11-23T17:00 2026-11-23T16:00',
    ]);
    const weekend = schedule({ cron: '0 9 * * 6,0', period: 'day', businessDays: target('next') });
    expect(words(first(weekend, at('2026-11-20T12:00:00Z'), 2))).toEqual([
      '2026-11-22 2026-11-23T08:00',
      '2026-11-29 2026-11-30T08:00',
    ]);
  });

  it('come once where clocks are set back, and at the end of the gap where they are set forward', () => {
    const nightly = schedule({ cron: '30 2 * * *', period: 'day' });
    expect(words(first(nightly, at('2026-10-24T12:00:00Z'), 2))).toEqual([
      '2026-10-25 2026-10-25T00:30',
      '2026-10-26 2026-10-26T01:30',
    ]);
    expect(words(first(nightly, at('2026-03-28T12:00:00Z'), 2))).toEqual([
      '2026-03-29 2026-03-29T01:00',
      '2026-03-30 2026-03-30T00:30',
    ]);
    const hourly = schedule({ cron: '30 * * * *', period: 'time' });
    const expected = ['2026-10-25T02:30 2026-10-25T00:30', '2026-10-25T03:30 2026-10-25T02:30'];
    expect(words(first(hourly, at('2026-10-25T00:10:00Z'), 2))).toEqual(expected);
    const halves = schedule({ cron: '0,30 2-3 * * *', period: 'time' });
    expect(words(first(halves, at('2026-10-24T23:00:00Z'), 3)).map((text) => text.slice(0, 16))).toEqual([
      '2026-10-25T02:00',
      '2026-10-25T02:30',
      '2026-10-25T03:00',
    ]);
    // Nor twice where it begins between the two.
    expect(words(first(hourly, at('2026-10-25T01:10:00Z'), 1))).toEqual(expected.slice(1));
  });

  it('are found years back', () => {
    const rare = schedule({ cron: '0 9 29 2 *' });
    expect(words(lastDueTimes(rare, at('2027-11-25T08:00:00Z'), 9))).toEqual([
      '2020-02 2020-02-29T08:00',
      '2024-02 2024-02-29T08:00',
    ]);
  });

  it('the nearest is the one that somebody means', () => {
    const nearest = (now: string) => nearestDueTime(schedule({}), at(now))?.period;
    expect(nearest('2026-11-24T08:00:00Z')).toBe('2026-11');
    expect(nearest('2026-12-01T08:00:00Z')).toBe('2026-11');
    expect(nearest('2026-12-10T08:00:00Z')).toBe('2026-11');
    expect(nearest('2026-12-10T08:00:01Z')).toBe('2026-12');
  });
});

describe('every other week', () => {
  const from = (date: string) => parseDate(date);
  const fridays = schedule({ cron: '0 9 * * 5', period: 'two_weeks', everyOtherWeekFrom: from('2026-11-27') });

  it('comes from its first day on, fourteen days apart over the end of a year with 53 weeks', () => {
    expect(words(first(fridays, at('2026-01-01T00:00:00Z'), 5))).toEqual([
      '2026-W48-W49 2026-11-27T08:00',
      '2026-W50-W51 2026-12-11T08:00',
      '2026-W52-W53 2026-12-25T08:00',
      '2027-W01-W02 2027-01-08T08:00',
      '2027-W03-W04 2027-01-22T08:00',
    ]);
    expect(lastDueTimes(fridays, at('2026-11-27T07:59:59Z'), 3)).toEqual([]);
    expect(nearestDueTime(fridays, at('2026-12-03T08:00:00Z'))?.period).toBe('2026-W48-W49');
    const odd = { ...fridays, everyOtherWeekFrom: from('2026-12-04') };
    expect(words(first(odd, at('2026-12-31T00:00:00Z'), 2))).toEqual([
      '2026-W53-W01 2027-01-01T08:00',
      '2027-W02-W03 2027-01-15T08:00',
    ]);
  });

  it('keeps its period when it is moved into the week before', () => {
    const mondays = schedule({ cron: '0 9 * * 1', period: 'two_weeks', everyOtherWeekFrom: from('2027-03-15') });
    // Easter Monday is the 29th, and the days before it are Good Friday and a weekend.
    expect(words(first({ ...mondays, businessDays: target('previous') }, at('2027-03-16T00:00:00Z'), 2))).toEqual([
      '2027-W13-W14 2027-03-25T08:00',
      '2027-W15-W16 2027-04-12T07:00',
    ]);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'])(
    'is fourteen days apart on the clocks of %s, also where they are set',
    (timeZone) => {
      const nightly = { ...fridays, cron: '30 2 * * 0', timeZone, everyOtherWeekFrom: from('2026-03-29') };
      const nights = first(nightly, at('2026-03-01T00:00:00Z'), 60).map((due) => localTime(due.at, timeZone));
      expect(nights[0]?.day).toBe(from('2026-03-29'));
      for (const [place, { day, hour, minute }] of nights.entries()) {
        expect(day - (nights[0]?.day ?? 0)).toBe(place * 14);
        expect([150, 180]).toContain(hour * 60 + minute);
      }
    },
  );
});

describe('once in a period', () => {
  it('two weeks are one where there is a first day only', () => {
    const fridays = (cron: string) => isOncePer('two_weeks', cron, 'UTC', parseDate('2026-11-27'));
    expect(isOncePer('two_weeks', '0 9 * * 5', 'UTC')).toBe(false);
    expect(fridays('0 9 * * 5')).toBe(true);
    expect(fridays('0 9 * * 1,5')).toBe(false);
  });

  it.each<[string, Period[]]>([
    ['0 9 25 * *', ['month', 'week', 'day', 'time']],
    ['0 9 LW */3 *', ['month', 'week', 'day', 'time']],
    ['0 9 * * 5', ['week', 'day', 'time']],
    ['0 9 1,15 * *', ['week', 'day', 'time']],
    ['0 9 * * 1-5', ['day', 'time']],
    ['0 9,17 * * *', ['time']],
  ])('%s comes once in %j', (cron, periods) => {
    expect(PERIODS.filter((period) => isOncePer(period, cron, 'Europe/Berlin'))).toEqual(periods);
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'];

const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    minute: fc.constantFrom('0', '30', '0,30'),
    hour: fc.constantFrom('0', '2', '9', '1-3', '9,17', '23'),
    days: fc.constantFrom('* *', '25 *', '1 *', '1,15 *', 'L *', 'LW *', '29 2', '31 */2'),
    weekdays: fc.constantFrom('*', '5', '1-5', '6,0', '5#L'),
    timeZone: fc.constantFrom(...ZONES),
    direction: fc.constantFrom('previous' as const, 'next' as const, null),
    calendar: fc.constantFrom('weekends' as const, 'TARGET' as const, 'US' as const),
    own: fc.array(fc.integer({ min: 20_400, max: 20_800 }), { maxLength: 12 }),
  })
  .map(({ minute, hour, days, weekdays, timeZone, direction, calendar, own }) => {
    const cron = `${minute} ${hour} ${days} ${days === '* *' ? weekdays : '*'}`;
    const period = PERIODS.find((one) => isOncePer(one, cron, timeZone)) ?? 'time';
    const businessDays = direction === null ? null : { calendar, ownHolidays: new Set(own), direction };
    return schedule({ cron, timeZone, businessDays, period });
  });

const anyTime = fc.integer({ min: 20_400 * 1_440, max: 20_800 * 1_440 }).map((minutes) => minutes * 60_000);

describe('whatever the schedule and the day', () => {
  it('no period comes twice, the order is kept, and days of rest stay free', () => {
    fc.assert(
      fc.property(anySchedule, anyTime, (said, from) => {
        const found = first(said, from, 30);
        expect(new Set(found.map(({ period }) => period)).size).toBe(found.length);
        for (const [at, due] of found.entries()) {
          expect(due.at).toBeGreaterThanOrEqual(at === 0 ? from : (found[at - 1]?.at ?? 0));
          const rule = said.businessDays;
          const { day } = localTime(due.at, said.timeZone);
          if (rule !== null && businessDayFrom(day, rule.direction, rule) !== null)
            expect(isBusinessDay(day, rule)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('a time is the same from wherever it is looked for', () => {
    fc.assert(
      fc.property(anySchedule, anyTime, fc.integer({ min: 0, max: 20 }), (said, from, skipped) => {
        const found = first(said, from, 24);
        const start = found[skipped];
        fc.pre(start !== undefined);
        if (start === undefined) return;
        const again = first(said, start.at, 3).filter((due) => due.at > start.at);
        const expected = found.filter((due) => due.at > start.at);
        expect(expected.slice(0, again.length)).toEqual(again.slice(0, expected.length));
        const last = lastDueTimes(said, start.at, 3).at(-1);
        expect(last?.at).toBe(start.at);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the clocks of a zone', () => {
  it('show again the time that was asked for, or the end of the gap that it lies in', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), anyTime, (zone, ms) => {
        const local = localTime(ms, zone);
        const instant = instantOf(local, zone);
        expect(localTime(instant, zone)).toEqual(local);
        expect(instant).toBeLessThanOrEqual(ms);
      }),
    );
    const gap = { day: parseDate('2026-03-29') ?? 0, hour: 2, minute: 30 };
    expect(isoUtc(instantOf(gap, 'Europe/Berlin'))).toBe('2026-03-29T01:00:00.000Z');
    const skippedDay = { day: parseDate('2011-12-30') ?? 0, hour: 12, minute: 0 };
    expect(isoUtc(instantOf(skippedDay, 'Pacific/Apia'))).toBe('2011-12-30T10:00:00.000Z');
  });
});
