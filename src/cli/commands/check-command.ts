import process from 'node:process';
import { readSettings } from '../settings.ts';
import { processIo } from '../terminal.ts';
import { checkInput } from './check-run.ts';

export async function runCheck(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const io = processIo(process.env);
  const { json, quiet, decimal } = settings;
  process.exitCode = await checkInput(String(options.input), io, { json, quiet, colour: io.colour, decimal });
}
