import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pino from 'pino';
import type { Journal } from '../journal/journal.ts';
import { type JournalPlace, journalOf, openJournal } from '../journal/open.ts';
import type { JournalOptions } from '../journal/options.ts';
import { identifyProcess, isProcessAlive } from '../journal/process-identity.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import type { Settings } from './settings.ts';

/** How long a run's lease lasts without being put off. */
export const LEASE_MS = 30_000;

export async function openDataJournal(place: JournalPlace): Promise<Journal> {
  return openJournal(journalOf(place), journalOptions());
}

/** How this process opens any journal. */
export function journalOptions(): JournalOptions {
  return {
    clock: machineClock,
    randomness: machineRandomness,
    process: identifyProcess(),
    isAlive: (holder) => isProcessAlive(holder),
    leaseMs: LEASE_MS,
    schemasBeside: async () => [(await import('../app/people/store/page-schema.ts')).PAGE_SCHEMA],
  };
}

/** Does the work with the journal and the log of a data directory, which are closed after it. */
export async function withDataDir<Result>(
  place: JournalPlace & LogSettings,
  work: (open: { journal: Journal; log: Log }) => Promise<Result>,
): Promise<Result> {
  const journal = await openDataJournal(place);
  try {
    const { log, flush } = openLog(place);
    return await work({ journal, log }).finally(flush);
  } finally {
    await journal.close();
  }
}

/** pino's number for the level. */
const ERROR = 50;

export type LogSettings = Pick<Settings, 'dataDir' | 'logLevel' | 'logMaxSize' | 'logFiles'>;

/** Log lines to a file in the data directory, in blocks, and at once from an error on; `flush` before the process ends. */
export function openLog({ dataDir, logLevel, logMaxSize, logFiles }: LogSettings): { log: Log; flush(): void } {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new LogFile(join(folder, 'payrun.log'), { maxBytes: logMaxSize, files: logFiles });
  const logger = pino(
    {
      level: logLevel,
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
  const log = Object.assign(logger, { isDebugOff: !logger.isLevelEnabled('debug') });
  return { log, flush: () => file.flush() };
}

/** Of an error what it says and where it was, and none of what it carries: of itself it would be written as `{}`. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { name: error.name, message: error.message, stack: error.stack, cause: shownError(error.cause) };
}

/** Lines are written in blocks of this size. */
const BLOCK_CHARACTERS = 4_096;
/** What waits while the disk takes nothing; older lines go first. */
const WAITING_CHARACTERS_MAX = 65_536;

/** A file that has grown to `maxBytes` is set aside, and of those set aside the newest `files` are kept. */
export type LogBounds = { maxBytes: number; files: number };

/**
 * A file for log lines that never stops the program: what a full disk does not take waits, up to 64 KiB, and is tried
 * again with the next block. pino's own destination tries again for ever inside one call, so that a run on a full disk
 * would stand still, holding its lease, instead of saying what is wrong.
 *
 * Processes that write to one file need no lock: each sets it aside under a name of its own, so that none overwrites another's,
 * and looks before each block whether the file at the path is still the one that it has open.
 */
export class LogFile {
  readonly #path: string;
  readonly #bounds: LogBounds;
  #file: number;
  #setAside = 0;
  #waiting = '';

  /** Appends to the file, and makes it, for its owner only, where there is none. Throws where it cannot be opened. */
  constructor(path: string, bounds: LogBounds) {
    this.#path = path;
    this.#bounds = bounds;
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Takes whole lines. */
  write(lines: string): void {
    this.#waiting += lines;
    if (this.#waiting.length >= BLOCK_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.#waiting === '') return;
    this.#follow();
    let rest = Buffer.from(this.#waiting);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest));
      this.#waiting = '';
    } catch {
      this.#waiting = newestLines(rest.toString());
    }
  }

  /** Goes over to the file that is at the path now, and sets it aside where it is full. Where that fails the old one goes on. */
  #follow(): void {
    try {
      const own = fstatSync(this.#file);
      const there = statSync(this.#path, { throwIfNoEntry: false });
      const isOwn = there !== undefined && there.ino === own.ino && there.dev === own.dev;
      if (isOwn && own.size < this.#bounds.maxBytes) return;
      if (isOwn) this.#setFileAside();
      const file = openSync(this.#path, 'a', 0o600);
      closeSync(this.#file);
      this.#file = file;
    } catch {
      // The lines are worth more than the bound.
    }
  }

  #setFileAside(): void {
    const time = new Date(machineClock.wallMs()).toISOString().replace(/[-:.]/g, '');
    const number = String(++this.#setAside).padStart(6, '0');
    renameSync(this.#path, `${this.#path}.${time}-${number}-${process.pid}`);
    const folder = dirname(this.#path);
    const before = readdirSync(folder).filter((name) => name.startsWith(`${basename(this.#path)}.`));
    for (const name of before.toSorted().slice(0, -this.#bounds.files)) rmSync(join(folder, name), { force: true });
  }
}

/** As many whole lines as may wait. */
function newestLines(lines: string): string {
  const from = lines.length - WAITING_CHARACTERS_MAX;
  return from <= 0 ? lines : lines.slice(lines.indexOf('\n', from) + 1);
}
