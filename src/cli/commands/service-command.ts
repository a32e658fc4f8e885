import process from 'node:process';
import { openLog, stopOnInterrupt } from '../compose.ts';
import { readSettings } from '../settings.ts';
import { startShippedService } from '../shipped.ts';

/** `payrun service`: listens until Ctrl-C. With `--json` one line says where, when it is ready. */
export async function runService(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  const service = await startShippedService({
    dataDir: settings.dataDir,
    log,
    port: settings.port,
    adminPort: settings.adminPort,
    rateLimit: settings.rateLimit === 0 ? null : { requests: settings.rateLimit, windowMs: 10_000 },
    webhooks: {
      allowPrivate: settings.allowPrivateWebhooks,
      urls: settings.webhook === undefined ? [] : [settings.webhook],
    },
    ...(settings.settleAfter !== undefined && { settleMs: settings.settleAfter }),
  });
  const { baseUrl, adminUrl, apiKey, signingKeyFile, customerId } = service;
  const ready = {
    base_url: baseUrl,
    admin_url: adminUrl,
    api_key: apiKey,
    signing_key_file: signingKeyFile,
    customer_id: customerId,
  };
  if (settings.json) process.stdout.write(`${JSON.stringify(ready)}\n`);
  else {
    process.stdout.write('REHEARSAL: no money moves\n');
    for (const [name, value] of Object.entries(ready)) process.stdout.write(`${name.padEnd(17)} ${value}\n`);
    process.stderr.write('Ctrl-C stops it; its data stays.\n');
  }
  const interrupt = stopOnInterrupt(() => {});
  await new Promise<void>((resolve) => interrupt.signal.addEventListener('abort', () => resolve(), { once: true }));
  await service.stop();
  interrupt.release();
  flush();
}
