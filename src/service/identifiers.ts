import assert from 'node:assert/strict';
import type { Clock, Randomness } from '../platform/clock.ts';

/** Crockford's base 32 in lower case: no i, l, o or u, and its order is the order of the numbers. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten characters hold 50 bits: milliseconds until the year 37,000. */
const TIME_CHARACTERS = 10;
const TAIL_CHARACTERS = 10;
/** Bits of the tail of the first id of a millisecond, and of the steps between it and those that follow. */
const FIRST_BITS = 48;
const STEP_BITS = 24;

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
  /** Random hexadecimal digits, of an even `count`. */
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
  const bits = (count: number): number => randomness.bytes(count / 8).reduce((sum, byte) => sum * 256 + byte, 0);
  return {
    nowMs() {
      newestMs = Math.max(newestMs, Math.floor(clock.wallMs()));
      return newestMs;
    },
    id(prefix, atMs) {
      // Above 2^48 there is room for a hundred million steps; a clock that stands still has that many ids.
      tail = atMs === tailMs ? tail + 1 + bits(STEP_BITS) : bits(FIRST_BITS);
      tailMs = atMs;
      assert(tail < 2 ** 50, 'there were too many ids in one millisecond');
      return `${prefix}_${numberText(atMs, TIME_CHARACTERS)}${numberText(tail, TAIL_CHARACTERS)}`;
    },
    characters(count) {
      let text = '';
      for (const byte of randomness.bytes(count)) text += ALPHABET[byte & 31];
      return text;
    },
    hex: (count) => Buffer.from(randomness.bytes(count / 2)).toString('hex'),
  };
}

/** From 0 to less than 1, in steps of 2^-32. */
export function chance(randomness: Randomness): number {
  return Buffer.from(randomness.bytes(4)).readUInt32BE() / 2 ** 32;
}

function numberText(number: number, characters: number): string {
  let text = '';
  for (let rest = number, place = 0; place < characters; place++) {
    text = (ALPHABET[rest % 32] ?? '') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
