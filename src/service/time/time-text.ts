const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Unix milliseconds (0 to the end of the year 9999) as ISO 8601 in UTC: `2026-11-21T07:06:05.004Z`. */
export function isoText(ms: number): string {
  const { year, month, day, hour, minute, second, millisecond } = civil(ms);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}.${pad(millisecond, 3)}Z`;
}

/** Unix milliseconds as an HTTP date (RFC 9110, section 5.6.7): `Sat, 21 Nov 2026 07:06:05 GMT`. */
export function httpDate(ms: number): string {
  const { year, month, day, hour, minute, second, weekday } = civil(ms);
  return `${WEEKDAYS[weekday]}, ${pad(day, 2)} ${MONTHS[month - 1]} ${pad(year, 4)} ${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)} GMT`;
}

/**
 * The Gregorian date of a count of days, by whole numbers: Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", `civil_from_days`. Years begin in March there, so that the leap day is a year's last.
 */
function civil(ms: number) {
  const whole = Math.floor(ms);
  const days = Math.floor(whole / DAY_MS);
  const inDay = whole - days * DAY_MS;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(inDay / 3_600_000),
    minute: Math.floor(inDay / 60_000) % 60,
    second: Math.floor(inDay / 1_000) % 60,
    millisecond: inDay % 1_000,
  };
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
