import type { Calls } from '../app/background/calls.ts';
import type { Tasks } from '../app/launcher/tasks.ts';
import type { Clock, Randomness } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { ListedJob } from '../job/jobs-folder.ts';
import type { Journal } from '../journal/journal.ts';

/**
 * Everything through which the page reaches the machine. Files are parsed apart, by the use case that the command line calls
 * too. It pays by starting `payrun` commands, so that a run does not end with the page. It reads the journal itself.
 */
export type Dependencies = {
  clock: Clock;
  randomness: Randomness;
  log: Log;
  dataDir: string;
  /** A folder of this process alone. What it leaves there when it is killed is removed when a page starts again. */
  drafts: string;
  /** Under whose account it runs, as the journal says it: `anna@desk-7`. */
  account: string;
  /** Opened once and kept; the page only reads it (and `askToCancel`). */
  journal: Journal;
  /** Use cases that take long, in a thread of their own. */
  calls: Calls;
  /** Use cases that run apart, in processes of their own. */
  tasks: Tasks;
  /**
   * Runs `payrun WORDS --json --data-dir …` to its end. `stdin` is written to it (a passphrase); the journal notes the name of
   * `person` with what the command writes there. Never rejects for an exit code.
   */
  payrun(words: readonly string[], options?: { stdin?: string; person?: string | null }): Promise<Ended>;
  /** The same for what lasts (run, resume, retry): it goes on when the page ends. `ended` is for whoever waits. */
  start(words: readonly string[], options?: { person?: string | null }): { pid: number | null; ended: Promise<Ended> };
  /** The job files of jobs/, readable or not. */
  jobs(): ListedJob[];
};

/** How a `payrun` command ended. */
export type Ended = {
  /** Null where a signal ended it, or it could not be started. */
  exit: number | null;
  signal: string | null;
  /** The one JSON object of its standard output, or null. */
  result: unknown;
  /** The end of its standard error, 8 KB at most, for the log only. */
  said: string;
};
