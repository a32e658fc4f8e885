import type { WantedStart } from '../../app/schedule/plan-start.ts';
import { onPayingDay, payingDaysOf } from '../../domain/business-days.ts';
import type { StartTime } from '../../domain/entry.ts';
import type { ScheduleFault } from '../../domain/refusals/run-reasons.ts';
import { dateText } from '../../domain/time.ts';
import { isTimeZone, localTime, readTypedTime, type TypedTimeFault } from '../../domain/zone.ts';
import { messages } from '../../messages/messages.ts';
import { textTable } from '../../messages/translate.ts';
import { timeZones, viewer } from '../../messages/viewer.ts';
import type { WebParts } from '../parts.ts';
import { isYes, text } from '../shell/form.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { hiddenField, option, type Problem } from '../shell/parts.ts';

/** The fields of a time at which a plan is to be started. `any_day`: also where payment systems rest. */
export const startForm = {
  start_date: text.transform((typed) => typed.slice(0, 20)),
  start_time: text.transform((typed) => typed.slice(0, 20)),
  start_zone: text.transform((typed) => (isTimeZone(typed.slice(0, 60)) ? typed : '')),
  any_day: isYes,
};

/** What somebody typed into them. */
export type TypedStart = { start_date: string; start_time: string; start_zone: string };

const DAY_MS = 86_400_000;
const OFFERED_HOUR = 9;

const UNREADABLE: Readonly<Record<TypedTimeFault, Problem>> = textTable({
  date: { message: 'That date does not exist.', remedy: 'Choose the day on which it starts.' },
  time: { message: 'This is not a valid time.', remedy: 'Type the hour and the minute, such as 09:00.' },
  time_zone: { message: 'Unknown time zone.', remedy: 'Choose one from the list.' },
});

/** The time that was typed, or what is wrong with it. */
export function wantedStart(typed: TypedStart & { any_day: boolean }): WantedStart | Problem {
  const { start_date: date, start_time: time, start_zone: timeZone, any_day: anyDay } = typed;
  const read = readTypedTime({ date, time, timeZone });
  return 'fault' in read ? UNREADABLE[read.fault] : { at: read.at, time_zone: timeZone, anyDay };
}

/** A time as it is typed. */
export function typedOf({ at, time_zone: timeZone }: StartTime): TypedStart {
  const { day, hour, minute } = localTime(at, timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return { start_date: dateText(day), start_time: `${two(hour)}:${two(minute)}`, start_zone: timeZone };
}

/** Nine in the morning of the next business day after `nowMs`, by the clocks of the job's schedule, else by those of who looks. */
export function offeredStart({ deps }: Pick<WebParts, 'deps'>, job: string | null): TypedStart {
  const timeZone = deps.jobs().find(({ name }) => name === job)?.timeZone ?? viewer().timeZone;
  const tomorrow = localTime(deps.clock.wallMs() + DAY_MS, timeZone).day;
  const typed = { date: dateText(tomorrow), time: `0${OFFERED_HOUR}:00`, timeZone };
  const read = readTypedTime(typed);
  const at = 'fault' in read ? null : onPayingDay(read.at, timeZone, payingDaysOf([]));
  return at === null
    ? { start_date: '', start_time: typed.time, start_zone: timeZone }
    : typedOf({ at, time_zone: timeZone });
}

/**
 * Day, time and time zone, with the browser's native pickers. The 400 zones have no `value` attribute: their text is
 * the value.
 */
export function startFields({ start_date, start_time, start_zone }: TypedStart): Html {
  const zones = new Set([...timeZones(), ...(start_zone === '' ? [] : [start_zone])]);
  const options = [...zones].map((zone) =>
    zone === start_zone ? option(zone, zone, true) : html`<option>${zone}</option>`,
  );
  return html`<div class="when">
<label>Day <input name="start_date" type="date" value="${start_date}" required></label>
<label>Time <input name="start_time" type="time" value="${start_time}" required></label>
<label>Time zone <select name="start_zone" required>${options}</select></label>
</div>`;
}

/** A day on which nothing is paid, and the nearest time on one on which something is; `isOfJob`: a job says so. */
export type DayOfRest = Pick<Extract<ScheduleFault, { why: 'day_of_rest' }>, 'at' | 'timeZone' | 'offered' | 'isOfJob'>;

/**
 * For a day on which nothing is paid: the nearest business day with one click, and that day all the same where no job forbids it.
 * `also`: what else is sent with either.
 */
export function restForms(path: string, { at, timeZone, offered, isOfJob }: DayOfRest, also: Shown = null): Html {
  const fields = (time: number) =>
    Object.entries(typedOf({ at: time, time_zone: timeZone })).map(([name, value]) => hiddenField(name, value));
  const near =
    offered !== null &&
    html`<form method="post" action="${path}">${also}${fields(offered)}<button class="primary">Start on ${messages.schedules.timeInZone(offered, timeZone)}</button></form>`;
  const same =
    !isOfJob &&
    html`<form method="post" action="${path}">${also}${fields(at)}${hiddenField('any_day', 'yes')}<button>Start on ${messages.schedules.dayInZone(at, timeZone)} anyway</button></form>`;
  return html`<div class="row">${near}${same}</div>`;
}
