/** Why the journal at `path` cannot be used. `cause`: what the system says. */
export type JournalReason =
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
