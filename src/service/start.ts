import type { Log } from '../platform/log.ts';
import { createAdmin } from './admin/admin.ts';
import type { AdminTools } from './admin/operation.ts';
import { prepareSigningKey } from './first-start.ts';
import { Faults, LateRequests } from './gateway/faults.ts';
import { Gateway } from './gateway/gateway.ts';
import { createRateLimiter } from './gateway/rate-limit.ts';
import { type Handle, isLoopbackHost, type Listening, listen } from './http.ts';
import type { StoreFailed } from './ledger/committer.ts';
import { removeListeningFile, writeListeningFile } from './listening-file.ts';
import { LiveData } from './live-data.ts';
import { openapiEndpoint } from './openapi/document.ts';
import { type ParsedOptions, parseOptions, type ServiceOptions } from './options.ts';
import { type OpenStore, openStore, servicePaths } from './store/open.ts';
import { machineClock } from './time/clock.ts';

export type RunningService = {
  baseUrl: string;
  /** Null where no admin port was asked for. */
  adminUrl: string | null;
  /** The id of the rehearsal customer's key. */
  apiKey: string;
  signingKeyFile: string;
  customerId: string;
  /** Resolves where the database has failed and the service has stopped on its own; else never. */
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

async function start(
  options: ServiceOptions,
  parsed: ParsedOptions,
  opened: OpenStore,
  closers: (() => Promise<void>)[],
): Promise<RunningService> {
  const { clock, randomness, log } = options;
  const { signingKey, listening } = servicePaths(parsed.dataDir);
  const machine = machineClock(clock);
  const key = prepareSigningKey(signingKey, randomness);
  const data = new LiveData(opened, { ...options, parsed, machine }, key);
  closers.unshift(() => data.stop());
  await data.background.webhooks.addAll(options.webhooks?.urls ?? []);
  const late = new LateRequests(machine, log);
  closers.unshift(() => late.stop());
  const faults = new Faults(randomness);
  const ports = { public: parsed.port, admin: parsed.adminPort ?? 0 };
  const isOwnHost = (authority: string) => isLoopbackHost(authority, ports.public);
  const rateLimit = createRateLimiter(parsed.rateLimit, () => machine.monotonicMs());
  const gateway = new Gateway({ parts: () => data.parts, nonces: data.nonces, faults, late, rateLimit, isOwnHost });
  const openapi = openapiEndpoint(isOwnHost);
  const handle: Handle = async (request) => openapi(request) ?? gateway.handle(request);
  const main = await listen({ handle, port: parsed.port, clock, log });
  closers.unshift(() => main.close());
  ports.public = main.port;
  const admin = parsed.adminPort === null ? null : await listenAdmin(parsed.adminPort);
  if (admin) closers.unshift(async () => removeListeningFile(listening));
  void data.failed.then(() => {
    gateway.close();
    return main.close();
  });
  const { apiKey, customer } = data.rehearsal;
  const adminUrl = admin?.url ?? null;
  log.info({ baseUrl: main.url, adminUrl }, 'the service listens');
  return {
    baseUrl: main.url,
    adminUrl,
    apiKey,
    signingKeyFile: signingKey,
    customerId: customer.customerId,
    failed: data.failed,
    stop: stopOnce(closers, log),
  };

  async function listenAdmin(port: number): Promise<Listening> {
    const instance = data.parts.core.stamps.hex(32);
    const toolsOfNow = (): AdminTools => {
      const { core, keys } = data.parts;
      const { webhooks } = data.background;
      const { customer } = data.rehearsal;
      return { core, keys, customer, webhooks, faults, gateway, data, dataDir: parsed.dataDir };
    };
    const isOwn = (authority: string) => isLoopbackHost(authority, ports.admin);
    const opened = await listen({ handle: createAdmin(toolsOfNow, isOwn, instance), port, clock, log });
    closers.unshift(() => opened.close());
    ports.admin = opened.port;
    const { apiKey } = data.rehearsal;
    writeListeningFile(listening, { instance, base_url: main.url, admin_url: opened.url, api_key: apiKey });
    return opened;
  }
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
