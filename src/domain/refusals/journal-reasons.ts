import type { JournalDamage } from '../outcomes/journal-damage.ts';
import type { Holding } from '../outcomes/run-outcome.ts';

/** Why a database cannot hold the journal. `cause`: what the database or the network says. */
export type DatabaseFault =
  | {
      why: 'unreachable' | 'login' | 'missing' | 'rights' | 'full' | 'too_many_connections' | 'read_only' | 'tls';
      cause: string;
    }
  | { why: 'too_old'; version: string; needed: string }
  | { why: 'encoding'; encoding: string }
  /** Another server, or a restored copy, stands where the one was that a process had opened. */
  | { why: 'replaced' }
  /** A power cut could take what was acknowledged. */
  | { why: 'not_durable'; setting: string };

/**
 * Why the journal at `path` cannot be used: a file, or the URL of a database without its password. `cause`: what the system
 * says.
 */
export type JournalReason =
  | { code: 'database_unusable'; database: string; fault: DatabaseFault }
  | { code: 'no_journal_url'; url: string }
  /** Another process keeps it locked. */
  | { code: 'journal_locked' }
  | { code: 'journal_not_a_file'; path: string }
  | { code: 'journal_not_usable'; path: string; cause: string }
  | { code: 'journal_disk_failed'; path: string; cause: string }
  /** `isDatabase`: of a journal in a database. */
  | { code: 'journal_of_another_program'; path: string; isDatabase: boolean }
  /** A newer payrun wrote it: its schema is `version`, and this one knows `known`. */
  | { code: 'journal_newer'; path: string; isDatabase: boolean; version: number; known: number }
  /** All its runs are in the journal `to` now. */
  | { code: 'journal_moved'; to: string; isDatabase: boolean }
  /** Its runs are on their way to the journal `other`, or coming from there. */
  | { code: 'journal_half_moved'; state: 'leaving' | 'arriving'; other: string }
  /** Runs of `journal` that processes hold, or that are left to workers (`holder` is null): they cannot be moved. */
  | { code: 'journal_in_use'; journal: string; held: readonly { runId: string; holder: Holding | null }[] }
  /** Another process is moving the runs. */
  | { code: 'journal_being_moved'; holder: Holding }
  /** Nobody is moving the runs of `journal`. */
  | { code: 'journal_not_moving'; journal: string }
  | { code: 'journal_same'; journal: string }
  /** The run is in `journal` too, and has other entries there, or newer ones. */
  | { code: 'journal_other_chain'; journal: string; runId: string; isNewer: boolean }
  | { code: 'journal_not_sound'; journal: string; cause: JournalDamage }
  /** It is backed up with the tools of its database. */
  | { code: 'journal_in_database'; database: string; file: string }
  | { code: 'journal_backup_exists'; path: string }
  | { code: 'journal_backup_failed'; path: string; cause: string }
  /** It cannot be kept in WAL mode. */
  | { code: 'journal_not_on_local_disk'; path: string }
  | { code: 'sqlite_too_old'; version: string; needed: string }
  /** SQLite does not take a setting of the journal. */
  | { code: 'sqlite_setting_refused'; name: string; value: number; actual: string };
