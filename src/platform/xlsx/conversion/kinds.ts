/** Spreadsheets that are converted before they are read. */
export type ForeignKind =
  /** Of Excel 97 to 2003 (BIFF8 in an OLE compound file). */
  | 'old_workbook'
  /** Of LibreOffice and others (.ods). */
  | 'open_document'
  /** Tables of HTML, which many systems name .xls. */
  | 'web_page';

/** What a conversion may use: V8's heap in MiB (all its memory may be twice as large), and milliseconds. */
export type Limits = { memoryMb: number; timeMs: number };

export const CONVERSION_FAULTS = [
  'workbook_damaged',
  'workbook_encrypted',
  'workbook_too_old',
  'not_a_workbook',
  'spreadsheet_too_large',
  'web_page_without_table',
  'web_page_unclear',
] as const;

/** The exit code of a conversion that ends with the first of them; the others follow. */
export const FIRST_FAULT_EXIT = 20;

/** Why a spreadsheet cannot be converted. */
export type ConversionFault = (typeof CONVERSION_FAULTS)[number];

export class ConversionError extends Error {
  readonly code: ConversionFault;

  constructor(code: ConversionFault, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
