import { CEILINGS_DEFAULT } from '../../domain/conversion.ts';
import type { Ceilings } from '../../domain/plan.ts';
import type { Job } from '../../job/job.ts';
import { percentText } from '../../job/values.ts';
import type { PlanSettings } from './given.ts';

/** By how much more than planned may be sent of what is converted. */
export function ceilingsOf({
  rateCeiling,
  runRateCeiling,
}: Pick<PlanSettings, 'rateCeiling' | 'runRateCeiling'>): Ceilings {
  return {
    payout_bps: rateCeiling ?? CEILINGS_DEFAULT.payout_bps,
    run_bps: runRateCeiling ?? CEILINGS_DEFAULT.run_bps,
  };
}

/** The same, each no higher than the job names it. A job that names none lowers none: an option may have asked for it. */
export function withinJob({ payout_bps, run_bps }: Ceilings, job: Pick<Job, 'settings'> | null): Ceilings {
  const lower = (name: 'rateCeiling' | 'runRateCeiling', bps: number): number => {
    const said = job?.settings.get(name);
    return said === undefined ? bps : Math.min(bps, percentText.parse(said.value));
  };
  return { payout_bps: lower('rateCeiling', payout_bps), run_bps: lower('runRateCeiling', run_bps) };
}
