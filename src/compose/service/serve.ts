import { Refusal } from '../../domain/refusal.ts';
import { openLog } from '../data-dir.ts';
import { stopOnInterrupt } from '../machine/interrupt.ts';
import type { Settings } from '../settings.ts';
import { refusalOf, startShippedService } from '../shipped.ts';

const PORT_DEFAULT = 8_790;

/** The shipped service as its first line names it. */
export type ServiceReady = Pick<
  Awaited<ReturnType<typeof startShippedService>>,
  'baseUrl' | 'adminUrl' | 'apiKey' | 'signingKeyFile' | 'customerId'
>;

/**
 * Serves the shipped service until Ctrl-C; `onReady` is called when it listens. Throws a `Refusal`: `service_stopped` where its
 * database takes no more (what was answered is kept), others where it cannot be started.
 */
export async function serveShipped(settings: Settings, onReady: (ready: ServiceReady) => void): Promise<void> {
  const { dataDir, port, adminPort, rateLimit, settleAfter, webhook, allowPrivateWebhooks } = settings;
  const { log, flush } = opened(settings);
  const service = await startShippedService({
    dataDir,
    log,
    port: port ?? PORT_DEFAULT,
    adminPort,
    rateLimit: rateLimit === 0 ? null : { requests: rateLimit, windowMs: 10_000 },
    webhooks: { allowPrivate: allowPrivateWebhooks, urls: webhook === undefined ? [] : [webhook] },
    ...(settleAfter !== undefined && { settleMs: settleAfter }),
  });
  onReady(service);
  const { interrupted, release } = stopOnInterrupt(() => {});
  const failure = await Promise.race([interrupted, service.failed]);
  await service.stop();
  release();
  flush();
  if (failure === null) return;
  const { message, cause } = failure;
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  throw new Refusal({ code: 'service_stopped', dataDir, cause: why });
}

function opened(settings: Settings): ReturnType<typeof openLog> {
  try {
    return openLog(settings);
  } catch (error) {
    throw refusalOf(error, settings.dataDir);
  }
}
