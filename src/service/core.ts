import type { Randomness } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Stamps } from './identifiers.ts';
import type { Committer } from './ledger/committer.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Market } from './market/market.ts';
import type { Outbox } from './outbox.ts';
import type { Store } from './store/database.ts';
import type { MachineClock, ServiceClock } from './time/clock.ts';
import type { TransferRail } from './transfers/fees.ts';

/** What every operation works with. */
export type Core = {
  store: Store;
  ledger: Ledger;
  market: Market;
  outbox: Outbox;
  committer: Committer;
  /** The service's own time: creation, settlement, prices. */
  clock: ServiceClock;
  /** By which requests live and die. */
  machine: MachineClock;
  randomness: Randomness;
  stamps: Stamps;
  log: Log;
  /** From acceptance to settlement, by rail. */
  settleMsOf(rail: TransferRail): number;
  /** Tells the settlement that something is due at a moment of the service's clock. */
  dueAt(ms: number): void;
};

/** Whose key signed the request. */
export type Caller = { customer: number; customerId: string };
