import type { ReadProfile } from '../app/people/connection-profile.ts';
import type { ConnectionTest } from '../app/people/connections.ts';
import type { Over } from '../app/service/over.ts';
import type { Money } from '../domain/money.ts';

/** How the page reaches the services of its connections. */
export type PageServices = {
  /** The one that the page was started with; null where that is its rehearsal. */
  started: { service: string; keyId: string } | null;
  /** Whether files can be rehearsed: not where workers execute all runs. */
  hasRehearsal: boolean;
  /** Where the operator of this host puts keys, and the names of those that are there. */
  keysFolder: string;
  keyFiles(): string[];
  /** Reads a profile (YAML) that somebody wrote on the page. */
  read(text: string): ReadProfile;
  /** A kept profile with its references as this host finds them. */
  profileHere(profile: string): string;
  /** One signed read call. It creates nothing, and moves nothing. */
  test(over: Over): Promise<ConnectionTest>;
  /** What the service holds, by currency; null where it does not answer. Throws a `Refusal` where its keys cannot be used. */
  balances(over: Over | undefined): Promise<readonly Money[] | null>;
};
