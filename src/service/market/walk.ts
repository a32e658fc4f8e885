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
