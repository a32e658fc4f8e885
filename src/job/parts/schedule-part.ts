import { z } from 'zod';
import { type BusinessDays, businessDayFrom, CALENDARS } from '../../domain/business-days.ts';
import { PERIODS, type Period } from '../../domain/period.ts';
import { parseDate } from '../../domain/time.ts';
import { isTimeZone } from '../../domain/zone.ts';
import { comesOn, hasTimes, isOncePer, type Schedule } from '../schedule.ts';
import { addProblem, type Found, wanting } from '../schema-problems.ts';
import { parsedText } from '../values.ts';

const FIELDS = 'minute, hour, day of the month, month, day of the week';

const cron = z.string().superRefine((text, context) => {
  const fault = cronFault(text);
  if (fault !== null) addProblem(context, fault);
});

const date = parsedText((text) => parseDate(text) ?? undefined, { form: 'date' });

/** A longer list is not one of holidays. */
const HOLIDAYS_MAX = 1_000;

const written = z.strictObject({
  cron: cron.describe(`when it runs, in five fields: ${FIELDS}, such as 0 9 25 * *`),
  time_zone: z
    .string()
    .refine(isTimeZone, wanting({ form: 'time_zone' }))
    .describe('the time zone of these fields, such as Europe/Berlin'),
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
    .max(HOLIDAYS_MAX)
    .optional()
    .describe('days of your own without payments, such as [2026-12-24]'),
  period: z.enum(PERIODS).optional().describe('the period that is paid once (default: the longest with one cron time)'),
  missed: z.enum(['report', 'run']).default('report').describe('what to do about a missed time (default report)'),
});

type Written = z.output<typeof written>;

const schedule = written.transform((keys, context): Schedule => {
  const problems = [...businessDayProblems(keys), ...everyProblems(keys), ...periodProblems(keys)];
  for (const { key, found, isKey = false, at } of problems)
    addProblem(context, found, { path: at === undefined ? [key] : [key, at], isKey });
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

function cronFault(text: string): Found | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length > 5) return { wanted: { form: 'cron_without_seconds' } };
  if (fields.length < 5) return { wanted: { form: 'cron_fields' } };
  if (isRestricted(fields[2]) && isRestricted(fields[4])) return { code: 'cron_of_both_days' };
  try {
    return hasTimes(text, 'UTC') ? null : { code: 'cron_of_no_date' };
  } catch (error) {
    const cause = error instanceof Error ? error.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : '';
    return { code: 'no_cron', cause };
  }
}

function isRestricted(field: string | undefined): boolean {
  return field !== '*' && field !== '?';
}

/** What is wrong with a key of a schedule, or with an entry of its list. `isKey`: at the key itself. */
type KeyProblem = { key: keyof Written; at?: number; isKey?: true; found: Found };

function businessDayProblems(keys: Written): KeyProblem[] {
  const { business_days: direction, holidays = [] } = keys;
  if (direction === 'none')
    return (['calendar', 'holidays'] as const)
      .filter((key) => keys[key] !== undefined)
      .map((key) => ({ key, isKey: true, found: { code: 'without_business_days' } }));
  const rule = businessDaysOf(keys);
  const stuck = holidays.findIndex((day) => businessDayFrom(day, direction, rule) === null);
  return stuck === -1 ? [] : [{ key: 'holidays', at: stuck, found: { code: 'no_business_day', direction } }];
}

/** A cron expression cannot have it, since the weeks of a year are not always even. */
function everyProblems({ cron, time_zone: timeZone, every, first }: Written): KeyProblem[] {
  if (every === undefined)
    return first === undefined ? [] : [{ key: 'first', isKey: true, found: { code: 'first_without_every' } }];
  if (first === undefined) return [{ key: 'every', found: { code: 'every_without_first' } }];
  const [, , dayOfMonth, month, weekday] = cron.trim().split(/\s+/);
  if (isRestricted(dayOfMonth) || isRestricted(month) || !isRestricted(weekday))
    return [{ key: 'every', found: { code: 'every_without_weekdays' } }];
  return comesOn(first, cron, timeZone) ? [] : [{ key: 'first', found: { code: 'first_not_due', first } }];
}

function periodProblems(keys: Written): KeyProblem[] {
  const { period, every } = keys;
  if (period === undefined || isOnceIn(period, keys)) return [];
  const longest = longestPeriod(keys);
  const isOfNone = period === 'two_weeks' && every === undefined;
  return [
    {
      key: 'period',
      found: isOfNone ? { code: 'period_not_every_other', longest } : { code: 'period_too_long', period, longest },
    },
  ];
}
