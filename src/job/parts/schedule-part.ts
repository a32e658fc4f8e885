import { z } from 'zod';
import { type BusinessDays, businessDayFrom, CALENDARS } from '../../domain/business-days.ts';
import { PERIODS, type Period } from '../../domain/period.ts';
import { dateText, parseDate } from '../../domain/time.ts';
import { isTimeZone } from '../../domain/zone.ts';
import { comesOn, hasTimes, isOncePer, type Schedule } from '../schedule.ts';
import { addProblem, type SchemaProblem } from '../schema-problems.ts';
import { parsedText } from '../values.ts';

const FIELDS = 'minute, hour, day of the month, month, day of the week';

const cron = z.string().superRefine((text, context) => {
  const fault = cronFault(text);
  if (fault !== null) addProblem(context, fault);
});

const date = parsedText((text) => parseDate(text) ?? undefined, 'write a date of the calendar such as 2026-12-24');

/** A longer list is not one of holidays. */
const HOLIDAYS_MAX = 1_000;

const written = z.strictObject({
  cron: cron.describe(`when it runs, in five fields: ${FIELDS}, such as 0 9 25 * *`),
  time_zone: z
    .string()
    .refine(isTimeZone, 'write a name such as Europe/Berlin, Australia/Sydney or UTC')
    .describe('whose clocks these are, such as Europe/Berlin'),
  every: z.enum(['two_weeks']).optional().describe('every other week, counted from that of first'),
  first: date.optional().describe('the first day that every: two_weeks pays, such as 2026-11-27'),
  business_days: z
    .enum(['previous', 'next', 'none'])
    .default('none')
    .describe('where a day without payments is moved to (default none)'),
  calendar: z
    .enum(CALENDARS)
    .optional()
    .describe('the days without payments: weekends (default), TARGET (the euro), US (the Federal Reserve)'),
  holidays: z
    .array(date)
    .max(HOLIDAYS_MAX, `write ${HOLIDAYS_MAX} dates at most`)
    .optional()
    .describe('days of your own without payments, such as [2026-12-24]'),
  period: z.enum(PERIODS).optional().describe('what is paid once (default: the longest in which cron comes once)'),
  missed: z
    .enum(['report', 'run'])
    .default('report')
    .describe('what becomes of a time at which nothing ran the job (default report)'),
});

type Written = z.output<typeof written>;

const schedule = written.transform((keys, context): Schedule => {
  const problems = [...businessDayProblems(keys), ...everyProblems(keys), ...periodProblems(keys)];
  for (const problem of problems) addProblem(context, problem);
  return problems.length > 0 ? z.NEVER : scheduleOf(keys);
});

/** When `payrun schedule` runs it, and what it pays once. */
export const schedulePart = {
  schedule: schedule.optional().describe('when payrun schedule runs the job, and the period that it pays once'),
};

function scheduleOf(keys: Written): Schedule {
  const { cron, time_zone: timeZone, business_days: direction, period, missed, first = null } = keys;
  return {
    cron,
    timeZone,
    everyOtherWeekFrom: first,
    businessDays: direction === 'none' ? null : { ...businessDaysOf(keys), direction },
    period: period ?? longestPeriod(keys),
    missed,
  };
}

function businessDaysOf({ calendar = 'weekends', holidays = [] }: Written): BusinessDays {
  return { calendar, ownHolidays: new Set(holidays) };
}

function longestPeriod(keys: Written): Period {
  return PERIODS.find((period) => isOnceIn(period, keys)) ?? 'time';
}

function isOnceIn(period: Period, { cron, time_zone, first }: Written): boolean {
  return isOncePer(period, cron, time_zone, first ?? null);
}

function cronFault(text: string): SchemaProblem | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length > 5) return { remedy: `write five fields, without seconds and years: ${FIELDS}` };
  if (fields.length < 5) return { remedy: `write five fields: ${FIELDS}` };
  if (isRestricted(fields[2]) && isRestricted(fields[4])) {
    const what = 'names days of the month and days of the week, and cron takes either';
    return { what, remedy: 'write * for one of them; 5#2 is the second Friday, 5#L the last, LW the last weekday' };
  }
  try {
    if (hasTimes(text, 'UTC')) return null;
    return { what: 'names a date that no year has', remedy: 'correct the day of the month or the month' };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : '';
    return { what: `is no cron expression (${why})`, remedy: `write five fields: ${FIELDS}` };
  }
}

function isRestricted(field: string | undefined): boolean {
  return field !== '*' && field !== '?';
}

function businessDayProblems(keys: Written): SchemaProblem[] {
  const { business_days: direction, holidays = [] } = keys;
  if (direction === 'none') {
    const remedy = 'add business_days: previous or next, or take it out';
    return (['calendar', 'holidays'] as const)
      .filter((key) => keys[key] !== undefined)
      .map((key) => ({ path: [key], isKey: true, what: 'does nothing without business_days', remedy }));
  }
  const rule = businessDaysOf(keys);
  const stuck = holidays.findIndex((day) => businessDayFrom(day, direction, rule) === null);
  if (stuck === -1) return [];
  const what = `leaves no ${direction} business day for a month`;
  return [{ path: ['holidays', stuck], what, remedy: 'check the dates around it' }];
}

/** A cron expression cannot have it, since the weeks of a year are not always even. */
function everyProblems({ cron, time_zone: timeZone, every, first }: Written): SchemaProblem[] {
  const problem = (key: 'every' | 'first', what: string, remedy: string) => ({ path: [key], what, remedy });
  if (every === undefined && first === undefined) return [];
  if (every === undefined) {
    const missing = problem('first', 'does nothing without every: two_weeks', 'add it, or take this out');
    return [{ ...missing, isKey: true }];
  }
  if (first === undefined)
    return [problem('every', 'needs the first day that is paid', 'add first: and a date, such as 2026-11-27')];
  const [, , dayOfMonth, month, weekday] = cron.trim().split(/\s+/);
  if (isRestricted(dayOfMonth) || isRestricted(month) || !isRestricted(weekday))
    return [problem('every', 'is for a cron of weekdays', 'write cron: 0 9 * * 5 (Fridays) or the like')];
  if (comesOn(first, cron, timeZone)) return [];
  const what = `(${dateText(first)}) is no day on which cron comes`;
  return [problem('first', what, 'write the date of the first payday')];
}

function periodProblems(keys: Written): SchemaProblem[] {
  const { period, every } = keys;
  if (period === undefined || isOnceIn(period, keys)) return [];
  const isOfNone = period === 'two_weeks' && every === undefined;
  const what = isOfNone
    ? 'cannot be two_weeks without every: two_weeks'
    : `cannot be ${period}: cron comes more than once in one`;
  return [{ path: ['period'], what, remedy: `write ${longestPeriod(keys)}, or take the key out` }];
}
