import { createAdmin } from './admin/admin.ts';
import type { AdminTools } from './admin/admin-tools.ts';
import { createApp } from './app.ts';
import { assemble } from './assemble.ts';
import { prepareRehearsal, prepareSigningKey } from './first-start.ts';
import { createFaults, type Faults } from './gateway/faults.ts';
import { Gateway } from './gateway/gateway.ts';
import { createLateRequests } from './gateway/late-requests.ts';
import { openNonces } from './gateway/nonces.ts';
import { operationListener } from './gateway/operation-listener.ts';
import { createRateLimiter } from './gateway/rate-limit.ts';
import type { StoreFailed } from './ledger/committer.ts';
import { removeListeningFile, writeListeningFile } from './listening-file.ts';
import { LiveData } from './live-data.ts';
import { type ParsedOptions, parseOptions, type ServiceOptions } from './options.ts';
import { isLoopbackHost, type Listening, listen } from './serve.ts';
import { type OpenStore, openStore, servicePaths } from './store/open.ts';
import { type Log, type MachineClock, machineClock } from './time/clock.ts';

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
 * for a signing key that cannot be read, `WebhookUrlRefused` for a URL that webhooks may not go to, a `ZodError` for
 * options that make no sense, and what `listen` throws for a port that is taken.
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
  const { signingKey, listening } = servicePaths(parsed.dataDir);
  const machine = machineClock(options.clock);
  const data = openData(options, parsed, opened, machine);
  closers.unshift(() => data.stop());
  await data.background.webhooks.addAll(options.webhooks?.urls ?? []);
  const late = createLateRequests(machine, options.log);
  closers.unshift(() => late.stop());
  const faults = createFaults(options.randomness);
  const ownPort = { public: parsed.port ?? PORTLESS, admin: parsed.adminPort ?? 0 };
  const isOwnHost = (authority: string) => isLoopbackHost(authority, ownPort.public);
  const gateway = new Gateway({
    parts: () => data.parts,
    nonces: data.nonces,
    faults,
    late,
    rateLimit: createRateLimiter(parsed.rateLimit, () => machine.monotonicMs()),
    isOwnHost,
  });
  const app = createApp(gateway, isOwnHost);
  const direct = operationListener(gateway, isOwnHost, options.log);
  const main = parsed.port === null ? null : await listen({ ...options, app, direct, port: parsed.port });
  if (main) closers.unshift(() => main.close());
  ownPort.public = main?.port ?? PORTLESS;
  const instance = data.parts.core.stamps.hex(32);
  const admin = await listenAdmin(options, parsed, { data, faults, gateway, instance }, ownPort);
  if (admin) closers.unshift(() => admin.close());
  if (admin && main) {
    closers.unshift(async () => removeListeningFile(listening));
    const { apiKey } = data.rehearsal;
    writeListeningFile(listening, { instance, base_url: main.url, admin_url: admin.url, api_key: apiKey });
  }
  void data.failed.then(() => {
    gateway.close();
    return main?.close();
  });
  const baseUrl = main?.url ?? `http://127.0.0.1:${PORTLESS}`;
  options.log.info({ baseUrl, adminUrl: admin?.url ?? null }, 'the service listens');
  return {
    baseUrl,
    adminUrl: admin?.url ?? null,
    apiKey: data.rehearsal.apiKey,
    signingKeyFile: signingKey,
    customerId: data.rehearsal.customer.customerId,
    fetch: async (request) => app.fetch(request),
    failed: data.failed,
    stop: stopOnce(closers, options.log),
  };
}

function openData(options: ServiceOptions, parsed: ParsedOptions, opened: OpenStore, machine: MachineClock): LiveData {
  const key = prepareSigningKey(servicePaths(parsed.dataDir).signingKey, options.randomness);
  return new LiveData({
    opened,
    nonces: openNonces(opened.store),
    assemble: (store, before) => assemble(store, { ...options, parsed, machine }, before),
    prepare: ({ core, keys }) => prepareRehearsal(core, keys, key),
  });
}

async function listenAdmin(
  { clock, log }: ServiceOptions,
  { adminPort, dataDir }: ParsedOptions,
  { data, faults, gateway, instance }: { data: LiveData; faults: Faults; gateway: Gateway; instance: string },
  ownPort: { admin: number },
): Promise<Listening | null> {
  if (adminPort === null) return null;
  const toolsOfNow = (): AdminTools => {
    const { parts, rehearsal, background } = data;
    const { core, keys } = parts;
    const { webhooks } = background;
    const { customer } = rehearsal;
    const clockMoved = (): void => background.clockMoved();
    return { core, keys, faults, gateway, data, dataDir, customer, clockMoved, webhooks };
  };
  const app = createAdmin(toolsOfNow, (authority) => isLoopbackHost(authority, ownPort.admin), instance);
  const listening = await listen({ app, port: adminPort, clock, log });
  ownPort.admin = listening.port;
  return listening;
}

/** Ports first, then the settlement, then the data. */
function stopOnce(closers: (() => Promise<void>)[], log: Log): () => Promise<void> {
  let stopped: Promise<void> | null = null;
  return () => {
    stopped ??= closeAll(closers).then(() => log.info({}, 'the service has stopped'));
    return stopped;
  };
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close();
}
