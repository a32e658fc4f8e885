import { formatMajor, parseMajor } from '../../domain/money.ts';
import { ASSETS, type Asset, type UsdWorth, usdWorth } from '../accounts/assets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readSetting, type Store, writeSetting } from '../store/database.ts';
import type { ServiceClock } from '../time/clock.ts';
import { type Pair, pairOf } from './pairs.ts';

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

/** Which walk the prices take: they are a function of it and of the time, so a restart goes on the same. */
export type Walk = {
  /** 0 to 2^32 - 1. */
  readonly seed: number;
  /** The most that a price moves in one step, in hundredths of a percent of its base. 0 to `WALK_BPS_MAX`. */
  readonly bps: number;
};

/** Prices move at each whole multiple of this, in milliseconds of the service's clock. */
export const STEP_MS = 5_000;

/** With this, a price is between 36 and 164 percent of its base. */
export const WALK_BPS_MAX = 50;

/** Parts of the base in which a place of the walk is measured. */
export const WHOLE = 1_000_000_000n;
const PARTS_IN_BPS = 100_000n;

/** The slowest wave has its turning points every 4^8 steps, some four days. */
const OCTAVES = 9;

/**
 * How far the price of `code` is from its base at a step (Unix ms of the service's clock / `STEP_MS`), in billionths of
 * the base. Nine waves of straight lines between heights that a hash draws, each four times as long and twice as high
 * as the one before: over any time up to four days the price wanders as a random walk does (twice as far in four times
 * the time), and over longer times it comes back, so that a year's rehearsal does not end with a pound for a penny.
 * In one step it moves by less than `bps`. Integers only: every machine has the same prices.
 */
export function walkParts({ seed, bps }: Walk, code: string, step: number): bigint {
  const stream = mix(seed ^ textHash(code));
  let parts = 0n;
  for (let octave = 0; octave < OCTAVES; octave++) {
    const length = 4 ** octave;
    const turn = Math.floor(step / length);
    const into = BigInt(step - turn * length);
    const from = BigInt(height(stream, octave, turn));
    const to = BigInt(height(stream, octave, turn + 1));
    const level = from * (BigInt(length) - into) + to * into;
    // A quarter of bps, because the steepest slopes of all waves together are four times the first wave's height.
    parts += (BigInt(bps) * PARTS_IN_BPS * BigInt(2 ** octave) * level) / (4n * BigInt(length) * HEIGHT_MAX);
  }
  return parts;
}

const HEIGHT_MAX = 2n ** 31n;

/** From -2^31 to 2^31 - 1. */
function height(stream: number, octave: number, turn: number): number {
  return mix(mix(stream + Math.imul(octave + 1, 0x9e3779b1)) ^ turn);
}

/** The finalizer of MurmurHash3: each bit of the input changes each bit of the output with even odds. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** FNV-1a, of 32 bits. */
function textHash(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits;
}
