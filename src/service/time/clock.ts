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

/**
 * The machine's time, by which requests live and die: the window of signatures, nonces, `Date`, rate limits. Where the
 * machine's is set back it stands still until that has caught up, because a request that has died must not live again. A
 * rehearsal of a service whose clock is wrong skews it.
 */
export type MachineClock = Clock & {
  /** Runs ahead by `ms` from now on. Never less than before: a request that has died must not live again. */
  skew(ms: number): void;
  /** Without the skew, which ends with the process. By this nonces are deleted, because requests live again by it. */
  unskewedMs(): number;
};

export function machineClock(machine: Clock): MachineClock {
  let aheadMs = 0;
  let newestMs = Number.NEGATIVE_INFINITY;
  return {
    ...delegated(machine),
    wallMs() {
      newestMs = Math.max(newestMs, machine.wallMs() + aheadMs);
      return newestMs;
    },
    unskewedMs: () => machine.wallMs(),
    skew(ms) {
      if (!(ms >= aheadMs)) throw new RangeError('the skew only grows');
      aheadMs = ms;
    },
  };
}

/**
 * The service's own time, by which everything happens that is not about requests: creation, settlement, prices, the
 * repeating of webhooks. The machine's, moved forward or held by the admin port, so that a month can be rehearsed in a
 * minute while clients sign by the time of the day.
 */
export type ServiceClock = Clock & {
  /** By how much it is ahead of the machine's clock. Negative after it was held. */
  offsetMs(): number;
  /** Unix ms at which it stands still, or null while it goes. */
  frozenAtMs(): number | null;
  /** Only forward, because listings are in the order of creation. */
  advance(ms: number): void;
  freeze(): void;
  /** Goes on from where it stood. */
  resume(): void;
};

export function serviceClock(machine: Clock, kept: { offsetMs: number; frozenAtMs: number | null }): ServiceClock {
  let aheadMs = kept.offsetMs;
  let frozenMs = kept.frozenAtMs;
  const wallMs = (): number => frozenMs ?? machine.wallMs() + aheadMs;
  return {
    ...delegated(machine),
    wallMs,
    offsetMs: () => wallMs() - machine.wallMs(),
    frozenAtMs: () => frozenMs,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('the clock goes only forward');
      if (frozenMs === null) aheadMs += ms;
      else frozenMs += ms;
    },
    freeze() {
      frozenMs ??= wallMs();
    },
    resume() {
      if (frozenMs === null) return;
      aheadMs = frozenMs - machine.wallMs();
      frozenMs = null;
    },
  };
}

function delegated(machine: Clock): Omit<Clock, 'wallMs'> {
  return {
    monotonicMs: () => machine.monotonicMs(),
    sleep: (ms, signal) => machine.sleep(ms, signal),
    soon: (work) => machine.soon(work),
  };
}
