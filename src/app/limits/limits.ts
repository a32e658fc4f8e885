import { CEILINGS_DEFAULT } from '../../domain/conversion.ts';
import type { RunRow } from '../../domain/entry.ts';
import { LimitCount, payeeIdOf, sumIn } from '../../domain/limits.ts';
import type { Ceilings, Limits, PlannedConversions } from '../../domain/plan.ts';
import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RowOverLimit } from '../../domain/refusals/job-reasons.ts';
import { readAllowedPayees } from '../../job/allowed-payees.ts';
import type { Job } from '../../job/job.ts';
import { percentText } from '../../job/values.ts';
import { type DayExcess, isAlone } from './day-excess.ts';

/** Rows that one refusal names. */
const NAMED_MAX = 20;

/** What a job allows its runs, with the payees of the file that it names. Throws a `Refusal` (`usage`) for that file. */
export function limitsOf(job: Job | null): Limits | null {
  if (job === null || job.limits === null) return null;
  const { only_payees: only, ...limits } = job.limits;
  const ids = only === null ? null : 'ids' in only ? only.ids : readAllowedPayees(only.file, job.limitsWhere);
  const only_payees = ids === null ? null : [...new Set(ids.map((payee_id) => payeeIdOf({ payee_id }) ?? ''))].sort();
  return { ...limits, only_payees, time_zone: job.schedule?.timeZone ?? 'UTC' };
}

/** Throws a `Refusal` (`limits_exceeded`) that names what of a run exceeds the limits. `conversions`: where they are known. */
export function refuseExcess(
  limits: Limits | null,
  rows: Iterable<RunRow>,
  conversions: PlannedConversions | null = null,
): void {
  if (limits === null) return;
  const count = new LimitCount(limits, conversions);
  const named: RowOverLimit[] = [];
  const over = new Set<number>();
  let excesses = 0;
  for (const { order } of rows) {
    if (order === null) continue;
    const { name, payee_id: payeeId } = order.payee;
    for (const { fault } of count.add(order)) {
      over.add(order.row);
      if (++excesses <= NAMED_MAX) named.push({ row: order.row, name, payeeId, fault });
    }
  }
  const whole = count.finish();
  if (excesses + whole.length === 0) return;
  const ofRows = { named, more: excesses - named.length, rows: [...over].slice(0, NAMED_MAX), rowCount: over.size };
  throw new Refusal({ code: 'limits_exceeded', ...ofRows, whole });
}

/** Throws a `Refusal` (`day_limit_exceeded`) where the run would exceed what is allowed per day. */
export function refuseDay(excess: readonly DayExcess[]): void {
  const [first] = excess;
  if (first === undefined) return;
  throw new Refusal({ code: 'day_limit_exceeded', faults: excess.map(dayFault), isAlone: isAlone(first) });
}

/** The warning about a plan, which may be run on another day. */
export function dayWarning(excess: DayExcess): Problem {
  return problemAt('warning', dayFault(excess));
}

function dayFault({ code, minor, isConverted, othersMinor, others, limitMinor, day, timeZone }: DayExcess): Fault {
  return fault('limit_per_day', {
    amount: sumIn(minor, code),
    limit: sumIn(limitMinor, code),
    isConverted,
    others,
    othersSum: othersMinor === 0n ? null : sumIn(othersMinor, code),
    allSum: sumIn(othersMinor + minor, code),
    day,
    timeZone,
  });
}

/** By how much more than planned may be sent of what is converted, in hundredths of a per cent. */
export function ceilingsOf(settings: {
  rateCeiling?: number | undefined;
  runRateCeiling?: number | undefined;
}): Ceilings {
  return {
    payout_bps: settings.rateCeiling ?? CEILINGS_DEFAULT.payout_bps,
    run_bps: settings.runRateCeiling ?? CEILINGS_DEFAULT.run_bps,
  };
}

/** The same, each no higher than the job names it. A job that names none lowers none: an option may have asked for it. */
export function withinJob({ payout_bps, run_bps }: Ceilings, job: Pick<Job, 'settings'> | null): Ceilings {
  const lower = (name: 'rateCeiling' | 'runRateCeiling', bps: number): number => {
    const own = job?.settings.get(name);
    return own === undefined ? bps : Math.min(bps, percentText.parse(own.value));
  };
  return { payout_bps: lower('rateCeiling', payout_bps), run_bps: lower('runRateCeiling', run_bps) };
}
