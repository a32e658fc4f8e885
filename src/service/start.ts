import { createAdmin } from './admin.ts';
import { type ApiKeys, openApiKeys } from './api-keys.ts';
import { createApp } from './app.ts';
import { type Clock, type Log, machineClock, type ServiceClock, serviceClock } from './clock.ts';
import { Committer, type StoreFailed } from './committer.ts';
import type { Core } from './core.ts';
import { createFaults, type Faults } from './faults.ts';
import { prepareRehearsal, type Rehearsal } from './first-start.ts';
import { Gateway } from './gateway.ts';
import { createStamps } from './identifiers.ts';
import { createLateRequests } from './late-requests.ts';
import { Ledger } from './ledger.ts';
import { openNonces } from './nonces.ts';
import { type ParsedOptions, parseOptions, type ServiceOptions, settleMsOf } from './options.ts';
import { Outbox } from './outbox.ts';
import { createRateLimiter } from './rate-limit.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { isLoopbackHost, type Listening, listen } from './serve.ts';
import type { Store } from './store/database.ts';
import { type OpenStore, openStore, servicePaths } from './store/open.ts';

export type RunningService = {
  baseUrl: string;
  /** Null where no admin port was asked for. */
  adminUrl: string | null;
  /** The id of the rehearsal customer's key. */
  apiKey: string;
  signingKeyFile: string;
  customerId: string;
  /** Answers one request without the port, as the port would. */
  fetch(request: Request): Promise<Response>;
  /** Resolves where the database has failed and the service has stopped by itself; else never. */
  failed: Promise<StoreFailed>;
  /** Accepts nothing new, finishes what is in flight, closes the data. May be called twice. */
  stop(): Promise<void>;
};

/**
 * Opens the service's data, prepares the rehearsal customer and listens on loopback. Throws `ServiceDataHeld` where
 * another process has the data open, `ServiceDataUnusable` for data of another program or a newer payrun, `KeyFileError`
 * for a signing key that cannot be read, a `ZodError` for options that make no sense, and what `listen` throws for a port
 * that is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const parsed = parseOptions(options);
  const opened = openStore(parsed.dataDir);
  const closers: (() => Promise<void>)[] = [async () => opened.close()];
  try {
    return await start(options, parsed, opened, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Stands in the base URL of a service without a port, which has to have some Host for its signatures. */
const PORTLESS = 1;

async function start(
  options: ServiceOptions,
  parsed: ParsedOptions,
  opened: OpenStore,
  closers: (() => Promise<void>)[],
): Promise<RunningService> {
  const { signingKey } = servicePaths(parsed.dataDir);
  const { core, keys, setScheduler } = build(options, parsed, opened.store);
  const rehearsal = await prepareRehearsal(core, keys, signingKey);
  const scheduler = startScheduler(core);
  setScheduler(scheduler);
  closers.unshift(() => scheduler.stop());
  const faults = createFaults(core.randomness);
  const late = createLateRequests(core.machine, core.log);
  closers.unshift(() => late.stop());
  const ownPort = { public: parsed.port ?? PORTLESS, admin: parsed.adminPort ?? 0 };
  const gateway = new Gateway({
    core,
    keys,
    nonces: openNonces(core.store),
    faults,
    late,
    rateLimit: createRateLimiter(parsed.rateLimit, () => core.machine.monotonicMs()),
    isOwnHost: (authority) => isLoopbackHost(authority, ownPort.public),
  });
  const app = createApp(gateway);
  const main = parsed.port === null ? null : await listen({ ...options, app, port: parsed.port });
  if (main) closers.unshift(() => main.close());
  ownPort.public = main?.port ?? PORTLESS;
  const admin = await listenAdmin(parsed, { core, keys, faults, gateway, rehearsal, scheduler }, options, ownPort);
  if (admin) closers.unshift(() => admin.close());
  const stop = stopOnce(closers, core);
  void core.committer.failed.then(() => {
    gateway.close();
    return main?.close();
  });
  const baseUrl = main?.url ?? `http://127.0.0.1:${PORTLESS}`;
  options.log.info({ baseUrl, adminUrl: admin?.url ?? null }, 'the service listens');
  return {
    baseUrl,
    adminUrl: admin?.url ?? null,
    apiKey: rehearsal.apiKey,
    signingKeyFile: signingKey,
    customerId: rehearsal.customer.customerId,
    fetch: async (request) => app.fetch(request),
    failed: core.committer.failed,
    stop,
  };
}

function build(options: ServiceOptions, parsed: ParsedOptions, store: Store) {
  const { randomness, log } = options;
  const machine = machineClock(options.clock);
  const clock: ServiceClock = serviceClock(options.clock, keptClock(store));
  const ledger = new Ledger(store);
  const committer = new Committer({ store, ledger, clock: machine, log });
  const stamps = createStamps(clock, randomness, newestMs(store));
  let scheduler: Scheduler | null = null;
  const core: Core = {
    store,
    ledger,
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
  const setScheduler = (made: Scheduler): void => {
    scheduler = made;
  };
  return { core, keys: openApiKeys(store, stamps), setScheduler };
}

function keptClock(store: Store): { offsetMs: number; frozenAtMs: number | null } {
  const setting = (name: string) => store.get('SELECT value FROM setting WHERE name = ?', name)?.value;
  const frozen = setting('clock_frozen_at_ms') ?? '';
  return { offsetMs: Number(setting('clock_offset_ms') ?? 0), frozenAtMs: frozen === '' ? null : Number(frozen) };
}

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

async function listenAdmin(
  parsed: ParsedOptions,
  parts: { core: Core; keys: ApiKeys; faults: Faults; gateway: Gateway; rehearsal: Rehearsal; scheduler: Scheduler },
  { clock, log }: { clock: Clock; log: Log },
  ownPort: { admin: number },
): Promise<Listening | null> {
  if (parsed.adminPort === null) return null;
  const { core, keys, faults, gateway, rehearsal, scheduler } = parts;
  const tools = { core, keys, faults, gateway, customer: rehearsal.customer, clockMoved: () => scheduler.wake() };
  const app = createAdmin(tools, (authority) => isLoopbackHost(authority, ownPort.admin));
  const listening = await listen({ app, port: parsed.adminPort, clock, log });
  ownPort.admin = listening.port;
  return listening;
}

/** Ports first, then the settlement, then the data. */
function stopOnce(closers: (() => Promise<void>)[], core: Core): () => Promise<void> {
  let stopped: Promise<void> | null = null;
  return () => {
    stopped ??= closeAll(closers).then(() => core.log.info({}, 'the service has stopped'));
    return stopped;
  };
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close();
}
