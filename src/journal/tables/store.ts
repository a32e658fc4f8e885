import type { SharedLimit } from '../../domain/shared-limit.ts';
import type { JournalOptions } from '../options.ts';
import type { LostLeases } from './lost-leases.ts';
import type { Projections } from './projections.ts';
import type { Runs } from './runs.ts';
import type { CopyIdentity, Dialect, Tables } from './tables.ts';

/** One open journal: its tables, and what this process reads and writes them with. */
export type Store = Pick<JournalOptions, 'clock' | 'randomness' | 'isAlive'> & {
  tables: Tables;
  dialect: Dialect;
  runs: Runs;
  projections: Projections;
  copy: CopyIdentity;
  /** This process, as its leases name it. */
  holder: string;
  leaseMs: number;
  lost: LostLeases;
  /** Whether a lease is only held for as long as this process knows that it has not run out. */
  isRemote: boolean;
  /** As `Journal.sharedLimit` has it. */
  sharedLimit: (scope: string) => SharedLimit | null;
};

/** Unix ms. */
export function nowOf({ clock }: Pick<Store, 'clock'>): number {
  return Math.trunc(clock.wallMs());
}
