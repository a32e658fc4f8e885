import { Parser } from 'htmlparser2';
import { ConversionError } from './kinds.ts';
import { workbookOf } from './sheet-builder.ts';
import { WebTables } from './web-tables.ts';

/** The tables of a web page as the sheets of an XLSX workbook, in which every cell is text as it is shown. */
export function webPageToXlsx(html: string): Uint8Array {
  const tables = new WebTables();
  const parser = new Parser({
    onopentag: (name, attributes) => tables.open(name, attributes),
    onclosetag: (name) => tables.close(name),
    ontext: (text) => tables.text(text),
  });
  parser.end(html);
  if (tables.sheets.length === 0) throw new ConversionError('web_page_without_table');
  return workbookOf(tables.sheets);
}
