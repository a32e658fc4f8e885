import type { Calls } from '../app/background/calls.ts';
import type { Tasks } from '../app/launcher/tasks.ts';
import type { Clock, Randomness } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { ListedJob } from '../job/jobs-folder.ts';
import type { Journal } from '../journal/journal.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Access } from './people/access.ts';
import type { People } from './people/people.ts';
import type { FollowedRuns } from './runs/followed-runs.ts';
import type { WebStore } from './store/open.ts';
import type { Uploads } from './uploads/uploads.ts';

/**
 * What the page needs of the machine. Files are parsed, and runs carried out, in processes of their own, by the use cases
 * that the command line calls too; a run does not end with the page.
 */
export type Dependencies = {
  clock: Clock;
  randomness: Randomness;
  log: Log;
  dataDir: string;
  /** The account that the page runs under, as the journal names it: `anna@desk-7`. */
  account: string;
  /** Opened once and kept; the page only reads it (and `askToCancel`). */
  journal: Journal;
  /** Use cases that take long, in a thread of their own. */
  calls: Calls;
  /** Use cases that run apart, in processes of their own. */
  tasks: Tasks;
  /** The job files of jobs/, readable or not. */
  jobs(): ListedJob[];
};

/** What the page's parts work with, of which none knows the page as a whole. */
export type WebParts = {
  deps: Dependencies;
  store: WebStore;
  people: People;
  audit: AuditLog;
  access: Access;
  uploads: Uploads;
  /** The runs that somebody looks at. */
  runs: FollowedRuns;
};
