import type { Refusal } from '../../domain/refusal.ts';

/** Tables that payrun makes and upgrades together. */
export type PostgresSchema = {
  name: string;
  /** Forward only: migration i makes version i + 1. Each runs with the search path of the connection. */
  migrations: readonly string[];
  /** The advisory lock of the process that brings it up to date. */
  lock: number;
  /** Another program made a schema of this name. */
  ofAnotherProgram(database: string): Refusal;
  /** A newer payrun made it. */
  isNewer(database: string, version: number): Refusal;
};
