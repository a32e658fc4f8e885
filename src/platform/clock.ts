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

export type Randomness = {
  /** `count` bytes from a cryptographic source. */
  bytes(count: number): Uint8Array;
};
