import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  civilFromDays,
  dateText,
  daysFromCivil,
  isoUtc,
  parseDate,
  parseDuration,
  parseIso,
} from '../../src/domain/time.ts';

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const anyTime = fc.integer({ min: 0, max: LAST_MS });

describe('isoUtc', () => {
  test('is the text that Date gives, for every time to the end of 9999', () => {
    fc.assert(
      fc.property(anyTime, (ms) => isoUtc(ms) === new Date(ms).toISOString()),
      { numRuns: 5_000 },
    );
  });

  test('is right on both sides of every month from 1970 to 2110, leap years and the century among them', () => {
    for (let month = 1; month < 12 * 141; month++)
      for (const ms of [Date.UTC(1970, month, 1) - 1, Date.UTC(1970, month, 1)])
        expect(isoUtc(ms)).toBe(new Date(ms).toISOString());
  });

  test.each([-1, 0.5, Number.NaN, LAST_MS + 1])('%s is no time', (ms) => {
    expect(() => isoUtc(ms)).toThrow('is not a time');
  });
});

describe('parseIso', () => {
  test('reads back what isoUtc writes', () => {
    fc.assert(fc.property(anyTime, (ms) => parseIso(isoUtc(ms)) === ms));
  });

  test('agrees with Date on offsets', () => {
    const offset = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
    );
    fc.assert(
      fc.property(anyTime, offset, (ms, [sign, hours, minutes]) => {
        const digits = (value: number) => String(value).padStart(2, '0');
        const text = `${isoUtc(ms).slice(0, -1)}${sign}${digits(hours)}:${digits(minutes)}`;
        expect(parseIso(text)).toBe(Date.parse(text));
      }),
    );
  });

  test.each([
    ['2026-11-25 09:30:00Z', '2026-11-25T09:30:00.000Z'],
    ['2026-11-25T09:30:00.1Z', '2026-11-25T09:30:00.100Z'],
    ['2026-11-25T09:30:00.123456789Z', '2026-11-25T09:30:00.123Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, same) => {
    expect(parseIso(text)).toBe(Date.parse(same));
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    'yesterday',
    '',
  ])('%s is no time', (text) => {
    expect(parseIso(text)).toBeNull();
  });
});

describe('days', () => {
  test('of the years 0 to 9999 come back from their dates, one after another', () => {
    const anyDay = fc.integer({ min: -719_528, max: 2_932_895 });
    fc.assert(
      fc.property(anyDay, (day) => {
        const [year, month, date] = civilFromDays(day);
        expect(daysFromCivil(year, month, date)).toBe(day);
        expect(daysFromCivil(year, month, date + 1)).toBe(day + 1);
        expect(parseDate(dateText(day))).toBe(day);
      }),
    );
    expect([dateText(-719_528), dateText(0), dateText(2_932_896)]).toEqual(['0000-01-01', '1970-01-01', '9999-12-31']);
  });
});

describe('parseDuration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
    [' 30s ', 30_000],
    ['366d', 31_622_400_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
  });

  test.each(['', '30', 's', '-5s', '1.5h', '5 m', '5M', '1h30m', '1e3s', '５s', '5min', 'constructor'])(
    '%j is refused',
    (text) => expect(parseDuration(text)).toEqual({ ok: false, code: 'duration_unreadable' }),
  );

  test.each(['367d', '31622400001ms', `${'9'.repeat(400)}s`])('%s is too long', (text) => {
    expect(parseDuration(text)).toEqual({ ok: false, code: 'duration_too_long' });
  });
});
