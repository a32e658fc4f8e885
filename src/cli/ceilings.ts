import { CEILINGS_DEFAULT } from '../domain/conversion.ts';
import type { Ceilings } from '../domain/plan.ts';
import type { Settings } from './settings.ts';

/** By how much more than planned may be sent of what is converted. */
export function ceilingsOf({
  rateCeiling,
  runRateCeiling,
}: Pick<Settings, 'rateCeiling' | 'runRateCeiling'>): Ceilings {
  return {
    payout_bps: rateCeiling ?? CEILINGS_DEFAULT.payout_bps,
    run_bps: runRateCeiling ?? CEILINGS_DEFAULT.run_bps,
  };
}
