import { extname } from 'node:path';

/** The endings of the files that payrun reads. */
export const FILE_KINDS = ['.csv', '.tsv', '.txt', '.xlsx'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What other spreadsheet programs, and other ways of saving, make: they can all save as what is read. */
export const OTHER_SPREADSHEETS: ReadonlySet<string> = new Set([
  '.fods',
  '.numbers',
  '.ods',
  '.xls',
  '.xlsb',
  '.xlsm',
  '.xltx',
]);

/** Null where payrun does not read files with that name. */
export function kindOf(name: string): FileKind | null {
  const extension = extname(name).toLowerCase();
  return FILE_KINDS.find((kind) => kind === extension) ?? null;
}
