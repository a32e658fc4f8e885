import type { Store } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import type { ServiceClock } from './clock.ts';

/** How the service's clock stands to the machine's. `frozenAtMs` is Unix ms, null while it goes. */
export type KeptClock = { offsetMs: number; frozenAtMs: number | null };

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
  const nowMs = now.wallMs();
  if (kept.frozenAtMs !== null) return { offsetMs: 0, frozenAtMs: Math.max(kept.frozenAtMs, nowMs) };
  return { offsetMs: Math.max(kept.offsetMs, now.offsetMs()), frozenAtMs: null };
}
