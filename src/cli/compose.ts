import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Log } from '../domain/log.ts';
import type { Journal } from '../journal/journal.ts';
import { journalIn, openJournal } from '../journal/open.ts';
import { identifyProcess, isProcessAlive } from '../journal/process-identity.ts';
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

/** npm passes on a signal that the terminal has sent to us already: two so close are one press. */
const ONE_PRESS_MS = 500;

/**
 * Ctrl-C, a SIGTERM, or a terminal that is closed (SIGHUP, which may come several times): the first aborts the
 * signal. A second Ctrl-C or SIGTERM ends the process at once, after `onSecond` has written what it has to say. Nothing
 * is lost by any of them.
 */
export function stopOnInterrupt(
  onFirst: () => void,
  onSecond: () => void = () => {},
): { signal: AbortSignal; release(): void } {
  const stop = new AbortController();
  // Every wait of the run listens to it.
  setMaxListeners(0, stop.signal);
  let firstAtMs = 0;
  const interrupt = (): void => {
    if (stop.signal.aborted && performance.now() - firstAtMs < ONE_PRESS_MS) return;
    if (stop.signal.aborted) {
      onSecond();
      process.exit(130);
    }
    firstAtMs = performance.now();
    onFirst();
    stop.abort();
  };
  const hangUp = (): void => {
    if (!stop.signal.aborted) interrupt();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('SIGHUP', hangUp);
  return {
    signal: stop.signal,
    release() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      // A shell hangs up on us after the terminal did, perhaps on the last lines that we write.
      if (!stop.signal.aborted) process.off('SIGHUP', hangUp);
    },
  };
}

/** Ends a process that has done its work and is kept by a timer only, such as the pause that a service asked for. */
export function endSoon(): void {
  setTimeout(() => process.exit(), 2_000).unref();
}
