import type { Entry, JobSource } from '../../domain/entry.ts';
import type { Profile } from '../../domain/profile.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import type { ReadResult } from '../../input/input.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { ColumnNotes } from '../check/column-knowledge.ts';
import type { ReadSettings } from '../check/read-settings.ts';

export type PlanSettings = ReadSettings & {
  /** Where the journal is. */
  dataDir: string;
  fileName?: string | undefined;
  forgetColumns: boolean;
  /** Rows with problems are left out. */
  onlyValid: boolean;
  /** Rows that earlier runs paid are left out. */
  skipPaid: boolean;
  /** The earlier runs, with commas, that are knowingly paid again; empty for any. */
  allowRepeat?: string | undefined;
  reportDir?: string | undefined;
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
  /** What the person says that headers mean. */
  columns: readonly ExplicitColumn[];
  profile: Profile;
  clock: Clock;
  randomness: Randomness;
  /** Called with the numbers of the rows that `skipPaid` leaves out. */
  onLeftOut?: (rows: readonly number[]) => void;
};

/** The input, read. */
export type Gathered = { chosen: ChosenInput; read: ReadResult; columns: ColumnNotes; entries: Entry[] };
