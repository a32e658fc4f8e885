import process from 'node:process';
import { readOptions } from '../input-settings.ts';
import { readHistory } from '../past-payouts.ts';
import { openSayings } from '../said-columns.ts';
import { readSettings } from '../settings.ts';
import { processIo } from '../terminal.ts';
import { checkInput } from './check-run.ts';

export async function runCheck(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const { json, quiet } = settings;
  const sayings = openSayings(settings, io);
  const read = { ...readOptions(settings), ...sayings.read, history: readHistory(settings.dataDir, null) };
  const onRead = sayings.keep;
  process.exitCode = await checkInput(String(options.input), io, { json, quiet, colour: io.colour, read, onRead });
}
