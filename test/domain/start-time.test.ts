import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBusinessDay, onPayingDay, payingDaysOf } from '../../src/domain/business-days.ts';
import { dateText, isoUtc, parseDate, parseIso } from '../../src/domain/time.ts';
import { isShownTwice, localTime, readTypedTime } from '../../src/domain/zone.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia'];
const zone = fc.constantFrom(...ZONES);
const day = fc.integer({ min: parseDate('2026-01-01') ?? 0, max: parseDate('2037-12-31') ?? 0 });
const minutes = fc.integer({ min: 0, max: 1_439 });
const two = (value: number) => String(value).padStart(2, '0');
const timeOf = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

function instant(date: string, time: string, timeZone: string): number {
  const read = readTypedTime({ date, time, timeZone });
  if ('fault' in read) throw new Error(`${date} ${time}: ${read.fault}`);
  return read.at;
}

test('what was typed is what the clocks of the zone show then, but in a gap, where it is the end of the gap', () => {
  fc.assert(
    fc.property(day, minutes, zone, (on, minute, timeZone) => {
      const at = instant(dateText(on), timeOf(minute), timeZone);
      const shown = localTime(at, timeZone);
      const [wanted, got] = [on * 1_440 + minute, shown.day * 1_440 + shown.hour * 60 + shown.minute];
      if (got === wanted) return;
      const before = localTime(at - 60_000, timeZone);
      expect(got).toBeGreaterThan(wanted);
      expect(before.day * 1_440 + before.hour * 60 + before.minute).toBeLessThan(wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('of a time that the clocks show twice it is the first', () => {
  fc.assert(
    fc.property(day, minutes, zone, (on, minute, timeZone) => {
      const at = instant(dateText(on), timeOf(minute), timeZone);
      const shown = JSON.stringify(localTime(at, timeZone));
      // An offset before noon and one after it are all that a day has.
      const again = [30, 60, 120].filter((later) => JSON.stringify(localTime(at + later * 60_000, timeZone)) === shown);
      const earlier = [30, 60, 120].some(
        (sooner) => JSON.stringify(localTime(at - sooner * 60_000, timeZone)) === shown,
      );
      expect([earlier, isShownTwice(at, timeZone)]).toEqual([false, again.length > 0]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['2026-11-27', '09:00', 'Europe/Berlin', '2026-11-27T08:00', false],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00', false],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30', true],
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30', true],
  ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45', true],
  ['2026-11-27', '09:00:00', 'UTC', '2026-11-27T09:00', false],
])('%s %s in %s is %s UTC, shown twice: %s', (date, time, timeZone, utc, isTwice) => {
  const at = instant(date, time, timeZone);
  expect([isoUtc(at).slice(0, 16), isShownTwice(at, timeZone)]).toEqual([utc, isTwice]);
});

test.each([
  [{ date: '2026-02-30', time: '09:00', timeZone: 'UTC' }, 'date'],
  [{ date: '27.11.2026', time: '09:00', timeZone: 'UTC' }, 'date'],
  [{ date: '1969-12-31', time: '09:00', timeZone: 'UTC' }, 'date'],
  [{ date: '', time: '', timeZone: '' }, 'date'],
  [{ date: '2026-11-27', time: '24:00', timeZone: 'UTC' }, 'time'],
  [{ date: '2026-11-27', time: '9:00', timeZone: 'UTC' }, 'time'],
  [{ date: '2026-11-27', time: '09:00', timeZone: 'CET+1' }, 'time_zone'],
  [{ date: '2026-11-27', time: '09:00', timeZone: '../etc/passwd' }, 'time_zone'],
])('%j is unreadable by its %s', (typed, fault) => {
  expect(readTypedTime(typed)).toEqual({ fault });
});

test('a day that is paid on is kept, and any other leads to the nearest one after it at the same time', () => {
  fc.assert(
    fc.property(day, zone, fc.subarray(['EUR', 'USD', 'AUD']), (on, timeZone, currencies) => {
      const days = payingDaysOf(currencies);
      const at = instant(dateText(on), '12:00', timeZone);
      const paid = onPayingDay(at, timeZone, days);
      const { day: found, hour, minute } = localTime(paid ?? 0, timeZone);
      const isPaidOn = (one: number) => days.rules.every((rule) => isBusinessDay(one, rule));
      expect([isPaidOn(found), hour, minute]).toEqual([true, 12, 0]);
      for (let between = on; between < found; between++) expect(isPaidOn(between)).toBe(false);
      if (isPaidOn(on)) expect(paid).toBe(at);
    }),
    { numRuns: 500 },
  );
});

test('the calendars of all currencies count, and a rule can lead back', () => {
  const at = parseIso('2026-12-25T09:00:00Z') ?? 0;
  const text = (found: number | null) => isoUtc(found ?? 0).slice(0, 10);
  expect(text(onPayingDay(at, 'UTC', payingDaysOf(['AUD'])))).toBe('2026-12-25');
  expect(text(onPayingDay(at, 'UTC', payingDaysOf(['AUD', 'EUR'])))).toBe('2026-12-28');
  const back = { ...payingDaysOf(['EUR']), direction: 'previous' as const };
  expect(text(onPayingDay(at, 'UTC', back))).toBe('2026-12-24');
  const never = {
    ...back,
    rules: [
      { calendar: 'weekends' as const, ownHolidays: new Set(Array.from({ length: 99 }, (_, one) => 20_812 - one)) },
    ],
  };
  expect(onPayingDay(at, 'UTC', never)).toBeNull();
});
