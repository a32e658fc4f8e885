import { z } from 'zod';
import { type BusinessDays, businessDayFrom, CALENDARS } from '../../domain/business-days.ts';
import { dateText, PERIODS, type Period, parseDate } from '../../domain/period.ts';
import { addProblem, type SchemaProblem } from '../add-problem.ts';
import { comesOn, hasTimes, isOncePer, type Schedule } from '../schedule.ts';
import { isTimeZone } from '../zone.ts';

const FIELDS = 'minute, hour, day of the month, month, day of the week';

const cron = z.string().superRefine((text, context) => {
  const fault = cronFault(text);
  if (fault !== null) addProblem(context, fault);
});

const timeZone = z.string().superRefine((text, context) => {
  if (!isTimeZone(text)) addProblem(context, { remedy: 'write a name such as Europe/Berlin, Australia/Sydney or UTC' });
});

/** More days of rest than that are no list of holidays. */
const HOLIDAYS_MAX = 1_000;

const date = z.string().transform((text, context): number => {
  const day = parseDate(text);
  if (day !== null) return day;
  addProblem(context, { remedy: 'write a date of the calendar such as 2026-12-24' });
  return z.NEVER;
});

const written = z.strictObject({
  cron: cron.describe(`when it runs, in five fields: ${FIELDS}, such as 0 9 25 * *`),
  time_zone: timeZone.describe('whose clocks these are, such as Europe/Berlin'),
  every: z.enum(['two_weeks']).optional().describe('every other week, counted from that of first'),
  first: date.optional().describe('the first day that every: two_weeks pays, such as 2026-11-27'),
  business_days: z
    .enum(['previous', 'next', 'none'])
    .optional()
    .describe('where a day without payments is moved to; none, if nothing is said'),
  calendar: z
    .enum(CALENDARS)
    .optional()
    .describe('the days without payments: weekends (if nothing is said), TARGET (the euro), US (the Federal Reserve)'),
  holidays: z
    .array(date)
    .max(HOLIDAYS_MAX, `write ${HOLIDAYS_MAX} dates at most`)
    .optional()
    .describe('days of your own without payments, such as [2026-12-24]'),
  period: z
    .enum(PERIODS)
    .optional()
    .describe('what is paid once; the longest in which cron comes once, if nothing is said'),
  missed: z
    .enum(['report', 'run'])
    .optional()
    .describe('what becomes of a time at which nothing ran the job; report, if nothing is said'),
});

const schedule = written.transform((said, context): Schedule => {
  const problems = [...ruleProblems(said), ...everyProblems(said), ...periodProblems(said)];
  for (const problem of problems) addProblem(context, problem);
  return problems.length > 0 ? z.NEVER : scheduleOf(said);
});

/** When `payrun schedule` runs it, and what it pays once. */
export const schedulePart = {
  schedule: schedule.optional().describe('when payrun schedule runs the job, and the period that it pays once'),
};

type Said = z.output<typeof written>;

function scheduleOf(said: Said): Schedule {
  const { cron, time_zone: timeZone, business_days: direction = 'none', period, missed = 'report' } = said;
  return {
    cron,
    timeZone,
    everyOtherWeekFrom: said.first ?? null,
    businessDays: direction === 'none' ? null : { ...ruleOf(said), direction },
    period: period ?? longestPeriod(said),
    missed,
  };
}

function ruleOf({ calendar = 'weekends', holidays = [] }: Said): BusinessDays {
  return { calendar, ownHolidays: new Set(holidays) };
}

function longestPeriod(said: Said): Period {
  return PERIODS.find((period) => isOnceIn(period, said)) ?? 'time';
}

function isOnceIn(period: Period, { cron, time_zone, first }: Said): boolean {
  return isOncePer(period, cron, time_zone, first ?? null);
}

function cronFault(text: string): Omit<SchemaProblem, 'path'> | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length > 5) return { remedy: `write five fields, without seconds and years: ${FIELDS}` };
  if (fields.length < 5) return { remedy: `write five fields: ${FIELDS}` };
  if (isRestricted(fields[2]) && isRestricted(fields[4])) {
    const what = 'names days of the month and days of the week, and cron takes either';
    return { what, remedy: 'write * for one of them; 5#2 is the second Friday, 5#L the last, LW the last weekday' };
  }
  try {
    if (hasTimes(text, 'UTC')) return null;
    return { what: 'names a date that no year has', remedy: 'mend the day of the month or the month' };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : '';
    return { what: `is no cron expression (${why})`, remedy: `write five fields: ${FIELDS}` };
  }
}

function isRestricted(field: string | undefined): boolean {
  return field !== '*' && field !== '?';
}

function ruleProblems(said: Said): SchemaProblem[] {
  const { business_days: direction = 'none' } = said;
  if (direction === 'none') {
    return (['calendar', 'holidays'] as const)
      .filter((key) => said[key] !== undefined)
      .map((key) => {
        const remedy = 'add business_days: previous or next, or take it out';
        return { path: [key], isKey: true, what: 'does nothing without business_days', remedy };
      });
  }
  const rule = ruleOf(said);
  const stuck = (said.holidays ?? []).findIndex((day) => businessDayFrom(day, direction, rule) === null);
  if (stuck === -1) return [];
  const what = `leaves no ${direction} business day for a month`;
  return [{ path: ['holidays', stuck], what, remedy: 'look at the dates around it' }];
}

/** A cron expression cannot say it, since the weeks of a year are not always even. */
function everyProblems({ cron, time_zone: timeZone, every, first }: Said): SchemaProblem[] {
  if (every === undefined && first === undefined) return [];
  if (every === undefined)
    return [
      {
        path: ['first'],
        isKey: true,
        what: 'does nothing without every: two_weeks',
        remedy: 'add it, or take this out',
      },
    ];
  if (first === undefined)
    return [
      {
        path: ['every'],
        what: 'needs the first day that is paid',
        remedy: 'add first: and a date, such as 2026-11-27',
      },
    ];
  const [, , dayOfMonth, month, weekday] = cron.trim().split(/\s+/);
  if (isRestricted(dayOfMonth) || isRestricted(month) || !isRestricted(weekday))
    return [
      { path: ['every'], what: 'is for a cron of weekdays', remedy: 'write cron: 0 9 * * 5 (Fridays) or the like' },
    ];
  if (comesOn(first, cron, timeZone)) return [];
  const what = `(${dateText(first)}) is no day on which cron comes`;
  return [{ path: ['first'], what, remedy: 'write the date of the first payday' }];
}

function periodProblems(said: Said): SchemaProblem[] {
  const { period } = said;
  if (period === undefined || isOnceIn(period, said)) return [];
  const isOfNone = period === 'two_weeks' && said.every === undefined;
  const what = isOfNone
    ? 'cannot be two_weeks without every: two_weeks'
    : `cannot be ${period}: cron comes more than once in one`;
  return [{ path: ['period'], what, remedy: `write ${longestPeriod(said)}, or take the key out` }];
}
