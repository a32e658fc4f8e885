import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Journal } from '../journal/journal.ts';
import { journalIn, openJournal } from '../journal/open.ts';
import { identifyProcess, isProcessAlive } from '../journal/process-identity.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { LogFile } from './log-file.ts';

/** How long a run's lease lasts without being put off. */
export const LEASE_MS = 30_000;

export async function openDataJournal(dataDir: string): Promise<Journal> {
  return openJournal(journalIn(dataDir), {
    clock: machineClock,
    randomness: machineRandomness,
    process: identifyProcess(),
    isAlive: (holder) => isProcessAlive(holder),
    leaseMs: LEASE_MS,
  });
}

/** pino's number for the level. */
const ERROR = 50;

/** Log lines to a file in the data directory, in blocks, and at once from an error on; `flush` before the process ends. */
export function openLog(dataDir: string, level: string): { log: Log; flush(): void } {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new LogFile(join(folder, 'payrun.log'));
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { error: shownError },
      redact: ['*.account_number', '*.wallet_address'],
      hooks: {
        // An error is read while the process runs, and may be its last word.
        logMethod(words, write, severity) {
          write.apply(this, words);
          if (severity >= ERROR) file.flush();
        },
      },
    },
    file,
  );
  return { log: logger, flush: () => file.flush() };
}

/** Of an error what it says and where it was, and none of what it carries: of itself it would be written as `{}`. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { name: error.name, message: error.message, stack: error.stack, cause: shownError(error.cause) };
}
