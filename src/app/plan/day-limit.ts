import { sumIn } from '../../domain/limits.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { problemWords } from '../../messages/problems/problem-words.ts';
import { type DayExcess, isAlone } from '../limits/day-excess.ts';

/** Throws a `Refusal` (`refused`) where the run would exceed what is allowed per day. */
export function refuseDay(excess: readonly DayExcess[]): void {
  const [first] = excess;
  if (first === undefined) return;
  const messages = excess.map((one) => problemWords(dayWarning(one), 'command_line').message).join('\n');
  const remedy = isAlone(first)
    ? 'Pay fewer rows, or let somebody who may do so change the limit in the job.'
    : 'Run it on another day, pay fewer rows, or let somebody who may do so change the limit in the job.';
  throw new Refusal('refused', `${messages} Nothing was sent.`, remedy);
}

/** The warning about a plan, which may be run on another day. */
export function dayWarning(excess: DayExcess): Problem {
  const { code, minor, isConverted, othersMinor, others, limitMinor, day, timeZone } = excess;
  return problemAt(
    'warning',
    fault('limit_per_day', {
      amount: sumIn(minor, code),
      limit: sumIn(limitMinor, code),
      isConverted,
      others,
      othersSum: othersMinor === 0n ? null : sumIn(othersMinor, code),
      allSum: sumIn(othersMinor + minor, code),
      day,
      timeZone,
    }),
  );
}
