/** Why a database cannot hold the journal. `cause`: what the database or the network says. */
export type DatabaseFault =
  | {
      why: 'unreachable' | 'login' | 'missing' | 'rights' | 'full' | 'too_many_connections' | 'read_only' | 'tls';
      cause: string;
    }
  | { why: 'too_old'; version: string; needed: string }
  | { why: 'encoding'; encoding: string }
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
  | { code: 'journal_of_another_program'; path: string }
  /** A newer payrun wrote it: its schema is `version`, and this one knows `known`. */
  | { code: 'journal_newer'; path: string; version: number; known: number }
  /** It cannot be kept in WAL mode. */
  | { code: 'journal_not_on_local_disk'; path: string }
  | { code: 'sqlite_too_old'; version: string; needed: string }
  /** SQLite does not take a setting of the journal. */
  | { code: 'sqlite_setting_refused'; name: string; value: number; actual: string };
