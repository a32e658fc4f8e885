import { randomBytes } from 'node:crypto';
import type { Clock, Randomness } from './clock.ts';

/** The machine's clocks and timers. The only place in the program that touches them. */
export const machineClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep(ms, signal) {
    if (signal?.aborted || ms <= 0) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, TIMER_MAX_MS));
      signal?.addEventListener('abort', done);
    });
  },
  soon(work) {
    setImmediate(work);
  },
};

/** Longer timers fire at once; callers that wait longer look at the clock and sleep again. */
const TIMER_MAX_MS = 2_147_483_647;

const RANDOM_BLOCK_BYTES = 8_192;
let randomBlock = Buffer.alloc(0);
let randomAt = 0;

/** Bytes of the system's generator, fetched in blocks: a call for each nonce cost more than the nonce. Each is given once. */
export const machineRandomness: Randomness = {
  bytes(count) {
    if (count > RANDOM_BLOCK_BYTES) return randomBytes(count);
    if (randomAt + count > randomBlock.length) {
      randomBlock = randomBytes(RANDOM_BLOCK_BYTES);
      randomAt = 0;
    }
    const bytes = new Uint8Array(randomBlock.subarray(randomAt, randomAt + count));
    randomBlock.fill(0, randomAt, randomAt + count);
    randomAt += count;
    return bytes;
  },
};
