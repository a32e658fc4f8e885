import type { RateLimit } from '../../src/service/gateway/rate-limit.ts';
import type { Random } from './random.ts';

/** What the service is like, beside what the shipped one is: each a thing that some deployment may do. */
export type ServiceVariant = {
  /** How much later than it accepts it lists, at most. */
  listingLagMs: number;
  /**
   * `alike`: every record so late. `each`: every record has a lag of its own, and some are shown at once. `more_later`:
   * the first are shown at once, and the later ones so late.
   */
  lagging: 'alike' | 'each' | 'more_later';
  /** The most records on a page; null for as many as are asked for. */
  pageMax: number | null;
  /** How it tells that there is more. `sometimes`: an answer may come without. `lies`: the first page is called the last. */
  cursor: 'always' | 'never' | 'sometimes' | 'lies';
  /** What becomes of descriptions, and from which transaction on. */
  descriptions: 'whole' | 'lower' | 'lost' | 'cut' | 'parted' | 'prefixed' | 'hidden';
  descriptionsFrom: number;
  /** How the name and the number of the account are shown that a transaction paid. */
  accounts: 'whole' | 'cut' | 'letters' | 'reversed' | 'masked';
  /** Whether a transaction shows the id of the account that it paid. */
  hasAccountIds: boolean;
  hasFingerprints: boolean;
  hasDate: boolean;
  /** Listings in any order. */
  isShuffled: boolean;
  /** When a request is held against its deadline: when it takes effect, only when it arrives, or never. */
  expiry: 'at_commit' | 'at_arrival' | 'never';
  /** How much later than it arrives a change may take effect, at most. */
  commitsWithinMs: number;
  replayProtection: boolean;
  /** Whether a refused request uses its nonce up too; without it another copy of what was refused may be taken. */
  refusalsUseUp: boolean;
  /** Whether an answer of `REPLAYED` says what became of the first copy. */
  hasFirst: boolean;
  rateLimit: RateLimit | null;
  settleMs: number;
};

export function drawVariant(dice: Random): ServiceVariant {
  const plain: ServiceVariant = {
    listingLagMs: 0,
    lagging: 'alike',
    pageMax: null,
    cursor: 'always',
    descriptions: 'whole',
    descriptionsFrom: 0,
    accounts: 'whole',
    hasAccountIds: true,
    hasFingerprints: true,
    hasDate: true,
    isShuffled: false,
    expiry: 'at_commit',
    commitsWithinMs: 0,
    replayProtection: true,
    refusalsUseUp: true,
    hasFirst: true,
    rateLimit: dice.chance(0.2) ? { requests: dice.whole(3, 20), windowMs: 1_000 } : null,
    settleMs: dice.pick([100, 1_000, 8_000, 40_000]),
  };
  if (dice.chance(0.25)) return plain;
  const some = (probability: number): boolean => dice.chance(probability);
  const replayProtection = !some(0.25);
  const refusalsUseUp = replayProtection && !some(0.3);
  const expiry = some(0.6) ? 'at_commit' : dice.pick(['at_arrival', 'never'] as const);
  return {
    ...plain,
    listingLagMs: some(0.5) ? dice.pick([500, 3_000, 15_000, 60_000, 180_000]) : 0,
    lagging: dice.pick(['alike', 'each', 'each', 'more_later']),
    pageMax: some(0.3) ? dice.whole(1, 5) : null,
    cursor: some(0.6) ? 'always' : dice.pick(['never', 'sometimes']),
    descriptions: some(0.75) ? 'whole' : dice.pick(['lower', 'lost', 'cut', 'parted', 'prefixed', 'hidden']),
    descriptionsFrom: dice.pick([0, 1, 3]),
    accounts: some(0.5) ? 'whole' : dice.pick(['cut', 'letters', 'reversed', 'masked']),
    hasAccountIds: some(0.6),
    hasFingerprints: !some(0.25),
    hasDate: !some(0.1),
    isShuffled: some(0.1),
    expiry,
    commitsWithinMs: expiry !== 'at_commit' || some(0.1) ? dice.pick([0, 5_000, 20_000, 60_000]) : 0,
    replayProtection,
    refusalsUseUp,
    hasFirst: refusalsUseUp && some(0.5),
  };
}

/** Whether it leaves no token in descriptions. */
export function isNameless({ descriptions }: ServiceVariant): boolean {
  return ['lost', 'hidden', 'cut', 'parted'].includes(descriptions);
}
