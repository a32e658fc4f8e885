import type { Calls } from '../app/background/calls.ts';
import type { Tasks } from '../app/launcher/tasks.ts';
import type { PeopleParts } from '../app/people/access.ts';
import type { Entities } from '../app/people/entities.ts';
import type { RememberedHeaders } from '../app/people/remembered-headers.ts';
import type { PageStore } from '../app/people/store/page-store.ts';
import type { RunReads } from '../app/runs/run-reads.ts';
import type { KnownJob } from '../app/schedule/known-jobs.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import type { Letter } from '../messages/notice-words.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PageConnections } from './page-connections.ts';
import type { PageServices } from './page-services.ts';
import type { FollowedRuns } from './runs/followed-runs.ts';
import type { SharedWork } from './shared-work.ts';
import type { Sights } from './sights.ts';
import type { Uploads } from './uploads/uploads.ts';

/** A letter to one person. The id is the same each time that it is sent: up to 150 of `A-Z a-z 0-9 . -`. */
export type PageMail = { to: string; letter: Letter; id: string; rehearsal: boolean };

/**
 * What the page needs of the machine. Files are parsed, and runs carried out, in processes of their own, by the use cases
 * that the command line calls too; a run does not end with the page.
 */
export type Dependencies = {
  clock: Clock;
  randomness: Randomness;
  log: Log;
  dataDir: string;
  /** The database, by its URL, that pages on several hosts share; else what the page keeps is in the data directory. */
  database?: string | undefined;
  /** The account that the page runs under, as the journal names it: `anna@desk-7`. */
  account: string;
  /** What the journal has of runs. */
  reads: RunReads;
  /** Use cases that take long, in a thread of their own. */
  calls: Calls;
  /** Use cases that run apart, in processes of their own. */
  tasks: Tasks;
  /** Whether its journal answers. */
  isReady(): Promise<boolean>;
  /** Hands a letter to the mail server that the page was given. Why that failed, or null. Absent where it has none. */
  mail?(mail: PageMail, stop: AbortSignal): Promise<DeliveryFault | null>;
  /** Absent where no webhooks are sent. */
  webhooks?: PageWebhooks;
  services: PageServices;
  /** The job files of jobs/, readable or not. */
  jobs(): KnownJob[];
};

/** How the page posts webhooks. */
export type PageWebhooks = {
  /** Whether the URL may be posted to, as far as its text shows. */
  mayUse(url: string): boolean;
  /** One try. Why it was not taken, or null. The id is the same each time: 1 to 200 of `A-Z a-z 0-9 _ -`. */
  send(webhook: { id: string; url: string; secret: string; body: string }, stop: AbortSignal): Promise<string | null>;
};

/** What the page's parts work with, of which none knows the page as a whole. */
export type WebParts = PeopleParts & {
  deps: Dependencies;
  store: PageStore;
  /** The companies that pay. */
  entities: Entities;
  /** What payments go over. */
  connections: PageConnections;
  /** What is under way, on whichever host. */
  work: SharedWork;
  remembered: RememberedHeaders;
  uploads: Uploads;
  /** The runs that somebody looks at. */
  runs: FollowedRuns;
  /** What each person sees of payments, files and payees. */
  sight: Sights;
};
