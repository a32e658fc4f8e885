import { DEFAULT_PROFILE, type Profile } from '../../src/domain/profile.ts';
import type { Random } from './random.ts';
import type { ServiceVariant } from './variant.ts';

/** What the profile of the run says that the service keeps. */
export type Promised = {
  expiry: ServiceVariant['expiry'];
  /** How much later than it arrives a request takes effect at most, where only its arrival is held against its deadline. */
  commitsWithinMs: number | null;
  replayProtection: boolean;
  refusalsAreFinal: boolean;
  /** Null: not stated. */
  listingLagMs: number | null;
  cursor: boolean;
};

/**
 * The one promise of the profile that the service does not keep. `arrival`: it keeps the deadline, but only when a request
 * arrives. `unstated`: the profile says nothing of the lag, which is longer than what is assumed.
 */
export type Broken = 'expiry' | 'arrival' | 'replay' | 'lag' | 'unstated' | 'cursor' | 'refusals';

const BROKEN: readonly Broken[] = ['expiry', 'arrival', 'replay', 'lag', 'unstated', 'cursor', 'refusals'];

/** What is assumed of a lag that is not stated. */
export const LAG_ASSUMED_MS = 60_000;

const SOON_MS = 5_000;

/** Breaks one promise in some stories: changes the service, and says which. */
export function drawBroken(dice: Random, variant: ServiceVariant): Broken | null {
  if (!dice.chance(0.35)) return null;
  const broken = dice.pick(BROKEN);
  const lateMs = dice.pick([5_000, 20_000, 60_000]);
  switch (broken) {
    case 'expiry':
      variant.expiry = 'never';
      return broken;
    case 'arrival':
      variant.expiry = 'at_arrival';
      variant.commitsWithinMs = lateMs;
      return broken;
    case 'replay':
      Object.assign(variant, { replayProtection: false, refusalsUseUp: false, hasFirst: false });
      return broken;
    case 'lag':
    case 'unstated':
      variant.listingLagMs = dice.pick([70_000, 180_000, 400_000]);
      variant.lagging = dice.pick(['alike', 'each', 'each', 'more_later', 'more_later']);
      return broken;
    case 'cursor':
      variant.cursor = 'lies';
      variant.pageMax = dice.whole(1, 5);
      return broken;
    case 'refusals':
      Object.assign(variant, { refusalsUseUp: false, hasFirst: false });
      return broken;
  }
}

/** What the profile promises: what the service keeps, or less, but for the one promise that is broken. */
export function drawPromises(dice: Random, variant: ServiceVariant, broken: Broken | null): Promised {
  const less = (promise: boolean): boolean => promise && !dice.chance(0.1);
  const isExpiryLess = dice.chance(0.1);
  const isLagStated = dice.chance(0.75);
  const kept: Promised = {
    expiry: isExpiryLess ? 'never' : variant.expiry,
    commitsWithinMs: dice.chance(0.8) ? variant.commitsWithinMs : null,
    replayProtection: less(variant.replayProtection),
    refusalsAreFinal: variant.replayProtection && variant.refusalsUseUp && dice.chance(0.3),
    listingLagMs: variant.listingLagMs + (dice.chance(0.2) ? 2_000 : 0),
    cursor: variant.cursor !== 'never' && variant.cursor !== 'lies' && !dice.chance(0.05),
  };
  // Where nothing is said of what comes later than its deadline, nothing comes later than clocks are allowed to be apart.
  if (kept.expiry === 'never') variant.commitsWithinMs = 0;
  if (kept.commitsWithinMs === null) variant.commitsWithinMs = Math.min(variant.commitsWithinMs, SOON_MS);
  if (!isLagStated && variant.listingLagMs <= LAG_ASSUMED_MS) kept.listingLagMs = null;
  switch (broken) {
    case 'expiry':
    case 'arrival':
      return { ...kept, expiry: 'at_commit' };
    case 'replay':
      return { ...kept, replayProtection: true };
    case 'lag':
      return { ...kept, listingLagMs: dice.pick([0, 2_000, 20_000]) };
    case 'unstated':
      return { ...kept, listingLagMs: null };
    case 'cursor':
      return { ...kept, cursor: true };
    case 'refusals':
      return { ...kept, refusalsAreFinal: true };
    case null:
      return kept;
  }
}

const EXPIRY = { at_commit: true, at_arrival: 'at_arrival', never: false } as const;

/** The connection profile that says so. */
export function profileOf(dice: Random, promised: Promised): Profile {
  return {
    ...DEFAULT_PROFILE,
    base_url: 'https://service.example/',
    api_key: 'key',
    signing_key_file: 'key.pem',
    request_lifetime_ms: dice.pick([2_000, 10_000, 30_000, 30_000]),
    guarantees: {
      enforces_expiry: EXPIRY[promised.expiry],
      replay_protection: promised.replayProtection,
      refusals_are_final: promised.refusalsAreFinal,
    },
    commits_within_ms: promised.expiry === 'at_arrival' ? promised.commitsWithinMs : null,
    listing_lag_ms: promised.listingLagMs,
    cursor: promised.cursor,
    rate: dice.pick([DEFAULT_PROFILE.rate, DEFAULT_PROFILE.rate, null]),
    concurrency: dice.pick([1, 2, 8, 8]),
  };
}
