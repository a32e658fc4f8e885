import { openLog } from '../../src/compose/data-dir.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { startShippedService } from '../../src/compose/shipped.ts';

export type ServiceHere = {
  ready: { base_url: string; admin_url: string; api_key: string; signing_key_file: string; customer_id: string };
  stop(): Promise<void>;
};

/** What `payrun service WORDS` does, on ports and data of its own as there, in the process that calls. */
export async function serviceHere(words: readonly string[]): Promise<ServiceHere> {
  const settings = readSettings(optionsOf(words), {});
  const { log, flush } = openLog(settings);
  const service = await startShippedService({
    dataDir: settings.dataDir,
    log,
    port: settings.port ?? 0,
    adminPort: settings.adminPort,
    rateLimit: settings.rateLimit === 0 ? null : { requests: settings.rateLimit, windowMs: 10_000 },
    webhooks: {
      allowPrivate: settings.allowPrivateWebhooks,
      urls: settings.webhook === undefined ? [] : [settings.webhook],
    },
    ...(settings.settleAfter !== undefined && { settleMs: settings.settleAfter }),
  });
  return {
    ready: {
      base_url: service.baseUrl,
      admin_url: service.adminUrl ?? '',
      api_key: service.apiKey,
      signing_key_file: service.signingKeyFile,
      customer_id: service.customerId,
    },
    async stop() {
      await service.stop();
      flush();
    },
  };
}

/** `--settle-after 2s --allow-private-webhooks` as the command line's reader gives it. */
function optionsOf(words: readonly string[]): Record<string, string | boolean> {
  const options: Record<string, string | boolean> = {};
  for (const [at, word] of words.entries()) {
    if (!word.startsWith('--')) continue;
    const name = word.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const next = words[at + 1];
    options[name] = next === undefined || next.startsWith('--') ? true : next;
  }
  return options;
}
