/** Why a file cannot be an input. */
export type FileTrouble =
  | { why: 'absent' | 'folder' | 'not_plain' | 'not_permitted' }
  /** `cause`: the system's message. */
  | { why: 'unreadable'; cause: string }
  | { why: 'too_large'; gibibytes: number }
  /** `extension` is empty where the name has none. */
  | { why: 'other_kind'; extension: string; isSpreadsheet: boolean };

/** What is wrong with a line of a table of sort codes. */
export type ModulusFault =
  | { why: 'empty' | 'not_weights' | 'not_substitution' }
  | { why: 'too_many_checks'; checks: number; firstLine: number }
  | { why: 'overlap'; firstLine: number }
  | { why: 'substituted_before'; sortCode: string };

/** Why an input, a table beside it, or a copy of it, was refused. */
export type FileReason =
  | ({ code: 'file_unusable'; path: string } & FileTrouble)
  | { code: 'file_changed'; name: string }
  | { code: 'no_such_sheet'; name: string; path: string; sheet: string; sheets: readonly string[] }
  | { code: 'text_has_no_sheets'; name: string; path: string }
  /** `rowsMax`: the rows of a sheet, where the file has more; null where its bytes are too many. */
  | { code: 'too_large_to_annotate'; name: string; rowsMax: number | null }
  | { code: 'bank_file_not_copied'; name: string }
  | { code: 'too_large_to_fix'; name: string; mebibytes: number }
  | { code: 'character_not_in_encoding'; encoding: string; character: string }
  | ({ code: 'modulus_table_unusable'; path: string; line: number } & ModulusFault);
