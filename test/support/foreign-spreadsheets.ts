import * as sheetjs from '@e965/xlsx';
import { type ZipEntry, zipOf } from './zip.ts';

export type OldSheet = {
  name: string;
  rows: unknown[][];
  hidden?: boolean;
  change?: (sheet: sheetjs.WorkSheet) => void;
};

/** A workbook of Excel 97 to 2003, or of an older kind. */
export function oldWorkbookOf(
  sheets: readonly OldSheet[],
  { bookType = 'biff8', is1904 = false }: { bookType?: sheetjs.BookType; is1904?: boolean } = {},
): Buffer {
  const book = sheetjs.utils.book_new();
  for (const { name, rows, change } of sheets) {
    const sheet = sheetjs.utils.aoa_to_sheet(rows);
    change?.(sheet);
    sheetjs.utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = {
    Sheets: sheets.map(({ hidden }) => ({ Hidden: hidden ? 1 : 0 })),
    WBProps: { date1904: is1904 },
  };
  return sheetjs.write(book, { type: 'buffer', bookType, cellStyles: true });
}

/** The workbook with records put in front of the sheet that comes last. */
export function withRecords(bytes: Buffer, records: readonly { kind: number; content: Buffer }[]): Buffer {
  const file = sheetjs.CFB.read(bytes, { type: 'buffer' });
  const entry = sheetjs.CFB.find(file, '/Workbook');
  if (entry === null) throw new Error('there is no workbook');
  const stream = Buffer.from(entry.content as Uint8Array);
  const begin = stream.lastIndexOf(Buffer.from('0908100000061000', 'hex')) + 20;
  const written = records.map(({ kind, content }) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(kind, 0);
    head.writeUInt16LE(content.length, 2);
    return Buffer.concat([head, content]);
  });
  entry.content = Buffer.concat([stream.subarray(0, begin), ...written, stream.subarray(begin)]);
  entry.size = entry.content.length;
  return Buffer.from(sheetjs.CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

/** What a workbook of the old kind says of a hidden row. */
export function hiddenRow(row: number): { kind: number; content: Buffer } {
  const content = Buffer.alloc(16);
  content.writeUInt16LE(row, 0);
  content.writeUInt16LE(6, 4);
  content.writeUInt16LE(300, 6);
  content.writeUInt32LE(0x120, 12);
  return { kind: 0x208, content };
}

const NAMESPACES = 'office style text table draw calcext number'
  .split(' ')
  .map((name) => `xmlns:${name}="urn:${name}"`)
  .join(' ');

/** A spreadsheet as LibreOffice writes it: its tables, and the styles before them. */
export function openDocumentOf(
  tables: string,
  { styles = '', manifest = '', content }: { styles?: string; manifest?: string; content?: ZipEntry } = {},
): Buffer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<office:document-content ${NAMESPACES} office:version="1.3"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', isStored: true },
    content ?? { name: 'content.xml', content: xml },
    {
      name: 'META-INF/manifest.xml',
      content: `<manifest:manifest xmlns:manifest="urn:m">${manifest}</manifest:manifest>`,
    },
  ]);
}

/** A table of cells, of which numbers show as they are, and others can be ready-made. */
export function tableOf(name: string, rows: readonly (readonly (string | number)[])[], before = ''): string {
  return `<table:table table:name="${name}">${before}${rows.map((cells) => rowOf(cells)).join('')}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>`;
}

export function rowOf(cells: readonly (string | number)[], attributes = ''): string {
  return `<table:table-row${attributes}>${cells.map(cellOf).join('')}</table:table-row>`;
}

export function cellOf(cell: string | number): string {
  if (typeof cell === 'number') return numberOf(cell, String(cell));
  if (cell === '') return '<table:table-cell/>';
  if (cell.startsWith('<')) return cell;
  return `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${cell}</text:p></table:table-cell>`;
}

/** A number as it is shown. */
export function numberOf(value: number, shown: string, type = 'float'): string {
  return `<table:table-cell office:value-type="${type}" office:value="${value}" calcext:value-type="${type}"><text:p>${shown}</text:p></table:table-cell>`;
}

/** What LibreOffice writes behind the tables of a workbook that has the id of a run under a name. */
export function namesOf(name: string, text: string): string {
  return `<table:named-expressions><table:named-expression table:name="${name}" table:base-cell-address="$Payouts.$A$1" table:expression="&quot;${text}&quot;"/></table:named-expressions>`;
}

/** The same as a record of a workbook of the old kind (Lbl, [MS-XLS] 2.4.150). */
export function nameRecord(name: string, text: string): { kind: number; content: Buffer } {
  const head = Buffer.alloc(15);
  head.writeUInt8(name.length, 3);
  head.writeUInt16LE(text.length + 3, 4);
  return {
    kind: 0x18,
    content: Buffer.concat([head, Buffer.from(name), Buffer.from([0x17, text.length, 0]), Buffer.from(text)]),
  };
}
