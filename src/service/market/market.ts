import { formatMajor, parseMajor } from '../../domain/money.ts';
import { ASSETS, type Asset, type UsdWorth, usdWorth } from '../accounts/assets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Store } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/database.ts';
import type { ServiceClock } from '../time/clock.ts';
import { type Pair, pairOf } from './pairs.ts';
import { STEP_MS, type Walk, WHOLE, walkParts } from './walk.ts';

/**
 * The prices at this moment of the service's clock. What the admin port has set is kept in the database, and the walk
 * is a function of its seed and the time: a restart goes on where the market was.
 */
export type Market = {
  /** The mid-market price: US dollars for one major unit, in units of 10^-18. */
  usdAttos(asset: Asset): bigint;
  pair(from: Asset, to: Asset): Pair;
  /** The worth of an amount in US cents at mid. */
  usdWorth(amountMinor: bigint, asset: Asset): UsdWorth;
  /** The price about which the walk goes, without it. */
  baseAttos(asset: Asset): bigint;
  walk(): Walk | null;
  /** Inside a transaction of the committer. */
  setBase(asset: Asset, usdAttos: bigint): void;
  /** Inside a transaction of the committer. Null: prices stand still. */
  setWalk(walk: Walk | null): void;
};

/** Decimals of a price in `usdAttos`. */
export const PRICE_DECIMALS = 18;
const ATTOS_IN_NANO = 10n ** 9n;

/** Prices that were set in a transaction which is undone are undone with it. */
export function openMarket(
  store: Store,
  clock: Pick<ServiceClock, 'wallMs'>,
  ledger: Pick<Ledger, 'whenUndone'>,
): Market {
  const bases = new Map(ASSETS.map((asset) => [asset, keptBase(store, asset) ?? asset.usdNanos * ATTOS_IN_NANO]));
  let walk = keptWalk(store);
  const baseAttos = (asset: Asset): bigint => bases.get(asset) ?? asset.usdNanos * ATTOS_IN_NANO;
  const usdAttos = (asset: Asset): bigint => {
    const base = baseAttos(asset);
    // Dollars keep their promise, but for a price that was set: else every pair of them would drift at each step.
    if (walk === null || asset.kind === 'dollar') return base;
    const step = Math.floor(clock.wallMs() / STEP_MS);
    return (base * (WHOLE + walkParts(walk, asset.currency.code, step))) / WHOLE;
  };
  return {
    usdAttos,
    pair: (from, to) => pairOf(from, to, { from: usdAttos(from), to: usdAttos(to) }),
    usdWorth: (amountMinor, asset) => usdWorth(amountMinor, asset.currency, usdAttos(asset)),
    baseAttos,
    walk: () => walk,
    setBase(asset, attos) {
      const before = baseAttos(asset);
      writeSetting(store, settingOf(asset), String(attos));
      ledger.whenUndone(() => bases.set(asset, before));
      bases.set(asset, attos);
    },
    setWalk(to) {
      const before = walk;
      writeSetting(store, WALK_SETTING, to === null ? '' : `${to.seed} ${to.bps}`);
      ledger.whenUndone(() => {
        walk = before;
      });
      walk = to;
    },
  };
}

/** US dollars as a decimal without needless zeros: `1.32`. */
export function priceText(usdAttos: bigint): string {
  return formatMajor(usdAttos, PRICE_DECIMALS).replace(/\.?0+$/, '');
}

/** The price of a decimal text, or null for one that is no price: a trillionth of a dollar to a trillion dollars. */
export function parsePrice(text: string): bigint | null {
  const parsed = parseMajor(text, PRICE_DECIMALS);
  return parsed.ok && parsed.minor >= PRICE_MIN && parsed.minor <= PRICE_MAX ? parsed.minor : null;
}

const PRICE_MIN = 10n ** 6n;
const PRICE_MAX = 10n ** 30n;

const WALK_SETTING = 'price_walk';

function settingOf({ currency: { code, chain } }: Asset): string {
  return chain === null ? `price ${code}` : `price ${code} ${chain}`;
}

function keptBase(store: Store, asset: Asset): bigint | null {
  const kept = readSetting(store, settingOf(asset));
  return kept === '' ? null : BigInt(kept);
}

function keptWalk(store: Store): Walk | null {
  const kept = readSetting(store, WALK_SETTING);
  if (kept === '') return null;
  const [seed, bps] = kept.split(' ');
  return { seed: Number(seed), bps: Number(bps) };
}
