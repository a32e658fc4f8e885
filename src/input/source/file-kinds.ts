import { extname } from 'node:path';
import type { MisnamedFault } from './file-problem.ts';

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

const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ZIP = Buffer.from('PK\u0003\u0004');
const PDF = Buffer.from('%PDF-');

/** A document of LibreOffice begins with its kind, unpacked. */
const OPEN_DOCUMENT = 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet';

/** A workbook's parts, of which one is among the first. */
const WORKBOOK_PARTS = ['[Content_Types].xml', '_rels/.rels', 'docProps/', 'xl/'];

/** Many systems export a table of a web page and name it .xls, because Excel opens it. */
const WEB_PAGE = /^(?:\ufeff|\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype html|html|head|body|table|meta|style)\b/is;

/** Whether a file is a web page, by its first bytes. */
export function isWebPage(head: Uint8Array): boolean {
  return WEB_PAGE.test(new TextDecoder().decode(head.subarray(0, 1_024)));
}

/** What a file under the name of text is instead, by its first bytes; null for text, and for what is not known. */
export function misnamedFault(head: Uint8Array): MisnamedFault | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const begins = (mark: Buffer) => bytes.subarray(0, mark.length).equals(mark);
  if (begins(PDF)) return 'pdf_named_text';
  if (begins(OLD_WORKBOOK)) return 'workbook_old_named_text';
  if (!begins(ZIP)) return null;
  if (bytes.includes(OPEN_DOCUMENT)) return 'spreadsheet_named_text';
  return WORKBOOK_PARTS.some((part) => bytes.includes(part)) ? 'workbook_named_text' : null;
}
