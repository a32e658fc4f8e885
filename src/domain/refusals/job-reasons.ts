import type { FileFault, FileProblem } from './settings-faults.ts';

/** What exceeds a limit: a problem that `messages/problems` has the words of. */
type LimitFault = { code: string; params: object };

/** A row that exceeds a limit of its job. */
export type RowOverLimit = { row: number; name: string; payeeId: string | null; fault: LimitFault };

/** Why the file of the payees that may be paid cannot be used. */
export type AllowedPayeesFault = { why: 'empty' | 'no_column' } | { why: 'unreadable'; cause: string };

/** What a job, a file of settings or the limits of a job do not allow. `where`: the place in the job, `FILE:LINE:COLUMN`. */
export type JobReason =
  /** `problems`: the first of them, in the order of the file; `more`: how many others. */
  | {
      code: 'file_problems';
      file: string;
      kind: 'job' | 'profile' | 'approval';
      problems: readonly FileProblem[];
      more: number;
    }
  | { code: 'settings_file_unreadable'; path: string; fault: FileFault }
  /** `jobs`: the first names of those that there are; `more`: whether there are others. */
  | {
      code: 'unknown_job';
      name: string;
      folder: string;
      jobs: readonly string[];
      more: boolean;
      nearest: string | null;
    }
  /** `input`: a file, or a pattern that no file has. */
  | { code: 'no_input_file'; where: string; input: string; isPattern: boolean }
  | { code: 'allowed_payees_unusable'; where: string; path: string; fault: AllowedPayeesFault }
  | { code: 'job_without_schedule'; file: string }
  | { code: 'no_scheduled_job'; folder: string }
  /**
   * What of a run exceeds the limits of its job: of each row the first in `named`, `more` others, and of all rows together
   * `whole`. `rows`: the first of the rows; `rowCount`: how many there are.
   */
  | {
      code: 'limits_exceeded';
      named: readonly RowOverLimit[];
      more: number;
      rows: readonly number[];
      rowCount: number;
      whole: readonly LimitFault[];
    }
  /** `isAlone`: the run exceeds it without the others of its day. */
  | { code: 'day_limit_exceeded'; faults: readonly LimitFault[]; isAlone: boolean };
