import type { Clock, Randomness } from '../platform/clock.ts';
import type { Holder } from './journal.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** What a journal is opened with, of whatever kind it is. */
export type JournalOptions = {
  clock: Clock;
  /** For the ids of leases. */
  randomness: Randomness;
  /** This process, as the leases that it takes name it. */
  process: ProcessIdentity;
  /** Whether a lease's holder may still run; what cannot be known counts as alive. */
  isAlive(holder: Holder): boolean;
  /** How long a lease lasts without being put off. Default 30 s. */
  leaseMs?: number;
};
