import { sumText } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { dateText } from '../../domain/time.ts';
import { type DayExcess, isAlone } from '../limits/day-excess.ts';

/** Runs that are named in one sentence. */
const NAMED_MAX = 5;

/** Throws a `Refusal` (`refused`) where the run would exceed what is allowed per day. */
export function refuseDay(excess: readonly DayExcess[]): void {
  const [first] = excess;
  if (first === undefined) return;
  const messages = excess.map(excessText).join('\n');
  const remedy = isAlone(first)
    ? 'Pay fewer rows, or let whoever may do so change the limit in the job.'
    : 'Run it on another day, pay fewer rows, or let whoever may do so change the limit in the job.';
  throw new Refusal('refused', `${messages} Nothing was sent.`, remedy);
}

/** The warning about a plan, which may be run on another day. */
export function dayWarning(excess: DayExcess): Problem {
  return {
    severity: 'warning',
    code: 'limit_per_day',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message: excessText(excess),
    remedy: 'Run the plan on another day: whoever runs it is refused today.',
  };
}

function excessText(excess: DayExcess): string {
  const { code, minor, isConverted, limitMinor, day, timeZone } = excess;
  const comes = isConverted ? 'may come' : 'comes';
  return `The run ${comes} to ${sumText(minor, code)}${othersText(excess)}; limits.per_day of the job allows ${sumText(limitMinor, code)} on ${dateText(day)} (${timeZone}).`;
}

function othersText({ code, minor, others, othersMinor }: DayExcess): string {
  if (othersMinor === 0n) return '';
  const named = others.slice(0, NAMED_MAX).join(', ');
  const more = others.length > NAMED_MAX ? ` and ${others.length - NAMED_MAX} more` : '';
  return `, and with the ${sumText(othersMinor, code)} of ${named}${more} to ${sumText(othersMinor + minor, code)}`;
}
