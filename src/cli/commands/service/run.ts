import process from 'node:process';
import { openLog } from '../../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { refusalOf, startShippedService } from '../../../compose/shipped.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { jsonLine } from '../../json/line.ts';
import type { ServiceOutput } from './json.ts';

const PORT_DEFAULT = 8_790;

/** `payrun service`: listens until Ctrl-C. With `--json` one line says where, when it is ready. */
export async function runService(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const { log, flush } = opened(settings);
  const service = await startShippedService({
    dataDir: settings.dataDir,
    log,
    port: settings.port ?? PORT_DEFAULT,
    adminPort: settings.adminPort,
    rateLimit: settings.rateLimit === 0 ? null : { requests: settings.rateLimit, windowMs: 10_000 },
    webhooks: {
      allowPrivate: settings.allowPrivateWebhooks,
      urls: settings.webhook === undefined ? [] : [settings.webhook],
    },
    ...(settings.settleAfter !== undefined && { settleMs: settings.settleAfter }),
  });
  const { baseUrl, adminUrl, apiKey, signingKeyFile, customerId } = service;
  const ready: ServiceOutput = {
    base_url: baseUrl,
    admin_url: adminUrl,
    api_key: apiKey,
    signing_key_file: signingKeyFile,
    customer_id: customerId,
  };
  if (settings.json) process.stdout.write(jsonLine<ServiceOutput>(ready));
  else {
    process.stdout.write('REHEARSAL: no money moves\n');
    for (const [name, value] of Object.entries(ready)) process.stdout.write(`${name.padEnd(17)} ${value}\n`);
    process.stderr.write('Ctrl-C stops it; its data stays.\n');
  }
  const interrupt = stopOnInterrupt(() => {});
  const interrupted = new Promise<null>((resolve) => {
    interrupt.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const failure = await Promise.race([interrupted, service.failed]);
  await service.stop();
  interrupt.release();
  flush();
  if (failure !== null) throw broken(settings.dataDir, failure);
}

function opened({ dataDir, logLevel }: Settings): ReturnType<typeof openLog> {
  try {
    return openLog(dataDir, logLevel);
  } catch (error) {
    throw refusalOf(error, dataDir);
  }
}

/** The database took no more: a full disk, a broken one. What was answered is kept. */
function broken(dataDir: string, { message, cause }: Error): Refusal {
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  const remedy = 'What it acknowledged is kept. Make room or repair the disk, then start it again.';
  return new Refusal('person_needed', `The service on the data in ${dataDir} has stopped: ${why}.`, remedy);
}
