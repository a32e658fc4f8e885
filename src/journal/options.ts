import { assert } from '../domain/refusal.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import type { PostgresSchema } from '../platform/postgres/postgres-schema.ts';
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
  /** What is kept in the same database beside the journal: who owns its tables brings those up to date too. */
  schemasBeside?: () => Promise<readonly PostgresSchema[]>;
  /** Opens it even where its runs were moved to another journal, or are being moved: to look at it, or to move them. */
  evenMoved?: boolean;
};

const LEASE_DEFAULT_MS = 30_000;

export function leaseMsOf({ leaseMs = LEASE_DEFAULT_MS }: Pick<JournalOptions, 'leaseMs'>): number {
  assert(Number.isSafeInteger(leaseMs) && leaseMs > 0, 'a lease lasts a whole number of milliseconds');
  return leaseMs;
}
