import type { SigningKey } from '../keys/ed25519.ts';
import { type ApiKeys, openApiKeys } from './accounts/api-keys.ts';
import type { Core } from './core.ts';
import { prepareRehearsal, type Rehearsal } from './first-start.ts';
import { type Nonces, openNonces } from './gateway/nonces.ts';
import { createStamps } from './identifiers.ts';
import { Committer, StoreFailed } from './ledger/committer.ts';
import { Ledger } from './ledger/ledger.ts';
import { openMarket } from './market/market.ts';
import { type ParsedOptions, type ServiceOptions, settleMsOf } from './options.ts';
import { Outbox } from './outbox.ts';
import type { Store } from './store/database.ts';
import { type OpenStore, servicePaths } from './store/open.ts';
import { keptClock, type MachineClock, type ServiceClock, serviceClock } from './time/clock.ts';
import { type Scheduler, startScheduler } from './time/scheduler.ts';
import { type WebhookOptions, Webhooks } from './webhooks/webhooks.ts';

/**
 * The parts that work on the data of now. Everything that outlives a restore takes them from here each time, and keeps
 * none of them while it waits for something.
 */
export class LiveData {
  /** Resolves, once, when the database has failed. */
  readonly failed: Promise<StoreFailed>;
  /** Those used before a restore stay used after it. */
  readonly nonces: Nonces;
  readonly #opened: OpenStore;
  readonly #options: AssembleOptions;
  readonly #key: SigningKey;
  readonly #failure = Promise.withResolvers<StoreFailed>();
  #parts: Parts;
  #rehearsal: Rehearsal;
  #background: Background;
  #isStopped = false;

  /** `key`: of the rehearsal customer. */
  constructor(opened: OpenStore, options: AssembleOptions, key: SigningKey) {
    this.#opened = opened;
    this.#options = options;
    this.#key = key;
    this.nonces = openNonces(opened.store);
    this.failed = this.#failure.promise;
    this.#parts = assemble(opened.store, options);
    this.#watch(this.#parts);
    this.#rehearsal = prepareRehearsal(this.#parts, key);
    this.#background = this.#parts.begin();
  }

  get parts(): Parts {
    return this.#parts;
  }

  get rehearsal(): Rehearsal {
    return this.#rehearsal;
  }

  get background(): Background {
    return this.#background;
  }

  /** Whether everything can be read from a database that is to be put in the place of this one. */
  canRead(store: Store): boolean {
    try {
      assemble(store, this.#options, this.#parts);
      return true;
    } catch (error) {
      this.#parts.core.log.warn({ error }, 'a snapshot cannot be read');
      return false;
    }
  }

  /**
   * Puts the database at `path` in the place of the one that is open. `finish` writes into it, as the last thing before,
   * what it has to know of the present. Requests are answered from the old data until the moment of the change, and from
   * the new data after it: what waits to be committed is committed first, and then no turn of the event loop is left to
   * anybody until everything is read again. Rejects with what `finish` throws, and then nothing was changed.
   */
  async replace(path: string, finish: (parts: Parts) => void): Promise<void> {
    await this.#background.stop();
    if (this.#isStopped) throw new Error('the service stopped before its data was replaced');
    const before = this.#parts;
    try {
      before.core.committer.drain();
      finish(before);
      this.#opened.emptyLog();
    } catch (error) {
      this.#background = before.begin();
      throw error;
    }
    before.core.committer.close();
    try {
      this.#opened.replaceBy(path);
      this.#parts = assemble(this.#opened.store, this.#options, before);
      this.nonces.moveTo(this.#opened.store);
      this.#watch(this.#parts);
      this.#rehearsal = prepareRehearsal(this.#parts, this.#key);
      this.#background = this.#parts.begin();
    } catch (error) {
      // There is no data to go on with: a restart finds either state whole.
      before.core.log.error({ error }, 'the restored data could not be opened: the service stops');
      this.#failure.resolve(new StoreFailed(error));
      throw error;
    }
  }

  /** Resolves when nothing goes on on its own any more. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#background.stop();
  }

  #watch({ core }: Parts): void {
    void core.committer.failed.then((failure) => this.#failure.resolve(failure));
  }
}

/** What is made from one open database, and made anew when another takes its place. */
export type Parts = {
  core: Core;
  keys: ApiKeys;
  /** Starts what goes on on its own. Once. */
  begin(): Background;
};

export type AssembleOptions = ServiceOptions & { parsed: ParsedOptions; machine: MachineClock };

/** What goes on on its own, beside the requests. */
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
