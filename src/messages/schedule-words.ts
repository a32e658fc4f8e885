import type { ScheduleFault } from '../domain/refusals/run-reasons.ts';
import type { RefusalWords, WordsOf } from './refusals/refusal-words.ts';
import { printable } from './text.ts';
import { t } from './translate.ts';
import { viewer } from './viewer.ts';

/** Why a plan is not to be started at a time. */
export const SCHEDULE_WORDS: WordsOf<'not_scheduled'> = {
  not_scheduled: ({ runId, fault }) => ({ ...faultWords(fault), details: { run_id: runId, ...detailsOf(fault) } }),
};

function faultWords(fault: ScheduleFault): RefusalWords {
  switch (fault.why) {
    case 'past':
      return {
        message: t`${timeInZone(fault.at, fault.timeZone)} is in the past.`,
        remedy: t`Choose a later time, or start it now.`,
      };
    case 'beyond_approvals': {
      const { until, timeZone, approver } = fault;
      const whose = approver === null ? t`An approval given now` : t`${printable(approver)}’s approval`;
      return {
        message: t`${whose} ends before that time.`,
        remedy: {
          command_line: `Choose ${timeInZone(until, timeZone)} or earlier, or a longer valid_for: of its approval:.`,
          page: t`Choose ${timeInZone(until, timeZone)} or earlier. Approvals of a payment that is scheduled when it is submitted last until its time.`,
        },
      };
    }
    case 'day_of_rest': {
      const { at, timeZone, offered, isOfJob } = fault;
      const rule = isOfJob ? t`, and its job pays on business days only` : '';
      return {
        message: t`${dayInZone(at, timeZone)} is no business day${rule}.`,
        remedy:
          offered === null ? t`Choose another day.` : t`The nearest business day is ${dayInZone(offered, timeZone)}.`,
      };
    }
    case 'changed_too_often':
      return {
        message: t`The time of this payment has already been changed ${fault.times} times.`,
        remedy: t`Start it by hand, or recall it and submit it again.`,
      };
    case 'needs_no_approval':
      return {
        message: t`This payment needs no approval, and only an approved payment starts on its own.`,
        remedy: { command_line: 'Name who approves it (--approval), or start it by hand.', page: t`Start it by hand.` },
      };
    case 'no_time':
      return { message: t`This payment is not scheduled.`, remedy: t`Look at it again.` };
  }
}

function detailsOf(fault: ScheduleFault): Record<string, unknown> {
  if (fault.why !== 'day_of_rest') return {};
  const { at, timeZone: time_zone, offered, isOfJob } = fault;
  return { day_of_rest: { at, time_zone, offered, is_of_job: isOfJob } };
}

/** `Friday 27 November 2026, 09:00, Europe/Berlin`, of Unix ms. */
export function timeInZone(at: number, timeZone: string): string {
  return `${dayInZone(at, timeZone)}, ${clockInZone(at, timeZone)}, ${timeZone}`;
}

/** `Friday 27 November 2026`. */
export function dayInZone(at: number, timeZone: string): string {
  const date = format(at, { timeZone, day: 'numeric', month: 'long', year: 'numeric' });
  return `${format(at, { timeZone, weekday: 'long' })} ${date}`;
}

/** `Fri`. */
export function weekdayInZone(at: number, timeZone: string): string {
  return format(at, { timeZone, weekday: 'short' });
}

/** `09:00`. */
function clockInZone(at: number, timeZone: string): string {
  return format(at, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

function format(at: number, options: Intl.DateTimeFormatOptions): string {
  const { language } = viewer();
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(at);
}
