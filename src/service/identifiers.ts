import assert from 'node:assert/strict';
import type { Clock, Randomness } from './time/clock.ts';

/** Crockford's base 32 in lower case: no i, l, o or u, and its order is the order of the numbers. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten characters hold 50 bits: milliseconds until the year 37,000. */
const TIME_CHARACTERS = 10;
const TAIL_CHARACTERS = 10;
/** Bits of the tail of the first id of a millisecond, and of the steps between it and those that follow. */
const FIRST_BITS = 48;
const STEP_BITS = 24;

/** Bytes drawn from the source at once: a draw for each id would cost more than the id. */
const POOL_BYTES = 1_024;

export type Stamps = {
  /** The time of something that is created now. Never earlier than the one before, so that listings keep their order. */
  nowMs(): number;
  /**
   * `txn_01jd2x3v9qk7m5p0h8rc`: the prefix, ten characters of time and ten random ones (50 bits). Time first, so that an
   * index of ids grows at its end; random, so that nobody can guess one. Within a millisecond each is larger than the
   * one before, by a random step: listings are ordered by time and then by id (`decisions.md`).
   */
  id(prefix: 'txn' | 'rcp' | 'acc' | 'cus' | 'key' | 'whe', atMs: number): string;
  /** Random characters, for references that people read. */
  characters(count: number): string;
  /** Random hexadecimal digits. */
  hex(count: number): string;
};

/**
 * `lastMs`: the time of the newest thing there is, from before this process. Its ids are not known, so that the first
 * new one comes a millisecond later.
 */
export function createStamps(clock: Clock, randomness: Randomness, lastMs: number): Stamps {
  let newestMs = lastMs + 1;
  let tailMs = -1;
  let tail = 0;
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  const byte = (): number => {
    if (used === pool.length) {
      pool = randomness.bytes(POOL_BYTES);
      used = 0;
    }
    return pool[used++] as number;
  };
  const characters = (count: number): string => {
    let text = '';
    for (let made = 0; made < count; made++) text += ALPHABET[byte() & 31];
    return text;
  };
  const bits = (count: number): number => {
    let number = 0;
    for (let made = 0; made < count; made += 8) number = number * 256 + byte();
    return number % 2 ** count;
  };
  const tailText = (atMs: number): string => {
    // Above 2^48 there is room for a hundred million steps; a clock that stands still has that many ids.
    tail = atMs === tailMs ? tail + 1 + bits(STEP_BITS) : bits(FIRST_BITS);
    tailMs = atMs;
    assert(tail < 2 ** 50, 'there were too many ids in one millisecond');
    return numberText(tail, TAIL_CHARACTERS);
  };
  return {
    nowMs() {
      newestMs = Math.max(newestMs, Math.floor(clock.wallMs()));
      return newestMs;
    },
    id: (prefix, atMs) => `${prefix}_${numberText(atMs, TIME_CHARACTERS)}${tailText(atMs)}`,
    characters,
    hex(count) {
      let text = '';
      for (let made = 0; made < count; made++) text += (byte() & 15).toString(16);
      return text;
    },
  };
}

function numberText(number: number, characters: number): string {
  let text = '';
  for (let rest = number, place = 0; place < characters; place++) {
    text = (ALPHABET[rest % 32] ?? '') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
