import type { Profile } from '../../src/domain/profile.ts';
import { type Conversions, drawConversions } from './conversions.ts';
import { drawWeather, type Weather } from './faults.ts';
import { drawPayroll, type Payroll } from './payroll.ts';
import { type Broken, drawBroken, drawPromises, type Promised, profileOf } from './promises.ts';
import type { Random } from './random.ts';
import { drawVariant, type ServiceVariant } from './variant.ts';

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
  /** What the profile says, and which of it is not so. */
  promised: Promised;
  broken: Broken | null;
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
  const broken = drawBroken(random.fork('broken'), variant);
  const promised = drawPromises(random.fork('promises'), variant, broken);
  const profile = profileOf(random.fork('profile'), promised);
  const weather = drawWeather(random.fork('weather'), { isFinal: promised.refusalsAreFinal && broken !== 'refusals' });
  // Where most requests die on their way, or wait at the service until they are refused, a run gets nowhere.
  const waitMs = variant.expiry === 'at_commit' ? variant.commitsWithinMs / 2 : 0;
  profile.request_lifetime_ms = Math.max(profile.request_lifetime_ms, 3 * weather.travelMs, waitMs);
  // A row that was refused for what it is is not sent again. Without expiry nothing but time shows that no copy of it comes.
  if (promised.expiry === 'never') weather.refusedLateMs = Math.min(weather.lateMs, profile.request_lifetime_ms);
  const dice = random.fork('scenario');
  const isRough = dice.chance(0.7);
  return {
    payroll: drawPayroll(random.fork('payroll')),
    conversions: drawConversions(random.fork('conversions')),
    variant,
    promised,
    broken,
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
