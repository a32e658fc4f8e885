/** The same members as `domain/clock.ts`, which this folder may not see. */
export type Clock = {
  /** Milliseconds since 1970-01-01 UTC. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start. Never goes back. */
  monotonicMs(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `work` after the IO that is ready now. */
  soon(work: () => void): void;
};

export type Randomness = {
  /** `count` bytes from a cryptographic source. */
  bytes(count: number): Uint8Array;
};

export type Log = {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
};

/** The service's own time: the machine's, moved forward by the admin port. */
export type ServiceClock = Clock & {
  /** By how much it is ahead of the machine's clock. */
  offsetMs(): number;
  /** Only forward: a nonce that was forgotten after its request's expiry must not become usable again. */
  advance(ms: number): void;
};

export function serviceClock(machine: Clock, offsetMs: number): ServiceClock {
  let aheadMs = offsetMs;
  return {
    wallMs: () => machine.wallMs() + aheadMs,
    monotonicMs: () => machine.monotonicMs() + aheadMs,
    sleep: (ms, signal) => machine.sleep(ms, signal),
    soon: (work) => machine.soon(work),
    offsetMs: () => aheadMs,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('the clock goes only forward');
      aheadMs += ms;
    },
  };
}
