import { DEFAULT_PROFILE, type Profile } from '../../src/domain/profile.ts';
import type { RateLimit } from '../../src/service/rate-limit.ts';
import { type Conversions, drawConversions } from './conversions.ts';
import type { FaultKind } from './faults.ts';
import { drawWeather, type Weather } from './faults.ts';
import { drawPayroll, type Payroll } from './payroll.ts';
import type { Random } from './random.ts';

/** What the service is like, beside what the shipped one is: each a thing that some deployment may do. */
export type ServiceVariant = {
  /** How much later than it accepts it lists. */
  listingLagMs: number;
  /** The most records on a page; null for as many as are asked for. */
  pageMax: number | null;
  /** How it tells that there is more. `sometimes`: an answer may come without. */
  cursor: 'always' | 'never' | 'sometimes';
  /** What becomes of descriptions, and from which transaction on. */
  descriptions: 'whole' | 'lower' | 'lost' | 'cut' | 'parted' | 'prefixed' | 'hidden';
  descriptionsFrom: number;
  hasFingerprints: boolean;
  hasDate: boolean;
  /** Listings in any order. */
  isShuffled: boolean;
  enforcesExpiry: boolean;
  replayProtection: boolean;
  rateLimit: RateLimit | null;
  settleMs: number;
};

/** What happens to processes and machines while the weather lasts. */
export type Mischief =
  | 'crash'
  | 'freeze'
  | 'runner_clock'
  | 'service_clock'
  | 'service_restart'
  | 'interrupt'
  | 'second_runner'
  | 'colleague';

export type Scenario = {
  payroll: Payroll;
  conversions: Conversions | null;
  variant: ServiceVariant;
  profile: Profile;
  weather: Weather;
  /** The weather ends at this moment; from then on everything works. */
  quietFromMs: number;
  /** The mean time between two mischiefs, and how likely each is. */
  mischiefEveryMs: number;
  mischiefs: (readonly [Mischief, number])[];
  /** At each request that leaves and at each commit: that the process dies there. */
  crashAtStep: number;
  /** That a commit reports an error; it may have happened. */
  commitError: number;
  /** How far the clocks of two machines are apart at the start, at most. */
  clockSkewMs: number;
  /** How far clocks jump, at most. */
  clockJumpMs: number;
  /** The most that one turn of the runner's event loop takes, with its commit. */
  turnMs: number;
  pollEveryMs: number;
  /** A backup of the journal is made at its so many-th entry, and put back when the weather has ended. Null for none. */
  copyAtEntry: number | null;
};

/** Everything that a seed decides before anything happens. */
export function drawScenario(random: Random): Scenario {
  const variant = drawVariant(random.fork('variant'));
  const weather = drawWeather(random.fork('weather'), canDuplicate(variant));
  const profile = drawProfile(random.fork('profile'), variant);
  // Where most requests die on their way, a run gets nowhere.
  profile.request_lifetime_ms = Math.max(profile.request_lifetime_ms, 3 * weather.travelMs);
  // Without expiry nothing but time shows that a refused request is out of the world: it has as long as a request lives.
  if (!profile.guarantees.enforces_expiry) {
    weather.refusedLateMs = Math.min(weather.lateMs, profile.request_lifetime_ms);
  }
  const dice = random.fork('scenario');
  const isRough = dice.chance(0.7);
  return {
    payroll: drawPayroll(random.fork('payroll')),
    conversions: drawConversions(random.fork('conversions')),
    variant,
    profile,
    weather,
    quietFromMs: dice.pick([20_000, 60_000, 180_000, 600_000]),
    mischiefEveryMs: isRough ? dice.pick([700, 2_000, 6_000, 20_000]) : 1e9,
    mischiefs: drawMischiefs(dice),
    crashAtStep: dice.pick([0, 0, 0.01, 0.05]),
    commitError: dice.pick([0, 0, 0, 0.01]),
    clockSkewMs: dice.pick([0, 2_000, 4_500]),
    // A payment without its description is known by its time alone: until the runner looks further back for those than it
    // allows clocks to be apart, the two do not come together.
    clockJumpMs: dice.pick([1_000, 4_000, 60_000, 180_000]),
    turnMs: dice.pick([1, 5, 5, 40, 400]),
    pollEveryMs: dice.pick([250, 1_000, 3_000]),
    copyAtEntry: canFind(variant, profile) && dice.chance(0.15) ? dice.whole(3, 60) : null,
  };
}

/** A network that delivers twice pays twice where nothing refuses a nonce that was used: no runner can help that. */
function canDuplicate({ replayProtection }: ServiceVariant): boolean {
  return replayProtection;
}

/** What a journal has forgotten is found again only where the service shows what it holds. */
function canFind({ descriptions, cursor, pageMax }: ServiceVariant, profile: Profile): boolean {
  // Without a cursor it is asked for by payee, and that answer has to fit on a page.
  const isWhole = pageMax === null || (cursor === 'always' && profile.cursor);
  return descriptions === 'whole' && isWhole;
}

function drawMischiefs(dice: Random): Scenario['mischiefs'] {
  const some = (weight: number): number => (dice.chance(0.6) ? weight : 0);
  return [
    ['crash', some(4) + 0.1],
    ['freeze', some(2)],
    ['runner_clock', some(1.5)],
    ['service_clock', some(0.7)],
    ['service_restart', some(1.5)],
    ['interrupt', some(1)],
    ['second_runner', some(2)],
    ['colleague', some(1)],
  ];
}

function drawVariant(dice: Random): ServiceVariant {
  const plain: ServiceVariant = {
    listingLagMs: 0,
    pageMax: null,
    cursor: 'always',
    descriptions: 'whole',
    descriptionsFrom: 0,
    hasFingerprints: true,
    hasDate: true,
    isShuffled: false,
    enforcesExpiry: true,
    replayProtection: true,
    rateLimit: dice.chance(0.2) ? { requests: dice.whole(3, 20), windowMs: 1_000 } : null,
    settleMs: dice.pick([100, 1_000, 8_000, 40_000]),
  };
  if (dice.chance(0.3)) return plain;
  const some = (probability: number): boolean => dice.chance(probability);
  return {
    ...plain,
    listingLagMs: some(0.4) ? dice.pick([500, 3_000, 15_000, 60_000]) : 0,
    pageMax: some(0.3) ? dice.whole(1, 5) : null,
    cursor: some(0.6) ? 'always' : dice.pick(['never', 'sometimes']),
    descriptions: some(0.75) ? 'whole' : dice.pick(['lower', 'lost', 'cut', 'parted', 'prefixed', 'hidden']),
    descriptionsFrom: dice.pick([0, 1, 3]),
    hasFingerprints: !some(0.25),
    hasDate: !some(0.1),
    isShuffled: some(0.1),
    enforcesExpiry: !some(0.25),
    replayProtection: !some(0.25),
  };
}

/** The connection profile that goes with the service. It may promise less than the service keeps, and never more. */
function drawProfile(dice: Random, variant: ServiceVariant): Profile {
  const less = (promise: boolean): boolean => promise && !dice.chance(0.1);
  return {
    ...DEFAULT_PROFILE,
    base_url: 'https://service.example/',
    api_key: 'key',
    signing_key_file: 'key.pem',
    request_lifetime_ms: dice.pick([2_000, 10_000, 30_000, 30_000]),
    guarantees: {
      enforces_expiry: less(variant.enforcesExpiry),
      replay_protection: less(variant.replayProtection),
    },
    listing_lag_ms: variant.listingLagMs + (dice.chance(0.2) ? 2_000 : 0),
    cursor: variant.cursor !== 'never' && !dice.chance(0.05),
    rate: dice.pick([DEFAULT_PROFILE.rate, DEFAULT_PROFILE.rate, null]),
    concurrency: dice.pick([1, 2, 8, 8]),
  };
}

export type { FaultKind };
