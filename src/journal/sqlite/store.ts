import type { JournalOptions } from '../options.ts';
import type { Connection } from './connection.ts';
import type { OpenedFiles } from './opened-files.ts';
import type { Projections } from './projections.ts';
import type { Runs } from './runs.ts';

/** One open journal: its database, and what this process reads and writes it with. */
export type Store = Pick<JournalOptions, 'clock' | 'randomness' | 'isAlive'> & {
  db: Connection;
  runs: Runs;
  projections: Projections;
  files: OpenedFiles;
  /** This process, as its leases name it. */
  holder: string;
  leaseMs: number;
};

/** Unix ms. */
export function nowOf({ clock }: Store): number {
  return Math.trunc(clock.wallMs());
}
