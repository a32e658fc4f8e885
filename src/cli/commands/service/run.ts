import process from 'node:process';
import { z } from 'zod';
import { serveShipped } from '../../../compose/service/serve.ts';
import { readSettings } from '../../../compose/settings.ts';
import { text } from '../../../domain/entries/members.ts';
import { messages } from '../../../messages/messages.ts';
import type { Given } from '../../command.ts';
import { jsonLine } from '../../json/print.ts';

export const output = z
  .strictObject({
    base_url: text,
    admin_url: text.nullable(),
    api_key: text,
    signing_key_file: text,
    customer_id: text,
  })
  .meta({ description: 'One line when the service listens.' });

/** `payrun service`: listens until Ctrl-C. With `--json` one line has its addresses and keys, when it is ready. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  await serveShipped(settings, ({ baseUrl, adminUrl, apiKey, signingKeyFile, customerId }) => {
    const ready = {
      base_url: baseUrl,
      admin_url: adminUrl,
      api_key: apiKey,
      signing_key_file: signingKeyFile,
      customer_id: customerId,
    };
    if (settings.json) {
      process.stdout.write(jsonLine<z.output<typeof output>>(ready));
      return;
    }
    process.stdout.write(`${messages.outcomes.rehearsalBand()}\n`);
    for (const [name, value] of Object.entries(ready)) process.stdout.write(`${name.padEnd(17)} ${value}\n`);
    process.stderr.write('Ctrl-C stops it; its data stays.\n');
  });
}
