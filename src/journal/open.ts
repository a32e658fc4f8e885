import { existsSync } from 'node:fs';
import type { Clock, Randomness } from '../domain/clock.ts';
import type { Holder, Journal } from './journal.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { openJournal as openSqlite } from './sqlite/open.ts';
import { sqlitePath } from './url.ts';

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

/**
 * Opens the journal that a URL names, and makes it where there is none; one that an earlier payrun wrote is brought up to
 * date. Throws `Refusal` of kind `usage` where it may not be used safely, of kind `held` where another process keeps it
 * locked, and `JournalDamaged` where it is none.
 */
export async function openJournal(url: string, options: JournalOptions): Promise<Journal> {
  return openSqlite({ path: sqlitePath(url), ...options });
}

/** Whether there is a journal, or what may be one: `openJournal` would make none. */
export async function isJournal(url: string): Promise<boolean> {
  return existsSync(sqlitePath(url));
}
