import { type ApiKeys, openApiKeys } from './accounts/api-keys.ts';
import type { Core } from './core.ts';
import { createStamps } from './identifiers.ts';
import { Committer } from './ledger/committer.ts';
import { Ledger } from './ledger/ledger.ts';
import { openMarket } from './market/market.ts';
import { type ParsedOptions, type ServiceOptions, settleMsOf } from './options.ts';
import { Outbox } from './outbox.ts';
import type { Store } from './store/database.ts';
import { servicePaths } from './store/open.ts';
import { keptClock, type MachineClock, type ServiceClock, serviceClock } from './time/clock.ts';
import { type Scheduler, startScheduler } from './time/scheduler.ts';
import { type WebhookOptions, Webhooks } from './webhooks/webhooks.ts';

/** What is made from one open database, and made anew when another takes its place. */
export type Parts = {
  core: Core;
  keys: ApiKeys;
  /** Starts what goes on by itself. Once. */
  begin(): Background;
};

export type AssembleOptions = ServiceOptions & { parsed: ParsedOptions; machine: MachineClock };

/** What goes on by itself, beside the requests. */
export type Background = {
  webhooks: Webhooks;
  /** The service's clock was moved. */
  clockMoved(): void;
  /** Resolves when nothing of it uses the store any more. */
  stop(): Promise<void>;
};

/**
 * Reads everything that is kept in memory from a database. `before` are the parts that these replace: times of creation
 * then go on after theirs, and keys that are the same stay the same objects, for requests that are being verified.
 */
export function assemble(store: Store, options: AssembleOptions, before: Parts | null = null): Parts {
  const { machine, parsed, randomness, log } = options;
  const clock: ServiceClock = serviceClock(options.clock, keptClock(store));
  const ledger = new Ledger(store);
  const committer = new Committer({ store, ledger, clock: machine, log });
  const stamps = createStamps(clock, randomness, Math.max(newestMs(store), before?.core.stamps.nowMs() ?? 0));
  let scheduler: Scheduler | null = null;
  const core: Core = {
    store,
    ledger,
    market: openMarket(store, clock, ledger),
    outbox: new Outbox(store),
    committer,
    clock,
    machine,
    randomness,
    stamps,
    log,
    settleMsOf: settleMsOf(parsed),
    dueAt: (ms) => scheduler?.dueAt(ms),
  };
  const begin = (): Background => {
    const webhooks = new Webhooks(core, options.webhooks ?? PUBLIC_ONLY, servicePaths(parsed.dataDir).webhookKey);
    const started = startScheduler(core);
    scheduler = started;
    return {
      webhooks,
      clockMoved() {
        started.wake();
        webhooks.sender.wake();
      },
      async stop() {
        await Promise.all([started.stop(), webhooks.stop()]);
      },
    };
  };
  return { core, keys: openApiKeys({ store, ledger, stamps }, before?.keys), begin };
}

const PUBLIC_ONLY: WebhookOptions = { allowPrivate: false };

/** When the newest thing in a listing was created. */
function newestMs(store: Store): number {
  const newest = (table: string): number =>
    Number(
      store.get(
        `SELECT max(created_at) AS newest FROM (SELECT created_at FROM ${table} ORDER BY ${table} DESC LIMIT 1)`,
      )?.newest ?? 0,
    );
  return Math.max(newest('transfer'), newest('recipient'), 0);
}
