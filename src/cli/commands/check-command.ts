import process from 'node:process';
import { readOptions } from '../input-settings.ts';
import { readHistory } from '../past-payouts.ts';
import { readSettings } from '../settings.ts';
import { processIo } from '../terminal.ts';
import { checkInput } from './check-run.ts';

export async function runCheck(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const { json, quiet } = settings;
  const read = { ...readOptions(settings), history: readHistory(settings.dataDir, null) };
  process.exitCode = await checkInput(String(options.input), io, { json, quiet, colour: io.colour, read });
}
