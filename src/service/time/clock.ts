import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/database.ts';

/**
 * The machine's time, by which requests live and die: the window of signatures, nonces, `Date`, rate limits. Where the
 * machine's is set back it stands still until that has caught up, because a request that has died must not live again. A
 * rehearsal of a service whose clock is wrong skews it.
 */
export type MachineClock = Clock & {
  /** Runs ahead by `ms` from now on. False for less than before: a request that has died must not live again. */
  skew(ms: number): boolean;
  /** Without the skew, which ends with the process. By this nonces are deleted, because requests live again by it. */
  unskewedMs(): number;
};

export function machineClock(machine: Clock): MachineClock {
  let aheadMs = 0;
  let newestMs = Number.NEGATIVE_INFINITY;
  return {
    ...timersOf(machine),
    wallMs() {
      newestMs = Math.max(newestMs, machine.wallMs() + aheadMs);
      return newestMs;
    },
    unskewedMs: () => machine.wallMs(),
    skew(ms) {
      if (!(ms >= aheadMs)) return false;
      aheadMs = ms;
      return true;
    },
  };
}

/** How the service's clock stands to the machine's. */
export type KeptClock = {
  /** By how much it is ahead of the machine's clock. Negative after it was held. */
  offsetMs: number;
  /** Unix ms at which it stands still, or null while it goes. */
  frozenAtMs: number | null;
};

/**
 * The service's own time, by which everything happens that is not about requests: creation, settlement, prices, the
 * repeating of webhooks. The machine's, moved forward or held by the admin port, so that a month can be rehearsed in a
 * minute while clients sign by the time of the day.
 */
export type ServiceClock = Clock & {
  standing(): KeptClock;
  /** Only forward, because listings are in the order of creation. */
  advance(ms: number): void;
  freeze(): void;
  /** Goes on from where it stood. */
  resume(): void;
};

export function serviceClock(machine: Clock, kept: KeptClock): ServiceClock {
  let aheadMs = kept.offsetMs;
  let frozenMs = kept.frozenAtMs;
  const wallMs = (): number => frozenMs ?? machine.wallMs() + aheadMs;
  return {
    ...timersOf(machine),
    wallMs,
    // From one look at the machine's clock: two looks could differ by a millisecond.
    standing: () => ({ offsetMs: frozenMs === null ? aheadMs : frozenMs - machine.wallMs(), frozenAtMs: frozenMs }),
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('the clock goes only forward');
      if (frozenMs === null) aheadMs += ms;
      else frozenMs += ms;
    },
    freeze() {
      frozenMs ??= wallMs();
    },
    resume() {
      if (frozenMs !== null) aheadMs = frozenMs - machine.wallMs();
      frozenMs = null;
    },
  };
}

function timersOf(machine: Clock): Omit<Clock, 'wallMs'> {
  return {
    monotonicMs: () => machine.monotonicMs(),
    sleep: (ms, signal) => machine.sleep(ms, signal),
    soon: (work) => machine.soon(work),
  };
}

/** As it was written last; of new data, the machine's own time. */
export function keptClock(store: Store): KeptClock {
  const frozen = readSetting(store, 'clock_frozen_at_ms');
  const offsetMs = Number(readSetting(store, 'clock_offset_ms') || 0);
  return { offsetMs, frozenAtMs: frozen === '' ? null : Number(frozen) };
}

/** Inside a transaction, so that a restart goes on in the same time. */
export function keepClock(store: Store, { offsetMs, frozenAtMs }: KeptClock): void {
  writeSetting(store, 'clock_offset_ms', String(offsetMs));
  writeSetting(store, 'clock_frozen_at_ms', String(frozenAtMs ?? ''));
}

/**
 * The clock of a state that is restored: it goes or stands as it did in that state, at the later of that time and of now.
 * So the service's time never goes back, and nothing is created before what somebody has seen already.
 */
export function restoredClock(kept: KeptClock, now: ServiceClock): KeptClock {
  if (kept.frozenAtMs !== null) return { offsetMs: 0, frozenAtMs: Math.max(kept.frozenAtMs, now.wallMs()) };
  return { offsetMs: Math.max(kept.offsetMs, now.standing().offsetMs), frozenAtMs: null };
}

/** Unix milliseconds as ISO 8601 in UTC: `2026-11-21T07:06:05.004Z`. */
export function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
