import { extname } from 'node:path';
import type { ForeignKind } from '../../platform/xlsx/conversion/kinds.ts';
import type { MisnamedFault } from './file-problem.ts';

/** Endings that tables do not have. */
const BANK_FILE_KINDS = ['.xml', '.aba', '.ach', '.nacha', '.bac', '.bacs', '.b18'] as const;

/** The endings of the files that payrun reads. What is in them decides how. */
export const FILE_KINDS = ['.csv', '.tsv', '.txt', '.xlsx', '.xlsm', '.xls', '.ods', ...BANK_FILE_KINDS] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export function isBankFileName(name: string): boolean {
  const extension = extname(name).toLowerCase();
  return BANK_FILE_KINDS.some((kind) => kind === extension);
}

/** What other spreadsheet programs, and other ways of saving, make: they can all save as what is read. */
export const OTHER_SPREADSHEETS: ReadonlySet<string> = new Set([
  '.fods',
  '.numbers',
  '.ots',
  '.xlsb',
  '.xltm',
  '.xltx',
]);

const TEXT_ENDINGS: ReadonlySet<string> = new Set(['.csv', '.tsv', '.txt']);

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

/** A spreadsheet of Excel as XML, of 2002 and 2003. */
const XML_SPREADSHEET = /^\s*(?:<\?xml[^>]*>\s*)?(?:<\?mso-application|<(?:\w+:)?Workbook\b)/;

/** A web page with all its parts, as mails are written. */
const WEB_ARCHIVE = /^MIME-Version:/i;

/** How an input that is no text is read: a `workbook` is XLSX, and the others are converted. */
export type WorkbookKind = 'workbook' | ForeignKind;

/** What an input is read as, by its first bytes, whatever its name says; null for text, and for what is not known. */
export function workbookKindOf(head: Uint8Array, name: string): WorkbookKind | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (begins(bytes, OLD_WORKBOOK)) return 'old_workbook';
  if (!begins(bytes, ZIP)) return WEB_PAGE.test(beginOf(head)) ? 'web_page' : null;
  if (bytes.includes(OPEN_DOCUMENT)) return 'open_document';
  const isWorkbook = !isTextName(name) || WORKBOOK_PARTS.some((part) => bytes.includes(part));
  return isWorkbook ? 'workbook' : null;
}

/** Whether a name is that of text. */
export function isTextName(name: string): boolean {
  return TEXT_ENDINGS.has(extname(name).toLowerCase());
}

/** What a file that is read as text is instead, by its first bytes; null for text, and for what is not known. */
export function misnamedFault(head: Uint8Array): MisnamedFault | null {
  if (begins(Buffer.from(head.buffer, head.byteOffset, head.byteLength), PDF)) return 'pdf_named_text';
  const begin = beginOf(head);
  if (XML_SPREADSHEET.test(begin)) return 'xml_spreadsheet';
  return WEB_ARCHIVE.test(begin) ? 'web_archive' : null;
}

function begins(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}

const BEGIN_BYTES = 1_024;

function beginOf(head: Uint8Array): string {
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(head.subarray(0, BEGIN_BYTES));
}
