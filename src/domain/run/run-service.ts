import type { ServiceEntry } from '../entry.ts';
import { weakest } from '../profile.ts';
import type { RunState } from './run-state.ts';

/** Applies what is known of the service from now on. */
export function applyToService(run: RunState, entry: ServiceEntry, at: number): void {
  switch (entry.kind) {
    case 'canary':
      run.canary = entry;
      run.canaryFailure = null;
      return;
    case 'canary_failed':
      run.canaryFailure = entry;
      return;
    case 'lag_seen':
      run.lagSeenMs = Math.max(run.lagSeenMs, entry.lag_ms);
      return;
    case 'expiry_broken':
      run.expiryBroken ??= entry;
      return;
    case 'promises':
      run.promises = weakest(run.promises ?? entry.promises, entry.promises);
      return;
    case 'accounted':
      run.isAccounted = true;
      run.knownUntil = Math.max(run.knownUntil ?? at, at);
  }
}
