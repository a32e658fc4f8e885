import process from 'node:process';
import { z } from 'zod';
import type { DatabaseEvent } from '../../../app/database-wait.ts';
import { type PageShown, showPage } from '../../../compose/page/start.ts';
import { readSettings } from '../../../compose/settings.ts';
import { text } from '../../../domain/entries/members.ts';
import { messages } from '../../../messages/messages.ts';
import type { Given } from '../../command.ts';
import { jsonLine } from '../../json/print.ts';

export const output = z
  .strictObject({
    url: text,
    first_user_url: text.nullable().describe('Makes the first user; null where there is one.'),
    rehearsal: z.boolean().nullable().describe('Null where the service has not answered yet.'),
  })
  .meta({ description: 'One line when the page listens.' });

/** `payrun web`: shows the page until Ctrl-C. With `--json` one line names its address, when it is ready. */
export async function run(given: Given): Promise<void> {
  const { json } = readSettings(given, process.env);
  const onShown = ({ url, firstUserUrl, rehearsal }: PageShown) => {
    if (json) {
      process.stdout.write(jsonLine<z.output<typeof output>>({ url, first_user_url: firstUserUrl, rehearsal }));
      return;
    }
    if (rehearsal) process.stdout.write(`${messages.outcomes.rehearsalBand()}\n`);
    process.stdout.write(`The page is at ${url}\n`);
    if (firstUserUrl !== null)
      process.stdout.write(
        `There is no user yet. Open this link to be the first, once, within 24 hours:\n${firstUserUrl}\n`,
      );
    process.stderr.write('Ctrl-C stops it. Runs under way continue.\n');
  };
  const onDatabase = (event: DatabaseEvent) => process.stderr.write(`${messages.process.databaseText(event)}\n`);
  await showPage(given, { onShown, onDatabase });
}
