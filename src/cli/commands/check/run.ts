import process from 'node:process';
import { z } from 'zod';
import { REPEAT_WINDOW_DEFAULT_MS, readHistory } from '../../../app/compare/past-payouts.ts';
import { LimitCount } from '../../../domain/limits.ts';
import type { ReadOptions } from '../../../input/read-options.ts';
import { machineClock } from '../../../platform/machine.ts';
import { openSayings } from '../../input/explicit-columns.ts';
import { readOptions } from '../../input/input-settings.ts';
import { limitsOf } from '../../input/limits.ts';
import { inputOf, jobText, readNamedJob } from '../../jobs/named-input.ts';
import { readSettings } from '../../settings.ts';
import { processIo } from '../../terminal.ts';
import { checkInput } from './check-input.ts';

/** Options that only make sense on the command line: each is about one file. */
const copyOptions = z.object({
  annotate: z.string().min(1).optional(),
  fix: z.string().min(1).optional(),
  cells: z.string().min(1).optional(),
  for: z.literal('page').optional(),
  force: z.boolean().optional(),
});

/** Only where a sheet corrects a run is what knows of runs loaded. */
async function correctionsOf(dataDir: string, runId: string): Promise<ReadOptions> {
  return (await import('./correction-problems.ts')).correctionsOf(dataDir, runId);
}

export async function runCheck(options: Record<string, unknown>): Promise<void> {
  const named = String(options.input);
  const job = await readNamedJob(named);
  const settings = readSettings(options, process.env, job);
  const io = processIo(process.env);
  const { json, quiet } = settings;
  const sayings = openSayings(settings, io, job);
  const chosen = await inputOf(named, job, settings.file);
  if (job !== null && !json && !quiet) io.stderr(`${jobText(job, chosen)}\n`);
  const limits = limitsOf(job);
  // Rows that correct those of a run are compared with that one.
  const paidWithinMs = options.corrects === undefined ? (job?.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS) : null;
  const read = {
    ...readOptions(settings),
    ...sayings.read,
    ...(limits !== null && { limits: new LimitCount(limits) }),
    history: await readHistory(
      settings.dataDir,
      null,
      paidWithinMs === null ? null : machineClock.wallMs() - paidWithinMs,
    ),
    ...(options.corrects !== undefined && (await correctionsOf(settings.dataDir, String(options.corrects)))),
  };
  const reading = {
    json,
    quiet,
    colour: io.colour,
    read,
    onRead: sayings.keep,
    job: job?.name ?? null,
    name: settings.fileName,
  };
  process.exitCode = await checkInput(chosen.path, io, { ...reading, ...copyOptions.parse(options) });
}
