import process from 'node:process';
import { z } from 'zod';
import { backUpHere } from '../../../compose/machine/journals.ts';
import { readSettings } from '../../../compose/settings.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { counted } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { processIo } from '../../terminal.ts';

export const output = z
  .strictObject({ path: text, bytes: count, runs: count, entries: count, exit: exitCode })
  .meta({ description: 'The copy of the journal that was made, in which every run is proven.' });

/** `payrun journal backup TO`. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const path = String(given.to);
  const { runs, entries, bytes } = await backUpHere(settings, path);
  const result = { path, bytes, runs, entries, exit: EXIT.ok };
  process.exitCode = print<z.output<typeof output>>(
    { io: processIo(process.env), settings },
    result,
    () => `${path}: ${counted(runs, 'run')} with ${entries} entries, each proven.\n`,
  );
}
