/**
 * Time and randomness as arguments. Only composition roots build real ones, so a simulation can run
 * the same code in virtual time from a seed.
 */
export type Clock = {
  /** Milliseconds since 1970-01-01 UTC. May jump when somebody sets the machine's clock. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start. Never goes back. */
  monotonicMs(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts (it never rejects: the caller looks at the signal). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `work` after the IO that is ready now. Group commits gather in that time. */
  soon(work: () => void): void;
};

/**
 * Resolves with what `work` resolves with, or with null after `ms` or as soon as `stop` aborts; rejects as `work` does. Late work
 * goes on. Leaves no timer behind: a timer keeps a process alive that has nothing left to do.
 */
export async function within<Result>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<Result>,
  stop?: AbortSignal,
): Promise<Result | null> {
  const over = new AbortController();
  const signal = stop === undefined ? over.signal : AbortSignal.any([stop, over.signal]);
  const late = clock.sleep(ms, signal).then(() => null);
  return Promise.race([work, late]).finally(() => over.abort());
}

export type Randomness = {
  /** `count` bytes from a cryptographic source. */
  bytes(count: number): Uint8Array;
};
