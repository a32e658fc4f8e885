import type { NotifySettings } from '../domain/notices/notify.ts';
import type { ExplicitColumn } from '../input/header/columns.ts';
import type { Connection } from './connection.ts';
import type { JobApproval } from './parts/approval-part.ts';
import type { JobLimits } from './parts/limits-part.ts';
import type { Schedule } from './schedule.ts';

/** A saved definition of a run, as it is in its file. Paths are relative to the working directory of this process. */
export type Job = {
  /** What the journal calls it. */
  name: string;
  /** The file that defines it. */
  file: string;
  description: string | null;
  /** A file, or a pattern of which the newest is taken. */
  input: string;
  /** `FILE:LINE:COLUMN`. */
  inputWhere: string;
  columns: readonly ExplicitColumn[];
  /** The options that it sets, by the name of the setting. */
  settings: ReadonlyMap<string, JobSetting>;
  /** Null where nobody has to approve. */
  approval: JobApproval | null;
  /** Null where the job has none. The file of payees that they name stands at `limitsWhere`. */
  limits: JobLimits | null;
  limitsWhere: string;
  service: JobService | null;
  /** Who is notified of its runs; null where nobody is. */
  notify: NotifySettings | null;
  /** Null where the job runs when somebody runs it. */
  schedule: Schedule | null;
  /** How long the same amount to the same account is refused; null for the default. */
  repeatWindowMs: number | null;
  /** Whole per cent by which a payee's pay may differ from the last run's without a warning; null for the default. */
  amountChange: number | null;
};

/** An option's value, written as on the command line, and where it stands (`FILE:LINE:COLUMN`). */
export type JobSetting = { value: unknown; where: string };

/** A connection profile, and what the paths in it are beside. */
export type JobService = { connection: Connection; folder: string; whereIs(path: readonly PropertyKey[]): string };
