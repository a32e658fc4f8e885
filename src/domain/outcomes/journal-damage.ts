/** Why the text of an entry is none. `problem`: codes of zod with their places, and never values. */
export type EntryTextFault = { text: 'no_json' | 'unknown_kind' } | { text: 'malformed'; problem: string };

/** Why an entry whose hash is right cannot stand where it does. */
export type Misplacement =
  | { how: 'other_kind_or_row' | 'no_creation' | 'other_first_epoch' | 'lease_of_other_epoch' }
  | { how: 'creates_another'; run: string }
  | { how: 'earlier_epoch'; epoch: number; last: number }
  | { how: 'epoch_without_lease'; epoch: number };

/** What of a journal is not as payrun wrote it. `n`: the number of an entry. */
export type DamageCode =
  | { code: 'no_run' | 'no_creation' | 'creates_no_run' | 'no_history' | 'head_moved' }
  /** `next`: the one that comes in its place; null where none does. */
  | { code: 'entry_missing'; n: number; next: number | null }
  | { code: 'entry_rewritten'; n: number; kind: string }
  | { code: 'entry_unreadable'; n: number; why: EntryTextFault }
  | { code: 'entry_misplaced'; n: number; kind: string; why: Misplacement }
  /** `path`: of the file that names another; null for the run's report. */
  | { code: 'entry_not_as_noted'; n: number; path: string | null }
  | { code: 'entries_gone'; from: number; to: number; path: string | null }
  | { code: 'end_missing'; from: number; to: number }
  | { code: 'beyond_end'; end: number; entries: number }
  | { code: 'other_last_hash' | 'not_last' | 'orders_changed'; n: number }
  | { code: 'column_changed'; column: 'input_sha256' | 'created_at' | 'job_period' }
  /** By the run's column it was started, or never was, and by its entries it is otherwise. */
  | { code: 'is_planned_changed'; isPlanned: boolean }
  | { code: 'lease_epoch'; lease: number; entries: number }
  | { code: 'lease_changed'; what: 'id' | 'holder' }
  | { code: 'no_lease' | 'holder_unreadable' }
  /** What is stored of who was paid. `n`: the first entry of the page that differs. */
  | { code: 'projection_changed'; runId: string }
  | { code: 'projection_page_changed'; n: number }
  | { code: 'projection_page_added' }
  | { code: 'unknown_state'; row: number }
  | { code: 'unknown_hint'; n: number }
  | { code: 'unknown_hold'; n: number }
  | { code: 'runs_deleted'; runs: number }
  | { code: 'cut_short' | 'no_journal'; path: string }
  | { code: 'file_damaged' }
  /** In words of SQLite. */
  | { code: 'finding'; text: string };

/** `of`: the run that is damaged, where that is not known already. */
export type JournalDamage = DamageCode & { of?: string };
