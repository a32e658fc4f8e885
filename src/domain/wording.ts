import type { RailName } from './rails/rail.ts';

/**
 * A sentence that every reader gets in the same words, or a code with its parameters where the words depend on where it is
 * read: the command line names an option, the page a field. `messages/wordings.ts` has the words.
 */
export type Wording = string | CodedWording;

/** Where it is read: at a command line with its options, on the page with its fields, or in a copy that is taken from there. */
export type Audience = 'command_line' | 'page' | 'page_copy';

export type CodedWording =
  | { code: 'save_as_utf8_or_name_encoding' }
  | { code: 'choose_sheet'; sheets: readonly string[] }
  | { code: 'read_each_sheet'; sheets: readonly string[] }
  | { code: 'name_or_map_headers' }
  | { code: 'add_or_map_column'; column: string; synonyms: readonly string[] }
  | { code: 'merge_or_ignore_column'; header: string }
  | { code: 'rename_or_map_header'; header: string; column: string }
  /** `header` is shown cut. */
  | { code: 'add_or_map_name'; shown: string; header: string }
  | { code: 'mend_or_unmap_header'; row: number; isOfJob: boolean }
  | { code: 'ungroup_or_name_decimal' }
  | { code: 'agree_or_name_decimal' }
  | { code: 'fit_or_change_decimal' }
  /** The column is not there yet. */
  | { code: 'add_column'; column: string; next: Wording }
  | { code: 'choose_rail'; currency: string; rails: readonly RailName[] }
  | { code: 'add_substitutions' }
  | { code: 'look_at_runs' }
  /** `runId`: what it did not pay can be retried; null where there is nothing. */
  | { code: 'remove_paid_rows'; runId: string | null };
