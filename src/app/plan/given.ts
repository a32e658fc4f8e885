import type { InputEdit } from '../../domain/entries/edits.ts';
import type { Actor, Entry, JobSource } from '../../domain/entry.ts';
import type { Limits } from '../../domain/plan.ts';
import type { Profile } from '../../domain/profile.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { Journal } from '../../journal/journal.ts';
import type { JournalPlace } from '../../journal/open.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ColumnNotes } from '../check/column-knowledge.ts';
import type { ReadSettings } from '../check/read-settings.ts';
import type { Notify } from '../news.ts';
import type { Connection } from '../service/at-service.ts';

export type PlanSettings = ReadSettings &
  JournalPlace & {
    fileName?: string | undefined;
    forgetColumns: boolean;
    /** Rows with problems are left out. */
    onlyValid: boolean;
    /** Rows that earlier runs paid are left out. */
    skipPaid: boolean;
    /** The earlier runs, with commas, that are knowingly paid again; empty for any. */
    allowRepeat?: string | undefined;
    reportDir?: string | undefined;
    /** The company that pays, and the connection of the page that it pays over, by their ids. */
    entity?: string | undefined;
    connection?: string | undefined;
    /** Milliseconds. */
    pollEvery?: number | undefined;
    waitTimeout?: number | undefined;
    /** Hundredths of a per cent. */
    rateCeiling?: number | undefined;
    runRateCeiling?: number | undefined;
  };

/** What a plan, or a run that is confirmed at once, is of. */
export type Given = {
  job: Job | null;
  jobSource: JobSource | null;
  /** The period of the job that it pays; null where it pays none. */
  period: { key: string } | null;
  settings: PlanSettings;
  /** The columns that the person names for headers. */
  columns: readonly ExplicitColumn[];
  /** As of `ColumnsGiven`. */
  memory?: string | null;
  /** What people changed in the rows of the input. */
  edits?: readonly InputEdit[] | undefined;
  profile: Profile;
  /** Called with the numbers of the rows that `skipPaid` leaves out. */
  onLeftOut?: (rows: readonly number[]) => void;
};

/** The input, read. `limits`: those of its job. */
export type Gathered = {
  chosen: ChosenInput;
  read: ReadResult;
  columns: ColumnNotes;
  entries: Entry[];
  limits: Limits | null;
};

/** What a plan is made with. */
export type PlanDeps = {
  journal: Journal;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** Connects to the service. Throws a `Refusal`. */
  connect(): Promise<Connection>;
  /** Throws a `Refusal` (`connection_closed`) if the page's connection is disabled or has not passed its test. */
  requireOpen(connection: string | undefined): Promise<void>;
  /** Whether no money is to move: no plan is made at a service where that is otherwise. Absent: whatever it is. */
  isRehearsal?: boolean | undefined;
  /** Who makes the plan, as the journal names them. */
  actor: Actor;
  /** No plan is written once it is aborted. */
  stop: AbortSignal;
  notify: Notify;
};
